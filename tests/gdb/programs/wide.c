/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts beyond ASCII, and of wide characters: arrays, pointers, parts of structures, ones without
 * an end. */
#include <uchar.h>
#include <wchar.h>

struct label {
	int number;
	wchar_t name[8];
	const char16_t *more;
};

wchar_t name[8] = L"b\u00e4r\n";
wchar_t full[3] = { L'a', L'b', L'c' };
char narrow[] = "b\xc3\xa4r \xe2\x82\xac \xf0\x9f\x98\x80 \xff\xc3 end";
char umlauts[] = "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
		 "\xc3\xa4\xc3\xa4.";
const wchar_t *pointer = L"hello";
char16_t text16[] = u"sixteen";
char32_t text32[] = U"\U0001f600 thirty-two";
const char32_t *nowhere = (const char32_t *)8;
struct label label = { 3, L"label", u"more" };
wchar_t names[2][4] = { L"one", L"two" };

int work(int n)
{
	return n + name[0]; // @work
}

int main(void)
{
	return work(1) == 0;
}
