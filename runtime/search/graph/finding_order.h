/* SPDX-License-Identifier: ISC */
/* finding_order.h - findings of several processes, in the order in which one process would find
 * them. */
#ifndef SEARCH_GRAPH_FINDING_ORDER_H
#define SEARCH_GRAPH_FINDING_ORDER_H

#include "machine/core.h"

/* Put the findings of the status page, and the `size` bytes in `keys` for each of them, into that
 * order, and drop those that one process would not find. */
void finding_order(void *keys, size_t size);

#endif
