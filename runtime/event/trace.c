/* SPDX-License-Identifier: ISC */
/*
 * trace.c - the records of a replay file, one table each; looking things up in a trace.
 *
 * The writer (trace_write.c) and the reader (trace_read.c) both walk these tables, so they cannot
 * disagree about a key. A new key is one line here.
 */
#include "event/trace_priv.h"

#include "base/text.h"

/* --- names ----------------------------------------------------------------------------------- */

static const char *pick(const char *const *names, size_t n, unsigned i)
{
	return i < n ? names[i] : NULL;
}

static const char *why_name(unsigned why)
{
	static const char *const names[] = {
		"schedule", "weak-cas", "spurious",
		"timeout", "interrupt", "choose", "graph", "graph-rare", "graph-early"};

	return pick(names, array_size(names), why);
}

static const char *place_kind_name(unsigned kind)
{
	static const char *const names[] = {"global", "heap", "stack", "tls", "other"};

	return pick(names, array_size(names), kind);
}

const char *order_name(unsigned order)
{
	static const char *const names[] = {
		"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};

	return pick(names, array_size(names), order);
}

const char *relation_name(unsigned relation)
{
	static const char *const names[] = {"po", "rf", "co", "fr"};

	return pick(names, array_size(names), relation);
}

static const char *keeping_name(unsigned kept)
{
	static const char *const names[] = {"none", "order", "address", "data", "control"};

	return pick(names, array_size(names), kept);
}

static const char *reorder_name(unsigned reorder)
{
	static const char *const names[] = {"unknown", "yes", "no"};

	return pick(names, array_size(names), reorder);
}

static const char *repair_name(unsigned repair)
{
	static const char *const names[] = {"none", "orders", "fences", "unknown"};

	return pick(names, array_size(names), repair);
}

const char *before_name(unsigned before)
{
	static const char *const names[] = {"happens", "steps"};

	return pick(names, array_size(names), before);
}

const char *event_flag_name(unsigned bit)
{
	static const char *const names[] = {
		"plain", "volatile", "asm", "forwarded", "buffered", "spin", "use",
		"virtual", "rare", "eintr"};

	return pick(names, array_size(names), bit);
}

static const char *kind_or_null(unsigned kind)
{
	return kind < EV_KINDS ? kind_name((enum event_kind)kind) : NULL;
}

static const char *finding_or_null(unsigned kind)
{
	return kind < FINDING_KINDS ? finding_name((enum finding_kind)kind) : NULL;
}

/* --- the tables ------------------------------------------------------------------------------ */

#define AT(type, member) offsetof(struct type, member), sizeof(((struct type *)0)->member)
#define F(k, t, s, m) \
	{ \
		k, t, REF_NONE, false, AT(s, m), NULL \
	}
#define MUST(k, t, s, m) \
	{ \
		k, t, REF_NONE, true, AT(s, m), NULL \
	}
#define NAME(k, s, m, fn) \
	{ \
		k, FIELD_NAME, REF_NONE, true, AT(s, m), fn \
	}
#define REFER(k, r, s, m) \
	{ \
		k, FIELD_NUMBER, r, false, AT(s, m), NULL \
	}

static const struct field head_fields[] = {
	MUST("version", FIELD_NUMBER, trace_head, version),
	F("tool", FIELD_TEXT, trace_head, tool),
};

static const struct field program_fields[] = {
	MUST("path", FIELD_TEXT, trace_program, path),
	F("build_id", FIELD_BUILD, trace_program, build_id),
	F("check", FIELD_NUMBER, trace_program, check),
};

static const struct field arg_fields[] = {
	MUST("value", FIELD_TEXT, trace_arg, value),
};

static const struct field option_fields[] = {
	MUST("name", FIELD_TEXT, trace_option, name),
	MUST("value", FIELD_TEXT, trace_option, value),
};

static const struct field module_fields[] = {
	MUST("id", FIELD_NUMBER, trace_module, id),
	F("base", FIELD_HEX, trace_module, base),
	F("size", FIELD_HEX, trace_module, size),
	F("build_id", FIELD_BUILD, trace_module, build_id),
	F("path", FIELD_TEXT, trace_module, path),
};

static const struct field thread_fields[] = {
	MUST("id", FIELD_NUMBER, trace_thread, id),
	REFER("parent", REF_THREAD, trace_thread, parent),
	F("child", FIELD_NUMBER, trace_thread, child),
	F("start", FIELD_LOC, trace_thread, start),
	REFER("stack", REF_STACK, trace_thread, stack),
	F("name", FIELD_TEXT, trace_thread, name),
	F("enabled", FIELD_NUMBER, trace_thread, enabled),
};

static const struct field stack_fields[] = {
	MUST("id", FIELD_NUMBER, trace_stack, id),
	F("frames", FIELD_FRAMES, trace_stack, frames),
};

static const struct field block_fields[] = {
	MUST("id", FIELD_NUMBER, trace_block, id),
	REFER("thread", REF_THREAD, trace_block, thread),
	F("nth", FIELD_NUMBER, trace_block, nth),
	F("size", FIELD_NUMBER, trace_block, size),
	REFER("stack", REF_STACK, trace_block, stack),
	REFER("freed", REF_STACK, trace_block, freed),
	F("address", FIELD_LOC, trace_block, address),
};

static const struct field place_fields[] = {
	MUST("id", FIELD_NUMBER, trace_place, id),
	NAME("kind", trace_place, kind, place_kind_name),
	F("address", FIELD_LOC, trace_place, address),
	F("size", FIELD_NUMBER, trace_place, size),
	REFER("block", REF_BLOCK, trace_place, block),
	REFER("thread", REF_THREAD, trace_place, thread),
	F("module", FIELD_NUMBER, trace_place, module),
	F("offset", FIELD_NUMBER, trace_place, offset),
	REFER("stack", REF_STACK, trace_place, stack),
	F("frame", FIELD_NUMBER, trace_place, frame),
	F("above", FIELD_NUMBER, trace_place, above),
	F("below", FIELD_NUMBER, trace_place, below),
	F("name", FIELD_TEXT, trace_place, name),
	F("into", FIELD_NUMBER, trace_place, into),
};

static const struct field event_fields[] = {
	MUST("step", FIELD_NUMBER, trace_event, e.step),
	{"thread", FIELD_NUMBER, REF_THREAD, true, AT(trace_event, e.thread), NULL},
	NAME("kind", trace_event, e.kind, kind_or_null),
	{"order", FIELD_NAME, REF_NONE, false, AT(trace_event, e.order), order_name},
	REFER("place", REF_PLACE, trace_event, place),
	F("size", FIELD_NUMBER, trace_event, e.size),
	F("value", FIELD_WIDE, trace_event, e.value),
	F("old", FIELD_WIDE, trace_event, e.old),
	REFER("from", REF_STEP, trace_event, e.from),
	REFER("store", REF_EARLIER, trace_event, e.store),
	REFER("missed", REF_EARLIER, trace_event, e.missed),
	REFER("co", REF_STEP, trace_event, e.co),
	REFER("stack", REF_STACK, trace_event, e.stack),
	F("buffered", FIELD_NUMBER, trace_event, e.buffered),
	F("flags", FIELD_FLAGS, trace_event, e.flags),
};

static const struct field choice_fields[] = {
	MUST("n", FIELD_NUMBER, trace_choice, n),
	F("taken", FIELD_NUMBER, trace_choice, taken),
	{"why", FIELD_NAME, REF_NONE, false, AT(trace_choice, why), why_name},
	F("thread", FIELD_SIGNED, trace_choice, thread),
	F("value", FIELD_NUMBER, trace_choice, value),
};

static const struct field finding_fields[] = {
	NAME("kind", trace_finding, f.kind, finding_or_null),
	REFER("step", REF_STEP, trace_finding, f.step),
	REFER("other", REF_STEP, trace_finding, f.other),
	REFER("repeats", REF_STEP, trace_finding, f.repeats),
	REFER("thread", REF_THREAD, trace_finding, f.thread),
	{"reorder", FIELD_NAME, REF_NONE, false, AT(trace_finding, reorder), reorder_name},
	F("message", FIELD_CHARS, trace_finding, f.message),
	F("file", FIELD_CHARS, trace_finding, f.file),
	F("line", FIELD_SIGNED, trace_finding, f.line),
	F("function", FIELD_CHARS, trace_finding, f.function),
	F("signal", FIELD_SIGNED, trace_finding, f.signal),
	F("execution", FIELD_NUMBER, trace_finding, execution),
};

static const struct field minimised_fields[] = {
	F("tries", FIELD_NUMBER, trace_minimised, tries),
	F("complete", FIELD_NUMBER, trace_minimised, complete),
	F("rare", FIELD_NUMBER, trace_minimised, rare),
	F("relaxed", FIELD_NUMBER, trace_minimised, relaxed),
	F("delayed", FIELD_NUMBER, trace_minimised, delayed),
	F("switches", FIELD_NUMBER, trace_minimised, switches),
	F("steps", FIELD_NUMBER, trace_minimised, steps),
	F("to_rare", FIELD_NUMBER, trace_minimised, to_rare),
	F("to_relaxed", FIELD_NUMBER, trace_minimised, to_relaxed),
	F("to_delayed", FIELD_NUMBER, trace_minimised, to_delayed),
	F("to_switches", FIELD_NUMBER, trace_minimised, to_switches),
	F("to_steps", FIELD_NUMBER, trace_minimised, to_steps),
};

static const struct field wait_fields[] = {
	{"thread", FIELD_NUMBER, REF_THREAD, true, AT(trace_wait, thread), NULL},
	NAME("kind", trace_wait, kind, kind_or_null),
	REFER("place", REF_PLACE, trace_wait, place),
	F("holder", FIELD_SIGNED, trace_wait, holder),
	REFER("stack", REF_STACK, trace_wait, stack),
};

static const struct field edge_fields[] = {
	{"from", FIELD_NUMBER, REF_STEP, true, AT(trace_edge, from), NULL},
	{"to", FIELD_NUMBER, REF_STEP, true, AT(trace_edge, to), NULL},
	NAME("relation", trace_edge, relation, relation_name),
	{"kept", FIELD_NAME, REF_NONE, false, AT(trace_edge, kept), keeping_name},
};

static const struct field axiom_fields[] = {
	F("name", FIELD_TEXT, trace_axiom, name),
	{"repair", FIELD_NAME, REF_NONE, false, AT(trace_axiom, repair), repair_name},
};

static const struct field link_fields[] = {
	REFER("from", REF_STEP, trace_link, from),
	REFER("to", REF_STEP, trace_link, to),
	F("name", FIELD_TEXT, trace_link, name),
};

static const struct field history_fields[] = {
	MUST("object", FIELD_TEXT, trace_history, object),
	NAME("before", trace_history, before, before_name),
	F("state", FIELD_TEXT, trace_history, state),
};

static const struct field operation_fields[] = {
	MUST("id", FIELD_NUMBER, trace_operation, id),
	{"thread", FIELD_NUMBER, REF_THREAD, true, AT(trace_operation, thread), NULL},
	REFER("begin", REF_STEP, trace_operation, begin),
	REFER("end", REF_STEP, trace_operation, end),
	F("placed", FIELD_NUMBER, trace_operation, placed),
	MUST("call", FIELD_TEXT, trace_operation, call),
	F("result", FIELD_TEXT, trace_operation, result),
	F("why", FIELD_TEXT, trace_operation, why),
};

static const struct field output_fields[] = {
	MUST("fd", FIELD_NUMBER, trace_output, fd),
	MUST("text", FIELD_BYTES, trace_output, text),
};

static const struct field site_fields[] = {
	MUST("at", FIELD_LOC, trace_site, at),
	{"order", FIELD_NAME, REF_NONE, false, AT(trace_site, orders.order), order_file_name},
	{"fail", FIELD_NAME, REF_NONE, false, AT(trace_site, orders.fail), order_file_name},
	{"before", FIELD_NAME, REF_NONE, false, AT(trace_site, orders.before), order_file_name},
	{"after", FIELD_NAME, REF_NONE, false, AT(trace_site, orders.after), order_file_name},
};

static const struct field visible_fields[] = {
	MUST("at", FIELD_LOC, trace_visible, at),
	F("size", FIELD_NUMBER, trace_visible, size),
};

static const struct field end_fields[] = {
	MUST("records", FIELD_NUMBER, trace_tail, records),
	MUST("crc", FIELD_HEX, trace_tail, crc),
};

#define FIELDS(x) x##_fields, array_size(x##_fields)
#define ONE(word, x, s, member) \
	{ \
		word, FIELDS(x), sizeof(struct s), offsetof(struct trace, member), 0, 0, false, \
			false \
	}
#define MANY(word, x, s, array, n) \
	{ \
		word, FIELDS(x), sizeof(struct s), offsetof(struct trace, array), \
			offsetof(struct trace, n), 0, false, false \
	}
#define WITH_ID(word, x, s, array, n, first, gapless) \
	{ \
		word, FIELDS(x), sizeof(struct s), offsetof(struct trace, array), \
			offsetof(struct trace, n), first, true, gapless \
	}

const struct trace_record trace_records[RECORDS] = {
	[RECORD_HEAD] = {"heddle-trace", FIELDS(head), sizeof(struct trace_head)},
	[RECORD_PROGRAM] = ONE("program", program, trace_program, program),
	[RECORD_ARG] = MANY("arg", arg, trace_arg, args, nargs),
	[RECORD_OPTION] = MANY("option", option, trace_option, options, noptions),
	[RECORD_MODULE] = WITH_ID("module", module, trace_module, modules, nmodules, 0, false),
	[RECORD_THREAD] = WITH_ID("thread", thread, trace_thread, threads, nthreads, 0, false),
	[RECORD_STACK] = WITH_ID("stack", stack, trace_stack, stacks, nstacks, 1, false),
	[RECORD_BLOCK] = WITH_ID("block", block, trace_block, blocks, nblocks, 1, false),
	[RECORD_PLACE] = WITH_ID("place", place, trace_place, places, nplaces, 1, false),
	[RECORD_EVENT] = WITH_ID("event", event, trace_event, events, nevents, 1, true),
	[RECORD_CHOICE] = MANY("choice", choice, trace_choice, choices, nchoices),
	[RECORD_FINDING] = ONE("finding", finding, trace_finding, finding),
	[RECORD_MINIMISED] = ONE("minimised", minimised, trace_minimised, minimised),
	[RECORD_WAIT] = MANY("wait", wait, trace_wait, waits, nwaits),
	[RECORD_EDGE] = MANY("cycle", edge, trace_edge, cycle, ncycle),
	[RECORD_AXIOM] = MANY("axiom", axiom, trace_axiom, axioms, naxioms),
	[RECORD_LINK] = MANY("link", link, trace_link, links, nlinks),
	[RECORD_HISTORY] = MANY("history", history, trace_history, histories, nhistories),
	[RECORD_OPERATION] =
		WITH_ID("operation", operation, trace_operation, operations, noperations, 1, false),
	[RECORD_SITE] = MANY("site", site, trace_site, sites, nsites),
	[RECORD_VISIBLE] = MANY("visible", visible, trace_visible, visible, nvisible),
	[RECORD_OUTPUT] = MANY("output", output, trace_output, outputs, noutputs),
	[RECORD_END] = {"end", FIELDS(end), sizeof(struct trace_tail)},
};

_Static_assert(offsetof(struct trace_event, e.step) == 0, "an event begins with its step");

/* --- looking up ------------------------------------------------------------------------------ */

/* The item with this id: items of `size` bytes that begin with a growing u32 id. */
static const void *find_id(const void *items, u32 n, size_t size, u32 id)
{
	u32 low = 0, high = n;

	while (low < high) {
		u32 middle = low + (high - low) / 2;
		const char *item = (const char *)items + size * middle;
		u32 here = *(const u32 *)item;

		if (here == id)
			return item;
		if (here < id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct trace_module *trace_module(const struct trace *t, u32 id)
{
	return find_id(t->modules, t->nmodules, sizeof(*t->modules), id);
}

const struct trace_thread *trace_thread(const struct trace *t, u32 id)
{
	return find_id(t->threads, t->nthreads, sizeof(*t->threads), id);
}

const struct trace_stack *trace_stack(const struct trace *t, u32 id)
{
	return find_id(t->stacks, t->nstacks, sizeof(*t->stacks), id);
}

const struct trace_block *trace_block(const struct trace *t, u32 id)
{
	return find_id(t->blocks, t->nblocks, sizeof(*t->blocks), id);
}

const struct trace_place *trace_place(const struct trace *t, u32 id)
{
	return find_id(t->places, t->nplaces, sizeof(*t->places), id);
}

const struct trace_event *trace_event(const struct trace *t, u32 step)
{
	return step && step <= t->nevents ? &t->events[step - 1] : NULL;
}

const struct trace_module *trace_module_at(const struct trace *t, u64 address)
{
	for (u32 i = 0; i < t->nmodules; i++)
		if (address - t->modules[i].base < t->modules[i].size)
			return &t->modules[i];
	return NULL;
}

const char *trace_option(const struct trace *t, const char *name)
{
	for (u32 i = 0; i < t->noptions; i++)
		if (text_equal(t->options[i].name, name))
			return t->options[i].value;
	return NULL;
}

/* --- checksum -------------------------------------------------------------------------------- */

/* The polynomial of zlib, reflected; four bits a step, so that the table is 64 bytes. */
u32 trace_crc(u32 crc, const char *bytes, size_t n)
{
	static const u32 table[16] = {
		0x00000000,
		0x1db71064,
		0x3b6e20c8,
		0x26d930ac,
		0x76dc4190,
		0x6b6b51f4,
		0x4db26158,
		0x5005713c,
		0xedb88320,
		0xf00f9344,
		0xd6d6a3e8,
		0xcb61b38c,
		0x9b64c2b0,
		0x86d3d2d4,
		0xa00ae278,
		0xbdbdf21c,
	};

	crc = ~crc;
	for (size_t i = 0; i < n; i++) {
		crc ^= (u8)bytes[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}
