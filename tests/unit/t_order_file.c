/* SPDX-License-Identifier: ISC */
/* t_order_file.c - lines of orders files and sites files, and their mistakes. */
#include "event/order_file.h"

#include <string.h>

#include "unit.h"

static void order_file_line(void)
{
	struct order_file_line l;
	struct err err;
	static const char text[] =
		"\t/a/b%20c+0x1f order=none  before=seq_cst after=release\tfail=acquire # x";

	CU_ASSERT_FATAL(order_file_read(text, strlen(text), &l, &err));
	CU_ASSERT_STRING_EQUAL(l.module, "/a/b c");
	CU_ASSERT_EQUAL(l.offset, 0x1f);
	CU_ASSERT_EQUAL(l.orders.order, ORDER_NONE);
	CU_ASSERT_EQUAL(l.orders.fail, ORDER_C11 + 2);
	CU_ASSERT_EQUAL(l.orders.before, ORDER_C11 + 5);
	CU_ASSERT_EQUAL(l.orders.after, ORDER_C11 + 3);
	CU_ASSERT(order_file_read("", 0, &l, &err) && !l.module[0]);
	CU_ASSERT(order_file_read(" # all", 6, &l, &err) && !l.module[0]);
	CU_ASSERT(order_file_read("a+0x1\r", 6, &l, &err) && l.orders.order == ORDER_SAME);
}

static void written_is_read(void)
{
	struct order_file_line l = {"/x y/%=#", 0xfffffffffffffffull,
				   {ORDER_NONE, ORDER_C11, ORDER_SAME, 7}},
			   m;
	struct site_line s = {"p+q", 7, SITE_CAS, 5, 2, SITE_ASM | SITE_SHARED, 16}, r;
	char text[ORDERS_LINE];
	struct text t = text_begin(text, sizeof text);
	struct err err;

	order_file_write(&t, &l);
	CU_ASSERT_FATAL(order_file_read(text, t.n, &m, &err));
	CU_ASSERT(!memcmp(&l.orders, &m.orders, sizeof l.orders) && l.offset == m.offset);
	CU_ASSERT_STRING_EQUAL(l.module, m.module);
	t = text_begin(text, sizeof text);
	site_write(&t, &s);
	CU_ASSERT_STRING_EQUAL(text, "p+q+0x7 cas seq_cst 16 fail=acquire asm");
	CU_ASSERT_FATAL(site_read(text, t.n, &r, &err));
	CU_ASSERT(r.kind == s.kind && r.order == 5 && r.fail == 2 && r.flags == s.flags &&
		  r.size == 16);
	CU_ASSERT(site_read("p+0x1 load plain 3 alone", 24, &r, &err) && r.flags == SITE_PLAIN);
}

static void orders_refused(void)
{
	static const struct {
		const char *text;
		size_t at;
		const char *message;
	} bad[] = {
		{"a", 0, "not MODULE+0xOFFSET: `a'"},
		{"+0x1", 0, "not MODULE+0xOFFSET: `+0x1'"},
		{"a+0x", 0, "not MODULE+0xOFFSET: `a+0x'"},
		{"a+0xg", 0, "not MODULE+0xOFFSET: `a+0xg'"},
		{"a+12", 0, "not MODULE+0xOFFSET: `a+12'"},
		{"a+0x11111111111111111", 0, "not MODULE+0xOFFSET: `a+0x11111111111111111'"},
		{"a%0+0x1", 0, "two hex digits should follow the `%' in `a%0'"},
		{"a%00+0x1", 0, "two hex digits should follow the `%' in `a%00'"},
		{"a\001+0x1", 0, "a byte that should be written %XX in `a?'"},
		{"a+0x1 what", 6, "wanted order=, fail=, before= or after=, not `what'"},
		{"a+0x1 order=", 12, "no memory order: `'"},
		{"a+0x1 order=SEQ_CST", 12, "no memory order: `SEQ_CST'"},
		{"a+0x1 fail=none", 11, "no memory order: `none'"},
		{"a+0x1 before=relaxed", 6, "a relaxed fence has no effect: `before=relaxed'"},
		{"a+0x1 after=acquire after=acquire", 20, "given twice: `after'"},
	};
	struct order_file_line l;
	char longest[ORDERS_LINE + 1];
	struct err err;

	for (size_t i = 0; i < array_size(bad); i++) {
		CU_ASSERT(!order_file_read(bad[i].text, strlen(bad[i].text), &l, &err));
		CU_ASSERT_STRING_EQUAL(err.message, bad[i].message);
		CU_ASSERT_EQUAL(err.at, bad[i].at);
	}
	memset(longest, 'a', sizeof longest);
	CU_ASSERT(!order_file_read(longest, sizeof longest, &l, &err));
	memcpy(longest + 300, "+0x1", 4);
	CU_ASSERT(!order_file_read(longest, 304, &l, &err));
	CU_ASSERT(!strncmp(err.message, "too long a path: `aaa", 21));
}

static void sites_refused(void)
{
	static const char *const bad[] = {"a+0x1", "a+0x1 jump", "a+0x1 load",
		"a+0x1 load strong 4", "a+0x1 load relaxed", "a+0x1 load relaxed x",
		"a+0x1 load relaxed 99999999999", "a+0x1 load relaxed 4 odd",
		"a+0x1 cas relaxed 4 fail=x"};
	struct site_line l;
	struct err err;

	for (size_t i = 0; i < array_size(bad); i++)
		CU_ASSERT(!site_read(bad[i], strlen(bad[i]), &l, &err));
}

/* Arbitrary bytes: an answer, without invalid accesses (under ASan). */
static void any_bytes(void)
{
	static const char *const parts[] = {"a", "+", "0x", "1f", " ", "order=", "none", "seq_cst",
		"%", "#", "before=", "\t", "load", "4", "=", "\377", "fail=", "alone", "plain",
		"+0x1 "};
	struct order_file_line l;
	struct site_line s;
	char text[200];
	struct err err;
	u32 x = 1, good = 0;

	for (u32 round = 0; round < 20000; round++) {
		struct text t = text_begin(text, sizeof text);

		for (u32 n = x >> 16 & 7; n; n--) {
			x = x * 1664525 + 1013904223;
			text_put(&t, parts[(x >> 16) % array_size(parts)]);
		}
		x = x * 1664525 + 1013904223;
		good += order_file_read(text, t.n, &l, &err) + site_read(text, t.n, &s, &err);
	}
	CU_ASSERT(good);
}

const struct unit_test order_file_tests[] = {
	{"a line of an orders file", order_file_line},
	{"what is written is read", written_is_read},
	{"wrong lines of orders files", orders_refused},
	{"wrong lines of sites files", sites_refused},
	{"any bytes", any_bytes},
	{NULL, NULL},
};
