/* SPDX-License-Identifier: ISC */
/*
 * order_file.h - one line of an orders file, and one of a sites file.
 *
 * A *site* is a code address that makes an access or a fence: the address after the call that
 * enters the runtime, as in call stacks of replay files, written MODULE+0xOFFSET (MODULE: the path,
 * with %XX for bytes not allowed in a replay file; in an orders file also its last part). An
 * *orders file* overrides the program's orders at sites, so that orders and fences can be tried
 * without recompiling. A *sites file* lists the program's own orders.
 *
 *     orders    SITE [order=O|none] [fail=O] [before=O] [after=O]      # a comment
 *     sites     SITE load|store|rmw|cas|fence O|plain SIZE [fail=O] [volatile] [asm] [alone]
 *
 * O is relaxed, consume, acquire, release, acq_rel or seq_cst. order: of the access or fence; an
 * access uses the part that applies to it (a load with acq_rel is an acquire load). fail: of a
 * compare and exchange that fails, no stronger than `order`. `none` removes a fence, and makes an
 * atomic access relaxed. before, after: a fence there. alone: only while there was no other thread.
 */
#ifndef EVENT_ORDER_FILE_H
#define EVENT_ORDER_FILE_H

#include "base/option.h"
#include "base/text.h"

/* In addition to the memory orders 0..5 of C11. */
enum {
	ORDER_SAME, /* as in the program */
	ORDER_NONE,
	ORDER_C11, /* plus the order */
};

#define ORDERS_MODULE 256
#define ORDERS_LINE   1024 /* bytes of a line, at most */

/* The override at a site: each ORDER_SAME, ORDER_NONE or ORDER_C11 + a memory order. */
struct order_file {
	u8 order, fail;
	u8 before, after;
};

struct order_file_line {
	char module[ORDERS_MODULE]; /* "": the line is empty, or a comment */
	u64 offset;
	struct order_file orders;
};

enum site_kind { SITE_LOAD, SITE_STORE, SITE_RMW, SITE_CAS, SITE_FENCE, SITE_KINDS };

enum site_flag {
	SITE_PLAIN = 1 << 0,
	SITE_VOLATILE = 1 << 1,
	SITE_ASM = 1 << 2,
	SITE_SHARED = 1 << 3, /* was executed while there was another thread */
};

struct site_line {
	char module[ORDERS_MODULE];
	u64 offset;
	u8 kind; /* enum site_kind */
	u8 order, fail; /* memory orders */
	u8 flags; /* enum site_flag */
	u32 size;
};

/* Read the n bytes of a line, without its newline. False: *err has the mistake and its position. */
bool order_file_read(const char *line, size_t n, struct order_file_line *to, struct err *err);
bool site_read(const char *line, size_t n, struct site_line *to, struct err *err);

/* Write one, without a newline. */
void order_file_write(struct text *to, const struct order_file_line *l);
void site_write(struct text *to, const struct site_line *l);

const char *site_kind_name(unsigned kind); /* NULL: there is none */
const char *order_file_name(unsigned order);   /* ORDER_SAME: "same"; ORDER_NONE: "none" */

#endif
