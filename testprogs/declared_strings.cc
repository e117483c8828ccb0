// SPDX-FileCopyrightText: The ompdb developers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings that are made where there is no debug information (MAKER), and seen where clang, which
// finds none made there, declares their class alone.
#include <map>
#include <set>
#include <string>
#include <vector>

struct Holder {
	std::string name;
	int number;
};
using Names = std::vector<std::string>;
using Numbers = std::map<std::string, int>;
using Named = std::map<int, std::string>;
using Set = std::set<std::string>;

void show(const std::string &brief, const std::string &wordy, const Names &names,
	  const Numbers &numbers, const Named &named, const Set &set, const Holder (&row)[2]);

#ifdef MAKER
int main()
{
	std::string brief = "hello", wordy(100, 'w');
	const Holder row[2] = { { "first", 1 }, { "second", 2 } };
	show(brief, wordy, { "a", std::string(30, 'b') }, { { "x", 1 }, { "y", 2 } },
	     { { 3, "three" } }, { "one", "two" }, row);
}
#else
std::string given(const std::string &name)
{
	return name;
}

Holder held(const std::string &name)
{
	return { name, 4 };
}

void show(const std::string &brief, const std::string &wordy, const Names &names,
	  const Numbers &numbers, const Named &named, const Set &set, const Holder (&row)[2])
{
	// These are made here, so that their classes are not declared only.
	Names other_names;
	Numbers other_numbers;
	Named other_named;
	Set other_set;

	__builtin_printf("%d\n", other_names.empty() + other_numbers.empty() + // MARK: show
					 other_named.empty() + other_set.empty());
	__asm__ volatile("" : : "r"(&brief), "r"(&wordy), "r"(&names), "r"(&numbers) : "memory");
	__asm__ volatile("" : : "r"(&named), "r"(&set), "r"(&row) : "memory");
	given(brief);
	held(wordy);
}
#endif
