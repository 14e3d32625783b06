/* SPDX-License-Identifier: ISC */
/* order_file.c - see order_file.h. Input is untrusted. */
#include "event/order_file.h"

#include <string.h> /* memset */

#include "event/words.h"

const char *site_kind_name(unsigned kind)
{
	static const char *const names[] = {"load", "store", "rmw", "cas", "fence"};

	return kind < array_size(names) ? names[kind] : NULL;
}

const char *order_file_name(unsigned order)
{
	return order == ORDER_SAME ? "same"
	       : order == ORDER_NONE ? "none" : order_name(order - ORDER_C11);
}

/* --- words ----------------------------------------------------------------------------------- */

struct order_scan {
	const char *line, *at, *stop;
	struct err *err;
};

static bool reject(struct order_scan *s, const char *message, const char *at, size_t n)
{
	struct text t = text_begin(s->err->message, sizeof(s->err->message));

	s->err->at = (size_t)(at - s->line);
	text_put(&t, message);
	text_put(&t, " `");
	for (size_t i = 0; i < n && i < 60; i++)
		text_char(&t, at[i] >= 0x20 && at[i] < 0x7f ? at[i] : '?');
	text_put(&t, n > 60 ? "...'" : "'");
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The next word, NULL at the end of the line or at a comment. */
static const char *next_order_word(struct order_scan *s, size_t *n)
{
	const char *at;

	while (s->at < s->stop && is_blank(*s->at))
		s->at++;
	at = s->at;
	if (at == s->stop || *at == '#')
		return NULL;
	while (s->at < s->stop && !is_blank(*s->at))
		s->at++;
	*n = (size_t)(s->at - at);
	return at;
}

/* The path of a module, %XX decoded. */
static bool read_module_path(struct order_scan *s, const char *at, size_t n, char *to)
{
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		int high, low;
		char c = at[i];

		if (c == '%') {
			high = i + 2 < n ? text_digit(at[i + 1]) : -1;
			low = i + 2 < n ? text_digit(at[i + 2]) : -1;
			if (high < 0 || low < 0 || !(high | low))
				return reject(s, "two hex digits should follow the `%' in", at, n);
			c = (char)(high << 4 | low);
			i += 2;
		} else if (c <= 0x20 || c >= 0x7f) {
			return reject(s, "a byte that should be written %XX in", at, n);
		}
		if (used == ORDERS_MODULE - 1)
			return reject(s, "too long a path:", at, n);
		to[used++] = c;
	}
	to[used] = 0;
	return used || reject(s, "not MODULE+0xOFFSET:", at, n);
}

static bool read_place(struct order_scan *s, char *module, u64 *offset)
{
	size_t n = 0, plus;
	const char *at = next_order_word(s, &n);

	for (plus = n; plus && at[plus - 1] != '+'; plus--)
		;
	*offset = 0;
	if (plus < 2 || n < plus + 3 || at[plus] != '0' || at[plus + 1] != 'x')
		return reject(s, "not MODULE+0xOFFSET:", at, n);
	for (size_t i = plus + 2; i < n; i++) {
		int digit = text_digit(at[i]);

		if (digit < 0 || *offset >> 60)
			return reject(s, "not MODULE+0xOFFSET:", at, n);
		*offset = *offset << 4 | (u64)digit;
	}
	return read_module_path(s, at, plus - 1, module);
}

/* A memory order, 0..5, or -1. */
static int read_memory_order(const char *at, size_t n)
{
	for (unsigned i = 0; order_name(i); i++)
		if (text_equal_n(order_name(i), at, n))
			return (int)i;
	return -1;
}

static bool has_prefix(const char *at, size_t n, const char *prefix)
{
	size_t length = text_length(prefix);

	return n >= length && text_equal_n(prefix, at, length);
}

/* --- an orders file -------------------------------------------------------------------------- */

enum { KEY_ORDER, KEY_FAIL, KEY_BEFORE, KEY_AFTER, KEYS };
static const char *const keys[KEYS] = {"order=", "fail=", "before=", "after="};

static u8 *field(struct order_file *o, unsigned key)
{
	return key == KEY_ORDER ? &o->order
	       : key == KEY_FAIL ? &o->fail
	       : key == KEY_BEFORE ? &o->before : &o->after;
}

static bool read_key(struct order_scan *s, const char *at, size_t n, struct order_file *to)
{
	unsigned key = 0;
	size_t skip;
	int order;

	while (key < KEYS && !has_prefix(at, n, keys[key]))
		key++;
	if (key == KEYS)
		return reject(s, "wanted order=, fail=, before= or after=, not", at, n);
	skip = text_length(keys[key]);
	if (*field(to, key) != ORDER_SAME)
		return reject(s, "given twice:", at, skip - 1);
	order = read_memory_order(at + skip, n - skip);
	if (key == KEY_ORDER && text_equal_n("none", at + skip, n - skip)) {
		to->order = ORDER_NONE;
		return true;
	}
	if (order < 0)
		return reject(s, "no memory order:", at + skip, n - skip);
	if (!order && key >= KEY_BEFORE)
		return reject(s, "a relaxed fence has no effect:", at, n);
	*field(to, key) = (u8)(ORDER_C11 + order);
	return true;
}

bool order_file_read(const char *line, size_t n, struct order_file_line *to, struct err *err)
{
	struct order_scan s = {line, line, line + n, err};
	const char *at = next_order_word(&s, &n);

	memset(to, 0, sizeof(*to));
	if (!at)
		return true;
	s.at = s.line;
	if (s.stop - s.line > ORDERS_LINE)
		return reject(&s, "too long a line:", line, (size_t)(s.stop - s.line));
	if (!read_place(&s, to->module, &to->offset))
		return false;
	while ((at = next_order_word(&s, &n)))
		if (!read_key(&s, at, n, &to->orders))
			return false;
	return true;
}

/* --- a sites file ---------------------------------------------------------------------------- */

static bool read_size(const char *at, size_t n, u32 *size)
{
	u64 value = 0;

	for (size_t i = 0; i < n; i++) {
		if (at[i] < '0' || at[i] > '9' || value > UINT32_MAX / 10)
			return false;
		value = value * 10 + (u64)(at[i] - '0');
	}
	*size = (u32)value;
	return n && value <= UINT32_MAX;
}

static bool read_flag(struct order_scan *s, const char *at, size_t n, struct site_line *to)
{
	int order = has_prefix(at, n, "fail=") ? read_memory_order(at + 5, n - 5) : -1;

	if (order >= 0)
		to->fail = (u8)order;
	else if (text_equal_n("volatile", at, n))
		to->flags |= SITE_VOLATILE;
	else if (text_equal_n("asm", at, n))
		to->flags |= SITE_ASM;
	else if (text_equal_n("alone", at, n))
		to->flags &= (u8)~SITE_SHARED;
	else
		return reject(s, "unknown word", at, n);
	return true;
}

bool site_read(const char *line, size_t n, struct site_line *to, struct err *err)
{
	struct order_scan s = {line, line, line + n, err};
	const char *at = next_order_word(&s, &n);
	int order;

	memset(to, 0, sizeof(*to));
	to->flags = SITE_SHARED;
	if (!at)
		return true;
	s.at = s.line;
	if (!read_place(&s, to->module, &to->offset))
		return false;
	at = next_order_word(&s, &n);
	while (at && to->kind < SITE_KINDS && !text_equal_n(site_kind_name(to->kind), at, n))
		to->kind++;
	if (!at || to->kind == SITE_KINDS)
		return reject(&s, "wanted load, store, rmw, cas or fence, not", at ? at : s.at,
			at ? n : 0);
	at = next_order_word(&s, &n);
	order = at ? read_memory_order(at, n) : -1;
	if (at && text_equal_n("plain", at, n))
		to->flags |= SITE_PLAIN;
	else if (order < 0)
		return reject(&s, "no memory order:", at ? at : s.at, at ? n : 0);
	else
		to->order = (u8)order;
	at = next_order_word(&s, &n);
	if (!at || !read_size(at, n, &to->size))
		return reject(&s, "wanted a size in bytes, not", at ? at : s.at, at ? n : 0);
	while ((at = next_order_word(&s, &n)))
		if (!read_flag(&s, at, n, to))
			return false;
	return true;
}

/* --- writing --------------------------------------------------------------------------------- */

static void put_code_place(struct text *to, const char *module, u64 offset)
{
	static const char digits[] = "0123456789ABCDEF";

	for (; *module; module++) {
		u8 c = (u8)*module;

		if (c > 0x20 && c < 0x7f && c != '%' && c != '=' && c != '#') {
			text_char(to, (char)c);
			continue;
		}
		text_char(to, '%');
		text_char(to, digits[c >> 4]);
		text_char(to, digits[c & 15]);
	}
	text_char(to, '+');
	text_hex(to, offset);
}

void order_file_write(struct text *to, const struct order_file_line *l)
{
	struct order_file o = l->orders;

	put_code_place(to, l->module, l->offset);
	for (unsigned key = 0; key < KEYS; key++) {
		if (*field(&o, key) == ORDER_SAME)
			continue;
		text_char(to, ' ');
		text_put(to, keys[key]);
		text_put(to, order_file_name(*field(&o, key)));
	}
}

void site_write(struct text *to, const struct site_line *l)
{
	put_code_place(to, l->module, l->offset);
	text_char(to, ' ');
	text_put(to, site_kind_name(l->kind));
	text_char(to, ' ');
	text_put(to, l->flags & SITE_PLAIN ? "plain" : order_name(l->order));
	text_char(to, ' ');
	text_number(to, l->size);
	if (l->kind == SITE_CAS) {
		text_put(to, " fail=");
		text_put(to, order_name(l->fail));
	}
	text_put(to, l->flags & SITE_VOLATILE ? " volatile" : "");
	text_put(to, l->flags & SITE_ASM ? " asm" : "");
	text_put(to, l->flags & SITE_SHARED ? "" : " alone");
}
