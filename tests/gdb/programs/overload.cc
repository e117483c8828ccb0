/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of one name, told apart by their parameters. */
static int total;

static void add(int n)
{
	total += n; /* MARK: add_int */
}

static void add(double n)
{
	total += (int)n; /* MARK: add_double */
}

static void add(const char *text, int n)
{
	total += text[n]; /* MARK: add_text */
}

struct Number {
	int value;

	void add(int n)
	{
		value += n; /* MARK: member_int */
	}
	void add(char c)
	{
		total += c; /* MARK: member_char */
	}
	Number operator+(const Number &other) const
	{
		return Number{ value + other.value }; /* MARK: plus */
	}
	int operator()(int n) const
	{
		return value + n; /* MARK: call_operator */
	}
	explicit operator bool() const
	{
		return value != 0; /* MARK: bool */
	}
};

int main()
{
	Number a{ 1 }, b{ 2 };

	add(1); /* MARK: calls */
	add(2.5);
	add("abc", 0);
	a.add(3); /* MARK: members */
	a.add('b');
	b = a + b; /* MARK: operators */
	total += b(4);
	return b ? total & 63 : 0; /* MARK: last */
}
