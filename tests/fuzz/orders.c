/* SPDX-License-Identifier: ISC */
/*
 * orders.c - lines of an orders file and of a sites file. Accepted lines, written and read
 * again, are the same.
 */
#include "fuzz.h"

#include <string.h>

#include "event/order_file.h"

static void check_err(const struct err *err, size_t n)
{
	FUZZ_CHECK(err->message[0] && memchr(err->message, 0, sizeof(err->message)));
	FUZZ_CHECK(err->at <= n);
}

static void one_order(const char *line, size_t n)
{
	char room[8192];
	struct text t = text_begin(room, sizeof(room));
	struct order_file_line l, again;
	struct err err = {.at = 0};

	if (!order_file_read(line, n, &l, &err)) {
		check_err(&err, n);
		return;
	}
	if (!l.module[0])
		return; /* only a comment */
	order_file_write(&t, &l);
	FUZZ_CHECK(order_file_read(room, t.n, &again, &err));
	FUZZ_CHECK(!strcmp(l.module, again.module) && l.offset == again.offset);
	FUZZ_CHECK(!memcmp(&l.orders, &again.orders, sizeof(l.orders)));
}

static void one_site(const char *line, size_t n)
{
	char room[8192];
	struct text t = text_begin(room, sizeof(room));
	struct site_line l, again;
	struct err err = {.at = 0};

	if (!site_read(line, n, &l, &err)) {
		check_err(&err, n);
		return;
	}
	if (!l.module[0])
		return;
	FUZZ_CHECK(l.kind < SITE_KINDS && l.order <= 5 && l.fail <= 5);
	site_write(&t, &l);
	FUZZ_CHECK(site_read(room, t.n, &again, &err));
	FUZZ_CHECK(!strcmp(l.module, again.module) && l.offset == again.offset &&
		   l.size == again.size);
	FUZZ_CHECK(l.kind == again.kind && l.flags == again.flags);
}

void fuzz_orders(const u8 *data, size_t size)
{
	while (size) {
		const u8 *end = memchr(data, '\n', size);
		size_t n = end ? (size_t)(end - data) : size;
		char *line = fuzz_copy(data, n);

		one_order(line, n);
		one_site(line, n);
		data += n + !!end;
		size -= n + !!end;
	}
}
