/* SPDX-License-Identifier: ISC */
/*
 * flight.h - the events that the flight recorder of a production build has kept: heddle-cc
 * --recorder.
 *
 * Read from NAME.PID.flight, or found in a core file (runtime/flight/flight.h has the format).
 */
#ifndef RECORDER_FLIGHT_H
#define RECORDER_FLIGHT_H

#include "flight/flight.h"
#include "source/symbol.h"

/* An event. Those without a time of their own follow the one before them in their thread. */
struct flight_step {
	u32 thread; /* index */
	enum flight_kind kind;
	u64 place, object; /* addresses; place: a return address */
	u64 value, repeats; /* repeats: how often it was made again at once */
	u64 time; /* FLIGHT_TIME() */
	bool timed;
};

struct flight_thread {
	const char *name; /* "main", "T1": in the order of their rings */
	u32 tid;
	u64 handle; /* its pthread_t */
	bool ended;
	u64 events;  /* in all */
	u32 first, n; /* in flight.step of the thread: those that are left */
};

struct flight {
	const char *path;
	u32 pid;
	u64 lost; /* threads that were not recorded */
	u32 nthreads, nsteps;
	u32 nothers; /* threads that are not main */
	struct flight_thread *thread;
	struct flight_step *step;  /* thread by thread, each in its order */
	u32 *order;		   /* indices of steps, by time */
	struct symbols *symbols;   /* of the modules, where they were loaded */
};

/* The events of the recorder's memory, whose ring numbers are sound: all of *f but path and
 * symbols. */
void flight_of_box(struct flight *f, const struct flight_box *b);

/* Dies if the file cannot be read, has no recorder, or its program is gone. */
struct flight flight_read(const char *path);

/* Where the step was made: the frames of its place. */
const struct frames *flight_place(const struct flight *f, const struct flight_step *s);

/* The operation: "pthread_mutex_lock", "load", with the name of the object and the value. */
const char *flight_kind_name(enum flight_kind kind);
char *flight_words(const struct flight *f, const struct flight_step *s);

/* Is it a call whose value is a result: 255 is -1. */
bool flight_returns(enum flight_kind kind);

/* Does it end the process; as a failure? */
bool flight_ends(const struct flight_step *s);
bool flight_fails(const struct flight_step *s);

/* Is it a call that has not returned? */
bool flight_waits(const struct flight_step *s);

#endif
