/* SPDX-License-Identifier: ISC */
/* waits.c - see waits.h. */
#include "prove/waits.h"
#include "machine/core.h"
#include "process/bytes.h"
#include "prove/component.h"
#include "prove/states.h"

#define PLACES_MAX 4096 /* of one thread */

/* Places in the program. */
static struct wait_places {
	u32 n, place[PLACES_MAX];
} places;

static bool has_wait_place(u32 place)
{
	for (u32 i = 0; i < places.n; i++)
		if (places.place[i] == place)
			return true;
	return false;
}

/* False: it is there, or there is no room. */
static bool add_wait_place(u32 place)
{
	if (has_wait_place(place) || places.n == PLACES_MAX)
		return false;
	places.place[places.n++] = place;
	return true;
}

/* --- one component ---------------------------------------------------------------------------- */

static bool is_inside_component(const struct state_edge *e, u32 c)
{
	return components.of[e->from] == c && components.of[e->to] == c;
}

static bool changes(const struct state_edge *e)
{
	return (states.node[e->from].shared ^ states.node[e->to].shared) >> 1;
}

/* Has the thread a step that changes something, after the places that it is at in the component? */
static bool could_change(u32 c, u16 thread)
{
	bool more = true;

	places.n = 0;
	for (u32 i = 0; i < states.nedges; i++)
		if (states.edge[i].thread == thread && is_inside_component(&states.edge[i], c))
			add_wait_place(states.edge[i].before);
	while (more) {
		more = false;
		for (u32 i = 0; i < states.nedges; i++) {
			const struct state_edge *e = &states.edge[i];

			if (e->thread != thread || !has_wait_place(e->before))
				continue;
			if (changes(e))
				return true;
			more |= add_wait_place(e->after);
		}
	}
	return false;
}

enum moves { MOVES_NOT, MOVES_IDLY, MOVES };

static enum moves moves_of(u32 c, u16 thread)
{
	enum moves m = MOVES_NOT;

	for (u32 i = 0; i < states.nedges; i++) {
		const struct state_edge *e = &states.edge[i];

		if (e->thread != thread || !is_inside_component(e, c))
			continue;
		if (changes(e))
			return MOVES;
		m = MOVES_IDLY;
	}
	return m;
}

/* Some edge of the component was a value that has been chosen: no execution is fair to it. */
static bool has_values(u32 c)
{
	for (u32 i = 0; i < states.nedges; i++)
		if (states.edge[i].thread == EDGE_VALUE && is_inside_component(&states.edge[i], c))
			return true;
	return false;
}

/* --- walks ------------------------------------------------------------------------------------ */

static struct {
	u32 *to, room, n, steps;
	u32 *queue;
} W;

static bool append_choice(const struct state_edge *e)
{
	u32 options = states.node[e->from].n;

	W.steps++;
	if (options > 1 && W.n == W.room)
		return false;
	if (options > 1)
		W.to[W.n++] = e->taken | options << 16;
	return true;
}

/* The answers on the way by components.parent, to this edge and with it. */
static bool walk_along(u32 from, u32 last)
{
	static u32 edges[1u << 16];
	u32 n = 0;

	for (u32 i = last;; i = components.parent[states.edge[i].from]) {
		if (n == array_size(edges))
			return false;
		edges[n++] = i;
		if (states.edge[i].from == from)
			break;
	}
	while (n)
		if (!append_choice(&states.edge[edges[--n]]))
			return false;
	return true;
}

/*
 * From the node along the shortest path inside its component to a step of the thread, which is
 * taken, or to the node `target'; NODE_NONE: there is none. Returns the node reached.
 */
static u32 walk_graph(u32 from, u16 thread, u32 target)
{
	u32 c = components.of[from], head = 0, tail = 0;

	for (u32 d = 0; d < states.nnodes; d++)
		components.parent[d] = NODE_NONE;
	W.queue[tail++] = from;
	while (head < tail) {
		u32 d = W.queue[head++];

		for (u32 k = components.first[d]; k < components.first[d + 1]; k++) {
			u32 i = components.out[k], to = states.edge[i].to;

			if (components.of[to] != c)
				continue;
			if (states.edge[i].thread == thread || to == target)
				return walk_along(from, i) ? to : NODE_NONE;
			if (to == from || components.parent[to] != NODE_NONE)
				continue;
			components.parent[to] = i;
			W.queue[tail++] = to;
		}
	}
	return NODE_NONE;
}

/* The answers of a cycle from the node on, with a step of each thread that has one. */
static bool walk_around(u32 from)
{
	u32 at = from;

	for (u16 t = 0; t < states.nthreads && at != NODE_NONE; t++)
		if (moves_of(components.of[from], t) != MOVES_NOT)
			at = walk_graph(at, t, NODE_NONE);
	if (at != NODE_NONE && at != from)
		at = walk_graph(at, EDGE_VALUE, from);
	return at == from;
}

/* The first state of the component whose buffers are empty. */
static u32 find_settled(u32 c)
{
	for (u32 d = 0; d < states.nnodes; d++)
		if (components.of[d] == c && !(states.node[d].shared & 1))
			return d;
	return NODE_NONE;
}

static bool show_waits(struct waits *w, u32 c)
{
	u32 d = find_settled(c), n;

	w->found = true;
	if (d == NODE_NONE || has_values(c))
		return false;
	w->stem = W.n = states_path(d, W.to, W.room);
	W.steps = 0;
	if (W.n == NODE_NONE || !walk_around(d))
		return false;
	n = W.n - w->stem;
	if (W.n + n > W.room)
		return false;
	bytes_copy(W.to + W.n, W.to + w->stem, n * sizeof *W.to);
	w->n = W.n + n;
	w->steps = states_depth(d) + 2 * W.steps;
	return true;
}

/* --- the search ------------------------------------------------------------------------------- */

/* Does a thread wait for ever in the final component? blocked: of a thread at one of its nodes. */
static bool waits_in(u32 c, bool (*blocked)(u32 node, u16 thread))
{
	for (u16 t = 0; t < states.nthreads; t++) {
		enum moves m = moves_of(c, t);

		if (m == MOVES_IDLY && could_change(c, t))
			return true;
		if (m == MOVES_NOT && blocked(find_settled(c), t))
			return true;
	}
	return false;
}

bool waits_find(struct waits *w, u32 *to, u32 room, bool (*blocked)(u32 node, u16 thread))
{
	bool shown = true;

	*w = (struct waits){0};
	if (!components_find())
		return false;
	W.to = to;
	W.room = room;
	W.queue = components.queue;
	for (u32 c = 0; c < components.n; c++) {
		w->loops |= components.cyclic[c];
		if (w->found || !components.cyclic[c] || components.left[c])
			continue;
		if (waits_in(c, blocked))
			shown = show_waits(w, c);
	}
	components_drop();
	return shown;
}
