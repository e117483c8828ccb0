// SPDX-FileCopyrightText: The ompdb developers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes: inheritance of all kinds, static members, templates, pointers to members.
#include <cstdio>

struct Virtual {
	virtual ~Virtual()
	{
	}
	int v = 1;
};
struct Left : virtual Virtual {
	int left = 2;
	static int count;
	static const int constant = 9;
};
struct Right : virtual Virtual {
	int right = 3;
};
class Derived : public Left, public Right
{
      public:
	int own = 4;
	int &reference;
	Derived() : reference(own)
	{
	}
	int sum()
	{
		return left + right + v + own + hidden;
	}

      private:
	int hidden = 5;
};
int Left::count = 77;

struct Empty {
};
struct StillEmpty : Empty {
};
struct Filled : Empty {
	int z = 8;
};
struct Shadow : Filled {
	int z = 9;
	Shadow *self = this;
};

struct Counted {
	int counted = 70;
	static int all;
};
int Counted::all = 71;
struct First : Counted {
	int same = 10;
};
struct Second : Counted {
	int same = 20;
};
struct Both : First, Second {
	int once = 30;
};

namespace space
{
template <class T> struct Box {
	T held;
	Box *next = nullptr;
	static T shared;
};
template <class T> T Box<T>::shared = T();
struct Coloured {
	enum Colour { Red, Green } colour = Green;
	enum class Shape { Round, Flat } shape = Shape::Flat;
};
} // namespace space

static void last()
{
	std::putchar('\n'); // MARK: last
}

int main()
{
	Derived derived;
	Left *base = &derived;
	space::Box<int> box{ 5 };
	space::Box<space::Coloured> coloured;
	StillEmpty empty;
	Filled filled;
	Shadow shadow;
	Both both;
	int Derived::*member = &Derived::own;
	int (Derived::*method)() = &Derived::sum;
	int &&temporary = 5;
	const Filled &constant = filled;

	last();
	std::printf(
		"%d %d %d\n", derived.sum() + base->left, box.held + temporary + derived.*member,
		(derived.*method)() + space::Box<int>::shared + constant.z + shadow.z + both.once);
	return sizeof(empty) + sizeof(coloured) > 100;
}
