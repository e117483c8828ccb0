/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* References: to numbers, pointers, arrays and structures, and to nothing. */
struct Point {
	int x, y;
};

static int sum(const int &number, double &&real, const char *const &text, int (&array)[3],
	       Point &point)
{
	const int &local = number;

	point.x += local + array[1] + (int)real + text[0];
	return point.x; /* MARK: sum */
}

static int nothing(int &from)
{
	return &from != nullptr; /* MARK: nothing */
}

int main()
{
	int number = 4, array[3] = { 1, 2, 3 };
	const char *text = "text";
	Point point = { 5, 6 };
	int *none = nullptr;
	int got = sum(number, 2.5, text, array, point);

	return got + nothing(*none); /* MARK: last */
}
