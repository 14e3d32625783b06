/* SPDX-License-Identifier: ISC */
/*
 * trace.h - write and read replay files. The format is specified in include/heddle/trace.h.
 *
 * One struct a record, for writing and for reading. All code and data addresses in these structs
 * are absolute ones of the recorded process; the writer converts them to module+offset with the
 * modules written before, the reader converts them back with the recorded bases.
 * Strings returned by the reader live in the memory it allocated; no string is NULL.
 */
#ifndef EVENT_TRACE_H
#define EVENT_TRACE_H

#include "event/trace_cycle.h"
#include "event/event.h"
#include "event/finding.h"
#include "event/minimised.h"
#include "event/order_file.h"
#include "event/words.h"

#define TRACE_MODULES  256 /* addresses in further modules have no module */
#define TRACE_BUILD_ID 32

struct trace_build_id {
	u8 n; /* 0 = none */
	u8 bytes[TRACE_BUILD_ID];
};

struct trace_program {
	const char *path;
	struct trace_build_id build_id;
	u32 check;
};

struct trace_arg { const char *value; };
struct trace_option { const char *name, *value; };

struct trace_module {
	u32 id;
	u64 base, size;
	struct trace_build_id build_id;
	const char *path;
};

struct trace_thread {
	u32 id, parent, child, enabled;
	u64 start;
	u32 stack;
	const char *name; /* "" = none */
};

struct trace_stack {
	u32 id, nframes;
	const u64 *frames;
};

struct trace_block {
	u32 id, thread, nth;
	u64 size;
	u32 stack, freed;
	u64 address;
};

enum place_kind { PLACE_GLOBAL, PLACE_HEAP, PLACE_STACK, PLACE_TLS, PLACE_OTHER };

struct trace_place {
	u32 id;
	u32 kind; /* enum place_kind */
	u64 address, size;
	u32 block, thread, module;
	u64 offset;
	u32 stack, frame;
	u64 above, below;
	const char *name; /* given by the program to memory that begins `into` bytes before; "" =
			     none */
	u64 into;
};

struct trace_event {
	struct event e; /* the reader sets addr from the place */
	u32 place;	/* 0 = none */
};

/* In the order of machine.h's enum choice_why, then those of graphs. */
enum trace_why {
	WHY_SCHEDULE,
	WHY_WEAK_CAS,
	WHY_SPURIOUS,
	WHY_TIMEOUT,
	WHY_INTERRUPT,
	WHY_CHOOSE,
	WHY_GRAPH,
	WHY_GRAPH_RARE,
	WHY_GRAPH_EARLY,
};

struct trace_choice {
	u32 n, taken;
	u32 why; /* enum trace_why */
	i32 thread;
	u64 value; /* WHY_GRAPH_EARLY */
};

enum trace_reorder { REORDER_UNKNOWN, REORDER_YES, REORDER_NO };

struct trace_finding {
	struct finding f;
	u32 reorder; /* enum trace_reorder */
	u64 execution;
};

struct trace_wait {
	u32 thread;
	u32 kind; /* enum event_kind */
	u32 place;
	i32 holder;
	u32 stack;
};

struct trace_output {
	u32 fd;
	u32 n; /* bytes; set by the reader; the writer takes n bytes too */
	const char *text;
};

enum trace_before { BEFORE_HAPPENS, BEFORE_STEPS };

struct trace_history { /* not linearizable */
	const char *object;
	u32 before;	   /* enum trace_before */
	const char *state; /* after the operations that are placed; "" = unknown */
};

struct trace_operation {
	u32 id, thread, begin, end; /* steps; 0 = not ended */
	u32 placed; /* in the longest order that explains results, 1 first; 0 = not */
	const char *call, *result; /* "deq()", "2"; "" = none */
	const char *why;	   /* the reason why it cannot be next; "" = placed */
};

/* Of an orders file: the override at a site. */
struct trace_site {
	u64 at;
	struct order_file orders;
};

/* Plain memory that is visible. */
struct trace_visible {
	u64 at;
	u32 size;
};

/* --- writing --------------------------------------------------------------------------------- */

struct trace_writer {
	/* Takes the next n bytes of the file; handles failures itself. */
	void (*put)(void *ctx, const char *bytes, size_t n);
	void *ctx;
	u32 crc;
	u32 records;
	u32 fill;
	u32 nmodules;
	struct {
		u64 base, size;
		u32 id;
	} modules[TRACE_MODULES];
	char buffer[4096];
};

/* First this, last trace_end(); between them the records in the order of the format. */
void trace_begin(
	struct trace_writer *w, void (*put)(void *ctx, const char *bytes, size_t n), void *ctx);
void trace_put_program(struct trace_writer *w, const struct trace_program *p);
void trace_put_arg(struct trace_writer *w, const char *value);
void trace_put_option(struct trace_writer *w, const char *name, const char *value);
void trace_put_module(struct trace_writer *w, const struct trace_module *m);
void trace_put_thread(struct trace_writer *w, const struct trace_thread *t);
void trace_put_stack(struct trace_writer *w, const struct trace_stack *s);
void trace_put_block(struct trace_writer *w, const struct trace_block *b);
void trace_put_place(struct trace_writer *w, const struct trace_place *p);
void trace_put_event(struct trace_writer *w, const struct event *e, u32 place);
void trace_put_choice(struct trace_writer *w, const struct trace_choice *c);
void trace_put_finding(struct trace_writer *w, const struct trace_finding *f);
void trace_put_minimised(struct trace_writer *w, const struct trace_minimised *m);
void trace_put_wait(struct trace_writer *w, const struct trace_wait *t);
void trace_put_edge(struct trace_writer *w, const struct trace_edge *e);
void trace_put_axiom(struct trace_writer *w, const struct trace_axiom *a);
void trace_put_link(struct trace_writer *w, const struct trace_link *l);
void trace_put_history(struct trace_writer *w, const struct trace_history *h);
void trace_put_operation(struct trace_writer *w, const struct trace_operation *o);
void trace_put_site(struct trace_writer *w, const struct trace_site *s);
void trace_put_visible(struct trace_writer *w, const struct trace_visible *v);
void trace_put_output(struct trace_writer *w, u32 fd, const char *bytes, size_t n);
void trace_end(struct trace_writer *w);

/* --- reading --------------------------------------------------------------------------------- */

struct trace {
	const char *tool; /* its writer */
	struct trace_program program;
	struct trace_finding finding;
	struct trace_minimised minimised;
	const struct trace_arg *args;
	const struct trace_option *options;
	const struct trace_module *modules;
	const struct trace_thread *threads;
	const struct trace_stack *stacks;
	const struct trace_block *blocks;
	const struct trace_place *places;
	const struct trace_event *events; /* events[i] is step i + 1 */
	const struct trace_choice *choices;
	const struct trace_wait *waits;
	const struct trace_edge *cycle;
	const struct trace_axiom *axioms; /* one at most */
	const struct trace_link *links;
	const struct trace_history *histories; /* one at most */
	const struct trace_operation *operations;
	const struct trace_site *sites;
	const struct trace_visible *visible;
	const struct trace_output *outputs;
	u32 nargs, noptions, nmodules, nthreads, nstacks, nblocks, nplaces, nevents, nchoices;
	u32 nwaits, ncycle, naxioms, nlinks, nhistories, noperations, nsites, nvisible, noutputs;
};

/* Allocates memory for a trace: 16-byte aligned, NULL if there is none. It is never freed. */
struct trace_memory {
	void *(*alloc)(void *ctx, size_t n);
	void *ctx;
};

struct trace_err {
	u32 line, column; /* 1 first */
	char message[200];
};

/*
 * Read a whole file, n bytes. Everything is checked: the file is complete and unchanged (count and
 * checksum), and every id, step and number refers to an existing record. Returns false and fills
 * *err at the first mistake.
 */
bool trace_read(struct trace *t, const char *bytes, size_t n, const struct trace_memory *memory,
	struct trace_err *err);

/* The record with this id, NULL if there is none (also for id 0 where ids begin at 1). */
const struct trace_module *trace_module(const struct trace *t, u32 id);
const struct trace_thread *trace_thread(const struct trace *t, u32 id);
const struct trace_stack *trace_stack(const struct trace *t, u32 id);
const struct trace_block *trace_block(const struct trace *t, u32 id);
const struct trace_place *trace_place(const struct trace *t, u32 id);
const struct trace_event *trace_event(const struct trace *t, u32 step);

/* The module of an address of the recorded process, or NULL. */
const struct trace_module *trace_module_at(const struct trace *t, u64 address);

/* The value of an `option` record, NULL if there is none. */
const char *trace_option(const struct trace *t, const char *name);

/* CRC-32 as in zlib: begin with 0. */
u32 trace_crc(u32 crc, const char *bytes, size_t n);

#endif
