/* SPDX-License-Identifier: ISC */
/*
 * mover.h - steps as numbers, and what the next step of a thread does to its buffer.
 */
#ifndef PROVE_MOVER_H
#define PROVE_MOVER_H

#include "buffers/sched.h"

/* A step as a number: a thread; the store of a thread, to a location under PSO; or a value that is
 * chosen. */
#define STEP_VALUE  (1ull << 63)
#define STEP_COMMIT (1ull << 62)
#define STEP_THREAD 48
#define STEP_PLACE  ((1ull << STEP_THREAD) - 1)

static inline u32 step_thread(u64 step)
{
	return (u32)(step >> STEP_THREAD) & 0x3fff;
}

/* The thread with this number. */
static inline struct thread *thread_by_number(u32 number)
{
	return &M.thread[M.created[number]];
}

/* The step of an option. */
u64 step_of_agent(u32 agent, const struct agent_access *a);

/* The option with this step; EXPLORE_NONE: none. */
u32 step_find(u32 n, const u32 *agents, u64 step);

/* What a step of a thread does to its buffer, but for stores that it adds. */
enum buffer_effect {
	EFFECT_NONE,
	EFFECT_MARK,  /* with buffers by location: a marker is put behind what the buffer has */
	EFFECT_DRAIN, /* the buffer is empty */
};

/* The agent that moves, as it is before the step. */
struct mover {
	u32 thread;
	bool commit, local; /* a store reaches memory; only the thread's own state changes */
	u8 effect;
	u64 place; /* with buffers by location: of that store */
};

void mover_note(u64 step, struct mover *m);

/* Is the thread about to make such an access? */
bool mover_is_at(const struct thread *t, enum pending_kind kind);
bool mover_is_at_store_fence(const struct thread *t);

enum buffer_effect mover_effect(const struct thread *t);

/* Is it an address of a thread's stack? */
bool mover_is_stack(u64 addr);

/* The value that its load would have now. */
void mover_load(const struct thread *t, u64 value[2]);

/* May its next step depend on its buffer in a way that is not known? */
bool mover_is_strange(const struct thread *t);

#endif
