/* SPDX-License-Identifier: ISC */
/* shard.c - see shard.h. */
#include "search/jobs/shard.h"
#include "base/prng.h"
#include "graph/execute.h"
#include "machine/core.h"
#include "machine/learnt.h"
#include "process/coverage.h"
#include "process/pages.h"
#include "trust/image/checkpoint_file.h"
#include "trust/image/frontier.h"
#include "trust/trust_cut.h"

#define MEMORY	   ((size_t)1 << 30) /* of all images; backed on demand */
#define PARTS	   512		     /* graphs for each shard, if there are so many, */
#define PARTS_MOST 60000	     /* and in all */

static struct {
	bool made;
	bool walking; /* the upper part is being explored, */
	bool counting; /* to find how deep it is to be: no leaf counts */
	bool full;
	u64 number; /* of the next graph or leaf */
	u32 graphs; /* so far */
	u32 images;
	size_t used;
	u8 *memory;
	size_t at[CHECKPOINT_IMAGES], size[CHECKPOINT_IMAGES];
} shard;

static u32 shards(void)
{
	return option_shards(M.options);
}

bool shard_owns(u64 number)
{
	return prng_mix(number) % shards() == option_shard(M.options);
}

bool shard_is_due(void)
{
	return M.options->shard && !shard.made && !M.options->resume[0];
}

void shard_forget(void)
{
	shard.made = false;
	shard.images = 0;
}

u32 shard_images(void)
{
	return shard.images;
}

const void *shard_image(u32 i, size_t *size)
{
	*size = shard.size[i];
	return shard.memory + shard.at[i];
}

/* --- the upper part --------------------------------------------------------------------------- */

/* The shape of the upper part, as all shards have to see it. */
static void note_shape(u64 what)
{
	u64 *tree = &M.status->shard.tree;

	*tree = prng_mix(*tree ^ prng_mix(what + 1));
}

bool shard_has_leaf(void)
{
	if (likely(!shard.walking))
		return true;
	if (shard.counting)
		return false;
	note_shape(0);
	return shard_owns(shard.number++);
}

static void keep_image(struct trust *x)
{
	size_t room = MEMORY - shard.used,
	       size = shard.images < CHECKPOINT_IMAGES
			      ? frontier_export_below(x, shard.memory + shard.used, room)
			      : 0;

	shard.full |= !size;
	if (!size)
		return;
	shard.at[shard.images] = shard.used;
	shard.size[shard.images++] = size;
	shard.used += (size + 63) & ~(size_t)63;
}

static void reach_graph(struct trust *x, __attribute__((unused)) void *ctx)
{
	shard.graphs++;
	if (shard.counting)
		return;
	note_shape(x->cut->now);
	if (shard_owns(shard.number++))
		keep_image(x);
}

/* Down to so many choices; false: x->answer. */
static bool walk_choices(struct trust *x, u32 choices, bool counting)
{
	struct cut c = {.choices = choices, .node = reach_graph};

	trust_empty(x);
	shard.walking = true;
	shard.counting = counting;
	shard.graphs = 0;
	trust_run_cut(x, &c);
	shard.walking = false;
	return x->over;
}

void shard_split(struct trust *x)
{
	u32 enough = PARTS * shards(), choices = 1;

	enough = enough < PARTS_MOST ? enough : PARTS_MOST;
	if (!shard.memory)
		shard.memory = pages_take(MEMORY);
	BUG_ON(!shard.memory);
	shard_forget();
	shard.full = false;
	shard.number = shard.used = M.status->shard.tree = 0;
	while (walk_choices(x, choices, true) && shard.graphs && shard.graphs < enough &&
		choices < CUT_CHOICES)
		choices += 1 + choices / 8;
	if (!x->over)
		return;
	choices = choices < CUT_CHOICES ? choices : CUT_CHOICES;
	note_shape(choices);
	if (!walk_choices(x, choices, false))
		return;
	shard.made = true;
	if (shard.full) {
		coverage_note("limit: the parts of this shard do not fit into %zu MiB; take more "
			      "shards", MEMORY >> 20);
		x->bounded |= TRUST_DEPTH;
	}
}

/* --- what the search has learnt --------------------------------------------------------------- */

static u64 facts_of_graphs(const struct trust *x)
{
	const struct places *p = x->graph.places;
	u64 facts = x->awaits->all | (u64)x->awaits->time << 1 | (u64)x->polls->late << 2;

	for (u32 i = 1; i <= p->n; i++)
		if (execute_is_promoted(i))
			facts += prng_mix(p->place[i].addr);
	for (u32 i = 0; i < x->awaits->n; i++)
		facts += prng_mix(~x->awaits->left_out[i]);
	return facts;
}

void shard_end(const struct trust *x)
{
	u64 facts = x ? facts_of_graphs(x) : 0;

	for (u32 i = 0; i < LEARNT_KINDS; i++)
		facts = prng_mix(facts ^ learnt_known((enum learnt)i));
	M.status->shard.facts = facts;
}
