/* SPDX-License-Identifier: ISC */
/* finding_order.c - see finding_order.h. */
#include "search/graph/finding_order.h"
#include "failure/verdict.h"
#include "search/jobs/share.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define KEYS (STATUS_FINDINGS * 1024)

static void rename_replay(const char *from, const char *to)
{
	if (rename(from, to))
		coverage_note("%s could not be renamed", from);
}

/* Put the findings into this order. */
static void reorder(const u32 *order, u32 n, void *keys, size_t size)
{
	static struct status_finding was[STATUS_FINDINGS];
	static u8 were[KEYS];
	char name[sizeof was[0].replay + 8];
	struct status_finding *all = M.status->findings;

	memcpy(was, all, n * sizeof *was);
	BUG_ON(n * size > sizeof were);
	memcpy(were, keys, n * size);
	for (u32 i = 0; i < n; i++) {
		snprintf(name, sizeof name, "%s.order", was[i].replay);
		if (order[i] != i)
			rename_replay(was[order[i]].replay, name);
	}
	for (u32 i = 0; i < n; i++) {
		if (order[i] == i)
			continue;
		all[i] = was[order[i]];
		memcpy((u8 *)keys + i * size, were + order[i] * size, size);
		memcpy(all[i].replay, was[i].replay, sizeof all[i].replay);
		snprintf(name, sizeof name, "%s.order", was[i].replay);
		rename_replay(name, was[i].replay);
		verdict_on_new(&all[i]);
	}
}

/* Findings before the workers began come first. */
void finding_order(void *keys, size_t size)
{
	u32 order[STATUS_FINDINGS], later[STATUS_FINDINGS], n = 0, kept;
	u32 nlater = share_findings(later), all = M.status->nfindings;
	bool is_later[STATUS_FINDINGS] = {false};

	for (u32 i = 0; i < nlater; i++)
		is_later[later[i]] = true;
	for (u32 i = 0; i < all; i++)
		if (M.status->findings[i].replay[0] == 0 || !nlater)
			return;
	for (u32 i = 0; i < all; i++)
		if (!is_later[i] && !share_was_found(i))
			order[n++] = i;
	for (u32 i = 0; i < nlater; i++)
		order[n++] = later[i];
	kept = n;
	for (u32 i = 0; i < all; i++)
		if (!is_later[i] && share_was_found(i))
			order[n++] = i;
	reorder(order, n, keys, size);
	for (u32 i = kept; i < all; i++)
		unlink(M.status->findings[i].replay);
	M.status->nfindings = kept;
}
