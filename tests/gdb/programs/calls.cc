/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of C++ to be called from a prompt. */
#include <cstdio>
#include <stdexcept>

struct point {
	int x, y;
	int sum() const
	{
		return x + y;
	}
	int add(int k)
	{
		return x += k;
	}
	int add(double k)
	{
		return (int)(100 * k);
	}
	static int twice(int k)
	{
		return 2 * k;
	}
};
struct base {
	int b;
	virtual int who()
	{
		return 1;
	}
	virtual ~base()
	{
	}
};
struct derived : base {
	int d;
	int who() override
	{
		return 2;
	}
};
struct heavy {
	int v;
	heavy(int k) : v(k)
	{
	}
	heavy(const heavy &o) : v(o.v)
	{
	}
	~heavy()
	{
	}
};

struct pair {
	int x, y;
	pair operator+(const pair &o) const
	{
		return { x + o.x, y + o.y };
	}
	pair operator-() const
	{
		return { -x, -y };
	}
	bool operator==(const pair &o) const
	{
		return x == o.x && y == o.y;
	}
	int operator[](int i) const
	{
		return i ? y : x;
	}
	int operator()(int k) const
	{
		return k * x;
	}
	pair &operator+=(int k)
	{
		x += k;
		y += k;
		return *this;
	}
	pair &operator++()
	{
		x++;
		return *this;
	}
	pair operator++(int)
	{
		pair ret = *this;
		y++;
		return ret;
	}
	bool operator!() const
	{
		return !x;
	}
	int operator*() const
	{
		return x * y;
	}
	operator int() const
	{
		return x;
	}
	template <typename T> T scaled(T by) const
	{
		return by * x;
	}
	int either() const
	{
		return 5;
	}
	int either()
	{
		return 6;
	}
};
static pair operator*(int k, const pair &p)
{
	return { k * p.x, k * p.y };
}
namespace ns
{
struct single {
	int s;
};
single operator-(single a, single b)
{
	return { a.s - b.s };
}
} // namespace ns
struct handle {
	point *to;
	point *operator->() const
	{
		return to;
	}
};

static heavy make_heavy(int k)
{
	return heavy(k);
}
static int over(int)
{
	return 1;
}
static int over(double)
{
	return 2;
}
static int over(const char *)
{
	return 3;
}
namespace ns
{
int inside(int k)
{
	return k + 1;
}
} // namespace ns
static int refer(int &r)
{
	return ++r;
}
static char next(char c)
{
	return (char)(c + 1);
}
static int thrower(int k)
{
	if (k)
		throw std::runtime_error("thrown");
	return k;
}
static int catcher(int k)
{
	try {
		return thrower(k);
	} catch (std::exception &) {
		return 77;
	}
}

static void stop(point *p, base *q, int &n)
{
	std::printf("%d %d %d\n", p->sum(), q->who(), n); /* MARK: stop */
}

int main()
{
	point p{ 1, 2 };
	derived d;
	int n = 4;

	d.b = d.d = 1;
	p.add(1);
	p.add(1.5);
	n += point::twice(1) + over(1) + over(1.5) + over("a") + ns::inside(1) + refer(n) +
	     make_heavy(1).v + next('a') + catcher(1);
	pair a{ 1, 2 }, b{ 3, 4 };
	const pair fixed{ 7, 8 };
	ns::single one{ 1 }, two{ 2 };
	handle h{ &p };
	auto times = [&](int k) { return k * n; };
	int (point::*adds)(int) = &point::add;
	int (base::*asks)() = &base::who;

	a += (a + b).x + (-a).y + (a == b) + a[0] + a(1) + !a + *a + int(a) + (2 * a).x;
	++a;
	a++;
	n += (one - two).s + h->sum() + times(2) + (p.*adds)(1) + (d.*asks)() + a.either() +
	     fixed.either() + a.scaled(1) + int(a.scaled(1.5));
	a = pair{ 1, 2 };
	stop(&p, &d, n); /* MARK: operators */
	return 0;
}
