/* SPDX-License-Identifier: ISC */
/*
 * goal.h - a failure that was seen elsewhere: the calls in which its threads were.
 *
 * Read from text, the output of gdb's `thread apply all bt' or a sanitizer, alone or in a log; from
 * a core file; or from a flight recorder's file. Frames outside of the tested program (libc, the
 * rest of the application) are left out; the others are a goal for one thread.
 */
#ifndef GOAL_GOAL_H
#define GOAL_GOAL_H

#include "event/status.h"
#include "report/report.h"

struct goal_frame {
	char *function; /* "" = unknown */
	char *file;	/* its last part; "" = unknown */
	int line;	/* 0 = unknown */
};

struct goal_thread {
	char *name;  /* as in the text: "Thread 2" */
	int tid;     /* of a core file; 0: unknown */
	bool failed; /* aborted, or received the signal */
	bool runs;   /* the innermost frame is in the program: it does not wait, or has crashed */
	unsigned n, all;       /* frames in the program; in the text */
	struct goal_frame *at; /* innermost first */
};

struct core_memory;

struct goal {
	struct core_memory *memory; /* of a core file; NULL: unknown */
	unsigned n; /* threads with frames in the program; one of them failed, or none: they wait */
	struct goal_thread *thread;
	unsigned others;  /* threads without */
	unsigned running; /* of n */
	bool failed;
};

struct functions;
struct functions *functions_read(const char *program);

/* The source of a function; of libdw 0.188, file 0 of DWARF 5, the unit's own, has no name. */
const char *file_of_function(Dwarf_Die *function);

/* Read a text; dies if it has no frame, or none of the program. -: standard input. */
struct goal goal_read(const char *path, const struct functions *of);

/* The same from a core file. */
struct goal goal_of_core(const char *path, const struct functions *of);

/* The same from what a flight recorder has left: the thread that has failed, or those that wait. */
struct flight;
struct goal goal_of_flight(const struct flight *f, const struct functions *of);

/*
 * core_memory.c: locks and variables of the process, found by the names of the test's. Does each
 * lock, a variable and no element of an array, that the thread of a report holds at the end belong
 * to the process's thread tid? Locks without a name, or unknown there, do not count.
 */
struct core_memory *core_memory_open(Elf *elf, struct symbols *symbols);
bool core_holds_locks(const struct core_memory *m, const struct report *r, u32 thread, int tid);

/* Had each of these variables, separated by commas, the value that it has at the end of the report?
 * NULL: yes; else the first that had not, in words. Pointers are null in both, or in neither. */
const char *core_differs(const struct core_memory *m, const struct report *r, const char *names);

/*
 * Is a finding that failure: does each goal match the call stack of a thread of its own? If a
 * thread has failed, its goal has to, and one of several that have; if threads wait, the goals of
 * all of these have to. *reached: bit i is set if goal i, of the first 64, has a thread.
 */
enum goal_match {
	GOAL_MATCHES,
	GOAL_OTHER_LOCKS, /* the threads hold others than those of the core file */
	GOAL_OTHER_CALLS,
};
enum goal_match goal_matches(const struct goal *g, const struct report *r, u64 *reached);

/* Set c->goals and c->near to the goals, as above, that the call stack c->frame matches. */
void goal_match(const struct goal *g, const char *program, struct status_calls *c);

/* Could a finding of this kind be that failure, at other places? */
bool goal_is_like(const struct goal *g, enum finding_kind kind);

#endif
