/* SPDX-License-Identifier: ISC */
/*
 * trace.c - replay files. The last record is a checksum that no mutation gets right: where the
 * input has none, the right one is put there.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "event/trace.h"
#include "trace_input.h"

static void *allocate(void *ctx, size_t n)
{
	FUZZ_CHECK(n < 64u << 20); /* a small file needs little memory */
	return xmalloc(n);
}

static const struct trace_memory memory = {allocate, NULL};

char *trace_sealed(const u8 *data, size_t size, size_t *n)
{
	size_t last = size - (size > 0), lines = 0;
	char *bytes;

	while (last && data[last - 1] != '\n')
		last--;
	if (size - last >= 4 && !memcmp(data + last, "end ", 4)) {
		*n = size;
		return fuzz_copy(data, size);
	}
	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	bytes = xmalloc(size + 64);
	memcpy(bytes, data, size);
	*n = size + (size_t)sprintf(bytes + size, "end records=%zu crc=0x%08x\n", lines,
			    trace_crc(0, bytes, size));
	return fuzz_copy((u8 *)bytes, *n);
}

const struct trace *trace_input(const u8 *data, size_t size)
{
	struct trace *t = xmalloc(sizeof(*t));
	struct trace_err err = {.line = 0};
	size_t n;
	char *bytes = trace_sealed(data, size, &n);

	if (trace_read(t, bytes, n, &memory, &err))
		return t;
	FUZZ_CHECK(err.line > 0 && err.column > 0);
	FUZZ_CHECK(err.message[0] && memchr(err.message, 0, sizeof(err.message)));
	for (const char *c = err.message; *c; c++)
		FUZZ_CHECK(*c >= ' ' && *c <= '~');
	return NULL;
}

/* --- written again ---------------------------------------------------------------------------- */

struct sink {
	char *bytes;
	size_t n, room;
};

static void sink_put(void *ctx, const char *bytes, size_t n)
{
	struct sink *s = ctx;

	if (s->room - s->n < n) {
		s->room = 2 * s->room + n;
		s->bytes = xgrow(s->bytes, s->room);
	}
	memcpy(s->bytes + s->n, bytes, n);
	s->n += n;
}

static void put_things(struct trace_writer *w, const struct trace *t)
{
	trace_put_program(w, &t->program);
	for (u32 i = 0; i < t->nargs; i++)
		trace_put_arg(w, t->args[i].value);
	for (u32 i = 0; i < t->noptions; i++)
		trace_put_option(w, t->options[i].name, t->options[i].value);
	for (u32 i = 0; i < t->nmodules; i++)
		trace_put_module(w, &t->modules[i]);
	for (u32 i = 0; i < t->nthreads; i++)
		trace_put_thread(w, &t->threads[i]);
	for (u32 i = 0; i < t->nstacks; i++)
		trace_put_stack(w, &t->stacks[i]);
	for (u32 i = 0; i < t->nblocks; i++)
		trace_put_block(w, &t->blocks[i]);
	for (u32 i = 0; i < t->nplaces; i++)
		trace_put_place(w, &t->places[i]);
}

static void put_execution(struct trace_writer *w, const struct trace *t)
{
	for (u32 i = 0; i < t->nevents; i++)
		trace_put_event(w, &t->events[i].e, t->events[i].place);
	for (u32 i = 0; i < t->nchoices; i++)
		trace_put_choice(w, &t->choices[i]);
	trace_put_finding(w, &t->finding);
	trace_put_minimised(w, &t->minimised);
	for (u32 i = 0; i < t->nwaits; i++)
		trace_put_wait(w, &t->waits[i]);
	for (u32 i = 0; i < t->ncycle; i++)
		trace_put_edge(w, &t->cycle[i]);
	for (u32 i = 0; i < t->naxioms; i++)
		trace_put_axiom(w, &t->axioms[i]);
	for (u32 i = 0; i < t->nlinks; i++)
		trace_put_link(w, &t->links[i]);
	for (u32 i = 0; i < t->nhistories; i++)
		trace_put_history(w, &t->histories[i]);
	for (u32 i = 0; i < t->noperations; i++)
		trace_put_operation(w, &t->operations[i]);
	for (u32 i = 0; i < t->nsites; i++)
		trace_put_site(w, &t->sites[i]);
	for (u32 i = 0; i < t->noutputs; i++)
		trace_put_output(w, t->outputs[i].fd, t->outputs[i].text, t->outputs[i].n);
}

static struct sink written(const struct trace *t)
{
	static struct trace_writer w;
	struct sink s = {NULL, 0, 0};

	trace_begin(&w, sink_put, &s);
	put_things(&w, t);
	put_execution(&w, t);
	trace_end(&w);
	return s;
}

/* Writing drops parts that no reader keeps; so the first copy may differ from the input, but later
 * ones are the same. */
static void check_again(const struct trace *t)
{
	struct sink once = written(t), twice;
	struct trace_err err = {.line = 0};
	struct trace again;

	if (!trace_read(&again, once.bytes, once.n, &memory, &err))
		fuzz_failed(__FILE__, __LINE__,
			xprintf("%u:%u: %s\n%.*s", err.line, err.column, err.message, (int)once.n,
				once.bytes));
	FUZZ_CHECK(again.nevents == t->nevents && again.nchoices == t->nchoices &&
		   again.nplaces == t->nplaces && again.nmodules == t->nmodules);
	twice = written(&again);
	FUZZ_CHECK(once.n == twice.n && !memcmp(once.bytes, twice.bytes, once.n));
}

void fuzz_trace(const u8 *data, size_t size)
{
	const struct trace *t = trace_input(data, size);

	for (u32 i = 0; t && i < t->nevents; i++)
		FUZZ_CHECK(trace_event(t, i + 1) == &t->events[i]);
	if (t)
		check_again(t);
}
