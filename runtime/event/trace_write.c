/* SPDX-License-Identifier: ISC */
/*
 * trace_write.c - write a replay file, record by record, into a sink.
 *
 * No allocation: it runs inside the tested process, where the program's heap must not be touched.
 */
#include "event/trace_priv.h"

#include <string.h> /* memcpy */

#include "base/text.h"
#include "heddle/trace.h"

/* --- bytes ----------------------------------------------------------------------------------- */

static void flush_trace(struct trace_writer *w)
{
	w->crc = trace_crc(w->crc, w->buffer, w->fill);
	w->put(w->ctx, w->buffer, w->fill);
	w->fill = 0;
}

static void put_trace_char(struct trace_writer *w, char c)
{
	if (w->fill == sizeof(w->buffer))
		flush_trace(w);
	w->buffer[w->fill++] = c;
}

static void put_string(struct trace_writer *w, const char *s)
{
	for (; *s; s++)
		put_trace_char(w, *s);
}

static void put_number(struct trace_writer *w, u64 value)
{
	char digits[24];
	struct text t = text_begin(digits, sizeof(digits));

	text_number(&t, value);
	put_string(w, digits);
}

static void put_hex(struct trace_writer *w, u64 value)
{
	char digits[24];
	struct text t = text_begin(digits, sizeof(digits));

	text_hex(&t, value);
	put_string(w, digits);
}

static void put_wide(struct trace_writer *w, const u64 *value)
{
	put_hex(w, value[1] ? value[1] : value[0]);
	for (int shift = 60; value[1] && shift >= 0; shift -= 4)
		put_trace_char(w, "0123456789abcdef"[value[0] >> shift & 15]);
}

static void put_escaped(struct trace_writer *w, const char *s, size_t n)
{
	static const char digits[] = "0123456789ABCDEF";

	if (!n)
		put_trace_char(w, '%');
	for (size_t i = 0; i < n; i++) {
		u8 c = (u8)s[i];

		if (c > 0x20 && c < 0x7f && c != '%' && c != '=') {
			put_trace_char(w, (char)c);
			continue;
		}
		put_trace_char(w, '%');
		put_trace_char(w, digits[c >> 4]);
		put_trace_char(w, digits[c & 15]);
	}
}

static void put_loc(struct trace_writer *w, u64 address)
{
	for (u32 i = 0; i < w->nmodules; i++) {
		if (address - w->modules[i].base >= w->modules[i].size)
			continue;
		put_number(w, w->modules[i].id);
		put_trace_char(w, '+');
		put_hex(w, address - w->modules[i].base);
		return;
	}
	put_string(w, "-+");
	put_hex(w, address);
}

/* --- fields ---------------------------------------------------------------------------------- */

static u64 get_number(const struct field *f, const char *at)
{
	u64 value = 0;

	memcpy(&value, at, f->size); /* little endian, as every machine we run on */
	return value;
}

static const char *get_text(const struct field *f, const char *at)
{
	const char *s;

	if (f->type == FIELD_CHARS)
		return at;
	memcpy(&s, at, sizeof(s));
	return s ? s : "";
}

static bool is_empty(const struct field *f, const char *item)
{
	const char *at = item + f->offset;

	switch (f->type) {
	case FIELD_TEXT:
	case FIELD_CHARS: return !get_text(f, at)[0];
	case FIELD_BYTES: return false;
	case FIELD_FRAMES: return !((const struct trace_stack *)item)->nframes;
	case FIELD_BUILD: return !((const struct trace_build_id *)at)->n;
	case FIELD_WIDE: return !((const u64 *)at)[0] && !((const u64 *)at)[1];
	default: return !get_number(f, at);
	}
}

static void put_flags(struct trace_writer *w, u64 flags)
{
	bool first = true;

	for (unsigned bit = 0; event_flag_name(bit); bit++) {
		if (!(flags >> bit & 1))
			continue;
		if (!first)
			put_trace_char(w, ',');
		put_string(w, event_flag_name(bit));
		first = false;
	}
	BUG_ON(first);
}

static void put_build_id(struct trace_writer *w, const struct trace_build_id *b)
{
	BUG_ON(b->n > TRACE_BUILD_ID);
	for (unsigned i = 0; i < b->n; i++) {
		put_trace_char(w, "0123456789abcdef"[b->bytes[i] >> 4]);
		put_trace_char(w, "0123456789abcdef"[b->bytes[i] & 15]);
	}
}

static void put_frames(struct trace_writer *w, const struct trace_stack *s)
{
	for (u32 i = 0; i < s->nframes; i++) {
		if (i)
			put_trace_char(w, ',');
		put_loc(w, s->frames[i]);
	}
}

static void put_field_name(struct trace_writer *w, const struct field *f, u64 value)
{
	BUG_ON(value > UINT32_MAX || !f->name((unsigned)value));
	put_string(w, f->name((unsigned)value));
}

static void put_trace_signed(struct trace_writer *w, i32 value)
{
	if (value < 0)
		put_trace_char(w, '-');
	put_number(w, (u64)(value < 0 ? -(i64)value : value));
}

static void put_field(struct trace_writer *w, const struct field *f, const char *item)
{
	const char *at = item + f->offset;

	switch (f->type) {
	case FIELD_NUMBER: put_number(w, get_number(f, at)); break;
	case FIELD_SIGNED: put_trace_signed(w, (i32)get_number(f, at)); break;
	case FIELD_HEX: put_hex(w, get_number(f, at)); break;
	case FIELD_WIDE: put_wide(w, (const u64 *)at); break;
	case FIELD_LOC: put_loc(w, get_number(f, at)); break;
	case FIELD_NAME: put_field_name(w, f, get_number(f, at)); break;
	case FIELD_FLAGS: put_flags(w, get_number(f, at)); break;
	case FIELD_BUILD: put_build_id(w, (const struct trace_build_id *)at); break;
	case FIELD_FRAMES: put_frames(w, (const struct trace_stack *)item); break;
	case FIELD_TEXT:
	case FIELD_CHARS: put_escaped(w, get_text(f, at), text_length(get_text(f, at))); break;
	case FIELD_BYTES:
		put_escaped(w, get_text(f, at), ((const struct trace_output *)item)->n);
		break;
	}
}

static void put_record(struct trace_writer *w, enum record_kind kind, const void *item)
{
	const struct trace_record *r = &trace_records[kind];

	put_string(w, r->keyword);
	for (unsigned i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];

		if (!f->needed && is_empty(f, item))
			continue;
		put_trace_char(w, ' ');
		put_string(w, f->key);
		put_trace_char(w, '=');
		put_field(w, f, item);
	}
	put_trace_char(w, '\n');
	w->records++;
}

/* --- the interface --------------------------------------------------------------------------- */

void trace_begin(
	struct trace_writer *w, void (*put)(void *ctx, const char *bytes, size_t n), void *ctx)
{
	struct trace_head head = {HEDDLE_TRACE_VERSION, HEDDLE_VERSION};

	w->put = put;
	w->ctx = ctx;
	w->crc = 0;
	w->records = 0;
	w->fill = 0;
	w->nmodules = 0;
	put_record(w, RECORD_HEAD, &head);
}

void trace_put_program(struct trace_writer *w, const struct trace_program *p)
{
	put_record(w, RECORD_PROGRAM, p);
}

void trace_put_arg(struct trace_writer *w, const char *value)
{
	put_record(w, RECORD_ARG, &(struct trace_arg){value});
}

void trace_put_option(struct trace_writer *w, const char *name, const char *value)
{
	put_record(w, RECORD_OPTION, &(struct trace_option){name, value});
}

void trace_put_module(struct trace_writer *w, const struct trace_module *m)
{
	if (w->nmodules < TRACE_MODULES) {
		w->modules[w->nmodules].base = m->base;
		w->modules[w->nmodules].size = m->size;
		w->modules[w->nmodules].id = m->id;
		w->nmodules++;
	}
	put_record(w, RECORD_MODULE, m);
}

void trace_put_thread(struct trace_writer *w, const struct trace_thread *t)
{
	put_record(w, RECORD_THREAD, t);
}

void trace_put_stack(struct trace_writer *w, const struct trace_stack *s)
{
	put_record(w, RECORD_STACK, s);
}

void trace_put_block(struct trace_writer *w, const struct trace_block *b)
{
	put_record(w, RECORD_BLOCK, b);
}

void trace_put_place(struct trace_writer *w, const struct trace_place *p)
{
	put_record(w, RECORD_PLACE, p);
}

void trace_put_event(struct trace_writer *w, const struct event *e, u32 place)
{
	put_record(w, RECORD_EVENT, &(struct trace_event){*e, place});
}

void trace_put_choice(struct trace_writer *w, const struct trace_choice *c)
{
	put_record(w, RECORD_CHOICE, c);
}

void trace_put_finding(struct trace_writer *w, const struct trace_finding *f)
{
	put_record(w, RECORD_FINDING, f);
}

void trace_put_minimised(struct trace_writer *w, const struct trace_minimised *m)
{
	put_record(w, RECORD_MINIMISED, m);
}

void trace_put_wait(struct trace_writer *w, const struct trace_wait *t)
{
	put_record(w, RECORD_WAIT, t);
}

void trace_put_edge(struct trace_writer *w, const struct trace_edge *e)
{
	put_record(w, RECORD_EDGE, e);
}

void trace_put_axiom(struct trace_writer *w, const struct trace_axiom *a)
{
	put_record(w, RECORD_AXIOM, a);
}

void trace_put_link(struct trace_writer *w, const struct trace_link *l)
{
	put_record(w, RECORD_LINK, l);
}

void trace_put_history(struct trace_writer *w, const struct trace_history *h)
{
	put_record(w, RECORD_HISTORY, h);
}

void trace_put_operation(struct trace_writer *w, const struct trace_operation *o)
{
	put_record(w, RECORD_OPERATION, o);
}

void trace_put_site(struct trace_writer *w, const struct trace_site *s)
{
	put_record(w, RECORD_SITE, s);
}

void trace_put_visible(struct trace_writer *w, const struct trace_visible *v)
{
	put_record(w, RECORD_VISIBLE, v);
}

void trace_put_output(struct trace_writer *w, u32 fd, const char *bytes, size_t n)
{
	put_record(w, RECORD_OUTPUT, &(struct trace_output){fd, (u32)n, bytes});
}

void trace_end(struct trace_writer *w)
{
	struct trace_tail tail = {w->records, 0};

	flush_trace(w);
	tail.crc = w->crc;
	put_record(w, RECORD_END, &tail);
	flush_trace(w);
}
