/* SPDX-License-Identifier: ISC */
/* tsan.c - races by the names of ThreadSanitizer's own tests (races.h). */
#include "races.h"
#include <setjmp.h>

static int global, array[4];
static int *heap;
static void (*volatile function)(void);
static jmp_buf jump;
static atomic_int done;

static void global_inc(void)
{
	global++; /* @global_inc */
}

static void deep_3(void)
{
	global = 3; /* @deep_3 */
}

static __attribute__((noinline)) void deep_2(void)
{
	deep_3();
}

static void deep_1(void)
{
	deep_2();
}

static void by_pointer(void)
{
	function = deep_3;
	function();
}

static void long_jump(void)
{
	if (!setjmp(jump)) {
		global = 4; /* @long_jump */
		longjmp(jump, 1);
	}
}

static void sleeps(void)
{
	usleep(1000);
	global = 5; /* @sleeps */
}

static void finished(void)
{
	global = 6; /* @finished */
	STORE(done, 1, relaxed);
}

static void offset_0(void)
{
	array[0] = 1;
}

static void offset_1(void)
{
	memset(array, 0, 8); /* @offset_1 */
}

static void offset_2(void)
{
	((short *)array)[3] = 1; /* @offset_2 */
}

static void heap_write(void)
{
	heap[1] = 1; /* @heap_write */
}

static void heap_free(void)
{
	free(heap);
}

static void heap_free_later(void)
{
	while (!LOAD(done, acquire))
		;
	free(heap);
}

static void heap_use_and_tell(void)
{
	heap[1] = 1;
	STORE(done, 1, release);
}

static const char *volatile word;

static void static_init(void)
{
	static const char words[] = "constant";

	USE(words[2]);
	word = words;
}

/* race global @global_inc @global_inc */
CASE(tiny_race) { together(global_inc, global_inc); }

/* race global @deep_3 @deep_3 */
CASE(deep_stack) { together(deep_1, by_pointer); }

/* race global @long_jump @global_inc */
CASE(longjmp_race) { together(long_jump, global_inc); }

/* race global @sleeps @global_inc */
CASE(sleep_sync) { together(sleeps, global_inc); }

/* race rc11,pso: global @finished @with_finished */
CASE(race_with_finished_thread)
{
	pthread_t t = start(finished);

	while (!LOAD(done, relaxed))
		;
	global = 7; /* @with_finished */
	end(t);
}

/* clean */
CASE(mop_beside) { together(offset_0, offset_2); }

/* race array[1]+2 @offset_1 @offset_2 */
CASE(mop_with_offset)
{
	together(offset_1, offset_2);
	USE(array[1]);
}

/* clean */
CASE(lots_of_threads)
{
	pthread_t t[6];

	for (int i = 0; i < 6; i++)
		t[i] = start(static_init);
	for (int i = 0; i < 6; i++)
		end(t[i]);
}

/* race heap#1[1] @heap_write @heap_write */
CASE(heap_race)
{
	heap = calloc(2, sizeof *heap);
	together(heap_write, heap_write);
	free(heap);
}

/* finds heap */
CASE(free_race)
{
	heap = calloc(2, sizeof *heap);
	together(heap_write, heap_free);
}

/* clean */
CASE(free_after)
{
	heap = calloc(2, sizeof *heap);
	together(heap_use_and_tell, heap_free_later);
}
