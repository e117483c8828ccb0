/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* kept_in_frames: variables of outer frames in registers, which the functions further in have
 * saved. */
__attribute__((noipa)) int deep(int n)
{
	volatile int k = n;

	return k * 2; /* MARK: deep */
}

__attribute__((noipa)) int middle(int n)
{
	int i = n * 3;

	i += deep(n);
	i += deep(i);
	return i;
}

int main(int argc, char **argv)
{
	int t = argc + 4;

	(void)argv;
	for (int i = 0; i < 3; i++)
		t += middle(t);
	return t & 127;
}
