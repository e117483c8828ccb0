/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Constructs in a method and in main(). */
struct Solver {
	int run(int n)
	{
		int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
		sum += n; /* MARK: run_adds */
		return sum;
	}
};

int main()
{
	Solver solver;
	int sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	sum += 1;                       /* MARK: main_adds */
	return solver.run(3) + sum - 8; /* MARK: last */
}
