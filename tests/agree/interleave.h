/* SPDX-License-Identifier: ISC */
/* interleave.h - random programs of threads that use pipes and eventfds, and their results: all
 * interleavings of a model of their own. Compiled without Heddle. */
#ifndef AGREE_INTERLEAVE_H
#define AGREE_INTERLEAVE_H

#include "results.h"

enum call {
	CALL_WRITE, /* a byte of the call's own, to the pipe */
	CALL_READ,  /* two bytes at most */
	CALL_CLOSE, /* the thread's own descriptor that writes the pipe */
	CALL_RAISE, /* the eventfd, by 1 */
	CALL_LOWER, /* read it */
	CALL_POLL,  /* the pipe, then the eventfd, without waiting */
	CALL_WAIT,  /* for an epoll instance of both, without waiting */
	CALLS
};

#define THREADS	   3
#define CALLS_EACH 3

struct program {
	int threads, calls[THREADS];
	enum call call[THREADS][CALLS_EACH];
	bool blocks; /* the descriptors do */
	bool watched, edge[2]; /* some thread has CALL_WAIT; EPOLLET: the pipe, the eventfd */
	int room;	       /* of CALL_WAIT */
};

void program_random(struct program *p, unsigned seed, int threads, int calls);
void program_print(const struct program *p);

/* The byte that a thread's call writes. */
static inline int byte_of(int thread, int call)
{
	return 1 + thread * CALLS_EACH + call;
}

/* One more descriptor has been reported, with these events: 1 = EPOLLIN, 2 = EPOLLHUP. */
static inline int reported(int result, int item, int events)
{
	return result * 16 + 1 + item * 4 + events;
}

/* The name of a call's result, and the results as results_explore() has them. */
const char *result_name(int thread, int call);
void interleave(const struct program *p, struct results *r);

#endif
