/* SPDX-License-Identifier: ISC */
/*
 * lockset.h - which plain memory needs happens-before to be free of races, in states of executions.
 *
 * Idea.   Two executions may lead to the same state of the program, but not with the same
 *         happens-before: then the one has a race later, and the other has not. So happens-before
 *         is a part of states (prove/known.h). Most memory needs none: all threads that access it
 *         hold the same mutex, or there is one such thread, or none writes. Accesses before the
 *         first thread is created and after all are joined do not count. This is known by granule,
 *         from all executions of a search; a granule for which it turns out to be wrong is
 *         *unguarded* from then on, and the search begins again.
 * Key.    Of an unguarded granule: for each word of it (granule.h), which threads and messages
 *         (happens.h) contain the access. That decides all later races with it. An access that all
 *         threads know is left out.
 *
 * Savage, Burrows, Nelson, Sobalvarro, Anderson, Eraser, ACM TOCS 1997 (locksets).
 */
#ifndef BUFFERS_LOCKSET_H
#define BUFFERS_LOCKSET_H

#include "base/base.h"

struct sync_op;

/* Are accesses noted? */
extern bool locksets_on;

/* A search begins, with or without: nothing is known. */
void locksets_clear(bool on);

/* An execution begins. */
void locksets_begin(void);

/* The running thread makes a plain access. / It frees a granule. */
void lockset_note(u64 addr, u64 size, bool write);

/* A granule has an atomic variable, or a synchronisation object. */
void lockset_note_atomic(u64 at);
void lockset_note_object(u64 at);

/* The running thread is about to perform an operation on an object. */
void lockset_operate(const struct sync_op *op, const void *obj);

/* Is a granule unguarded that was not before? Asked once: then the search begins again. */
bool lockset_is_news(void);

/* A hash of the happens-before of all unguarded memory. False: there is too much. */
bool lockset_key(u64 *key);

#endif
