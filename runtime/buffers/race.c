/* SPDX-License-Identifier: ISC */
/* race.c - see race.h. */
#include "buffers/race.h"
#include "machine/access/granule.h"
#include "buffers/visible.h"
#include "machine/core.h"
#include "machine/record/record.h"
#include "process/stack.h"

#include <stdio.h>

bool races_are_findings, races_spoil;
static bool unknown; /* in this execution */

void races_begin(void)
{
	unknown = races_spoil = false;
}

void races_unknown(void)
{
	unknown = true;
}

bool races_are_unknown(void)
{
	return unknown;
}

static enum event_kind access_kind(const struct access *a)
{
	return a->rmw ? EV_RMW : a->write ? EV_WRITE : EV_READ;
}

static u32 record_it(const struct access *a)
{
	struct event e = {
		.thread = M.cur->number,
		.kind = (u8)access_kind(a),
		.order = (u8)(a->order & HEDDLE_ORDER_MASK),
		.flags = (u16)((a->plain ? EVENT_PLAIN : 0) |
			(a->order & HEDDLE_VOLATILE ? EVENT_VOLATILE : 0) |
			(a->order & HEDDLE_ASM ? EVENT_ASM : 0)),
		.size = (u32)a->size,
		.addr = a->addr,
		.from = a->write && !a->rmw ? 0 : record_writer(a->addr),
		.buffered = M.engine->stores(M.cur),
	};
	u32 size = a->size < 16 ? (u32)a->size : 16;

	if (a->value) {
		e.value[0] = a->value[0];
		e.value[1] = a->value[1];
	} else {
		memory_read(a->addr, size, e.value);
	}
	memory_mask(size, e.value);
	return record_event(&e);
}

/* The step of the earlier access, by this thread. */
static u32 find_other(const struct access *a, u32 thread, bool wrote)
{
	for (u32 i = record_steps(); i--;) {
		const struct event *e = &record.event[i];

		if (e->thread == thread && kind_is_read_or_write(e->kind) &&
			e->addr < a->addr + a->size && a->addr < e->addr + e->size &&
			(!wrote || kind_is_write(e->kind)) && !(e->flags & EVENT_SPIN))
			return e->step;
	}
	return 0;
}

static _Noreturn void report_race(const struct access *a, u64 word, bool wrote)
{
	struct finding *f = &M.finding;

	*f = (struct finding){.kind = FINDING_RACE, .thread = M.cur->number};
	if (M.options->judged)
		f->site = stack_site();
	if (M.recording) {
		f->other = find_other(a, word_thread(word), wrote);
		f->step = record_it(a);
	}
	snprintf(f->message, sizeof f->message,
		"data race: nothing orders two accesses of %llu bytes at 0x%llx, one of them not "
		"atomic",
		(unsigned long long)a->size, (unsigned long long)a->addr);
	execution_fail();
}

void race_found(const struct access *a, u64 word, bool wrote)
{
	visible_learn(a->at);
	if (a->frees || races_spoil)
		return;
	if (races_are_findings && !unknown)
		report_race(a, word, wrote);
	races_spoil = true;
}
