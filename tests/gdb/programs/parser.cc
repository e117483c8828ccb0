/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A calculator as real code has it: a parser, a tree of virtual nodes, the library's containers. */
#include <cctype>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace calc
{
using Variables = std::map<std::string, int>;

struct Node {
	virtual ~Node() = default;
	virtual int value(const Variables &variables) const = 0;
};

using Tree = std::unique_ptr<Node>;

struct Number : Node {
	int number;

	explicit Number(int n) : number(n)
	{
	}
	int value(const Variables &) const override
	{
		return number; /* MARK: number */
	}
};

struct Name : Node {
	std::string name;

	explicit Name(std::string n) : name(std::move(n))
	{
	}
	int value(const Variables &variables) const override
	{
		auto found = variables.find(name); /* MARK: name */

		if (found == variables.end())
			throw std::out_of_range(name); /* MARK: unknown */
		return found->second;                  /* MARK: found */
	}
};

template <typename Operation> struct Binary : Node {
	Tree left, right;

	Binary(Tree l, Tree r) : left(std::move(l)), right(std::move(r))
	{
	}
	int value(const Variables &variables) const override
	{
		int a = left->value(variables);  /* MARK: left */
		int b = right->value(variables); /* MARK: right */

		return Operation()(a, b); /* MARK: operate */
	}
};

class Parser
{
	const std::string text;
	size_t place = 0;

	char next() const
	{
		return place < text.size() ? text[place] : '\0';
	}

      public:
	explicit Parser(std::string t) : text(std::move(t))
	{
	}

	Tree factor()
	{
		if (next() == '(') {
			place++; /* MARK: bracket */
			Tree inner = sum();
			place++;
			return inner;
		}
		if (isdigit(next())) {
			int number = 0;

			while (isdigit(next()))
				number = 10 * number + text[place++] - '0'; /* MARK: digit */
			return std::make_unique<Number>(number);
		}
		return std::make_unique<Name>(std::string(1, text[place++])); /* MARK: make_name */
	}

	Tree product()
	{
		Tree left = factor(); /* MARK: product */

		while (next() == '*') {
			place++;
			left = std::make_unique<Binary<std::multiplies<int>>>(std::move(left),
									      factor());
		}
		return left; /* MARK: product_end */
	}

	Tree sum()
	{
		Tree left = product(); /* MARK: sum */

		while (next() == '+') {
			place++; /* MARK: plus */
			left = std::make_unique<Binary<std::plus<int>>>(std::move(left), product());
		}
		return left;
	}
};

static int evaluate(const std::string &text, const Variables &variables)
{
	Parser parser(text); /* MARK: evaluate */
	Tree tree = parser.sum();

	return tree->value(variables); /* MARK: value */
}

static int safely(const std::string &text, const Variables &variables)
{
	try {
		return evaluate(text, variables); /* MARK: try */
	} catch (const std::out_of_range &) {     /* MARK: catch */
		return -1;                        /* MARK: caught */
	}
}
} // namespace calc

int main()
{
	calc::Variables variables = { { "x", 3 }, { "y", 4 } };
	int a = calc::safely("2*(x+y)+10", variables); /* MARK: good */
	int b = calc::safely("x+z", variables);        /* MARK: bad */

	return a == 24 && b == -1 ? 0 : 1; /* MARK: last */
}
