/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/function_name.h"

#include "unit.h"

static const struct {
	const char *asked, *name;
	bool is_it;
} names[] = {
	/* scopes */
	{ "work", "work", true },
	{ "work", "ns::Class::work(int, char*)", true },
	{ "::work", "ns::work(int)", true },
	{ "Class::work", "ns::Class::work(int)", true },
	{ "ns::work", "ns::Class::work(int)", false },
	{ "ns::Class::work", "Class::work(int)", false },
	{ "wor", "work", false },
	{ "work", "homework", false },
	{ "ns::work", "ns::(anonymous namespace)::work()", true },
	{ "ns::(anonymous namespace)::work", "ns::(anonymous namespace)::work()", true },
	{ "work", "main::{lambda(int)#1}::operator()(int) const", false },
	{ "operator()", "main::{lambda(int)#1}::operator()(int) const", true },
	{ "main()::inner", "main()::inner::f()", false },
	{ "inner::f", "outer(int) const::inner::f()", true },
	/* results */
	{ "work", "std::vector<int, std::allocator<int> > ns::work<int>(int)", true },
	{ "vector", "std::vector<int> ns::work<int>(int)", false },
	{ "work", "decltype (auto) work<int>(int)", true },
	/* template arguments, with and without blanks */
	{ "work<int>", "void work<int>(int)", true },
	{ "work<int>", "void work<char>(char)", false },
	{ "Class<int>::work", "Class<int>::work()", true },
	{ "Class::work", "Class<std::pair<int, char> >::work()", true },
	{ "Class<std::pair<int,char>>::work", "Class<std::pair<int, char> >::work()", true },
	{ "Class<std::pair<int,long>>::work", "Class<std::pair<int, char> >::work()", false },
	{ "get<( a ) > 2>", "get<(a)>2>", true },
	/* parameters */
	{ "work(int, char*)", "ns::work(int, char*)", true },
	{ "work(int,char *)", "ns::work(int, char*)", true },
	{ "work(unsigned  int)", "work(unsigned int)", true },
	{ "work(unsignedint)", "work(unsigned int)", false },
	{ "work(int)", "work(int, char*)", false },
	{ "work(void)", "work()", true },
	{ "work()", "work(int)", false },
	{ "work(int)", "Class::work(int) const", true },
	{ "work(int) const", "Class::work(int) const", true },
	{ "work(int) const", "Class::work(int)", false },
	{ "work(void (*)(int))", "work(void (*)(int))", true },
	/* constructors, destructors, operators, conversions, tags */
	{ "Class::Class", "ns::Class::Class(int)", true },
	{ "Class::~Class", "ns::Class::~Class()", true },
	{ "~Class", "ns::Class::Class()", false },
	{ "operator<", "bool std::operator< <char>(char)", true },
	{ "operator<", "std::operator<<(int)", false },
	{ "operator<<", "std::ostream& std::operator<< <char>(char)", true },
	{ "operator< <char>", "bool std::operator< <char>(char)", true },
	{ "operator->", "ptr<int>::operator->() const", true },
	{ "operator->*", "ptr<int>::operator->() const", false },
	{ "operator new", "operator new(unsigned long)", true },
	{ "operator new[]", "operator new(unsigned long)", false },
	{ "operator bool", "Class::operator bool() const", true },
	{ "name", "Class::name[abi:cxx11]() const", true },
	{ "name[abi:cxx11]", "Class::name[abi:cxx11]() const", true },
	/* what is no name */
	{ "work::", "work::", false },
	{ "", "work", false },
	{ "a(", "a()", false },
	{ "<<<<", "work", false },
};

static bool is_match(const char *asked, const char *name, bool any_case)
{
	struct function_name a = { 0 }, b = { 0 };
	bool is_it = function_name_parse(asked, &a) && function_name_parse(name, &b) &&
		     function_name_matches(&a, &b, any_case);

	function_name_fini(&a);
	function_name_fini(&b);
	return is_it;
}

START_TEST(what_is_asked_for_is_found)
{
	ck_assert_msg(is_match(names[_i].asked, names[_i].name, false) == names[_i].is_it,
		      "%s and %s", names[_i].asked, names[_i].name);
}
END_TEST

START_TEST(fortran_has_no_case)
{
	ck_assert(is_match("OCEAN::Flow", "ocean::flow", true));
	ck_assert(is_match("FLOW", "ocean::flow", true));
	ck_assert(!is_match("FLOW", "ocean::flow", false));
}
END_TEST

static const struct {
	const char *asked, *mangled;
	bool may;
} mangled[] = {
	{ "work", "_ZN2ns4workEi", true },           { "ns::work", "_ZN2ns4workEi", true },
	{ "work<int>(int)", "_Z4workIiEvT_", true }, { "~Class", "_ZN5ClassD1Ev", true },
	{ "work", "_ZN2ns8homeworkEi", false },      { "wor", "_ZN2ns4workEi", false },
	{ "operator+", "_ZN1AplEv", true },
};

START_TEST(mangled_names_are_told_apart_without_unpacking)
{
	struct function_name asked = { 0 };

	ck_assert(function_name_parse(mangled[_i].asked, &asked));
	ck_assert(function_name_may_be_mangled(&asked, mangled[_i].mangled) == mangled[_i].may);
	function_name_fini(&asked);
}
END_TEST

START_TEST(nonsense_comes_to_an_end)
{
	static const char letters[] = "<>()[]{}:: a~-operator,\"&*";
	char text[64];

	srand(1);
	for (int i = 0; i < 200000; i++) {
		struct function_name n = { 0 };
		size_t len = (size_t)rand() % (sizeof(text) - 1);
		for (size_t j = 0; j < len; j++)
			text[j] = letters[(size_t)rand() % (sizeof(letters) - 1)];
		text[len] = 0;
		if (function_name_parse(text, &n)) {
			ck_assert_uint_gt(n.nparts, 0);
			ck_assert(function_name_matches(&n, &n, false));
		}
		function_name_fini(&n);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("function_name");

	unit_table(s, what_is_asked_for_is_found, names);
	unit_table(s, mangled_names_are_told_apart_without_unpacking, mangled);
	unit_case(s, "function_name", fortran_has_no_case, nonsense_comes_to_an_end);
	return unit_run(s);
}
