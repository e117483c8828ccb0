/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* For looking up symbols and lines: namespaces, templates, lambdas, local classes, exceptions. */
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace mesh
{
template <typename T> struct cell {
	T value;

	__attribute__((noinline)) T twice() const
	{
		return value % 1000 + value % 1000; /* MARK: twice */
	}
};

namespace
{
__attribute__((noinline)) int hidden(int n)
{
	if (n < 0)
		throw std::runtime_error("negative"); /* MARK: throw */
	return n + 1;
}
} // namespace

__attribute__((noinline)) int visit(const std::map<std::string, std::vector<int>> &cells)
{
	int sum = 0;
	auto add = [&sum](int n) __attribute__((noinline))
	{
		sum += n; /* MARK: lambda */
	};
	struct counter {
		__attribute__((noinline)) int next(int n)
		{
			return n + 2; /* MARK: local */
		}
	} count;

	for (const auto &item : cells)
		for (int n : item.second)
			add(count.next(n)); /* MARK: visit */
	return sum;
}
} // namespace mesh

int main(int argc, char **)
{
	std::map<std::string, std::vector<int>> cells{ { "a", { 1, 2, argc } } };
	mesh::cell<int> cell{ argc };

	try {
		return mesh::visit(cells) + cell.twice() + mesh::hidden(argc) == 0; /* MARK: main */
	} catch (const std::exception &) {
		return 2; /* MARK: catch */
	}
}
