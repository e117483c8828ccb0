/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One line, many functions: instances of templates. */
template <typename T> static T twice(T value)
{
	T result = value + value; /* MARK: twice */

	return result; /* MARK: twice_end */
}

template <typename T, int N> class Ring
{
	T values[N];
	int next;

      public:
	Ring() : next(0) /* MARK: ring */
	{
		for (int i = 0; i < N; i++)
			values[i] = T(); /* MARK: ring_body */
	}
	void put(T value)
	{
		values[next] = value;  /* MARK: put */
		next = (next + 1) % N; /* MARK: put_end */
	}
	T sum() const
	{
		T result = T();

		for (int i = 0; i < N; i++)
			result += values[i]; /* MARK: sum */
		return result;               /* MARK: sum_end */
	}
};

/* As with everything that has to do with std::string: names of the linker with a tag. */
__attribute__((abi_tag("new"))) int tagged = 4;
namespace inner
{
__attribute__((abi_tag("new"))) int tagged = 5;
__attribute__((abi_tag("new"))) int add_tagged(int n)
{
	return n + tagged;
}
} // namespace inner

template <typename T> struct Counted {
	static int count;
	T value;
};
template <typename T> int Counted<T>::count = 6;
using Numbers = Counted<long>;
static Numbers number = { 7 };

int main()
{
	tagged = inner::add_tagged(tagged) - 5 + Numbers::count - 6 + (int)number.value - 7;
	Ring<int, 2> ints;
	Ring<double, 3> doubles;

	ints.put(twice(1)); /* MARK: ints */
	ints.put(twice(2));
	doubles.put(twice(1.5));                              /* MARK: doubles */
	return ints.sum() + (int)doubles.sum() + twice('\1'); /* MARK: last */
}
