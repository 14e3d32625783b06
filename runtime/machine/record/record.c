/* SPDX-License-Identifier: ISC */
/*
 * record.c - the recorder: every event of one execution, with call stacks.
 *
 * Nothing is recorded while exploring; a failing execution is run once more with M.recording set.
 * Then every access, commit and synchronisation operation ends here.
 */
#include "machine/record/record.h"
#include "base/table.h"
#include "machine/invariants.h"
#include "machine/core.h"
#include "process/module.h"
#include "process/stack.h"
#include "process/stop.h"
#include "process/pages.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

struct record record;

/* The event that wrote each byte of memory last: open addressing, key 0 = free. */
#define WRITERS (1u << 20)
static struct byte_writer {
	u64 byte;
	u32 step;
} *writer;
static u32 nwriters;

static void clean_pages(void **p, size_t size)
{
	if (*p)
		madvise(*p, size, MADV_DONTNEED);
	else
		*p = pages_need(size);
}

void record_begin(void)
{
	record.nevents = record.nchoices = 0;
	record.full = false;
	if (record.bare && record.event)
		return;
	clean_pages((void **)&record.event, sizeof(struct event) * RECORD_EVENTS);
	clean_pages((void **)&record.choice, sizeof(struct trace_choice) * STATUS_CHOICES);
	clean_pages((void **)&writer, sizeof *writer * WRITERS);
	nwriters = 0;
	stack_clear();
}

/* --- writers of bytes ------------------------------------------------------------------------ */

static struct byte_writer *find_byte_writer(u64 byte)
{
	u32 i;

	TABLE_FIND(i, prng_mix(byte), WRITERS, !writer[i].byte || writer[i].byte == byte);
	return &writer[i];
}

static void set_writer(u64 addr, u32 size, u32 step)
{
	if (record.bare)
		return;
	for (u32 i = 0; i < size; i++) {
		struct byte_writer *w = find_byte_writer(addr + i);

		if (!w->byte) {
			if (nwriters > WRITERS / 2)
				return;
			nwriters++;
			w->byte = addr + i;
		}
		w->step = step;
	}
}

u32 record_writer(u64 addr)
{
	if (record.bare)
		return 0;
	return find_byte_writer(addr)->step;
}

/* --- events ---------------------------------------------------------------------------------- */

u32 record_steps(void)
{
	return record.nevents;
}

/* For `heddle replay --gdb': the step that was recorded last; the next one at which to stop, set by
 * the debugger. */
u32 __heddle_step, __heddle_stop_at;

static __attribute__((noinline)) void __heddle_step_point(void)
{
	arch_breakpoint();
}

u32 record_event(const struct event *e)
{
	struct event *to;

	if (record.nevents == RECORD_EVENTS) {
		record.full = true;
		return record.nevents;
	}
	to = &record.event[record.nevents++];
	*to = *e;
	to->step = record.nevents;
	if (e->kind == EV_COMMIT)
		set_writer(e->addr, e->size, e->store);
	else if (!to->stack && !record.lean)
		to->stack = M.cur->announced ? M.cur->announced : stack_capture();
	if (kind_is_write(e->kind) && !(e->flags & EVENT_BUFFERED))
		set_writer(e->addr, e->size, to->step);
	if (M.driver)
		M.driver->event(to);
	INVARIANT(record_check());
	__heddle_step = to->step;
	if (unlikely(to->step == __heddle_stop_at))
		__heddle_step_point();
	return to->step;
}

void record_failed_call(void)
{
	for (u32 i = record.nevents; i-- > 0;) {
		struct event *e = &record.event[i];

		if (e->kind != EV_SIGNAL_END || e->thread != M.cur->number)
			continue;
		e->flags |= EVENT_EINTR;
		return;
	}
}

void record_arrival(struct thread *t)
{
	t->stack = record.lean ? 0 : stack_capture();
}

void record_question(struct thread *t, u32 n, enum choice_why why)
{
	if (record.nchoices == STATUS_CHOICES)
		return;
	record.choice[record.nchoices] = (struct trace_choice){
		.n = n,
		.why = why,
		.thread = t->number,
	};
}

void record_answer(u32 taken, i32 thread)
{
	if (record.nchoices == STATUS_CHOICES)
		return;
	record.choice[record.nchoices].taken = taken;
	record.choice[record.nchoices++].thread = thread;
}

/* --- differences ----------------------------------------------------------------------------- */

static struct event *remembered;
static u64 *remembered_code;
static u32 nremembered;

#define REMEMBER 65536

static u64 code_of(const struct event *e)
{
	const u64 *frames;

	return e->stack && stack_frames(e->stack, &frames) ? frames[0] : 0;
}

void record_name_event(char *to, size_t room, const struct event *e, u64 code)
{
	const struct module *m = module_find(code);

	if (!code)
		snprintf(to, room, "T%u %s", e->thread, kind_words(e->kind));
	else
		snprintf(to, room, "T%u %s at %s+0x%llx", e->thread, kind_words(e->kind),
			m ? m->path : "?", (unsigned long long)(m ? code - m->base : code));
}

void record_remember(void)
{
	if (!remembered) {
		remembered = pages_need(REMEMBER * sizeof *remembered);
		remembered_code = pages_need(REMEMBER * sizeof *remembered_code);
	}
	nremembered = record.nevents < REMEMBER ? record.nevents : REMEMBER;
	for (u32 i = 0; i < nremembered; i++) {
		remembered[i] = record.event[i];
		remembered_code[i] = code_of(&record.event[i]);
	}
}

/* Both events, in words. */
static void name_both(char *to, size_t room, u32 i)
{
	const struct event *a = &remembered[i], *b = &record.event[i];
	char first[200], second[200];

	record_name_event(first, sizeof first, a, remembered_code[i]);
	record_name_event(second, sizeof second, b, code_of(b));
	snprintf(to, room,
		"the program is not deterministic: step %u was %s (value 0x%llx), with the same "
		"choices %s "
		"(0x%llx)",
		i + 1, first, (unsigned long long)a->value[0], second,
		(unsigned long long)b->value[0]);
}

bool record_difference(char *to, size_t room)
{
	for (u32 i = 0; i < nremembered && i < record.nevents; i++) {
		const struct event *a = &remembered[i], *b = &record.event[i];

		if (a->thread == b->thread && a->kind == b->kind &&
			remembered_code[i] == code_of(b) && a->value[0] == b->value[0])
			continue;
		name_both(to, room, i);
		return true;
	}
	snprintf(to, room, "the program is not deterministic: the same choices ended differently");
	return nremembered != (record.nevents < REMEMBER ? record.nevents : REMEMBER);
}

void record_explain_difference(void)
{
	char words[600];

	record_difference(words, sizeof words);
	coverage_note("%s", words);
}
