/* SPDX-License-Identifier: ISC */
/* Global variables are in every execution as they were before the first: initialised ones, zeroed
 * ones, static ones of functions, and a megabyte of which each execution writes a few pages. */
#include "two.h"

#define BIG (1 << 20)

static int initialised = 5, list[3] = {1, 2, 3};
static int zeroed;
static char big[BIG];
static long table[BIG / 8] = {[0] = 7, [BIG / 8 - 1] = 8};
static const char *text = "first";

static int calls(void)
{
	static int n = 10;

	return ++n;
}

static void untouched(void)
{
	assert(initialised == 5 && list[0] == 1 && list[2] == 3 && !zeroed);
	assert(table[0] == 7 && table[BIG / 8 - 1] == 8 && !strcmp(text, "first"));
	for (int i = 0; i < BIG; i += 512)
		assert(!big[i]);
	for (int i = 512; i < BIG / 8 - 1; i += 512)
		assert(!table[i]);
}

/* The two threads write different pages, and bytes on both sides of a page's end. */
static void *write_some(void *arg)
{
	int n = *(int *)arg;

	big[n * 40960] = big[n * 40960 + 4096] = 1;
	table[n * 10000] = table[n * 10000 + 512] = n;
	memset(big + 4090 + n * 8192, 1, 12);
	return NULL;
}

int main(void)
{
	int one = 1, two_ = 2;

	untouched();
	initialised = 6;
	list[0] = list[2] = zeroed = 9;
	text = "second";
	big[BIG - 1] = 1;
	table[0] = table[BIG / 8 - 1] = 3;
	two(write_some, &one, write_some, &two_);
	assert(calls() == 11 && calls() == 12);
	assert(big[40960] && big[81920] && table[10000] == 1 && table[20000] == 2);
	printf("%d %d %s\n", initialised, zeroed, text);
	return 0;
}
