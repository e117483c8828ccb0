/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions in namespaces, nested, unnamed and inline ones, and static members. */
namespace outer
{
static int total;

static int work(int n)
{
	total += n; /* MARK: outer_work */
	return total;
}

namespace inner
{
static int within = 6;
int total = 60;

static int work(int n)
{
	return outer::work(n + 1); /* MARK: inner_work */
}
} // namespace inner

class Tool
{
      public:
	static int work(int n)
	{
		return inner::work(n); /* MARK: tool_work */
	}
	static int shared;
	int use(int n);
};
int Tool::shared = 77;

int Tool::use(int n)
{
	return work(n) + 1; /* MARK: use */
}
} // namespace outer

namespace
{
int hidden(int n)
{
	return n * 2; /* MARK: hidden */
}
} // namespace

namespace bringing
{
using namespace outer::inner;
using outer::total;
} // namespace bringing

class Heir : public outer::Tool
{
};

inline namespace version
{
static int versioned(int n)
{
	return n - 1; /* MARK: versioned */
}
} // namespace version

int main()
{
	Heir tool;
	int a = tool.use(1); /* MARK: call */

	a += hidden(a);
	a += versioned(a);                             /* MARK: call_versioned */
	return a + bringing::within + bringing::total; /* MARK: last */
}
