/* SPDX-License-Identifier: ISC */
/* share_checkpoint.c - checkpoints: the remaining work of this process, or of its workers. See
 * share.h. */
#include "search/limit/bound.h"
#include "search/limit/left_out.h"
#include "search/jobs/shard.h"
#include "search/jobs/share_priv.h"
#include "process/pages.h"
#include "process/shared.h"
#include "process/sys.h"
#include "trust/image/frontier.h"

#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

u32 share_images(void)
{
	return checkpoint_images() + shard_images(); /* one of them has none */
}

const void *share_image(u32 i, size_t *size)
{
	return shard_images() ? shard_image(i, size) : checkpoint_image(i, size);
}

/* Images that no worker has taken yet. */
static void add_images(void)
{
	for (u32 i = share->x.next_image; i < share_images(); i++) {
		size_t size;
		const void *image = share_image(i, &size);

		checkpoint_add(image, size);
	}
}

static u8 *image_area(void)
{
	static u8 *area;

	if (!area)
		area = pages_take(AREA_SIZE);
	return area;
}

static void publish_bounds(void)
{
	struct status_give *g = &M.status->give;
	bool less = left_out(share_trust);

	g->bounds = M.bounds & ~(u32)BOUNDS_STOPPING;
	g->complete = !less && !(M.bounds & BOUNDS_INCOMPLETE) && !M.status->unconfirmed;
}

void share_checkpoint_alone(const struct checkpoint_totals *totals, bool reported)
{
	u8 *image = image_area();
	size_t size;

	if (M.options->ticket)
		publish_bounds();
	size = image ? frontier_export(share_trust, reported, image, AREA_SIZE) : 0;
	if (!size) {
		coverage_note("no checkpoint: the remaining work does not fit into %u MiB",
			(unsigned)(AREA_SIZE >> 20));
		return;
	}
	checkpoint_begin(M.options->checkpoint, totals);
	checkpoint_add(image, size);
	add_images();
	checkpoint_end();
	madvise(image, AREA_SIZE, MADV_DONTNEED);
}

static const struct checkpoint_totals nothing; /* each ticket has its own counts */

/* The lowest level leaves the stack. */
static bool give_level(u32 number)
{
	char path[OPTION_TEXT_MAX + 12];
	u8 *image = image_area();
	u64 level;
	size_t size = image ? frontier_give(share_trust, image, AREA_SIZE, &level) : 0;

	if (!size)
		return false;
	snprintf(path, sizeof path, "%s.%u", M.options->checkpoint, number);
	checkpoint_begin(path, &nothing);
	checkpoint_add(image, size);
	if (!checkpoint_end())
		sys_call4(SYS_exit_group, 2, 0, 0, 0); /* the ticket is given to another process */
	return true;
}

void share_checkpoint_give(void)
{
	struct status_give *g = &M.status->give;
	const char *missing = checkpoint_misses();
	struct timespec nap = {0, 200000};
	u32 n = 0;

	if (!missing && g->wanted && !frontier_may_give(share_trust))
		return; /* at the first leaf where it has one */
	if (missing) {
		snprintf(g->note, sizeof g->note, "%s", missing);
		__atomic_store_n(&g->state, GIVE_CANNOT, __ATOMIC_RELEASE);
	} else {
		while (n < g->wanted && give_level(n + 1))
			n++;
		share_checkpoint_alone(&nothing, true);
		g->given = n;
		__atomic_store_n(&g->state, GIVE_DONE, __ATOMIC_RELEASE);
	}
	while (__atomic_load_n(&g->state, __ATOMIC_ACQUIRE) >= GIVE_DONE) /* not: asked again */
		sys_call4(SYS_nanosleep, (long)&nap, 0, 0, 0);
}

/* Has a worker stopped without a record of its remaining work? */
static bool any_unfinished(void)
{
	for (u32 i = 0; i < share->x.nworkers; i++) {
		const struct record_of *r = share_record(&share->worker[i]);

		if (r->task == TASK_INHERITED || r->task == TASK_FILE ||
			(r->task == TASK_IMAGE && r->ngiven))
			return true;
	}
	return false;
}

void share_checkpoint_workers(const struct checkpoint_totals *before)
{
	struct checkpoint_totals t = *before;

	if (any_unfinished()) {
		coverage_note("no checkpoint: a worker was stopped in the middle of an execution");
		return;
	}
	shared_lock();
	for (u32 i = 0; i < share->x.nworkers; i++) {
		const struct record_of *r = share_record(&share->worker[i]);

		t.executions += r->executions;
		t.blocked += r->blocked;
		t.failing += r->failing;
		t.steps += r->steps;
		t.bounded |= r->bounded;
	}
	checkpoint_begin(M.options->checkpoint, &t);
	for (u32 i = 0; i < share->x.nworkers; i++) {
		struct worker *w = &share->worker[i];
		const struct record_of *r = share_record(w);

		if (r->task == TASK_IMAGE)
			checkpoint_add(w->area + r->area * AREA_SIZE, r->size);
	}
	for (u32 i = 0; i < OFFERS; i++)
		if (share->x.offer[i].state == OFFER_READY)
			checkpoint_add(share->x.offer[i].data, share->x.offer[i].size);
	add_images();
	checkpoint_end();
	shared_unlock();
}
