/* SPDX-License-Identifier: ISC */
/*
 * event.h - one event of an execution, as the recorder keeps it for a report.
 *
 * While exploring nothing is recorded; a failing execution is run once more with the recorder on.
 * Events are numbered by step, 1 first; 0 stands for the initial value or "none".
 */
#ifndef EVENT_EVENT_H
#define EVENT_EVENT_H

#include "base/base.h"

enum event_kind {
#define KIND(c_name, name, words, waits, traits) EV_##c_name,
#include "event/kind.def"
#undef KIND
	EV_KINDS
};

/* What is true of all events of a kind. */
enum kind_trait {
	KIND_ACCESS = 1 << 0, /* of memory of the program, at the event's address */
	KIND_READS = 1 << 1 | KIND_ACCESS,
	KIND_WRITES = 1 << 2 | KIND_ACCESS,
	KIND_SYNC = 1 << 3,	 /* on an object of the program, or the end of its life */
	KIND_ONE_STATE = 1 << 4, /* depends on the state of one object, or thread, only */
	KIND_WHOLE = 1 << 5,	 /* its operation is one step, in one state */
	KIND_SPLIT = 1 << 6,	 /* a step of an operation that has several */
	KIND_OBJECT = KIND_SYNC | KIND_ONE_STATE,
	KIND_LOCK = 1 << 7 | KIND_OBJECT | KIND_WHOLE, /* on a mutex, spin or read-write lock */
	KIND_TAKES = 1 << 8,			       /* a lock, unless it fails */
	KIND_SHARED = 1 << 9,			       /* for reading */
	KIND_TRIES = 1 << 10,			       /* without waiting: value[0] 0: taken */
	KIND_RELEASES = 1 << 11,		       /* a lock */
	KIND_THREAD = 1 << 12,			       /* on another thread */
	KIND_LOCAL = 1 << 13,			       /* of no effect on other threads */
	KIND_NO_CHANGE = 1 << 14, /* the state of the program stays, or was changed before */
	KIND_COMPARED = 1 << 15,  /* depends on states of the program that are compared */
};

enum event_flag {
	EVENT_PLAIN = 1 << 0, /* not atomic, not volatile */
	EVENT_VOLATILE = 1 << 1,
	EVENT_ASM = 1 << 2,	  /* from inline assembly */
	EVENT_FORWARDED = 1 << 3, /* a read served from the thread's own buffer */
	EVENT_BUFFERED =
		1 << 4,		/* a write that went into the buffer; its commit is another event */
	EVENT_SPIN = 1 << 5,	/* the thread was parked here as spinning */
	EVENT_USE = 1 << 6,	/* of a whole block of the heap, in a graph; of a dead stack */
	EVENT_VIRTUAL = 1 << 7, /* a fence that is not in the program (order_file.h) */
	EVENT_RARE = 1 << 8, /* a weak CAS that failed, although it could have succeeded */
	EVENT_EINTR = 1 << 9, /* the end of a handler: the call that it has interrupted fails */
	EVENT_PART = 1 << 10, /* a part of an access, not the first one */
};

/* The value of an EV_ONCE. */
enum once_result {
	ONCE_RUNS = 1,	   /* this thread calls the function */
	ONCE_DONE = 2,	   /* the function was called before */
	ONCE_RETURNED = 3, /* it has returned to this thread */
	ONCE_FAILED = 4,   /* an exception, or the end of this thread, has left it */
};

struct event {
	u32 step;
	u16 thread;
	u8 kind;     /* enum event_kind */
	u8 order;    /* C11 memory order */
	u16 flags;   /* enum event_flag */
	u32 size;    /* bytes at addr; 0 when there is no address */
	u32 stack;   /* call stack id, 0 = none */
	u32 from;    /* read: step of the write it reads from (its first byte) */
	u32 store;   /* commit: step of the store */
	u32 missed;  /* in a graph: the newest write there that it did not see, or preceded */
	u32 co;      /* in a graph, of a write: the one before it in co */
	u32 buffered; /* stores of this thread still in its buffer after this step */
	u64 addr;
	u64 value[2]; /* read or written */
	u64 old[2];   /* rmw: the value before; sync: an argument (thread joined, ...) */
};

const char *kind_name(enum event_kind k);  /* as in replay files */
const char *kind_words(enum event_kind k); /* as in reports */
const char *kind_waits(enum event_kind k); /* after "waits for ever"; NULL: "to", and the words */

extern const u16 kind_traits[EV_KINDS];

/* Has it all these traits? */
static inline bool kind_has(enum event_kind k, enum kind_trait traits)
{
	return (kind_traits[k] & traits) == traits;
}

/* FD_READ, FD_WRITE: old is the number of bytes, or with this bit the value of an eventfd. */
#define FILE_VALUE (1ull << 63)

static inline bool kind_is_read(enum event_kind k)
{
	return kind_has(k, KIND_READS);
}

static inline bool kind_is_write(enum event_kind k)
{
	return kind_has(k, KIND_WRITES);
}

static inline bool kind_is_access(enum event_kind k)
{
	return kind_has(k, KIND_ACCESS);
}

/* An access of the program: no commit. */
static inline bool kind_is_read_or_write(enum event_kind k)
{
	return kind_is_read(k) || kind_is_write(k);
}

static inline bool event_is_sync(const struct event *e)
{
	return kind_has(e->kind, KIND_SYNC) && e->addr;
}

#endif
