// SPDX-FileCopyrightText: The ompdb developers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes of the standard library, whichever one it is; what they hold is what the tests expect.
#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstdio>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <variant>
#include <vector>

struct Named {
	int number;
	std::string name;
};

struct Nothing {
};

struct Large {
	int number, more[99];
};

struct Inherits : std::vector<int> {
	using vector::vector;
};

[[gnu::noinline]] static void last()
{
	std::puts("last"); // MARK: last
}

static int twice(int x)
{
	return 2 * x;
}

static bool is_more(int a, int b)
{
	return a > b;
}

static std::size_t same(int)
{
	return 1;
}

static void let_go(int *)
{
}

// Keeps the compiler from leaving anything out.
[[gnu::noinline]] static void keep_one(void *thing)
{
	__asm__ volatile("" : : "r"(thing) : "memory");
}

template <class... T> static void keep(T &...things)
{
	(..., keep_one(std::addressof(things)));
}

// Called by the debugger alone.
[[gnu::noinline, gnu::used]] static std::string joined(std::string first, const std::string &second)
{
	first += ' ';
	first += second;
	return first;
}

[[gnu::noinline, gnu::used]] static int chosen(const std::string &)
{
	return 1;
}

[[gnu::noinline, gnu::used]] static int chosen(int)
{
	return 2;
}

[[gnu::noinline, gnu::used]] static unsigned long length_of(std::string_view text)
{
	return text.size();
}

[[gnu::noinline, gnu::used]] static unsigned long wide_length(const std::wstring &wide)
{
	return wide.size();
}

[[gnu::noinline, gnu::used]] static unsigned long add_to(std::string &text)
{
	text += '!';
	return text.size();
}

int main()
{
	std::string text = "hello", nothing, many(300, 'x'), with_nul("a\0b", 3);
	std::string brief(15, 'b'), short_one(22, 's'), long_one(23, 'l');
	std::string_view view = text;
	std::wstring wide = L"wide \u00e9", wide_long(30, L'w');
	std::u16string utf16 = u"a \U0001f600";
	std::u32string utf32(5, U'4');
	std::u16string_view utf16_view = utf16;
	std::vector<int> numbers{ 1, 2, 3 }, none;
	std::vector<bool> bits{ true, false, true };
	std::vector<std::string> texts{ "a", "b" };
	std::vector<Named> named{ { 1, "x" }, { 2, "y" } };
	std::vector<std::vector<double>> nested{ { 1.5 }, {}, { 2.5, 3.5 } };
	std::map<std::string, int> map{ { "one", 1 }, { "two", 2 }, { "three", 3 } };
	std::map<int, std::vector<int>> deep{ { 1, { 1, 2 } }, { 2, {} } };
	std::map<char, double> narrow{ { 'a', 1.5 } };
	std::map<int, int> empty_map;
	std::map<int, int, bool (*)(int, int)> down({ { 1, 10 }, { 2, 20 } }, is_more);
	std::multimap<int, char> multimap{ { 1, 'a' }, { 1, 'b' } };
	std::set<double> set{ 1.5, 2.5 };
	std::set<char> letters{ 'b', 'a', 'd', 'c', 'e' };
	std::set<int> tree;
	std::multiset<int> multiset{ 2, 1, 2 };
	std::unordered_map<int, std::string> hashed{ { 7, "seven" } };
	std::unordered_set<int> hashed_set{ 9 };
	std::unordered_set<int, std::size_t (*)(int)> same_hash({ 4 }, 1, same);
	std::unordered_multimap<char, int> hashed_multimap{ { 'm', 1 } };
	std::unordered_multiset<char> hashed_multiset{ 'n', 'n' };
	std::list<int> list{ 1, 2, 3 }, empty_list;
	std::list<Named> named_list{ { 3, "z" } };
	std::forward_list<int> forward{ 4, 5 }, empty_forward;
	std::deque<int> deque;
	std::deque<Large> larges;
	std::deque<char> empty_deque;
	std::tuple<int, std::string, double> tuple{ 1, "t", 2.5 };
	std::tuple<Nothing, int> half{ Nothing{}, 3 };
	std::pair<int, std::string> pair{ 1, "p" };
	std::optional<int> five{ 5 }, no_number;
	std::optional<std::string> maybe{ "text" };
	std::variant<int, std::string> variant{ "text" }, number{ 3 };
	std::unique_ptr<int> unique(new int(3)), no_pointer;
	std::unique_ptr<int, void (*)(int *)> with_deleter(nullptr, let_go);
	std::shared_ptr<Named> shared = std::make_shared<Named>(Named{ 1, "s" }), second = shared,
			       no_shared;
	std::weak_ptr<Named> weak = shared;
	std::weak_ptr<int> expired = std::make_shared<int>(1);
	std::stack<int> stack;
	std::queue<int> queue({ 3, 4 });
	std::priority_queue<int> heap({}, { 5, 9 });
	std::bitset<70> bitset("1011");
	std::bitset<3> small_bitset("110");
	std::array<int, 3> array{ 7, 8, 9 };
	std::atomic<int> atomic{ 4 };
	std::atomic<int *> atomic_pointer{ nullptr };
	std::complex<double> complex{ 1, 2 };
	std::complex<float> small_complex{ 1.5, -2 };
	std::any no_any, any_number = 5, any_large = Large{ 6, {} };
	std::vector<std::any> anys{ 5, std::string("in it") };
	std::any any_named = Named{ 2, "n" };
	std::mutex mutex, locked;
	std::thread thread;
	std::function<int(int)> function = twice, no_function;
	std::chrono::milliseconds duration(250);
	std::chrono::time_point<std::chrono::system_clock, std::chrono::seconds> moment(
		std::chrono::seconds(1700000000)),
		before(std::chrono::seconds(-1));
	std::chrono::steady_clock::time_point steady{};
	std::valarray<int> valarray{ 1, 2, 3 };
	Inherits inherits{ 5, 6 };
	std::any any_text = std::string("held");
	int seven = 7;
	std::function<int(int)> lambda = [seven](int x) { return x + seven; };

	numbers.reserve(10);
	for (int i = 0; i < 300; i++) {
		deque.push_back(i);
		tree.insert(i * 7 % 300);
	}
	deque.pop_front();
	for (int i = 0; i < 40; i++)
		larges.push_back({ i, {} });
	larges.pop_front();
	locked.lock();
	decltype(nullptr) null = nullptr;
	std::initializer_list<int> listed = { 3, 4 };
	std::tuple<> no_tuple;
	std::bitset<0> no_bits;
	auto numbers_at = numbers.begin() + 1;
	auto numbers_back = numbers.rbegin();
	auto map_at = map.find("two");
	auto map_end = map.end();
	stack.push(1);
	stack.push(2);
	auto set_at = set.begin();
	auto list_at = list.begin(), list_end = list.end();
	auto list_back = list.rbegin();
	auto map_back = map.rbegin(), map_front = map.rend();
	auto set_back = std::next(set.rbegin());
	auto forward_at = forward.begin();
	auto deque_at = deque.begin() + 130;
	auto deque_back = std::reverse_iterator<decltype(deque_at)>(deque.begin() + 127);
	auto hashed_at = hashed.begin();
	auto bit_at = bits.begin() + 2;
	std::vector<bool>::const_iterator no_bit_at = bits.begin() + 1;
	std::vector<bool>::reference bit = bits[2];
	std::bitset<70>::reference small_bit = bitset[3];
	for (int round = 0; round < 2; round++) {
		if (round)
			last();
		keep(no_any, any_number, anys, any_large, any_named, text, nothing, many, with_nul,
		     brief, short_one, long_one, view, wide, wide_long, utf16, utf32, utf16_view,
		     numbers, none, bits, texts, named, nested, map, deep, narrow, empty_map, down,
		     multimap, set, letters, tree, multiset, hashed, hashed_set, same_hash,
		     hashed_multimap, hashed_multiset, list, empty_list, named_list, forward,
		     empty_forward, deque, larges, empty_deque, tuple, half, pair, five, no_number,
		     maybe, variant, number, unique, no_pointer, with_deleter, shared, second,
		     no_shared, weak, expired, stack, queue, heap, bitset, small_bitset, array,
		     atomic, atomic_pointer, complex, small_complex, mutex, locked, thread,
		     function, no_function, duration, moment, before, steady, valarray, inherits,
		     any_text, seven, lambda, numbers_at, map_at, set_at, list_at, forward_at,
		     deque_at, hashed_at, numbers_back, map_end, bit_at, no_bit_at, list_end,
		     list_back, map_back, map_front, set_back, deque_back, null, listed, no_tuple,
		     no_bits, bit, small_bit);
	}
	locked.unlock();
	std::printf("%zu %zu\n", text.size() + view.size() + variant.index(),
		    numbers.size() + bitset.count());
	return 0;
}
