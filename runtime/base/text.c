/* SPDX-License-Identifier: ISC */
/* text.c - text without libc, for the layers that are linked into the tested process. */
#include "base/text.h"

#include <string.h> /* memcmp */

#define WORD_MAX 40 /* text_distance() handles no longer words */
#define FAR	 8  /* ... and is not exact if their lengths differ by so much */

struct text text_begin(char *to, size_t room)
{
	to[0] = 0;
	return (struct text){.to = to, .room = room, .n = 0};
}

void text_char(struct text *t, char c)
{
	if (t->n + 1 >= t->room)
		return;
	t->to[t->n++] = c;
	t->to[t->n] = 0;
}

void text_put(struct text *t, const char *s)
{
	for (; *s; s++)
		text_char(t, *s);
}

void text_put_n(struct text *t, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		text_char(t, s[i]);
}

void text_number(struct text *t, u64 value)
{
	char digits[20];
	unsigned n = 0;

	do
		digits[n++] = (char)('0' + value % 10);
	while (value /= 10);
	while (n)
		text_char(t, digits[--n]);
}

void text_hex(struct text *t, u64 value)
{
	int shift = 60;

	text_put(t, "0x");
	while (shift && !(value >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		text_char(t, "0123456789abcdef"[value >> shift & 15]);
}

void text_thread(struct text *t, u32 number)
{
	if (!number) {
		text_put(t, "main");
		return;
	}
	text_char(t, 'T');
	text_number(t, number);
}

size_t text_length(const char *s)
{
	size_t n = 0;

	/* The empty assembly keeps gcc from turning this loop into a call of strlen(), which in
	 * the tested process is an interposed function. */
	while (s[n]) {
		__asm__ volatile("" : "+r"(n));
		n++;
	}
	return n;
}

bool text_equal(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

bool text_equal_n(const char *a, const char *b, size_t n)
{
	return text_length(a) == n && !memcmp(a, b, n);
}

int text_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Levenshtein's distance, one row of the matrix at a time. */
unsigned text_distance(const char *a, const char *b)
{
	size_t n = text_length(a), m = text_length(b);
	u8 row[WORD_MAX + 1];

	if (n > WORD_MAX || m > WORD_MAX)
		return 99;
	if (n > m + FAR || m > n + FAR)
		return (unsigned)(n > m ? n - m : m - n); /* a lower bound is enough */
	for (size_t j = 0; j <= m; j++)
		row[j] = (u8)j;
	for (size_t i = 1; i <= n; i++) {
		u8 diagonal = row[0];

		row[0] = (u8)i;
		for (size_t j = 1; j <= m; j++) {
			u8 best = (u8)(diagonal + (a[i - 1] != b[j - 1]));

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = (u8)(row[j] + 1);
			if (row[j - 1] + 1 < best)
				best = (u8)(row[j - 1] + 1);
			row[j] = best;
		}
	}
	return row[m];
}
