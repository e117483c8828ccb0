/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that begin and end: bases, members, virtual ones; each body exists more than once. */
static int log_value;

class Base
{
      public:
	Base(int n)
	{
		log_value += n; /* MARK: base */
	}
	virtual ~Base()
	{
		log_value *= 2; /* MARK: base_end */
	}
	virtual int kind()
	{
		return 1; /* MARK: base_kind */
	}
};

class Middle : public virtual Base
{
      public:
	Middle() : Base(1)
	{
		log_value += 10; /* MARK: middle */
	}
	int kind() override
	{
		return 2; /* MARK: middle_kind */
	}
};

class Leaf : public Middle
{
	Base member;

      public:
	Leaf() : Base(2), member(3)
	{
		log_value += 100; /* MARK: leaf */
	}
	~Leaf() override
	{
		log_value++; /* MARK: leaf_end */
	}
};

static Base global(5); /* MARK: global */

static int ask(Base &base)
{
	return base.kind(); /* MARK: ask */
}

int main()
{
	int result = ask(global); /* MARK: first */

	{
		Middle middle; /* MARK: make_middle */
		Leaf leaf;     /* MARK: make_leaf */

		result += ask(middle) * 10; /* MARK: ask_middle */
		result += ask(leaf);        /* MARK: ask_leaf */
	}                                   /* MARK: scope_end */
	return (result + log_value) & 63;   /* MARK: last */
}
