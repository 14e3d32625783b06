/* SPDX-License-Identifier: ISC */
/* t_track.c - an execution follows the order that a flight recorder has left. */
#include <string.h>

#include "event/track.h"
#include "unit.h"

/* main creates T1; T1 makes FIRST and SECOND, main MIDDLE between them, and waits at END. */
enum { CREATE = 9, FIRST = 16, SECOND = 17, MIDDLE = 24, END = 32 };

static struct tracks table;
static struct track_follower f;

static void make_table(void)
{
	struct track *t = table.track;

	memset(&table, 0, sizeof(table));
	table.n = 2;
	t[0] = (struct track){.n = 3, .main = true};
	t[0].event[0] = (struct track_event){.before = 20, .place = CREATE, .child = 2};
	t[0].event[1] = (struct track_event){
		.after = 20, .before = 40, .place = MIDDLE, .need = {0, 1}};
	t[0].event[2] = (struct track_event){
		.after = 40, .before = 90, .place = END, .need = {0, 1}, .pending = true};
	t[1] = (struct track){.n = 2};
	t[1].event[0] = (struct track_event){.after = 5, .before = 10, .place = FIRST};
	t[1].event[1] = (struct track_event){
		.after = 50, .before = 60, .place = SECOND, .need = {2}};
	follower_begin(&f, &table, 0);
}

static void make(u32 thread, u32 place)
{
	follower_arrive(&f, thread, place);
	follower_done(&f, thread);
}

static void create(u32 child)
{
	follower_arrive(&f, 0, CREATE);
	follower_create(&f, 0, child);
	follower_done(&f, 0);
}

static void in_order(void)
{
	make_table();
	create(3);
	CU_ASSERT_EQUAL(f.owner[1], 4);
	follower_arrive(&f, 0, MIDDLE);
	CU_ASSERT(follower_holds(&f, 0));
	make(3, FIRST);
	CU_ASSERT_FALSE(follower_holds(&f, 0));
	follower_arrive(&f, 3, SECOND);
	CU_ASSERT(follower_holds(&f, 3));
	follower_done(&f, 0);
	CU_ASSERT_FALSE(follower_holds(&f, 3));
	CU_ASSERT_FALSE(follower_extends(&f));
	follower_done(&f, 3);
	CU_ASSERT(follower_holds(&f, 3)); /* at the end of its track, and main is not */
	follower_arrive(&f, 0, END);
	CU_ASSERT(follower_extends(&f));
	CU_ASSERT_EQUAL(follower_count(&f), 5);
	CU_ASSERT_EQUAL(f.broken, 0);
}

static void out_of_order(void)
{
	make_table();
	create(1);
	make(0, MIDDLE);
	make(1, FIRST);
	make(1, SECOND);
	follower_arrive(&f, 0, END);
	CU_ASSERT_EQUAL(f.broken, 1);
	CU_ASSERT_FALSE(follower_extends(&f));
}

/* An event is left out; places that are not in the record, and threads that are not. */
static void other_events(void)
{
	make_table();
	create(1);
	make(1, 0);
	make(1, 77);
	make(2, 77);
	make(1, SECOND);
	CU_ASSERT_EQUAL(f.broken, 2); /* FIRST, and before MIDDLE */
	make(FOLLOWED + 1, FIRST);
	CU_ASSERT_EQUAL(f.followed, 2);
}

/* A loop that waits may have fewer iterations than in the record. */
static void fewer_iterations(void)
{
	struct track *t = &table.track[1];

	make_table();
	for (u32 i = 1; i <= 3; i++)
		t->event[i] = (struct track_event){.place = SECOND};
	t->event[4] = (struct track_event){.place = END};
	t->n = 5;
	create(1);
	make(1, FIRST);
	make(1, END);
	CU_ASSERT_EQUAL(f.broken, 0);
	make_table();
	t->event[1].need[0] = 0;
	t->event[2] = (struct track_event){.place = END};
	t->n = 3;
	create(1);
	make(1, FIRST);
	make(1, END);
	CU_ASSERT_EQUAL(f.broken, 1);
}

/* A thread that nothing has created has the first free track with its first event; one that has
 * ended is not waited for. */
static void adoption(void)
{
	make_table();
	follower_arrive(&f, 0, MIDDLE);
	CU_ASSERT_FALSE(follower_holds(&f, 0)); /* there is no T1 */
	follower_arrive(&f, 5, FIRST);
	CU_ASSERT_EQUAL(f.owner[1], 6);
	CU_ASSERT(follower_holds(&f, 0));
	follower_end(&f, 5);
	CU_ASSERT_FALSE(follower_holds(&f, 0));
	follower_arrive(&f, 6, FIRST); /* taken */
	CU_ASSERT_PTR_NULL(follower_event(&f, 6));
}

/* What was before the cut has been made. */
static void cut(void)
{
	make_table();
	follower_begin(&f, &table, 20);
	follower_arrive(&f, 0, CREATE);
	CU_ASSERT_PTR_NULL(follower_event(&f, 0));
	make(0, MIDDLE);
	make(1, SECOND);
	follower_arrive(&f, 0, END);
	CU_ASSERT(follower_extends(&f));
	CU_ASSERT_EQUAL(follower_count(&f), 3);
	CU_ASSERT_EQUAL(track_first(&table.track[0], 19), 0);
	CU_ASSERT_EQUAL(track_first(&table.track[1], 90), 2);
}

static void places(void)
{
	static struct {
		struct tracks t;
		struct track_site site[3];
	} with = {.t.nsites = 3, .site = {{10, 20, 1}, {20, 24, 2}, {30, 31, 1}}};

	CU_ASSERT_EQUAL(tracks_place(&with.t, 9, TRACK_LOAD), 0);
	CU_ASSERT_EQUAL(tracks_place(&with.t, 10, TRACK_LOAD), TRACK_KINDS);
	CU_ASSERT_EQUAL(tracks_place(&with.t, 19, TRACK_CAS), TRACK_KINDS + TRACK_CAS);
	CU_ASSERT_EQUAL(tracks_place(&with.t, 20, TRACK_LOAD), 2 * TRACK_KINDS);
	CU_ASSERT_EQUAL(tracks_place(&with.t, 24, TRACK_LOAD), 0);
	CU_ASSERT_EQUAL(tracks_place(&with.t, 30, TRACK_CALL), TRACK_KINDS + TRACK_CALL);
	CU_ASSERT_EQUAL(tracks_place(&with.t, 31, TRACK_CALL), 0);
}

const struct unit_test track_tests[] = {
	{"in order", in_order},
	{"out of order", out_of_order},
	{"other events", other_events},
	{"fewer iterations", fewer_iterations},
	{"adoption", adoption},
	{"cut", cut},
	{"places", places},
	{NULL, NULL},
};
