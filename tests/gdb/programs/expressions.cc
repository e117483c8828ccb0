/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What expressions of C++ are asked about: casts, scopes, templates, pointers to members. */
#include <cstdint>
#include <cstdio>

int x = 1;
static int only_here = 2;

namespace outer
{
int x = 10;
int ours = 11;
namespace inner
{
int x = 100;
int deep = 101;
enum color { red, green = 4 };
} // namespace inner
} // namespace outer

namespace other
{
int used = 20;
struct thing {
	int n;
};
} // namespace other

namespace whole = outer::inner;

namespace
{
int unnamed = 30;
}

enum class level : unsigned char { low = 1, high = 200 };

int made = 0;

struct base {
	int first;
	base() : first(1)
	{
		made += 1;
	}
	virtual ~base()
	{
	}
	virtual int number()
	{
		return first;
	}
};

struct side {
	int aside;
	side() : aside(5)
	{
		made += 1;
	}
	virtual ~side()
	{
	}
};

struct derived : base, side {
	int second;
	derived() : second(2)
	{
		made += 1;
	}
	static int count;
	static const int limit = 50;
	int number() override
	{
		return second;
	}
	int add(int n);
};

int derived::count = 3;

template <typename T> struct box {
	T value;
	static T zero;
};
template <typename T> T box<T>::zero = 7;

template <typename K, typename V> struct both {
	K key;
	V value;
};

template <typename T> T scaled = 1.5;

box<int> boxed = { 42 };
box<unsigned long> boxed_long = { 43 };
both<int, box<char>> nested = { 1, { 'b' } };

derived object;
base *p_base = &object;
side *p_side = &object;
derived *p_derived = &object;
void *p_void = &object;
int derived::*p_member = &derived::second;
int (derived::*p_method)(int) = &derived::add;
int number = 65;
int &reference = number;
const int &fixed = number;
double real = 2.5;
bool yes = true, no = false;
char c = 'c';
wchar_t wide = L'w';
char16_t c16 = u'u';
char32_t c32 = U'U';
level high = level::high;
outer::inner::color shade = outer::inner::green;
const char *words = "some words";
int numbers[5] = { 1, 2, 3, 4, 5 };

int derived::add(int n)
{
	int local = second + n + x;

	return local; /* MARK: method */
}

namespace outer
{
int look(int n)
{
	using namespace other;
	static int calls = 4;

	calls += n;
	return used + ours + x + calls; /* MARK: look */
}
} // namespace outer

int main()
{
	int sum = object.add(3) + outer::look(2) + unnamed + only_here;

	{
		using outer::ours;
		int x = 1000;
		std::printf("%d %d\n", sum + x, ours); /* MARK: stop */
	}
	return box<int>::zero + (int)box<unsigned long>::zero - 16 + scaled<int> +
	       (int)scaled<double>;
}
