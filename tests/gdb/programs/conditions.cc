/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What conditions of breakpoints are made of: members, elements, bits, floats, references. */
struct flags {
	unsigned int low : 3;
	int mid : 7;
	long high : 40;
};

struct base {
	int serial;
};

struct item : base {
	float weight;
	double price;
	struct flags flags;
	item *next;
	short sizes[4];
	union {
		int whole;
		unsigned char bytes[4];
	};
	void check(int n);
};

item items[8];
double total;

void item::check(int n)
{
	item &self = *this;
	item *p = this;
	float half = (float)n / 2;

	total += self.price + p->weight + half; /* MARK: check */
}

static void fill(item *it, int n)
{
	it->serial = n;
	it->weight = 0.5f * (float)n;
	it->price = 1.25 * n;
	it->flags.low = (unsigned int)n & 7;
	it->flags.mid = -n;
	it->flags.high = n * 1000000000L;
	it->next = &items[(n + 1) % 8];
	it->sizes[n % 4] = (short)(-100 * n);
	it->whole = n << 8;
}

int main()
{
	for (int i = 0; i < 8; i++)
		fill(&items[i], i);
	for (int i = 0; i < 8; i++)
		items[i].check(i);
	return 0;
}
