/* SPDX-License-Identifier: ISC */
/* A table that many read and one writes, with a sequence number. Wrong (depth 2): it is raised only after the write,
 * so that a reader does not notice one that is under way. */
#include "scale.h"

#define READERS 5
#define WRITES	12
#define READS	12
#define ROWS	16

static atomic_uint sequence;
static atomic_uint row[ROWS];

static void write_table(unsigned x)
{
#ifndef WRONG
	atomic_fetch_add(&sequence, 1);
#endif
	for (unsigned i = 0; i < ROWS; i++)
		atomic_store(&row[i], x + i);
#ifdef WRONG
	atomic_fetch_add(&sequence, 2);
#else
	atomic_fetch_add(&sequence, 1);
#endif
}

/* A consistent copy; false: there was none in a few attempts. */
static int read_table(unsigned *copy)
{
	for (int tries = 0; tries < 3; tries++) {
		unsigned before = atomic_load(&sequence);

		if (before & 1) {
			sched_yield();
			continue;
		}
		for (unsigned i = 0; i < ROWS; i++)
			copy[i] = atomic_load(&row[i]);
		if (atomic_load(&sequence) == before)
			return 1;
	}
	return 0;
}

static void *reader(void *unused)
{
	unsigned copy[ROWS], last = 0;

	for (int i = 0; i < READS; i++) {
		if (!read_table(copy))
			continue;
		for (unsigned k = 1; k < ROWS; k++)
			assert(copy[k] == copy[0] + k);
		assert(copy[0] >= last);
		last = copy[0];
	}
	return unused;
}

static void *writer(void *unused)
{
	for (unsigned i = 1; i <= WRITES; i++)
		write_table(i * 100);
	return unused;
}

int main(void)
{
	for (unsigned i = 0; i < ROWS; i++)
		atomic_init(&row[i], i);
	start(0, READERS, reader);
	start(READERS, 1, writer);
	join(0, READERS + 1);
	return 0;
}
