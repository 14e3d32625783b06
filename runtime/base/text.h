/* SPDX-License-Identifier: ISC */
/* text.h - text without libc: build it in a buffer of fixed size, compare it, read numbers. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/base.h"

/* A text being built. Always ends with a NUL; excess is dropped. room >= 1. */
struct text {
	char *to;
	size_t room, n;
};

struct text text_begin(char *to, size_t room);
void text_char(struct text *t, char c);
void text_put(struct text *t, const char *s);		  /* a string */
void text_put_n(struct text *t, const char *s, size_t n); /* n bytes */
void text_number(struct text *t, u64 value);		  /* decimal */
void text_hex(struct text *t, u64 value);		  /* 0x1f */
void text_thread(struct text *t, u32 number);		  /* as reports call it: main, T2 */

size_t text_length(const char *s);
bool text_equal(const char *a, const char *b);
bool text_equal_n(const char *a, const char *b, size_t n); /* b has n bytes, a is a string */

/* The value of a hex digit, or -1. */
int text_digit(char c);

/* The number of letters to add, remove or change to turn a into b; 99 if either is long. */
unsigned text_distance(const char *a, const char *b);

#endif
