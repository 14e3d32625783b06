/* SPDX-License-Identifier: ISC */
/* sections_program.c - see sections_program.h. */
#include "sections_program.h"
#include "../random.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static struct program program;

struct item program_item(unsigned thread, unsigned i)
{
	return program.item[thread][i];
}

unsigned program_threads(void)
{
	return program.n;
}

unsigned program_meeting(void)
{
	return program.meet;
}

unsigned program_posts(void)
{
	return program.posts;
}

static uint64_t state;

static unsigned pick(unsigned n)
{
	return random_below(&state, n);
}

/* The items of the program. */
static struct {
	bool conditions, semaphores, once, barrier, attempts;
} has;

struct writer {
	struct item *item;
	unsigned n;
};

static struct item *put(struct writer *w, enum kind kind, unsigned which, unsigned value)
{
	static struct item none;

	if (w->n == ITEMS - 1)
		return &none;
	w->item[w->n] =
		(struct item){(uint8_t)kind, (uint8_t)which, (uint8_t)value, (uint8_t)pick(2)};
	return &w->item[w->n++];
}

static void put_atomic(struct writer *w)
{
	static const uint8_t kind[] = {LOAD, LOAD, STORE, CAS};

	put(w, kind[pick(4)], pick(2), 1 + pick(2));
}

static void put_body(struct writer *w, unsigned m)
{
	static const uint8_t waits[] = {AWAIT, AWAIT, AWAIT, AWAIT_ONCE, AWAIT_TIMED};

	for (unsigned n = pick(3); n; n--) {
		unsigned how = pick(has.conditions ? 9 : 4);

		if (how < 2)
			put(w, ADD, m, 0);
		else if (how == 2)
			put(w, READ, m, 0);
		else if (how == 3)
			put_atomic(w);
		else if (how < 6)
			put(w, waits[pick(5)], m, 1);
		else
			put(w, pick(2) ? SIGNAL : BROADCAST, m, 0);
	}
}

static void put_section(struct writer *w)
{
	static const uint8_t kind[] = {TRYLOCK, TRYLOCK, TIMEDLOCK, LATELOCK};
	unsigned m = !pick(5), begin = w->n, how = has.attempts && pick(2) ? kind[pick(4)] : LOCK;

	put(w, how, m, 0);
	put_body(w, m);
	put(w, UNLOCK, m, 0);
	if (how != LOCK)
		w->item[begin].value = (uint8_t)(w->n - begin - 1);
}

static void put_semaphore(struct writer *w)
{
	static const uint8_t kind[] = {SEM_WAIT, SEM_TRYWAIT, SEM_TIMEDWAIT, SEM_POST, SEM_POST};

	put(w, kind[pick(5)], 0, 0);
}

static void put_thread(struct item *item)
{
	struct writer w = {item, 0};
	unsigned units = 1 + pick(program.n == 2 ? 4 : program.n == 3 ? 3 : 2);
	bool meets = has.barrier && pick(4);

	while (units--) {
		unsigned how = pick(8);

		if (meets && (!units || !pick(3))) {
			put(&w, BARRIER, 0, 0);
			program.meet++;
			meets = false;
		} else if (how < 2) {
			put_atomic(&w);
		} else if (how == 2 && has.semaphores) {
			put_semaphore(&w);
		} else if (how == 3 && has.once) {
			put(&w, ONCE, 0, 0);
		} else if (how == 4 && has.conditions) {
			put(&w, pick(2) ? SIGNAL : BROADCAST, !pick(5), 0);
		} else {
			put_section(&w);
		}
	}
}

void program_make(uint64_t seed)
{
	memset(&program, 0, sizeof program);
	state = seed * 0x9e3779b97f4a7c15u;
	has.conditions = pick(2);
	has.semaphores = !pick(3);
	has.once = !pick(4);
	has.barrier = !pick(5);
	has.attempts = pick(3);
	program.posts = pick(2);
	program.n = 2 + (pick(4) > 0) + !pick(6);
	for (unsigned i = 0; i < program.n; i++)
		put_thread(program.item[i]);
}

void program_show(void)
{
	static const char *const name[KINDS] = {"end", "lock", "trylock", "timedlock", "latelock",
		"unlock", "read", "add", "signal", "broadcast", "await", "await-once",
		"await-timed", "load", "store", "cas", "sem-wait", "sem-trywait", "sem-timedwait",
		"sem-post", "once", "barrier"};

	for (unsigned t = 0; t < program.n; t++) {
		printf("#   %u:", t);
		for (const struct item *i = program.item[t]; i->kind != END; i++)
			printf(" %s(%u,%u,%u)", name[i->kind], i->which, i->value, i->order);
		printf("\n");
	}
	printf("#   barrier %u, semaphore %u\n", program.meet, program.posts);
}
