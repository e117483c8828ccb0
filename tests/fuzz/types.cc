/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What fuzz_type reads the debug information of: a bit of each kind of type. */
namespace room
{
struct base {
	int b;
	virtual int turn(int by)
	{
		return b += by;
	}
	virtual ~base() = default;
};
enum class color : unsigned char { RED, GREEN = 5 };
enum flags { A = 1, B = 2, C = 4 };
template <typename T, int N> struct row {
	typedef T element;
	T items[N];
	static int made;
	T &at(int n) const volatile;
};
struct left : virtual base {
	long l;
};
struct right : virtual base {
	unsigned int bits : 3, more : 5;
	union {
		float f;
		char c[4];
	};
};
class both : public left, private right
{
	both *next;
	row<color, 3> colors;
	const volatile double *restricted;

      public:
	void (*call)(both &, const char *, ...);
	int both::*member;
	int (both::*method)(int) const;
	both &&moved(both &&from);
	int grid[2][3];
};
} // namespace room
room::both one;
room::row<int, 2> two;
room::flags mixed = room::flags(3);
typedef int quad __attribute__((vector_size(16)));
quad vector;
double _Complex number;
__int128 wide;
decltype(nullptr) nothing;
using word = unsigned long;
thread_local word mine;
extern "C" int sum(int n, word (*of)[4])
{
	int shape[n + 1];

	shape[0] = n;
	return shape[0] + (int)(*of)[0];
}
