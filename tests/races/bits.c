/* SPDX-License-Identifier: ISC */
/* bits.c - bit-fields (races.h). */
#include "races.h"

static struct {
	unsigned a : 3, b : 5;
	unsigned : 0;
	unsigned c : 4;
	char d;
	unsigned long e : 40;
} bits;

static void bits_a(void)
{
	bits.a = 1; /* @bits_a */
}

static void bits_b(void)
{
	bits.b = 1; /* @bits_b */
}

static void bits_c(void)
{
	bits.c = 1; /* @bits_c */
}

static void bits_d(void)
{
	bits.d = 1;
}

static void bits_e(void)
{
	bits.e = 1;
}

static void read_bits_a(void)
{
	USE(bits.a);
}

static void read_bits_b(void)
{
	USE(bits.b); /* @read_bits_b */
}

/* race bits.{a,b} @bits_a @bits_b */
CASE(bits_of_one_unit) { together(bits_a, bits_b); }

/* race bits.{a,b} @bits_a @read_bits_b */
CASE(bits_read_beside) { together(bits_a, read_bits_b); }

/* clean */
CASE(bits_read) { together(read_bits_a, read_bits_b); }

/* clean: a member that is not a bit-field, or one of width 0, separates them */
CASE(bits_of_two_units) { three(bits_a, bits_c, bits_d); }

/* clean */
CASE(bits_behind_a_char) { three(bits_b, bits_d, bits_e); }

/* race bits.c @bits_c @bits_c */
CASE(bits_twice) { together(bits_c, bits_c); }
