/* SPDX-License-Identifier: ISC */
/*
 * key.c - see key.h.
 *
 * The tables are too large to be restored with an execution's memory. Instead each entry has the
 * number of its execution (epoch); those of other executions count as empty.
 */
#include "machine/execution/key.h"
#include "machine/core.h"

#include <errno.h>

#define ITERATIONS 4 /* PTHREAD_DESTRUCTOR_ITERATIONS */

struct thread_key {
	u32 epoch;	/* 0 = never used while exploring */
	u32 generation; /* 0 = deleted; else distinguishes it from earlier ones of this number */
	void (*destructor)(void *);
};

struct key_slot {
	u32 epoch, generation;
	void *p;
};

struct native_key {
	bool live;
	void (*destructor)(void *);
};

static struct native_key native[KEYS_MAX];
static struct thread_key keys[KEYS_MAX];
static struct key_slot values[THREADS_MAX][KEYS_MAX];
static u32 epoch, generations;
static PER_EXECUTION bool begun; /* something here has been used in this execution */
static PER_EXECUTION u32 top;	/* keys that have had values in this execution are below it */

#define GENERATION_NATIVE 1

static u32 current_epoch(void)
{
	epoch += !begun;
	begun = true;
	return epoch;
}

/* The generation of a key, 0 if there is none such now. */
static u32 generation_of(u32 key)
{
	if (key >= KEYS_MAX)
		return 0;
	if (keys[key].epoch == current_epoch())
		return keys[key].generation;
	return native[key].live ? GENERATION_NATIVE : 0;
}

void key_note_native(u32 key, void (*destructor)(void *))
{
	if (key < KEYS_MAX)
		native[key] = (struct native_key){true, destructor};
}

void key_forget_native(u32 key)
{
	if (key < KEYS_MAX)
		native[key].live = false;
}

int key_create(u32 *key, void (*destructor)(void *))
{
	u32 k = 0;

	while (k < KEYS_MAX && generation_of(k))
		k++;
	if (k == KEYS_MAX)
		return EAGAIN;
	generations = generations < 2 ? 2 : generations + 1;
	keys[k] = (struct thread_key){current_epoch(), generations, destructor};
	*key = k;
	return 0;
}

int key_delete(u32 key)
{
	if (!generation_of(key))
		return EINVAL;
	keys[key] = (struct thread_key){current_epoch(), 0, NULL};
	return 0;
}

static struct key_slot *key_value(u32 key)
{
	return &values[thread_id(thread_self())][key];
}

static bool is_set(const struct key_slot *v, u32 generation)
{
	return v->epoch == current_epoch() && v->generation == generation;
}

int key_set(u32 key, void *value)
{
	u32 generation = generation_of(key);

	if (!generation)
		return EINVAL;
	*key_value(key) = (struct key_slot){current_epoch(), generation, value};
	machine_unrepeatable("thread-specific data");
	machine_progress(); /* no event, but key_get() returns another value now */
	if (key >= top)
		top = key + 1;
	return 0;
}

bool key_get(u32 key, void **value)
{
	u32 generation = generation_of(key);

	*value = NULL;
	if (!generation)
		return true;
	if (is_set(key_value(key), generation)) {
		*value = key_value(key)->p;
		return true;
	}
	return generation != GENERATION_NATIVE || thread_id(thread_self()) != 0;
}

void key_each(void (*see)(u64 value))
{
	for (u32 t = 0; t < THREADS_MAX && top; t++)
		for (u32 key = 0; key < top && key < KEYS_MAX; key++)
			if (values[t][key].epoch == epoch)
				see((u64)(uintptr_t)values[t][key].p);
}

void key_forget(unsigned thread)
{
	for (u32 key = 0; key < top && key < KEYS_MAX; key++)
		values[thread][key].epoch = 0;
}

static bool run_round(void)
{
	bool any = false;

	for (u32 key = 0; key < top && key < KEYS_MAX; key++) {
		u32 generation = generation_of(key);
		struct key_slot *v = key_value(key);
		void (*destructor)(void *);
		void *p = v->p;

		if (!generation || !is_set(v, generation) || !p)
			continue;
		destructor = generation == GENERATION_NATIVE ? native[key].destructor
							     : keys[key].destructor;
		if (!destructor)
			continue;
		any = true;
		v->p = NULL;
		machine_returns(); /* as before a thread begins */
		destructor(p);
		machine_entered(); /* completes announced stores (tsan_store.h) */
	}
	return any;
}

void key_run_destructors(void)
{
	for (u32 i = 0; i < ITERATIONS && run_round(); i++)
		;
}
