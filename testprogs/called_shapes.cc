/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* called_shapes: functions that take and return values of each shape that the psABI tells apart.
 * Of each shape X there are two values, X_a and X_b; make_X() returns X_b, take_X() says whether
 * it was given X_a. main() calls each make_X() twice, and says what has come of the second. */
#include <cstdio>
#include <cstring>
#include <string>

#ifdef __clang__
#define OUT_OF_LINE __attribute__((noinline))
#else
#define OUT_OF_LINE __attribute__((noipa))
#endif
#define ANY
#define AVX __attribute__((target("avx")))

struct two_floats {
	float a, b;
};
struct three_floats {
	float a, b, c;
};
struct float_int {
	float a;
	int b;
};
struct double_long {
	double a;
	long b;
};
struct long_double {
	long a;
	double b;
};
struct with_extended {
	long double x;
};
struct extended_int {
	long double x;
	int n;
};
struct chars {
	char text[7];
};
struct ints {
	int v[4];
};
struct doubles {
	double v[2];
};
struct large {
	long v[5];
};
struct nothing {
};
struct of_nothing : nothing {
	explicit of_nothing(int n = 0) : a(n), b(n + 1)
	{
	}
	float a;
	int b;
};
struct bits {
	unsigned int a : 3, b : 11;
	unsigned long c : 40;
	int d : 9;
};
struct bits_float {
	int a : 20;
	float b;
	double c;
};
struct nested {
	struct {
		short a;
		two_floats b[1];
	} in;
	int c;
};
struct __attribute__((packed)) packed {
	char a;
	double b;
};
struct __attribute__((packed)) packed_chars {
	char a;
	short b;
	char c[6];
};
union either {
	float f;
	int i;
};
union floats {
	float f;
	double d;
};
struct of_complex {
	float _Complex c;
	float f;
};
struct wide {
	__int128 n;
};
struct derived : two_floats {
	explicit derived(float n = 0) : two_floats{ n, n + 1 }, c(n + 2)
	{
	}
	double c;
};
typedef float vector8 __attribute__((vector_size(8)));
typedef float vector16 __attribute__((vector_size(16)));
struct of_vector {
	vector16 v;
};
typedef double vector32 __attribute__((vector_size(32)));
struct of_vector32 {
	vector32 v;
};
struct vector_and_more {
	vector16 v, w;
};
struct vectors32 {
	vector32 v[2];
};
enum class small : unsigned char { ONE = 1, TWO };

template <typename T> static bool same(const T &x, const T &y)
{
	return !memcmp(&x, &y, sizeof(x));
}
static bool same(const long double &x, const long double &y)
{
	return x == y;
}
static bool same(const long double _Complex &x, const long double _Complex &y)
{
	return x == y;
}
static bool same(const with_extended &x, const with_extended &y)
{
	return x.x == y.x;
}
static bool same(const extended_int &x, const extended_int &y)
{
	return x.x == y.x && x.n == y.n;
}
static bool same(const bits &x, const bits &y)
{
	return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d;
}
static bool same(const bits_float &x, const bits_float &y)
{
	return x.a == y.a && x.b == y.b && x.c == y.c;
}

template <typename C, typename T> static C number(T x, T y)
{
	C ret;

	__real__ ret = x;
	__imag__ ret = y;
	return ret;
}

#define BRACED(...)                                                                                \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}
#define SHAPES                                                                                     \
	SHAPE(ANY, two_floats, two_floats, BRACED(1.5F, 2.5F), BRACED(3, 4))                       \
	SHAPE(ANY, three_floats, three_floats, BRACED(1.5F, 2.5F, 3.5F), BRACED(3, 4, 5))          \
	SHAPE(ANY, float_int, float_int, BRACED(1.5F, 2), BRACED(3, 4))                            \
	SHAPE(ANY, double_long, double_long, BRACED(1.5, 2), BRACED(3, 4))                         \
	SHAPE(ANY, long_double, long_double, BRACED(1, 2.5), BRACED(3, 4))                         \
	SHAPE(ANY, extended, long double, 1.5L, 2.5L)                                              \
	SHAPE(ANY, with_extended, with_extended, BRACED(1.5L), BRACED(2.5L))                       \
	SHAPE(ANY, extended_int, extended_int, BRACED(1.5L, 2), BRACED(3, 4))                      \
	SHAPE(ANY, complex_float, float _Complex, number<float _Complex>(1.F, 2.F),                \
	      number<float _Complex>(3.F, 4.F))                                                    \
	SHAPE(ANY, complex_double, double _Complex, number<double _Complex>(1., 2.),               \
	      number<double _Complex>(3., 4.))                                                     \
	SHAPE(ANY, complex_extended, long double _Complex, number<long double _Complex>(1.L, 2.L), \
	      number<long double _Complex>(3.L, 4.L))                                              \
	SHAPE(ANY, of_complex, of_complex, BRACED(number<float _Complex>(1.F, 2.F), 3),            \
	      BRACED(number<float _Complex>(3.F, 4.F), 5))                                         \
	SHAPE(ANY, chars, chars, BRACED("abcdef"), BRACED("ghijkl"))                               \
	SHAPE(ANY, ints, ints, BRACED({ 1, 2, 3, 4 }), BRACED({ 5, 6, 7, 8 }))                     \
	SHAPE(ANY, doubles, doubles, BRACED({ 1, 2 }), BRACED({ 3, 4 }))                           \
	SHAPE(ANY, large, large, BRACED({ 1, 2, 3, 4, 5 }), BRACED({ 6, 7, 8, 9, 10 }))            \
	SHAPE(ANY, of_nothing, of_nothing, of_nothing(1), of_nothing(3))                           \
	SHAPE(ANY, derived, derived, derived(1), derived(3))                                       \
	SHAPE(ANY, bits, bits, BRACED(1, 2, 3, -4), BRACED(5, 6, 7, -8))                           \
	SHAPE(ANY, bits_float, bits_float, BRACED(-1, 2, 3), BRACED(4, 5, 6))                      \
	SHAPE(ANY, nested, nested, BRACED({ 1, { { 2, 3 } } }, 4), BRACED({ 5, { { 6, 7 } } }, 8)) \
	SHAPE(ANY, packed, packed, BRACED(1, 2.5), BRACED(3, 4))                                   \
	SHAPE(ANY, packed_chars, packed_chars, BRACED(1, 2, "abcde"), BRACED(3, 4, "fghij"))       \
	SHAPE(ANY, either, either, BRACED(1.5F), BRACED(2.5F))                                     \
	SHAPE(ANY, floats, floats, BRACED(1.5F), BRACED(2.5F))                                     \
	SHAPE(ANY, int128, __int128, (__int128)1 << 100, 7)                                        \
	SHAPE(ANY, wide, wide, BRACED((__int128)1 << 100), BRACED(7))                              \
	SHAPE(ANY, vector8, vector8, BRACED(1, 2), BRACED(3, 4))                                   \
	SHAPE(ANY, vector16, vector16, BRACED(1, 2, 3, 4), BRACED(5, 6, 7, 8))                     \
	SHAPE(ANY, of_vector, of_vector, BRACED({ 1, 2, 3, 4 }), BRACED({ 5, 6, 7, 8 }))           \
	SHAPE(AVX, vector32, vector32, BRACED(1, 2, 3, 4), BRACED(5, 6, 7, 8))                     \
	SHAPE(AVX, of_vector32, of_vector32, BRACED({ 1, 2, 3, 4 }), BRACED({ 5, 6, 7, 8 }))       \
	SHAPE(ANY, vector_and_more, vector_and_more, BRACED({ 1, 2, 3, 4 }, { 5, 6, 7, 8 }),       \
	      BRACED({ 5, 6, 7, 8 }, { 1, 2, 3, 4 }))                                              \
	SHAPE(AVX, vectors32, vectors32, BRACED({ { 1, 2, 3, 4 }, { 5, 6, 7, 8 } }),               \
	      BRACED({ { 5, 6, 7, 8 }, { 1, 2, 3, 4 } }))                                          \
	SHAPE(ANY, small, small, small::ONE, small::TWO)

#define SHAPE(how, name, type, a, b)                                                               \
	type name##_a = a, name##_b = b, name##_kept;                                              \
	how OUT_OF_LINE type make_##name(void)                                                     \
	{                                                                                          \
		return name##_b;                                                                   \
	}                                                                                          \
	how OUT_OF_LINE int take_##name(int before, type x, double behind)                         \
	{                                                                                          \
		return before == 3 && behind == 0.5 && same(x, name##_a);                          \
	}

SHAPES
#undef SHAPE

/* A class whose objects know where they are. */
int made, ended;
struct heavy {
	int v;
	heavy *self;
	OUT_OF_LINE explicit heavy(int n) : v(n), self(this)
	{
	}
	OUT_OF_LINE heavy(const heavy &o) : v(o.v), self(this)
	{
		made++;
	}
	OUT_OF_LINE ~heavy()
	{
		ended++;
	}
};
heavy object(7);
OUT_OF_LINE heavy make_heavy(int n)
{
	return heavy(n);
}
OUT_OF_LINE int take_heavy(int before, heavy x, double behind)
{
	return before == 3 && behind == 0.5 && x.self == &x ? x.v : -1;
}

struct texts {
	std::string one = "text", other = "a text that does not fit into the object";
} texts;
OUT_OF_LINE int take_text(std::string x)
{
	return (int)x.size();
}

struct only {
	only() = default;
	only(const only &) = delete;
	int v = 1;
};
only single;
OUT_OF_LINE int take_only(only x)
{
	return x.v;
}

OUT_OF_LINE void stop(void)
{
	puts("stopped"); /* MARK: stop */
}

#define SHAPE(how, name, type, a, b) name##_kept = make_##name();
AVX static void keep(void)
{
	SHAPES
}
#undef SHAPE

#define SHAPE(how, name, type, a, b) printf(#name " %d\n", same(name##_kept, name##_a));
int main(void)
{
	made = take_heavy(3, object, 0.5) + take_heavy(3, make_heavy(1), 0.5) +
	       take_text(texts.one);
	made = ended = 0;
	stop();
	keep();
	keep();
	SHAPES
	return 0;
}
