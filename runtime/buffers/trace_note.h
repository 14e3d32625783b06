/* SPDX-License-Identifier: ISC */
/*
 * trace_note.h - the steps of an execution, noted for explore/trace_cache.h.
 *
 * Only under SC, in levels of search/schedule/deepen.h. Ordered plain accesses are private there
 * (private.h): no steps, and not noted. Nor are those of a thread that is alone: they are a
 * function of its state.
 */
#ifndef BUFFERS_TRACE_NOTE_H
#define BUFFERS_TRACE_NOTE_H

#include "explore/trace_cache.h"
#include "machine/core.h"

/* An execution begins. */
void trace_note_begin(void);

/* Thread t has been chosen: its pending operation is its next step. */
void trace_note_step(const struct thread *t);

/* The running thread has changed obj, or created t. */
void trace_note_change(const void *obj);
void trace_note_thread(const struct thread *t);

/* If it is set: has the search been in the program's present state, with at least so many left?
 * rest: a hash of what is no part of the state (prove/known.h). */
extern bool (*trace_state_known)(u64 rest, u32 left);

/* Do states suffice? Then the steps of the next execution are not noted: where a thread waits, and
 * is followed without preemption, equal traces lead to equal states. / In this execution. */
extern bool trace_states_suffice, trace_states_only;

/* The running thread has observed a value: a number for the name and the value. */
void trace_note_value(u64 observed);

/* t has arrived, and another thread could run with so many more preemptions, or delays: ends the
 * execution if all that follows is known. */
void trace_note_state(const struct thread *t, u32 left);

#endif
