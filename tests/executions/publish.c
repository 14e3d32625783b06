/* SPDX-License-Identifier: ISC */
/* Publication of a pointer: a thread that sees it sees its target, which is plain data on the heap.
 * N readers: 2^N. -DFIRST_WINS: N threads offer one each, by compare-and-exchange: N.
 *
 * counts -DN=1 sc,tso,pso,ra,rc11 2
 * counts -DN=3 sc,tso,pso,ra,rc11 8
 * counts -DN=5 rc11 32
 * counts -DFIRST_WINS -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DFIRST_WINS -DN=4 sc,tso,pso,ra,rc11 4
 */
#include "counts.h"

struct box {
	int a, b;
};

_Atomic(struct box *) shared;

static struct box *new_box(int v)
{
	struct box *box = malloc(sizeof(*box));

	box->a = v;
	box->b = 2 * v;
	return box;
}

THREAD(writer)
{
	store(&shared, new_box(1), REL);
	return NULL;
}

THREAD(reader)
{
	struct box *box = load(&shared, ACQ);

	if (box)
		assert(box->b == 2 * box->a);
	return NULL;
}

THREAD(offer)
{
	struct box *mine = new_box(INDEX + 1), *found = NULL;

	if (!atomic_compare_exchange_strong_explicit(&shared, &found, mine, ACQ_REL, ACQ)) {
		assert(found->b == 2 * found->a);
		free(mine);
	}
	return NULL;
}

int main(void)
{
#ifdef FIRST_WINS
	start_many(offer, N);
	(void)writer;
	(void)reader;
#else
	start(writer, 0);
	start_many(reader, N);
	(void)offer;
#endif
	join_all(NULL);
	free(load(&shared, ACQ));
	return 0;
}
