/* SPDX-License-Identifier: ISC */
/* sections_program.h - the program that sections.c runs. Compiled without Heddle: none of this is
 * an event. */
#ifndef AGREE_SECTIONS_PROGRAM_H
#define AGREE_SECTIONS_PROGRAM_H

#include <stdint.h>

enum kind {
	END,
	LOCK,
	TRYLOCK,   /* or skip `value' items */
	TIMEDLOCK, /* the same */
	LATELOCK,  /* the time is over already */
	UNLOCK,
	READ,
	ADD,
	SIGNAL,
	BROADCAST,
	AWAIT,
	AWAIT_ONCE,
	AWAIT_TIMED,
	LOAD,
	STORE,
	CAS,
	SEM_WAIT,
	SEM_TRYWAIT,
	SEM_TIMEDWAIT,
	SEM_POST,
	ONCE,
	BARRIER,
	KINDS
};

struct item {
	uint8_t kind, which, value, order;
};

#define THREADS 4
#define ITEMS	24

struct program {
	struct item item[THREADS][ITEMS];
	unsigned n, meet, posts;
};

/* Of this seed. */
void program_make(uint64_t seed);
void program_show(void);

struct item program_item(unsigned thread, unsigned i);
unsigned program_threads(void);
unsigned program_meeting(void); /* threads that meet at the barrier */
unsigned program_posts(void);	/* of the semaphore, before they begin */

#endif
