/* SPDX-License-Identifier: ISC */
/* Reader-writer lock in one word: readers count in twos, a writer is bit 0; all wait with
 * compare-and-exchange until it succeeds.
 *
 * A reader first looks for a state without a writer, and counts itself in at once, if the state is
 * still that; a writer waits for 0.
 *
 * counts -DR=1 -DW=1 sc,tso,pso,ra,rc11 3
 * counts -DR=2 -DW=1 sc,tso,pso,ra,rc11 34
 * counts -DR=1 -DW=2 sc,tso,pso,ra,rc11 12
 * counts -DR=0 -DW=3 sc,tso,pso,ra,rc11 6
 * counts -DR=3 -DW=0 sc,tso,pso,ra,rc11 192
 */
#include "counts.h"

atomic_int word;
int data;

static NOINLINE int try_read_lock(void)
{
	int seen = load(&word, RLX);

	if ((seen & 1) || !cas(&word, seen, seen + 2, ACQ))
		return AGAIN;
	return 1;
}

static NOINLINE int try_write_lock(void)
{
	if (!cas(&word, 0, 1, ACQ))
		return AGAIN;
	return 1;
}

THREAD(reader)
{
	int r;

	while (try_read_lock() == AGAIN)
		;
	r = data;
	sub(&word, 2, REL);
	RETURN(r, 0, 0, 0);
}

THREAD(writer)
{
	while (try_write_lock() == AGAIN)
		;
	data++;
	store(&word, 0, REL);
	return NULL;
}

int main(void)
{
	start_many(reader, R);
	start_many(writer, W);
	join_all(NULL);
	assert(data == W);
	return 0;
}
