/* SPDX-License-Identifier: ISC */
/* t_trace.c - replay files: written records are read back; damaged files are refused. */
#include "event/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/prng.h"
#include "unit.h"

/* --- a sink in memory, and memory that can run out ------------------------------------------- */

struct sink {
	char bytes[1 << 16];
	size_t n;
};

static struct sink sink;

static void sink_put(void *ctx, const char *bytes, size_t n)
{
	struct sink *s = ctx;

	CU_ASSERT_FATAL(s->n + n <= sizeof(s->bytes));
	memcpy(s->bytes + s->n, bytes, n);
	s->n += n;
}

struct pool {
	void *blocks[64];
	unsigned n;
	unsigned fail_at; /* this allocation fails, 0 first */
};

static void *pool_alloc(void *ctx, size_t n)
{
	struct pool *p = ctx;

	if (p->n == p->fail_at || p->n == 64)
		return NULL;
	return p->blocks[p->n++] = malloc(n);
}

static void pool_free(struct pool *p)
{
	while (p->n)
		free(p->blocks[--p->n]);
}

/* Read from an exact copy, so that a sanitizer sees the first byte too many. */
static bool read_copy(
	struct trace *t, const char *bytes, size_t n, struct pool *p, struct trace_err *err)
{
	struct trace_memory memory = {pool_alloc, p};
	char *copy = malloc(n ? n : 1);
	bool good;

	memcpy(copy, bytes, n);
	memset(err, 0, sizeof(*err));
	good = trace_read(t, copy, n, &memory, err);
	free(copy); /* strings must have been copied */
	return good;
}

/* --- a sample -------------------------------------------------------------------------------- */

static const u64 frames[] = {0x555555554123, 0x7fff00001000, 0x55555555400};

static void put_head(struct trace_writer *w)
{
	struct trace_build_id id = {20, {0x1d, 0xff, 0, 7}};

	trace_begin(w, sink_put, &sink);
	trace_put_program(w, &(struct trace_program){"/tmp/a b/100%=sb", id, 2});
	trace_put_arg(w, "");
	trace_put_arg(w, "x y\n");
	trace_put_arg(w, "%");
	trace_put_arg(w, "%41");
	trace_put_arg(w, "x");
	trace_put_option(w, "model", "pso");
	trace_put_module(
		w, &(struct trace_module){0, 0x555555554000, 0x5000, id, "/tmp/a b/100%=sb"});
	trace_put_module(w, &(struct trace_module){3, 0x7fff00000000, 0x2000, {0}, NULL});
	trace_put_thread(w, &(struct trace_thread){0});
	trace_put_thread(w, &(struct trace_thread){1, 0, 1, 0, frames[0], 1, "writer x"});
	trace_put_stack(w, &(struct trace_stack){1, 3, frames});
	trace_put_stack(w, &(struct trace_stack){9, 0, NULL});
	trace_put_block(w, &(struct trace_block){1, 1, 4, 32, 1, 9, 0x100000040});
	trace_put_place(
		w, &(struct trace_place){
			   .id = 1, .kind = PLACE_GLOBAL, .address = 0x555555558010, .size = 4});
	trace_put_place(w, &(struct trace_place){.id = 2,
				   .kind = PLACE_HEAP,
				   .address = 0x100000048,
				   .size = 8,
				   .block = 1,
				   .offset = 8});
}

static void put_sample(void)
{
	static struct trace_writer w;
	struct event store = {.step = 1,
		.thread = 1,
		.kind = EV_WRITE,
		.order = 5,
		.size = 4,
		.flags = EVENT_BUFFERED | EVENT_ASM,
		.stack = 1,
		.buffered = 1,
		.value = {7, 0}};
	struct event load = {.step = 2,
		.kind = EV_CAS,
		.size = 16,
		.from = 1,
		.missed = 1,
		.value = {0x1, 0xab},
		.old = {~0ull, ~0ull}};
	struct trace_finding f = {
		{FINDING_CRASH, 2, 1, 1, 1, 11, 24, "it `broke' = 100%", "a b.c", "fn"},
		REORDER_YES, 1234567890123};

	sink.n = 0;
	put_head(&w);
	trace_put_event(&w, &store, 1);
	trace_put_event(&w, &load, 2);
	trace_put_choice(&w, &(struct trace_choice){3, 2, WHY_SCHEDULE, -2});
	trace_put_choice(&w, &(struct trace_choice){65535, 65534, WHY_CHOOSE, 1});
	trace_put_finding(&w, &f);
	trace_put_minimised(
		&w, &(struct trace_minimised){.tries = 70, .delayed = 3, .to_steps = 21});
	trace_put_wait(&w, &(struct trace_wait){1, EV_LOCK, 1, -1, 1});
	trace_put_wait(&w, &(struct trace_wait){0, EV_JOIN, 0, 1, 0});
	trace_put_edge(&w, &(struct trace_edge){1, 2, RELATION_FR});
	trace_put_axiom(&w, &(struct trace_axiom){"psc 1", REPAIR_FENCES});
	trace_put_link(&w, &(struct trace_link){0, 2, "fr"});
	trace_put_site(&w, &(struct trace_site){0x401000, {1, 0, 7, 0}});
	trace_put_visible(&w, &(struct trace_visible){0x402000, 24});
	trace_put_output(&w, 2, "a\0b\n", 4);
	trace_put_output(&w, 1, "", 0);
	trace_end(&w);
}

static void check_head(const struct trace *t)
{
	CU_ASSERT_STRING_EQUAL(t->tool, HEDDLE_VERSION);
	CU_ASSERT_STRING_EQUAL(t->program.path, "/tmp/a b/100%=sb");
	CU_ASSERT_EQUAL(t->program.build_id.n, 20);
	CU_ASSERT_EQUAL(t->program.build_id.bytes[1], 0xff);
	CU_ASSERT_EQUAL(t->program.check, 2);
	CU_ASSERT_EQUAL_FATAL(t->nargs, 5);
	CU_ASSERT_STRING_EQUAL(t->args[0].value, "");
	CU_ASSERT_STRING_EQUAL(t->args[1].value, "x y\n");
	CU_ASSERT_STRING_EQUAL(t->args[2].value, "%");
	CU_ASSERT_STRING_EQUAL(t->args[3].value, "%41");
	CU_ASSERT_STRING_EQUAL(t->args[4].value, "x");
	CU_ASSERT_STRING_EQUAL(trace_option(t, "model"), "pso");
	CU_ASSERT_PTR_NULL(trace_option(t, "seed"));
	CU_ASSERT_EQUAL_FATAL(t->nmodules, 2);
	CU_ASSERT_STRING_EQUAL(t->modules[1].path, "");
	CU_ASSERT_EQUAL(trace_module(t, 3), &t->modules[1]);
	CU_ASSERT_PTR_NULL(trace_module(t, 1));
	CU_ASSERT_EQUAL(trace_module_at(t, 0x555555558fff), &t->modules[0]);
	CU_ASSERT_PTR_NULL(trace_module_at(t, 0x555555559000));
	CU_ASSERT_STRING_EQUAL(trace_thread(t, 1)->name, "writer x");
	CU_ASSERT_STRING_EQUAL(trace_thread(t, 0)->name, "");
	CU_ASSERT_EQUAL(trace_thread(t, 1)->start, frames[0]);
	CU_ASSERT_EQUAL_FATAL(trace_stack(t, 1)->nframes, 3);
	CU_ASSERT_EQUAL(memcmp(trace_stack(t, 1)->frames, frames, sizeof(frames)), 0);
	CU_ASSERT_EQUAL(trace_stack(t, 9)->nframes, 0);
	CU_ASSERT_PTR_NULL(trace_stack(t, 0));
	CU_ASSERT_EQUAL(trace_block(t, 1)->freed, 9);
	CU_ASSERT_EQUAL(trace_place(t, 2)->block, 1);
	CU_ASSERT_EQUAL(trace_place(t, 1)->kind, PLACE_GLOBAL);
}

static void check_events(const struct trace *t)
{
	CU_ASSERT_EQUAL_FATAL(t->nevents, 2);
	CU_ASSERT_EQUAL(t->events[0].e.flags, EVENT_BUFFERED | EVENT_ASM);
	CU_ASSERT_EQUAL(t->events[0].e.addr, 0x555555558010);
	CU_ASSERT_EQUAL(t->events[0].e.order, 5);
	CU_ASSERT_EQUAL(t->events[0].e.value[0], 7);
	CU_ASSERT_EQUAL(trace_event(t, 2)->e.value[1], 0xab);
	CU_ASSERT_EQUAL(trace_event(t, 2)->e.old[0], ~0ull);
	CU_ASSERT_EQUAL(trace_event(t, 2)->e.old[1], ~0ull);
	CU_ASSERT_EQUAL(trace_event(t, 2)->e.value[0], 1);
	CU_ASSERT_EQUAL(trace_event(t, 2)->e.missed, 1);
	CU_ASSERT_PTR_NULL(trace_event(t, 3));
	CU_ASSERT_EQUAL_FATAL(t->nchoices, 2);
	CU_ASSERT_EQUAL(t->choices[0].thread, -2);
	CU_ASSERT_EQUAL(t->choices[1].why, WHY_CHOOSE);
}

static void check_finding(const struct trace *t)
{
	CU_ASSERT_EQUAL(t->finding.f.kind, FINDING_CRASH);
	CU_ASSERT_EQUAL(t->finding.f.signal, 11);
	CU_ASSERT_EQUAL(t->finding.f.other, 1);
	CU_ASSERT_EQUAL(t->finding.f.repeats, 1);
	CU_ASSERT_EQUAL(t->finding.reorder, REORDER_YES);
	CU_ASSERT_EQUAL(t->finding.execution, 1234567890123);
	CU_ASSERT_STRING_EQUAL(t->finding.f.message, "it `broke' = 100%");
	CU_ASSERT_STRING_EQUAL(t->finding.f.function, "fn");
	CU_ASSERT_EQUAL(t->minimised.tries, 70);
	CU_ASSERT_EQUAL(t->minimised.delayed, 3);
	CU_ASSERT_EQUAL(t->minimised.relaxed, 0);
	CU_ASSERT_EQUAL(t->minimised.to_steps, 21);
}

static void check_rest(const struct trace *t)
{
	CU_ASSERT_EQUAL_FATAL(t->nwaits, 2);
	CU_ASSERT_EQUAL(t->waits[0].holder, -1);
	CU_ASSERT_EQUAL(t->waits[1].kind, EV_JOIN);
	CU_ASSERT_EQUAL_FATAL(t->ncycle, 1);
	CU_ASSERT_EQUAL(t->cycle[0].relation, RELATION_FR);
	CU_ASSERT_EQUAL_FATAL(t->naxioms, 1);
	CU_ASSERT_STRING_EQUAL(t->axioms[0].name, "psc 1");
	CU_ASSERT_EQUAL(t->axioms[0].repair, REPAIR_FENCES);
	CU_ASSERT_EQUAL_FATAL(t->nlinks, 1);
	CU_ASSERT(!t->links[0].from && t->links[0].to == 2 && !strcmp(t->links[0].name, "fr"));
	CU_ASSERT_EQUAL_FATAL(t->nvisible, 1);
	CU_ASSERT(t->visible[0].at == 0x402000 && t->visible[0].size == 24);
	CU_ASSERT_EQUAL_FATAL(t->nsites, 1);
	CU_ASSERT(t->sites[0].at == 0x401000 && t->sites[0].orders.order == 1 &&
		  t->sites[0].orders.before == 7);
	CU_ASSERT_EQUAL_FATAL(t->noutputs, 2);
	CU_ASSERT_EQUAL(t->outputs[0].n, 4);
	CU_ASSERT_EQUAL(memcmp(t->outputs[0].text, "a\0b\n", 4), 0);
	CU_ASSERT_EQUAL(t->outputs[1].n, 0);
}

static void round_trip(void)
{
	struct pool pool = {.fail_at = 64};
	struct trace t;
	struct trace_err err;
	bool good;

	put_sample();
	good = read_copy(&t, sink.bytes, sink.n, &pool, &err);
	if (!good)
		printf("\n%u:%u: %s\n", err.line, err.column, err.message);
	CU_ASSERT_FATAL(good);
	check_head(&t);
	check_events(&t);
	check_finding(&t);
	check_rest(&t);
	pool_free(&pool);
}

static void crc_is_zlibs(void)
{
	CU_ASSERT_EQUAL(trace_crc(0, "123456789", 9), 0xcbf43926u);
	CU_ASSERT_EQUAL(trace_crc(trace_crc(0, "1234", 4), "56789", 5), 0xcbf43926u);
}

/* --- damage ---------------------------------------------------------------------------------- */

static bool accepted(const char *bytes, size_t n, struct trace_err *err)
{
	struct pool pool = {.fail_at = 64};
	struct trace t;
	bool good = read_copy(&t, bytes, n, &pool, err);

	pool_free(&pool);
	return good;
}

/* The bytes before the last line. */
static size_t body_length(void)
{
	size_t n = sink.n - 1;

	while (sink.bytes[n - 1] != '\n')
		n--;
	return n;
}

static void every_truncation(void)
{
	struct trace_err err;

	put_sample();
	for (size_t n = 0; n < sink.n; n += 100 / unit_count(100)) {
		CU_ASSERT_FALSE_FATAL(accepted(sink.bytes, n, &err));
		CU_ASSERT_FATAL(err.message[0] && err.line && err.column);
	}
}

static void every_bit_flip(void)
{
	size_t step = unit_count(100) == 100 ? 1 : 101;
	struct trace_err err;

	put_sample();
	for (size_t i = 0; i < sink.n * 8; i += step) {
		/* A hex digit of the checksum may have either case. */
		if (i % 8 == 5 && i / 8 >= body_length() && strchr("abcdef", sink.bytes[i / 8]))
			continue;
		sink.bytes[i / 8] ^= (char)(1 << i % 8);
		CU_ASSERT_FALSE_FATAL(accepted(sink.bytes, sink.n, &err));
		CU_ASSERT_FATAL(err.message[0] && err.line && err.column);
		sink.bytes[i / 8] ^= (char)(1 << i % 8);
	}
	CU_ASSERT(accepted(sink.bytes, sink.n, &err));
}

/* Give the text before the last line the right count and checksum, for any text. */
static void sign(struct sink *s, size_t body)
{
	unsigned lines = 0;

	for (size_t i = 0; i < body; i++)
		lines += s->bytes[i] == '\n';
	s->n = body + (size_t)sprintf(s->bytes + body, "end records=%u crc=0x%08x\n", lines,
			      trace_crc(0, s->bytes, body));
}

/* Replace the first `from` by `to` in the sample, sign it, and read it. */
static void edited(const char *from, const char *to, const char *message)
{
	struct trace_err err;
	char *at, *end;
	size_t body;

	put_sample();
	body = body_length();
	sink.bytes[body] = 0;
	at = strstr(sink.bytes, from);
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	end = at + strlen(from);
	memmove(at + strlen(to), end, body - (size_t)(end - sink.bytes) + 1);
	memcpy(at, to, strlen(to));
	sign(&sink, body - strlen(from) + strlen(to));
	if (!*message) {
		CU_ASSERT(accepted(sink.bytes, sink.n, &err));
		return;
	}
	CU_ASSERT_FALSE(accepted(sink.bytes, sink.n, &err));
	if (strcmp(err.message, message))
		printf("\n%s -> %s: %u:%u: %s\n", from, to, err.line, err.column, err.message);
	CU_ASSERT_STRING_EQUAL(err.message, message);
}

static void signed_nonsense(void)
{
	edited("version=7", "version=1", "");
	edited("version=7", "version=0",
		"format version 0, but this heddle reads versions up to 7");
	edited("version=7", "version=8",
		"format version 8, but this heddle reads versions up to 7");
	edited("heddle-trace", "heddle-track", "not a replay file of heddle");
	edited("check=2", "check=2 future=key", "");
	edited("kind=store", "kind=stroe", "unknown word `stroe'");
	edited("place=2", "place=5", "refers to no record of this file: the number of `place'");
	edited("freed=9", "freed=8", "refers to no record of this file: the number of `freed'");
	edited("from=1 missed", "from=99 missed",
		"refers to no record of this file: the number of `from'");
	edited("from=1 to=2", "from=0 to=2",
		"refers to no record of this file: the number of `from'");
	edited("step=2", "step=3", "steps should count 1, 2, 3, ...");
	edited("stack id=9", "stack id=1", "ids of a kind should grow");
	edited("stack id=1", "stack id=0", "ids of a kind should grow");
	edited("taken=2", "taken=3", "takes an option that does not exist");
	edited("holder=1", "holder=4", "the holder is not a thread of this file");
	edited("order=seq_cst", "order=6", "unknown word `6'");
	edited("flags=asm", "flags=asm,", "unknown flag `'");
	edited("size=4 value", "size=99999999999 value", "wrong number `99999999999'");
	edited("size=4", "size=", "not key=value: `size='");
	edited("size=4", "size=4 size=4", "given twice: `size'");
	edited("frames=0", "frames=7", "no such module above: `7'");
	edited("thread id=0\n", "", "there should be a `thread' record with id 0");
	edited("finding ", "finder ", "unknown record `finder'");
	edited("a%20b.c", "a%2", "two hex digits should follow the `%'");
	edited("a%20b.c", "a%00b", "a zero byte in a string");
	edited("build_id=1dff", "build_id=1df",
		"not a build id: `1df000700000000000000000000000000000000'");
}

/* Random edits with a valid checksum: the reader may refuse them, but must not crash. */
static void random_edits(void)
{
	static struct sink good;
	struct prng p;
	struct trace_err err;
	unsigned refused = 0, count = unit_count(20000);

	prng_seed(&p, 2026);
	put_sample();
	good = sink;
	for (int round = 0; round < (int)count; round++) {
		size_t body;

		sink = good;
		body = body_length();
		for (u32 n = 1 + prng_below(&p, 4); n; n--) {
			size_t at = prng_below(&p, (u32)body), from = prng_below(&p, (u32)body);
			size_t length = prng_below(&p, 12);

			if (at + length > body || from + length > body)
				continue;
			memmove(sink.bytes + at, sink.bytes + from, length);
		}
		sign(&sink, body);
		refused += !accepted(sink.bytes, sink.n, &err);
	}
	CU_ASSERT(refused > count / 2);
}

static void every_allocation_fails(void)
{
	struct trace_err err;
	struct trace t;
	unsigned n = 0;
	bool good = false;

	put_sample();
	for (; !good && n < 64; n++) {
		struct pool pool = {.fail_at = n};

		good = read_copy(&t, sink.bytes, sink.n, &pool, &err);
		if (!good)
			CU_ASSERT_STRING_EQUAL(err.message, "not enough memory to read it");
		pool_free(&pool);
	}
	CU_ASSERT(good && n > 5);
}

const struct unit_test trace_tests[] = {
	{"round trip", round_trip},
	{"checksum is zlib's", crc_is_zlibs},
	{"every truncation", every_truncation},
	{"every bit flip", every_bit_flip},
	{"signed nonsense", signed_nonsense},
	{"random edits", random_edits},
	{"every allocation fails", every_allocation_fails},
	{NULL, NULL},
};
