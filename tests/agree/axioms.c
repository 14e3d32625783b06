/* SPDX-License-Identifier: ISC */
/*
 * axioms.c - see axioms.h.
 *
 * SC, TSO, PSO, RA: Kokologiannakis 2023 (model/graph.h), 2.3 and 3.6, except that no event
 * is between the two halves of an RMW. The hardware's ordering of C operations: buffers/access.c.
 * RC11: Lahav et al., PLDI 2017, with the release sequences of C++20.
 */
#include "axioms.h"

#include <string.h>

struct rel {
	uint64_t row[EVENTS_MAX];
};

static const struct ax_graph *g;

#define EACH(i) for (int i = 0; i < g->n; i++)
#define BIT(i)	((uint64_t)1 << (i))

static bool has(const struct rel *r, int a, int b)
{
	return r->row[a] & BIT(b);
}

static void put(struct rel *r, int a, int b)
{
	r->row[a] |= BIT(b);
}

static struct rel either(const struct rel *a, const struct rel *b)
{
	struct rel r = {{0}};

	EACH(i)
		r.row[i] = a->row[i] | b->row[i];
	return r;
}

static struct rel then(const struct rel *a, const struct rel *b)
{
	struct rel r = {{0}};

	EACH(i)
		EACH(j)
			if (has(a, i, j))
				r.row[i] |= b->row[j];
	return r;
}

static struct rel maybe(struct rel r)
{
	EACH(i)
		put(&r, i, i);
	return r;
}

static struct rel closure(struct rel r)
{
	EACH(k)
		EACH(i)
			if (has(&r, i, k))
				r.row[i] |= r.row[k];
	return r;
}

static bool irreflexive(const struct rel *r)
{
	EACH(i)
		if (has(r, i, i))
			return false;
	return true;
}

static bool acyclic(struct rel r)
{
	r = closure(r);
	return irreflexive(&r);
}

/* The pairs of r from the set a to the set b. */
static struct rel between(uint64_t a, const struct rel *r, uint64_t b)
{
	struct rel s;

	EACH(i)
		s.row[i] = a & BIT(i) ? r->row[i] & b : 0;
	return s;
}

/* --- accesses of several places ------------------------------------------------------------------
 *
 * The pieces of an access count as one: edges of all pieces are moved to the first pieces,
 * except those inside an access; where places matter, an order is extended to all pieces
 * again.
 */

static int piece_first[64]; /* of the access */

static void find_first_pieces(void)
{
	EACH(i) {
		piece_first[i] = i;
		EACH(k)
			if (g->e[i].piece && g->e[k].piece && k < piece_first[i] &&
				g->e[k].slot == g->e[i].slot)
				piece_first[i] = k;
	}
}

static struct rel lift(const struct rel *r)
{
	struct rel s = {{0}};

	EACH(i)
		EACH(j)
			if (has(r, i, j) && piece_first[i] != piece_first[j])
				put(&s, piece_first[i], piece_first[j]);
	return s;
}

static struct rel spread(const struct rel *r)
{
	struct rel s = {{0}};

	EACH(i)
		EACH(j)
			if (has(r, piece_first[i], piece_first[j]))
				put(&s, i, j);
	return s;
}

static uint64_t firsts(uint64_t of)
{
	uint64_t s = 0;

	EACH(i)
		if (of & BIT(i))
			s |= BIT(piece_first[i]);
	return s;
}

int ax_read_of(int i)
{
	if (!g->e[i].piece)
		return i - 1;
	EACH(k)
	if (g->e[k].kind == EV_READ && g->e[k].slot == g->e[i].slot &&
		g->e[k].piece == g->e[i].piece)
		return k;
	return -1;
}

/* --- base relations -----------------------------------------------------------------------------
 */

static struct rel
	rfp; /* rf inside a thread, to a load that no single store can serve: it waits for them */
static struct rel po, po_c /* of the C program only */, poloc, rf, rfe, co, fr, rmw, so;

static bool same_place(const struct ax_event *a, const struct ax_event *b)
{
	return a->kind <= EV_WRITE && b->kind <= EV_WRITE && a->place == b->place;
}

/* Position in co of what the event writes or reads. */
static int position(const struct ax_event *e)
{
	if (e->kind == EV_WRITE)
		return e->at;
	return e->rf < 0 ? 0 : g->e[e->rf].at;
}

/* Do all pieces of the load read from one access? */
static bool served_by_one(int r)
{
	EACH(i) {
		const struct ax_event *a = &g->e[i], *b = &g->e[r];

		if (a->kind != EV_READ || !a->piece || !b->piece || a->slot != b->slot)
			continue;
		if (a->rf < 0 || b->rf < 0 || piece_first[a->rf] != piece_first[b->rf])
			return false;
	}
	return true;
}

void ax_begin(const struct ax_graph *graph)
{
	struct rel *all[] = {&po, &po_c, &poloc, &rf, &rfe, &rmw, &so, &rfp};

	g = graph;
	find_first_pieces();
	for (int i = 0; i < 8; i++)
		memset(all[i], 0, sizeof *all[i]);
	EACH(i)
		EACH(j) {
			const struct ax_event *a = &g->e[i], *b = &g->e[j];

			if (a->thread == b->thread && i < j) {
				put(&po, i, j);
				if (!a->hardware && !b->hardware)
					put(&po_c, i, j);
				if (same_place(a, b))
					put(&poloc, i, j);
				if (a->excl && b->excl && a->slot == b->slot &&
					a->kind == EV_READ && b->kind == EV_WRITE)
					put(&rmw, i, j);
			}
			if (a->mark && a->mark == b->mark && !a->waits && b->waits)
				put(&so, i, j);
			if (b->kind == EV_READ && b->rf == i) {
				put(&rf, i, j);
				if (a->thread != b->thread)
					put(&rfe, i, j);
				else if (!served_by_one(j))
					put(&rfp, i, j);
			}
		}
}

void ax_ordered(void)
{
	EACH(i)
		co.row[i] = fr.row[i] = 0;
	EACH(i)
		EACH(j) {
			const struct ax_event *a = &g->e[i], *b = &g->e[j];

			if (b->kind == EV_WRITE && same_place(a, b) && i != j &&
				position(a) < b->at)
				put(a->kind == EV_WRITE ? &co : &fr, i, j);
		}
}

static uint64_t set(bool (*is)(const struct ax_event *))
{
	uint64_t s = 0;

	EACH(i)
		if (is(&g->e[i]))
			s |= BIT(i);
	return s;
}

static bool is_atomic_read(const struct ax_event *e)
{
	return e->kind == EV_READ && !e->plain;
}
static bool is_atomic_write(const struct ax_event *e)
{
	return e->kind == EV_WRITE && !e->plain;
}
static bool is_fence(const struct ax_event *e)
{
	return e->kind == EV_FENCE && !e->hardware;
}
static bool is_sc(const struct ax_event *e)
{
	return !e->hardware && !e->plain && e->order == SEQ;
}

/* Reads of RMWs do not release, their writes do not acquire. */
static bool is_release(const struct ax_event *e)
{
	return !e->hardware && !e->plain && e->kind != EV_READ && e->order >= REL;
}

static bool is_acquire(const struct ax_event *e)
{
	return !e->hardware && !e->plain && e->kind != EV_WRITE &&
	       (e->order == ACQ || e->order == AR || e->order == SEQ);
}

static bool is_sc_fence(const struct ax_event *e)
{
	return is_fence(e) && e->order == SEQ;
}

/* --- coherence and atomicity --------------------------------------------------------------------
 */

static bool atomic(int place)
{
	EACH(i)
		if (g->e[i].kind == EV_WRITE && g->e[i].excl && g->e[i].place == place &&
			position(&g->e[ax_read_of(i)]) + 1 != g->e[i].at)
			return false;
	return true;
}

/* po, rf, co and fr at the place have no cycle. */
bool ax_coherent(int place)
{
	int at[EVENTS_MAX], n = 0;
	uint64_t row[EVENTS_MAX];

	if (!atomic(place))
		return false;
	EACH(i)
		if (g->e[i].kind <= EV_WRITE && g->e[i].place == place)
			at[n++] = i;
	for (int a = 0; a < n; a++) {
		const struct ax_event *first = &g->e[at[a]];

		row[a] = 0;
		for (int b = 0; b < n; b++) {
			const struct ax_event *second = &g->e[at[b]];

			if (a != b &&
				(has(&poloc, at[a], at[b]) || has(&rf, at[a], at[b]) ||
					(second->kind == EV_WRITE && position(first) < second->at)))
				row[a] |= BIT(b);
		}
	}
	for (int k = 0; k < n; k++)
		for (int a = 0; a < n; a++)
			if (row[a] & BIT(k))
				row[a] |= row[k];
	for (int a = 0; a < n; a++)
		if (row[a] & BIT(a))
			return false;
	return true;
}

/* --- SC, TSO, PSO, RA ------------------------------------------------------------------------- */

static bool consistent_sc(void)
{
	struct rel r = either(&po, &rf);

	r = either(&r, &so);
	r = either(&r, &co);
	r = either(&r, &fr);
	return acyclic(lift(&r));
}

/* A fence of at least this strength between a and b in program order? */
static bool fenced(int a, int b, enum gp_model m, enum barrier strength)
{
	for (int i = a + 1; i < b; i++)
		if (g->e[i].kind >= EV_FENCE && g->e[i].barrier[m] >= strength)
			return true;
	return false;
}

/* The pairs whose program order the hardware preserves. */
static bool kept(int a, int b, enum gp_model m)
{
	bool first = g->e[a].kind == EV_WRITE, second = g->e[b].kind == EV_WRITE;

	if (g->e[a].kind == EV_MARK || g->e[b].kind == EV_MARK)
		return true;
	if (g->e[a].kind == EV_FENCE || g->e[b].kind == EV_FENCE)
		return false;
	if (fenced(a, b, m, BARRIER_FULL))
		return true;
	if (!first)
		return true; /* a load before anything */
	if (!second)
		return false; /* a store before a load */
	return m == GP_TSO || fenced(a, b, m, BARRIER_STORES);
}

static bool consistent_hardware(enum gp_model m)
{
	struct rel r = either(&rfe, &co);

	r = either(&r, &rfp);
	r = either(&r, &so);
	r = either(&r, &fr);
	EACH(a)
		EACH(b)
			if (has(&po, a, b) && kept(a, b, m))
				put(&r, a, b);
	return acyclic(lift(&r));
}

/* No access is observed in part. */
static bool whole(void)
{
	struct rel r = either(&rfe, &co);

	r = either(&r, &fr);
	return acyclic(lift(&r));
}

static bool consistent_ra(void)
{
	struct rel r = either(&po, &rf), s = either(&co, &fr), hb;

	r = either(&r, &so);
	hb = closure(lift(&r));
	if (!irreflexive(&hb))
		return false;
	hb = spread(&hb);
	r = then(&hb, &s);
	return irreflexive(&r) && whole();
}

/* Lahav, Giannarakis, Vafeiadis, POPL 2016: RA and acyclic(hb | co). */
static bool consistent_sra(void)
{
	struct rel r = either(&po, &rf);

	r = either(&r, &so);
	r = either(&r, &co);
	return consistent_ra() && acyclic(lift(&r));
}

/* --- RC11 ------------------------------------------------------------------------------------- */

/* [release]; ([F]; po)?; rs; rf; [R atomic]; (po; [F])?; [acquire], rs = [W atomic]; (rf; rmw)* */
static struct rel synchronises(void)
{
	uint64_t all = ~(uint64_t)0, fences = set(is_fence);
	struct rel step = then(&rf, &rmw), sw, fence;

	step = maybe(closure(step));
	step = between(set(is_atomic_write), &step, all);
	sw = then(&step, &rf);
	sw = between(all, &sw, set(is_atomic_read));
	fence = maybe(between(fences, &po, all));
	sw = then(&fence, &sw);
	fence = maybe(between(all, &po, fences));
	sw = then(&sw, &fence);
	return between(set(is_release), &sw, set(is_acquire));
}

/* Happens-before by locks: from an unlock or a post to the lock or wait that reads from it,
 * directly or through others. */
static void locks(struct rel *hb)
{
	struct rel step = then(&rf, &rmw), sw;

	step = maybe(closure(step));
	sw = then(&step, &rf);
	EACH(i)
		EACH(j)
		if (has(&sw, i, j) && g->e[i].sync && g->e[j].sync && is_release(&g->e[i]) &&
			is_acquire(&g->e[j]))
			put(hb, i, j);
}

static struct rel rc11_hb(void)
{
	struct rel sw = synchronises(), r = either(&po_c, &sw);

	r = either(&r, &so);
	locks(&r);
	return closure(lift(&r));
}

/* Accesses, by their first pieces, that have a place in common. */
static struct rel overlaps(void)
{
	struct rel r = {{0}};

	EACH(i)
		EACH(j)
			if (same_place(&g->e[i], &g->e[j]))
				put(&r, piece_first[i], piece_first[j]);
	return r;
}

/* hb: of accesses, as is the result. */
static struct rel rc11_scb(const struct rel *hb)
{
	struct rel all = lift(&po_c), pol = all, over = overlaps(), r, s;

	EACH(i)
		pol.row[i] &= ~over.row[i];
	r = then(&pol, hb);
	r = then(&r, &pol);
	r = either(&r, &all);
	s = *hb;
	EACH(i)
		s.row[i] &= over.row[i];
	r = either(&r, &s);
	s = either(&co, &fr);
	s = lift(&s);
	return either(&r, &s);
}

static bool rc11_psc(const struct rel *hb, const struct rel *eco)
{
	uint64_t all = ~(uint64_t)0, sc = firsts(set(is_sc)), fsc = set(is_sc_fence);
	struct rel scb = rc11_scb(hb), hb_or_id = maybe(*hb), left, right, identity = {{0}}, r, s;

	EACH(i)
		put(&identity, i, i);
	left = between(fsc, &hb_or_id, all);
	s = between(sc, &identity, sc);
	left = either(&left, &s);
	right = between(all, &hb_or_id, fsc);
	right = either(&right, &s);
	r = then(&left, &scb);
	r = then(&r, &right);
	s = lift(eco);
	s = then(hb, &s);
	s = then(&s, hb);
	s = either(&s, hb);
	s = between(fsc, &s, fsc);
	r = either(&r, &s);
	return acyclic(r);
}

static bool consistent_rc11(void)
{
	struct rel hb = rc11_hb(), eco = either(&rf, &co), r, s;

	eco = either(&eco, &fr);
	eco = closure(eco);
	if (!irreflexive(&hb))
		return false;
	s = spread(&hb);
	r = then(&s, &eco);
	if (!irreflexive(&r) || !whole())
		return false;
	r = either(&po, &rf);
	r = either(&r, &so);
	return acyclic(lift(&r)) && rc11_psc(&hb, &eco);
}

bool ax_consistent(enum gp_model m)
{
	switch (m) {
	case GP_SC: return consistent_sc();
	case GP_RA: return consistent_ra();
	case GP_RC11: return consistent_rc11();
	case GP_SRA: return consistent_sra();
	default: return consistent_hardware(m);
	}
}

/* --- races ------------------------------------------------------------------------------------ */

/* PSO: a is before a barrier for stores, or is one (a join covers all events of its thread), which
 * is before the store w. */
static bool released_pso(int a, int w)
{
	return g->e[a].thread == g->e[w].thread && a < w &&
	       (fenced(a - 1, w, GP_PSO, BARRIER_STORES) || g->e[w].excl);
}

static struct rel race_hb(enum gp_model m)
{
	struct rel r = {{0}};

	if (m == GP_RC11) {
		r = rc11_hb();
		return spread(&r);
	}
	r = either(&po, &so);
	EACH(w)
		EACH(b) {
			if (!has(&rf, w, b) || g->e[w].plain || g->e[b].plain)
				continue;
			if (m != GP_PSO) {
				put(&r, w, b);
				continue;
			}
			if (g->e[w].order >= REL || g->e[w].excl)
				put(&r, w, b);
			EACH(a)
				if (released_pso(a, w))
					put(&r, a, b);
		}
	locks(&r);
	r = closure(lift(&r));
	return spread(&r);
}

bool ax_racy(enum gp_model m)
{
	struct rel hb = race_hb(m);

	EACH(i)
		EACH(j) {
			const struct ax_event *a = &g->e[i], *b = &g->e[j];

			if (a->thread != b->thread && same_place(a, b) && !a->sync &&
				(a->kind == EV_WRITE || b->kind == EV_WRITE) &&
				(a->plain || b->plain) && !has(&hb, i, j) && !has(&hb, j, i))
				return true;
		}
	return false;
}
