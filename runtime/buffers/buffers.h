/* SPDX-License-Identifier: ISC */
/*
 * buffers.h - the program on store buffers: the operations of struct engine, and one execution.
 *
 * Each is documented there (machine/engine.h).
 */
#ifndef BUFFERS_BUFFERS_H
#define BUFFERS_BUFFERS_H

#include "machine/core.h"

extern const struct engine buffers_engine;
/* The same, to follow a graph: a thread's steps are the events there. */
extern const struct engine buffers_plan_engine;

/* Restore memory and run the program once, with M.explore's choices; M.outcome is its end. */
void run_execution(void);

/* --- access.c --- */
void buffers_load(const void *p, u32 size, int order, u16 flags, u64 out[2]);
void buffers_store(void *p, u32 size, const u64 value[2], int order, u16 flags);
void buffers_rmw(void *p, u32 size, u64 value[2], int op, int order);
bool buffers_cas(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders);
bool buffers_plan_cas(void *p, u32 size, u64 expected[2], const u64 desired[2], int orders);
void buffers_fence(int order);
void buffers_drain(void);
u32 buffers_word(const u32 *word); /* that the kernel reads */

/* t is about to read something, through an entry stub: if it spins, it is parked until memory
 * changes. */
void buffers_spinning(struct thread *t);

/* Record an access or fence of t. old: the value before an RMW, or NULL; from: the step of the
 * store that a read takes its value from. */
void buffers_record(struct thread *t, enum event_kind kind, const void *p, u32 size, int order,
	u16 flags, const u64 value[2], const u64 *old, u32 from);

/* --- range.c --- */
void buffers_read(void *to, const void *from, size_t n);
void buffers_write(void *to, const void *from, size_t n);
void buffers_fill(void *to, int byte, size_t n);
void buffers_announce(const void *p, size_t n, u64 code);
bool buffers_stored(const void *p, size_t n);

/* --- sched.c --- */
u32 buffers_choose(u32 n, enum choice_why why);
void buffers_fence_all(void);

/* --- sync.c --- */
void buffers_interrupt(struct thread *t, u8 by);
u64 buffers_sync(const struct sync_op *op, const void *obj, u64 argument, enum arrive_how how);
u64 buffers_plan_sync(
	const struct sync_op *op, const void *obj, u64 argument, enum arrive_how how);
bool buffers_sync_timed(const struct sync_op *op, const void *obj);
u64 buffers_sync_limited(const struct sync_op *op, const void *obj, bool *late);
u64 buffers_sync_until(const struct sync_op *waits, const struct sync_op *tries, const void *obj,
	bool *late);
bool buffers_sync_woken_late(
	const struct sync_op *takes, const struct sync_op *leaves, const void *obj);
bool buffers_sync_join(const struct sync_op *join, const struct sync_op *leave, u64 argument,
	const u32 *word, u32 expected);
void buffers_sync_one_step(bool on);
void buffers_sync_then(const struct sync_op *then, const void *obj);
bool buffers_sync_then_ready(const struct thread *t);
void buffers_sync_failed(const void *state, u32 size);
void buffers_sync_changed(const void *obj);
u32 buffers_read_word(const u32 *word);
u32 buffers_plan_read_word(const u32 *word);
bool buffers_times_out(void);
void buffers_yield(void);
bool buffers_sleep(u64 nanoseconds);
void buffers_await(bool again);
void buffers_progress(void);

/* --- thread.c --- */
void buffers_thread_new(u32 slot, void *stack_end);
u32 buffers_stores(const struct thread *t);
bool buffers_overlaps_store(u64 addr, u32 size);
struct thread *buffers_thread_created(struct thread *self, struct thread *t);
_Noreturn void buffers_thread_exit(void *result);
void buffers_thread_join(struct thread *t, bool timed);

#endif
