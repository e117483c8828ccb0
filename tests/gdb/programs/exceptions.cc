/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Exceptions: thrown, caught, thrown again, through frames with something to destroy. */
#include <stdexcept>

static int destroyed, caught;

struct Guard {
	int value;
	explicit Guard(int v) : value(v)
	{
	}
	~Guard()
	{
		destroyed += value; /* MARK: destructor */
	}
};

static void throws(int n)
{
	if (n > 0)       /* MARK: throws_if */
		throw n; /* MARK: throw */
	destroyed++;     /* MARK: not_thrown */
}

static void passes(int n)
{
	Guard guard(10);

	throws(n); /* MARK: passes */
	caught++;  /* MARK: passes_end */
}

static int catches(int n)
{
	try {
		passes(n);   /* MARK: try */
		return 0;    /* MARK: no_exception */
	} catch (int i) {    /* MARK: catch */
		caught += i; /* MARK: caught */
	}                    /* MARK: catch_end */
	return caught;       /* MARK: catches_end */
}

static void again(int n)
{
	try {
		throws(n); /* MARK: again_try */
	} catch (int) {    /* MARK: again_catch */
		caught++;  /* MARK: again_caught */
		throw;     /* MARK: rethrow */
	}                  /* MARK: again_end */
}

static int nested(int n)
{
	int result = 0;

	try {
		again(n); /* MARK: nested_try */
	} catch (const std::exception &) {
		result = -1; /* MARK: wrong */
	} catch (...) {      /* MARK: nested_catch */
		result = n;  /* MARK: nested_caught */
	}                    /* MARK: nested_catch_end */
	return result;       /* MARK: nested_end */
}

static int local(int n)
{
	int result = 1;

	try {
		result = 2;                       /* MARK: local_try */
		throw std::runtime_error("here"); /* MARK: local_throw */
	} catch (const std::runtime_error &) {    /* MARK: local_catch */
		result += n;                      /* MARK: local_caught */
	}                                         /* MARK: local_catch_end */
	return result;                            /* MARK: local_end */
}

int main()
{
	int a, b, c, d;

	a = catches(0);       /* MARK: call_none */
	b = catches(5);       /* MARK: call_thrown */
	c = nested(6);        /* MARK: call_nested */
	d = local(7);         /* MARK: call_local */
	return a + b + c + d; /* MARK: last */
}
