/* SPDX-License-Identifier: ISC */
/*
 * tally.h - variables in memory that only count, and whose values are not used.
 *
 * Idea.   The compiler pass marks loads whose values are only stored back, changed, at the same
 *         address (`turns++'), or only printed (HEDDLE_USED_COUNTS); atomic additions say that
 *         their results are not used. Memory that is read in no other way is a tally: nothing
 *         depends on its contents, so the states of a loop may differ in it (loop_state.h), and an
 *         iteration that only counts is one that waits.
 * Facts.  Two states that differ only in memory that could be a tally make it one, and the
 *         exploration begins again. From then on every read there is known; one that uses the value
 *         ends the tally for good, and the exploration begins again.
 * Sound.  The iteration is left out with its writes; their readers read an earlier write. If that
 *         is the one that an RMW has read, happens-before does not grow. Other atomic stores may
 *         count only if no second thread accesses the tally atomically. Plain accesses do not
 *         synchronise, and their races are found at the first iteration. Models of hardware, and in
 *         files, have further relations: there only one thread may count atomically.
 */
#ifndef GRAPH_TALLY_H
#define GRAPH_TALLY_H

#include "base/base.h"

/* Is there any? */
bool tally_any(void);

/* How a tally is accessed. */
enum tally_access {
	TALLY_PLAIN,
	TALLY_LOAD, /* atomic or volatile, as all below */
	TALLY_STORE,
	TALLY_UPDATE, /* an RMW */
};

/* Is this memory a tally? / May it not become one? */
bool tally_has(u64 addr, u32 size);
bool tally_is_refused(u64 addr, u32 size);

/* It becomes one. */
void tally_learn(u64 addr, u32 size);

/* A value read there is used: true if it was, or overlaps, a tally, and no longer is. */
bool tally_use(u64 addr, u64 size);

/* The thread counts there, or shows it; single: only one may, atomically. True: it was a tally,
 * and no longer is. */
bool tally_count(u64 addr, u32 size, u32 slot, enum tally_access how, bool single);

/* As sharing_clear(), sharing_save() and sharing_restore(). */
void tally_clear(void);
void tally_save(void);
void tally_restore(void);

#endif
