/* SPDX-License-Identifier: ISC */
/*
 * track.h - the order of events in a flight record, and how far an execution follows it.
 *
 * heddle reproduce --flight makes tracks (memfd, option track-fd): for each recorded thread its
 * last events in the tested code. An event may come once those before it have: in its own track,
 * and `need' of the others. An execution *extends* the order if it makes all events, each in its
 * turn.
 *
 * Which recorded thread a thread of an execution is: a track's event creates the thread of another
 * track; main is main; any other thread has the first free track with its first event. An execution
 * may begin in the middle of the record, as a test repeats only the end of a long run: what the
 * record has before a time, the *cut*, counts as made.
 */
#ifndef EVENT_TRACK_H
#define EVENT_TRACK_H

#include "base/base.h"

#define TRACKS	     16
#define TRACK_EVENTS 160
#define TRACK_AHEAD  4	/* events of the record that a thread may leave out at once */
#define FOLLOWED     64 /* threads of an execution: those with the lowest numbers */

/* What is done at a place: of a line, each is a place of its own. */
enum track_kind {
	TRACK_LOAD,
	TRACK_STORE,
	TRACK_RMW,
	TRACK_CAS,
	TRACK_FENCE,
	TRACK_CALL,
	TRACK_KINDS
};

struct track_event {
	u64 after, before; /* it was made between these times */
	u64 value;	   /* that was read */
	u32 place;	   /* line * TRACK_KINDS + enum track_kind; lines from 1 */
	u16 need[TRACKS];  /* so many events of each track come before it */
	u8 child;	   /* the track of the thread that it creates, from 1; 0: none */
	bool reads;	   /* `value' is known */
	bool pending;	   /* a call that has not returned */
};

struct track {
	u32 n;
	bool main;
	bool partial; /* its first events are lost */
	struct track_event event[TRACK_EVENTS];
};

/* Code of a line: [from, to) in the file of the program. */
struct track_site {
	u64 from, to;
	u32 line;
};

struct tracks {
	u32 n, nsites;
	/* Results: of the execution that has followed most events in their order, that number, and
	 * the next event of each track. */
	volatile u32 followed, next[TRACKS];
	volatile u32 extended; /* executions that extend the order */
	struct track track[TRACKS];
	struct track_site site[]; /* by address */
};

/* A thread of the execution. */
struct follower_thread {
	u8 track; /* from 1; 0: none */
	bool at;  /* it has arrived at the next event of its track */
	bool ended;
	u32 next;
};

struct track_follower {
	const struct tracks *tracks;
	u64 cut;
	u32 followed; /* events */
	u32 broken;   /* of these, before their turn; or left out, but for iterations of loops */
	u8 owner[TRACKS]; /* thread, from 1 */
	struct follower_thread thread[FOLLOWED];
};

/* The place of a line's code; 0: none of the record's. */
u32 tracks_place(const struct tracks *t, u64 address, enum track_kind kind);

/* An execution begins. */
void follower_begin(struct track_follower *f, const struct tracks *t, u64 cut);

/* A thread arrives at an operation at this place, 0: elsewhere. */
void follower_arrive(struct track_follower *f, u32 thread, u32 place);

/* It has made the operation; it has created a thread there; it has ended. */
void follower_done(struct track_follower *f, u32 thread);
void follower_create(struct track_follower *f, u32 thread, u32 child);
void follower_end(struct track_follower *f, u32 thread);

/* Should the thread wait for others, by the order? */
bool follower_holds(const struct track_follower *f, u32 thread);

/* The event that the thread has arrived at; NULL: none. */
const struct track_event *follower_event(const struct track_follower *f, u32 thread);

/* The events followed, with calls that have not returned there either. */
u32 follower_count(const struct track_follower *f);

/* Have all events after the cut been made, in their order? */
bool follower_extends(const struct track_follower *f);

/* The index of the first event of a track after the cut. */
u32 track_first(const struct track *t, u64 cut);

#endif
