/* SPDX-License-Identifier: ISC */
/* t_text.c - text without libc. */
#include "base/text.h"

#include <string.h>

#include "unit.h"

static void numbers(void)
{
	char to[64];
	struct text t = text_begin(to, sizeof(to));

	text_number(&t, 0);
	text_char(&t, ' ');
	text_number(&t, UINT64_MAX);
	text_char(&t, ' ');
	text_hex(&t, 0);
	text_char(&t, ' ');
	text_hex(&t, 0xfedcba9876543210u);
	CU_ASSERT_STRING_EQUAL(to, "0 18446744073709551615 0x0 0xfedcba9876543210");
	CU_ASSERT_EQUAL(t.n, strlen(to));

	t = text_begin(to, sizeof(to));
	text_thread(&t, 0);
	text_thread(&t, 12);
	CU_ASSERT_STRING_EQUAL(to, "mainT12");
	CU_ASSERT_EQUAL(t.n, strlen(to));
}

static void does_not_overflow(void)
{
	char to[8] = "xxxxxxx";

	for (size_t room = 1; room < sizeof(to); room++) {
		struct text t = text_begin(to, room);

		to[room] = '#';
		text_put(&t, "abcdefghijk");
		text_put_n(&t, "lm", 2);
		CU_ASSERT_EQUAL(strlen(to), room - 1);
		CU_ASSERT_EQUAL(to[room], '#');
	}
}

static void comparing(void)
{
	CU_ASSERT(text_equal("", ""));
	CU_ASSERT(text_equal("abc", "abc"));
	CU_ASSERT_FALSE(text_equal("abc", "abcd"));
	CU_ASSERT_FALSE(text_equal("abcd", "abc"));
	CU_ASSERT(text_equal_n("abc", "abcd", 3));
	CU_ASSERT_FALSE(text_equal_n("abc", "abcd", 4));
	CU_ASSERT_EQUAL(text_digit('9'), 9);
	CU_ASSERT_EQUAL(text_digit('f'), 15);
	CU_ASSERT_EQUAL(text_digit('A'), 10);
	CU_ASSERT_EQUAL(text_digit('g'), -1);
}

static void distance(void)
{
	CU_ASSERT_EQUAL(text_distance("", ""), 0);
	CU_ASSERT_EQUAL(text_distance("", "abc"), 3);
	CU_ASSERT_EQUAL(text_distance("kitten", "sitting"), 3);
	CU_ASSERT_EQUAL(text_distance("model", "modle"), 2);
	CU_ASSERT(text_distance("time", "time-of-the-day") > 4);
	CU_ASSERT_EQUAL(
		text_distance("model", "a word that is longer than any we would look at"), 99);
}

const struct unit_test text_tests[] = {
	{"numbers", numbers},
	{"does not overflow", does_not_overflow},
	{"comparing", comparing},
	{"distance", distance},
	{NULL, NULL},
};
