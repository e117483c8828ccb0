/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What both units of kinds.cc know: its entries are what dwz shares and type units hold. */
namespace shop
{
enum class colour : unsigned char { red, green = 5, blue };
enum flags { none = 0, small = 1, big = 2, both = 3 };

struct point {
	int x;
	double y;
	bool operator==(const point &o) const
	{
		return x == o.x && y == o.y;
	}
};

struct base {
	virtual ~base()
	{
	}
	virtual int name() const
	{
		return 1;
	}
	int id = 11;
};

struct item : virtual base {
	int name() const override
	{
		return 2;
	}
	unsigned low : 3, high : 29;
	point at;
	colour paint;
	union {
		long number;
		char text[8];
	};
	item *next = nullptr;
	static int count;
};

template <typename T, int N> struct box {
	T values[N];
	T first() const
	{
		return values[0];
	}
};

using row = box<point, 3>;
struct opaque;
} // namespace shop

extern shop::opaque *hidden;
int total(const shop::row &r, shop::item *i);
