/* SPDX-License-Identifier: ISC */
/* finding.h - a finding of a detector; reports read only this and the events. */
#ifndef EVENT_FINDING_H
#define EVENT_FINDING_H

#include "base/base.h"

enum finding_kind {
	FINDING_ASSERTION, /* assert(), heddle_assert() */
	FINDING_CRASH,	   /* a fatal signal, abort() */
	FINDING_EXIT,	   /* non-zero exit of the program */
	FINDING_DEADLOCK,  /* no thread is enabled and every buffer is empty */
	FINDING_LIVELOCK,  /* a thread spins for a write that no thread will make */
	FINDING_LOOP,	   /* a loop without events does not end */
	FINDING_MISUSE,	   /* of a lock, a condition, a thread */
	FINDING_MEMORY,	   /* out of memory, stack overflow of a thread */
	FINDING_RACE,	   /* of two unordered accesses, one of them not atomic */
	FINDING_HEAP,	   /* use of heap memory that is not allocated, double or invalid free */
	FINDING_LEAK,	   /* of unreachable heap blocks */
	FINDING_LOCK_ORDER, /* locks taken in different orders; no deadlock yet */
	FINDING_THREADS,	/* neither joined nor detached at the end */
	FINDING_UNINIT,		/* a value is used that was never stored */
	FINDING_STACK,		/* access to the stack of a thread that has exited */
	FINDING_LINEARIZABILITY, /* operations that no order explains: include/heddle/lin.h */
	FINDING_STARVATION, /* a thread waits for ever while others repeat their steps */
	FINDING_PORTABILITY, /* an execution that another model forbids */
	FINDING_SIGNAL, /* a call in a handler is unsafe in the call that it interrupted */
	FINDING_FLAG, /* an execution that the model in a file flags */
	FINDING_KINDS
};

struct finding {
	enum finding_kind kind;
	u32 step;	   /* of the event that failed, 0 = none */
	u32 other;	   /* race, heap, stack: of the conflicting event */
	u32 repeats; /* livelock, starvation: the steps from this one on repeat for ever; 0: they do
			not */
	u16 thread;	   /* that failed */
	i32 signal;	   /* crash: its number */
	i32 line;	   /* 0 = unknown */
	char message[256]; /* one line, no newline */
	char file[256];	   /* "" = unknown */
	char function[64];
	u64 site; /* distinguishes findings with the same message, which may get different
		   * verdicts; 0 = unknown */
};

/* The same kind at the same place in the source: messages may differ in values, or in the numbers
 * of threads. */
bool finding_same_place(const struct finding *a, const struct finding *b);

/* Also the same message: one finding, unless code addresses (site) distinguish them. */
bool finding_same(const struct finding *a, const struct finding *b);

/* Its name in replay files and documents: "assertion", "race", ... */
const char *finding_name(enum finding_kind k);

#endif
