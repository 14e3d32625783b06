/* SPDX-License-Identifier: ISC */
/* trace_field.c - the fields of a replay file's records, read from text, as untrusted input. */
#include "event/trace_reader.h"

#include <string.h> /* memcpy */

#include "base/text.h"

static bool is_hex(const char *s, size_t n)
{
	return n > 2 && s[0] == '0' && s[1] == 'x';
}

static bool read_u64(const char *s, size_t n, u64 *value)
{
	u64 base = is_hex(s, n) ? 16 : 10;

	*value = 0;
	for (size_t i = base == 16 ? 2 : 0; i < n; i++) {
		int digit = text_digit(s[i]);

		if (digit < 0 || (u64)digit >= base ||
			__builtin_mul_overflow(*value, base, value) ||
			__builtin_add_overflow(*value, (u64)digit, value))
			return false;
	}
	return n > 0;
}

static bool set_field_number(
	struct trace_reader *r, const struct field *f, const struct trace_pair *p, char *at)
{
	u64 value;

	if (!read_u64(p->value, p->nvalue, &value) || (f->size < 8 && value >> (8 * f->size)))
		return reader_fail_word(r, "wrong number", p->value, p->nvalue);
	memcpy(at, &value, f->size);
	return true;
}

static bool set_signed(struct trace_reader *r, const struct trace_pair *p, char *at)
{
	bool minus = p->value[0] == '-';
	u64 value;
	i32 number;

	if (!read_u64(p->value + minus, p->nvalue - minus, &value) || value > INT32_MAX)
		return reader_fail_word(r, "wrong number", p->value, p->nvalue);
	number = minus ? -(i32)value : (i32)value;
	memcpy(at, &number, sizeof(number));
	return true;
}

static bool set_wide(struct trace_reader *r, const struct trace_pair *p, char *at)
{
	size_t digits = p->nvalue - 2, low = digits > 16 ? 16 : digits;
	u64 value[2] = {0, 0};

	if (!is_hex(p->value, p->nvalue) || digits > 32)
		return reader_fail_word(r, "wrong number", p->value, p->nvalue);
	for (size_t i = 0; i < digits; i++) {
		int digit = text_digit(p->value[2 + i]);
		u64 *half = &value[i < digits - low];

		if (digit < 0)
			return reader_fail_word(r, "wrong number", p->value, p->nvalue);
		*half = *half << 4 | (u64)digit;
	}
	memcpy(at, value, sizeof(value));
	return true;
}

/* Decode %XX of a value into `to`, which has room for nvalue bytes; *n is its length. */
static bool decode(struct trace_reader *r, const struct trace_pair *p, char *to, size_t *n)
{
	const char *s = p->value, *stop = p->value + p->nvalue;

	*n = 0;
	if (p->nvalue == 1 && *s == '%')
		return true;
	for (; s < stop; s++) {
		int high, low;

		if (*s <= 0x20 || *s >= 0x7f || *s == '=')
			return reader_fail(r, s, "a byte that should be written %XX");
		if (*s != '%') {
			to[(*n)++] = *s;
			continue;
		}
		high = s + 2 < stop ? text_digit(s[1]) : -1;
		low = s + 2 < stop ? text_digit(s[2]) : -1;
		if (high < 0 || low < 0)
			return reader_fail(r, s, "two hex digits should follow the `%'");
		to[(*n)++] = (char)(high << 4 | low);
		s += 2;
	}
	return true;
}

static bool set_field_text(
	struct trace_reader *r, const struct field *f, const struct trace_pair *p, char *item)
{
	char *to = r->strings;
	size_t n;

	if (!decode(r, p, to, &n))
		return false;
	to[n] = 0;
	if (f->type == FIELD_BYTES)
		((struct trace_output *)item)->n = (u32)n;
	else if (text_length(to) != n)
		return reader_fail(r, p->value, "a zero byte in a string");
	if (f->type == FIELD_CHARS) {
		if (n >= f->size)
			n = f->size - 1u;
		memcpy(item + f->offset, to, n);
		item[f->offset + n] = 0;
		return true;
	}
	memcpy(item + f->offset, &to, sizeof(to));
	r->strings += n + 1;
	return true;
}

/* M+0xOFF or -+0xADDRESS */
static bool read_loc(struct trace_reader *r, const char *s, size_t n, u64 *address)
{
	const struct trace_module *m;
	u64 id;
	size_t plus = 0;

	while (plus < n && s[plus] != '+')
		plus++;
	if (plus == n || !is_hex(s + plus + 1, n - plus - 1) ||
		!read_u64(s + plus + 1, n - plus - 1, address))
		return reader_fail_word(r, "not a location:", s, n);
	if (plus == 1 && s[0] == '-')
		return true;
	if (!read_u64(s, plus, &id) || id > UINT32_MAX)
		return reader_fail_word(r, "not a location:", s, n);
	m = trace_module(r->t, (u32)id);
	if (!m)
		return reader_fail_word(r, "no such module above:", s, plus);
	*address += m->base;
	return true;
}

static bool set_loc(struct trace_reader *r, const struct trace_pair *p, char *at)
{
	u64 address;

	if (!read_loc(r, p->value, p->nvalue, &address))
		return false;
	memcpy(at, &address, sizeof(address));
	return true;
}

static bool set_frames(struct trace_reader *r, const struct trace_pair *p, char *item)
{
	struct trace_stack *stack = (struct trace_stack *)item;
	const char *s = p->value, *stop = p->value + p->nvalue;

	stack->frames = r->frames;
	while (s <= stop) {
		size_t n = 0;

		while (s + n < stop && s[n] != ',')
			n++;
		if (!read_loc(r, s, n, r->frames))
			return false;
		r->frames++;
		stack->nframes++;
		s += n + 1;
	}
	return true;
}

static bool set_field_name(
	struct trace_reader *r, const struct field *f, const struct trace_pair *p, char *at)
{
	for (u32 i = 0; f->name(i); i++) {
		if (!text_equal_n(f->name(i), p->value, p->nvalue))
			continue;
		memcpy(at, &i, f->size);
		return true;
	}
	return reader_fail_word(r, "unknown word", p->value, p->nvalue);
}

static bool set_field_flags(struct trace_reader *r, const struct trace_pair *p, char *at)
{
	const char *s = p->value, *stop = p->value + p->nvalue;
	u16 flags = 0;

	while (s <= stop) {
		size_t n = 0;
		unsigned bit = 0;

		while (s + n < stop && s[n] != ',')
			n++;
		while (event_flag_name(bit) && !text_equal_n(event_flag_name(bit), s, n))
			bit++;
		if (!event_flag_name(bit))
			return reader_fail_word(r, "unknown flag", s, n);
		flags |= (u16)(1u << bit);
		s += n + 1;
	}
	memcpy(at, &flags, sizeof(flags));
	return true;
}

static bool set_build_id(struct trace_reader *r, const struct trace_pair *p, char *at)
{
	struct trace_build_id *b = (struct trace_build_id *)at;

	if (p->nvalue % 2 || p->nvalue / 2 > TRACE_BUILD_ID)
		return reader_fail_word(r, "not a build id:", p->value, p->nvalue);
	b->n = (u8)(p->nvalue / 2);
	for (unsigned i = 0; i < b->n; i++) {
		int high = text_digit(p->value[2 * i]), low = text_digit(p->value[2 * i + 1]);

		if (high < 0 || low < 0)
			return reader_fail_word(r, "not a build id:", p->value, p->nvalue);
		b->bytes[i] = (u8)(high << 4 | low);
	}
	return true;
}

bool reader_set_field(
	struct trace_reader *r, const struct field *f, const struct trace_pair *p, char *item)
{
	char *at = item + f->offset;

	switch (f->type) {
	case FIELD_NUMBER:
	case FIELD_HEX: return set_field_number(r, f, p, at);
	case FIELD_SIGNED: return set_signed(r, p, at);
	case FIELD_WIDE: return set_wide(r, p, at);
	case FIELD_TEXT:
	case FIELD_CHARS:
	case FIELD_BYTES: return set_field_text(r, f, p, item);
	case FIELD_LOC: return set_loc(r, p, at);
	case FIELD_NAME: return set_field_name(r, f, p, at);
	case FIELD_FLAGS: return set_field_flags(r, p, at);
	case FIELD_BUILD: return set_build_id(r, p, at);
	case FIELD_FRAMES: return set_frames(r, p, item);
	}
	BUG_ON(true);
}
