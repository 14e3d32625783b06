/* SPDX-License-Identifier: ISC */
/* record.h - the recorder: the events of one execution, numbered by steps, and its choices. */
#ifndef MACHINE_RECORD_RECORD_H
#define MACHINE_RECORD_RECORD_H

#include "event/trace.h"
#include "machine/machine.h"

#define RECORD_EVENTS (1u << 21)

struct record {
	struct event *event; /* event[i].step == i + 1 */
	u32 nevents;
	struct trace_choice *choice;
	u32 nchoices;
	bool full; /* events were dropped */
	bool lean; /* without stacks and output */
	bool bare; /* nor writers of bytes (`from'): nothing is cleared */
};

extern struct record record;

/* "T1 load at /path/prog+0x1234" into to[room]. */
void record_name_event(char *to, size_t room, const struct event *e, u64 code);

/* --- only called when M.recording ------------------------------------------------------------ */

u32 record_event(const struct event *e); /* assigns its step, and returns it */
u32 record_steps(void);
void record_arrival(struct thread *t); /* notes the stack at t's arrival */
/* A choice for t, which has arrived or needs data; the answer, and the thread that moves. */
void record_question(struct thread *t, u32 n, enum choice_why why);
void record_answer(u32 taken, i32 thread);
void record_begin(void);
/* The call that the calling thread's last handler has interrupted fails. */
void record_failed_call(void);
/* The event that wrote this byte; 0 = initial value. */
u32 record_writer(u64 addr);
/* Two recorded executions should have been the same: keep the first; explain the difference. */
void record_remember(void);
bool record_difference(
	char *to, size_t room); /* in words; false: no known difference */
void record_explain_difference(void);	       /* the same as a note */

#endif
