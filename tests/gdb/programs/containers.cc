// SPDX-FileCopyrightText: The ompdb developers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes of the standard library that gdb has printers for.
#include <bitset>
#include <cstdio>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

struct Named {
	int number;
	std::string name;
};

static void last()
{
	std::putchar('\n'); // MARK: last
}

int main()
{
	std::string text = "hello", nothing, many(300, 'x'), with_nul("a\0b", 3);
	std::string_view view = text;
	std::vector<int> numbers{ 1, 2, 3 }, none;
	std::vector<bool> bits{ true, false, true };
	std::vector<std::string> texts{ "a", "b" };
	std::vector<Named> named{ { 1, "x" }, { 2, "y" } };
	std::vector<std::vector<double>> nested{ { 1.5 }, {}, { 2.5, 3.5 } };
	std::map<std::string, int> map{ { "one", 1 }, { "two", 2 }, { "three", 3 } };
	std::map<int, std::vector<int>> deep{ { 1, { 1, 2 } }, { 2, {} } };
	std::map<char, double> narrow{ { 'a', 1.5 } };
	std::map<int, int> empty_map;
	std::multimap<int, char> multimap{ { 1, 'a' }, { 1, 'b' } };
	std::set<double> set{ 1.5, 2.5 };
	std::unordered_map<int, std::string> hashed{ { 7, "seven" } };
	std::unordered_set<int> hashed_set{ 9 };
	std::list<int> list{ 1, 2, 3 }, empty_list;
	std::list<Named> named_list{ { 3, "z" } };
	std::forward_list<int> forward{ 4, 5 };
	std::deque<int> deque;
	std::tuple<int, std::string, double> tuple{ 1, "t", 2.5 };
	std::pair<int, std::string> pair{ 1, "p" };
	std::optional<int> five{ 5 }, no_number;
	std::optional<std::string> maybe{ "text" };
	std::variant<int, std::string> variant{ "text" }, number{ 3 };
	std::unique_ptr<int> unique(new int(3)), no_pointer;
	std::shared_ptr<Named> shared = std::make_shared<Named>(Named{ 1, "s" }), second = shared,
			       no_shared;
	std::weak_ptr<Named> weak = shared;
	std::bitset<70> bitset("1011");

	numbers.reserve(10);
	for (int i = 0; i < 300; i++)
		deque.push_back(i);
	deque.pop_front();
	last();
	std::printf("%zu %zu\n", text.size() + view.size() + variant.index(),
		    numbers.size() + bitset.count());
	return 0;
}
