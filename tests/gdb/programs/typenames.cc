/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pointers to all kinds of types that have a name, and functions that return numbers. */
class Domain
{
      public:
	int cells;
};

struct Plain {
	int cells;
};

namespace ns
{
class Inner
{
      public:
	struct Part {
		int cells;
	};
	int cells;
};
enum Kind { ONE, TWO };
union Bits {
	int i;
	float f;
};
template <class T> struct Box {
	T value;
};
typedef Plain Other;
} // namespace ns

static double half(double n)
{
	return n / 2; /* MARK: half */
}

static float third(float n)
{
	return n / 3; /* MARK: third */
}

int main()
{
	Domain domain = { 1 }, *a_class = &domain;
	Plain plain = { 2 }, *a_struct = &plain;
	const Domain *a_const = &domain;
	ns::Inner::Part part = { 3 }, *a_part = &part;
	ns::Kind kind = ns::TWO, *an_enum = &kind;
	ns::Bits bits = { 4 }, *a_union = &bits;
	ns::Box<Domain> box = { { 5 } }, *a_template = &box;
	ns::Other other = { 6 }, *a_typedef = &other;
	Domain many[2] = { { 7 }, { 8 } }, (*an_array)[2] = &many;
	double h = half(3);  /* MARK: call_half */
	float t = third(12); /* MARK: call_third */
	int all = a_class->cells + a_struct->cells + a_const->cells + a_part->cells +
		  *an_enum + /* MARK: sum */
		  a_union->i + a_template->value.cells + a_typedef->cells + (*an_array)[1].cells;

	return all + (int)h + (int)t; /* MARK: last */
}
