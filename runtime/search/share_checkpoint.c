/* SPDX-License-Identifier: ISC */
/* share_checkpoint.c - checkpoints: the remaining work of this process, or of its workers. See
 * share.h. */
#include "search/shard.h"
#include "search/share_priv.h"
#include "process/pages.h"
#include "process/shared.h"
#include "trust/image/frontier.h"

#include <sys/mman.h>

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

void share_checkpoint_alone(const struct checkpoint_totals *totals, bool reported)
{
	static u8 *image;
	size_t size;

	if (!image)
		image = pages_take(AREA_SIZE);
	size = image ? frontier_export(share_trust, reported, image, AREA_SIZE) : 0;
	if (!size) {
		coverage_note("no checkpoint: the remaining work does not fit into %u MiB",
			(unsigned)(AREA_SIZE >> 20));
		return;
	}
	checkpoint_begin(totals);
	checkpoint_add(image, size);
	add_images();
	checkpoint_end();
	madvise(image, AREA_SIZE, MADV_DONTNEED);
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
	checkpoint_begin(&t);
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
