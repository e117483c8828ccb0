/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Virtual calls, pointers to members, anonymous unions, thunks, static variables in functions. */
struct First {
	int one;

	virtual int first()
	{
		return one; /* MARK: first */
	}
	virtual ~First()
	{
	}
};

struct Second {
	int two;

	virtual int second()
	{
		return two; /* MARK: second */
	}
	int plain(int n) const
	{
		return n + two;
	}
	virtual ~Second()
	{
	}
};

struct Both : First, Second {
	union {
		int number;
		char bytes[4];
	};

	int second() override
	{
		return number + bytes[0]; /* MARK: both_second */
	}
};

static int made()
{
	static int count = 0;

	return ++count; /* MARK: made */
}

int main()
{
	Both both;
	Second *through = &both;
	int (Second::*member)() = &Second::second;
	int (Both::*own)() = &Both::second;
	int (Second::*plain)(int) const = &Second::plain;
	int (Second::*none)() = nullptr;
	int Both::*inherited = &Both::two;
	int result = 0;

	both.one = 1;
	both.two = 2;
	both.number = 3;
	result += both.first();         /* MARK: call_first */
	result += through->second();    /* MARK: call_thunk */
	result += (through->*member)(); /* MARK: call_member */
	result += made() + made();      /* MARK: call_made */
	result += both.*inherited == 0 || own == nullptr || none || !plain;
	return result; /* MARK: last */
}
