/* SPDX-License-Identifier: ISC */
/* trust_aside.c - sets the graph aside while another one takes its place. */
#include "trust/trust.h"

struct aside *trust_put_aside(struct trust *x)
{
	size_t size = LEVEL_HEAD + graph_size(&x->graph);
	struct aside *a;

	if (unlikely(!area_has(&x->area, size)))
		return NULL;
	a = area_take(&x->area, size);
	*a = (struct aside){x->aside, size};
	graph_save(&x->graph, (u8 *)a + LEVEL_HEAD);
	x->aside = a;
	return a;
}

void trust_take_back(struct trust *x, struct aside *a)
{
	BUG_ON(a != x->aside);
	graph_restore(&x->graph, (const u8 *)a + LEVEL_HEAD);
	x->aside = a->below;
	area_give(&x->area, a, a->size);
}
