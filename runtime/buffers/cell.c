/* SPDX-License-Identifier: ISC */
/* cell.c - see cell.h. */
#include "buffers/cell.h"
#include "buffers/private.h"
#include "buffers/visible.h"
#include "process/pages.h"

#define CELLS (1u << 17) /* in an execution */

struct cell *cells;
static u32 ncells;

void cells_begin(void)
{
	if (!cells)
		cells = pages_need(CELLS * sizeof *cells);
	ncells = 0;
}

static struct cell *make_cell(struct granule *g)
{
	struct cell *c = &cells[ncells];

	if (unlikely(ncells == CELLS)) {
		private_give_up();
		return NULL;
	}
	c->atoms = c->only = 0;
	c->known = g->write & WORD_VISIBLE;
	c->visible = c->known ? WORD_BYTES : 0;
	c->mixed = false;
	c->object = 0;
	c->writes.n = c->reads.n = 0;
	if (g->write & WORD_BYTES)
		c->writes.word[c->writes.n++] = g->write;
	if (g->read & WORD_BYTES && word_is_now(g->read))
		c->reads.word[c->reads.n++] = g->read;
	g->write = private_execution | WORD_CELL | (u64)ncells++ << WORD_THREAD;
	g->read = 0;
	return c;
}

struct cell *cell_need(struct granule *g)
{
	return g->write & WORD_CELL ? cell_of(g->write) : make_cell(g);
}

struct granule *granule_begin(u64 at)
{
	struct granule *g = granule_need(at);

	if (!g)
		return NULL;
	*granule_page(at) = private_execution;
	g->write = private_execution | (visible_has(at) ? WORD_VISIBLE : 0);
	g->read = 0;
	return g;
}
