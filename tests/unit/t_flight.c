/* SPDX-License-Identifier: ISC */
/* t_flight.c - the events in the memory of a flight recorder: rings that wrap, and their order. */
#include <string.h>

#include "recorder/flight.h"
#include "unit.h"

#define CODE   0x1000
#define OBJECT 0x7f0000002000

static struct flight_box box;

static void begin_box(u32 threads)
{
	memset(&box, 0, sizeof(box));
	box.pid = 100;
	box.threads = threads;
	for (u32 i = 0; i < threads; i++)
		box.owner[i] = (struct flight_owner){.state = FLIGHT_RUNS, .tid = 100 + i};
}

/* Event k of the thread, from 0: each chunk begins at its number times `pace'. */
static void put_event(u32 thread, u64 k, enum flight_kind kind, u64 value, u64 pace)
{
	u64 number = k / FLIGHT_EVENTS + 1;
	struct flight_chunk *c = &box.ring[thread].chunk[number % FLIGHT_CHUNKS];

	if (c->number != number)
		*c = (struct flight_chunk){.number = number, .time = number * pace};
	c->event[k % FLIGHT_EVENTS] = (struct flight_event){
		(CODE + k) | (u64)kind << FLIGHT_ADDRESS_BITS, OBJECT | 3ull << 48, value};
}

static struct flight read_box(void)
{
	struct flight f = {.path = "test"};

	flight_of_box(&f, &box);
	return f;
}

static void every_length(void)
{
	for (u64 n = 1; n < 4 * FLIGHT_CHUNKS * FLIGHT_EVENTS; n++) {
		u64 full = (n - 1) / FLIGHT_EVENTS, first;
		struct flight f;

		begin_box(1);
		for (u64 k = 0; k < n; k++)
			put_event(0, k, FLIGHT_STORE, k, 50);
		f = read_box();
		first = full < FLIGHT_CHUNKS ? 0 : (full - FLIGHT_CHUNKS + 1) * FLIGHT_EVENTS;
		CU_ASSERT_EQUAL_FATAL(f.nthreads, 1);
		CU_ASSERT_EQUAL_FATAL(f.thread[0].n, n - first);
		CU_ASSERT_EQUAL(f.thread[0].events, n);
		for (u32 i = 0; i < f.nsteps; i++) {
			CU_ASSERT_EQUAL(f.step[i].value, first + i);
			CU_ASSERT_EQUAL(f.step[i].place, CODE + first + i);
			CU_ASSERT_EQUAL(f.step[i].object, OBJECT);
			CU_ASSERT_EQUAL(f.step[i].repeats, 3);
			CU_ASSERT_EQUAL(f.order[i], i);
			CU_ASSERT_EQUAL(f.step[i].time, ((first + i) / FLIGHT_EVENTS + 1) * 50);
		}
	}
}

static u64 lock_result(u64 time, u64 result)
{
	return time << FLIGHT_RESULT_BITS | result;
}

/* Between threads the time decides; an event without one is right behind that before it. */
static void times(void)
{
	static const u32 order[] = {0, 4, 5, 1, 2, 3};
	struct flight f;

	begin_box(2);
	put_event(0, 0, FLIGHT_LOAD, 1, 10);
	put_event(0, 1, FLIGHT_pthread_mutex_lock, lock_result(30, 16), 10);
	put_event(0, 2, FLIGHT_pthread_mutex_unlock, 0, 10);
	put_event(0, 3, FLIGHT_pthread_mutex_lock, lock_result(60, 0), 10);
	put_event(1, 0, FLIGHT_pthread_mutex_lock, lock_result(20, 0), 20);
	put_event(1, 1, FLIGHT_sem_wait, FLIGHT_PENDING, 20);
	f = read_box();
	CU_ASSERT_EQUAL_FATAL(f.nsteps, 6);
	for (u32 i = 0; i < 6; i++)
		CU_ASSERT_EQUAL(f.order[i], order[i]);
	CU_ASSERT(flight_waits(&f.step[5]));
	CU_ASSERT_FALSE(flight_waits(&f.step[4]));
	CU_ASSERT(f.step[1].timed);
	CU_ASSERT_FALSE(f.step[2].timed);
	CU_ASSERT_EQUAL(f.step[2].time, 30);
	CU_ASSERT_EQUAL(f.step[3].time, 60);
}

static void names(void)
{
	struct flight f;

	begin_box(4);
	box.owner[0].tid = 7;
	box.owner[2].state = FLIGHT_ENDED;
	box.owner[3].tid = 100;
	for (u32 i = 0; i < 4; i++)
		if (i != 1)
			put_event(i, 0, FLIGHT_FENCE, 0, 1);
	f = read_box();
	CU_ASSERT_EQUAL_FATAL(f.nthreads, 3); /* one has no event */
	CU_ASSERT_STRING_EQUAL(f.thread[0].name, "T1");
	CU_ASSERT_STRING_EQUAL(f.thread[1].name, "T2");
	CU_ASSERT_STRING_EQUAL(f.thread[2].name, "main");
	CU_ASSERT_FALSE(f.thread[0].ended);
	CU_ASSERT(f.thread[1].ended);
}

/* Any bytes: no event that there is no kind of, and no crash. */
static void any_bytes(void)
{
	u64 x = 1;

	for (int turn = 0; turn < 20; turn++) {
		struct flight f;

		begin_box(3);
		for (size_t i = 0; i < 3 * sizeof(box.ring[0]) / sizeof(u64); i++) {
			x = x * 6364136223846793005ull + 1442695040888963407ull;
			((u64 *)box.ring)[i] = x >> (x >> 60);
		}
		f = read_box();
		for (u32 i = 0; i < f.nsteps; i++)
			CU_ASSERT(f.step[i].kind > FLIGHT_NONE && f.step[i].kind < FLIGHT_KINDS);
	}
}

const struct unit_test flight_tests[] = {
	{"rings of every length", every_length},
	{"order by time", times},
	{"names of threads", names},
	{"any bytes", any_bytes},
	{NULL, NULL},
};
