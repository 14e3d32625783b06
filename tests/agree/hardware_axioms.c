/* SPDX-License-Identifier: ISC */
/* hardware_axioms.c - see hardware_axioms.h. Names are those of the papers and .cat files. */
#include "hardware_axioms.h"

#include <string.h>

typedef uint32_t set;

struct rel {
	set row[HA_EVENTS];
};

static const struct ha_graph *g;

#define EACH(i) for (int i = 0; i < g->n; i++)
#define BIT(i)	((set)1 << (i))
#define ALL	(~(set)0)

static bool has(struct rel r, int a, int b)
{
	return r.row[a] & BIT(b);
}

static void put(struct rel *r, int a, int b)
{
	r->row[a] |= BIT(b);
}

static struct rel join(struct rel a, struct rel b)
{
	EACH(i)
		a.row[i] |= b.row[i];
	return a;
}

static struct rel both(struct rel a, struct rel b)
{
	EACH(i)
		a.row[i] &= b.row[i];
	return a;
}

static struct rel then(struct rel a, struct rel b)
{
	struct rel r = {{0}};

	EACH(i)
		EACH(j)
			if (has(a, i, j))
				r.row[i] |= b.row[j];
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
			if (has(r, i, k))
				r.row[i] |= r.row[k];
	return r;
}

static bool irreflexive(struct rel r)
{
	EACH(i)
		if (has(r, i, i))
			return false;
	return true;
}

static bool acyclic(struct rel r)
{
	return irreflexive(closure(r));
}

static struct rel between(set a, struct rel r, set b)
{
	EACH(i)
		r.row[i] = a & BIT(i) ? r.row[i] & b : 0;
	return r;
}

static struct rel identity(set s)
{
	struct rel r = {{0}};

	EACH(i)
		if (s & BIT(i))
			put(&r, i, i);
	return r;
}

static bool same(struct rel a, struct rel b)
{
	return !memcmp(&a, &b, sizeof a);
}

/* --- what does not depend on rf and co -------------------------------------------------------- */

static set R, W, M, F, Acq, Rel, Sc;
static struct rel po, poloc, inside, addr, data, ctrl, rmw, lrs, rrloc, operands, addrpo;

static set members(bool (*is)(const struct hp_event *))
{
	set s = 0;

	EACH(i)
		if (is(&g->e[i]))
			s |= BIT(i);
	return s;
}

static bool is_read(const struct hp_event *e)
{
	return e->kind == HPE_READ;
}
static bool is_write(const struct hp_event *e)
{
	return e->kind == HPE_WRITE;
}
static bool is_fence(const struct hp_event *e)
{
	return e->kind == HPE_FENCE;
}
static bool is_sc(const struct hp_event *e)
{
	return e->order == HP_SC;
}
static bool acquire_order(int o)
{
	return o == HP_ACQ || o == HP_AR || o == HP_SC;
}
static bool is_acquire(const struct hp_event *e)
{
	return e->kind == HPE_READ && acquire_order(e->order);
}
static bool is_release(const struct hp_event *e)
{
	return e->kind == HPE_WRITE && e->order >= HP_REL;
}
static bool has_no_result(const struct hp_event *e)
{
	return e->kind == HPE_READ && e->no_result;
}
static bool is_pick(const struct hp_event *e)
{
	return e->picks;
}
static bool is_update(const struct hp_event *e)
{
	return e->update;
}

static set fences(int kind, int order)
{
	set s = 0;

	EACH(i)
		if (g->e[i].kind == HPE_FENCE &&
			(g->e[i].fence ? g->e[i].fence == kind : g->e[i].order == order))
			s |= BIT(i);
	return s;
}

#define NO_KIND	 99
#define NO_ORDER 99

/* po;[F];po */
static struct rel fenced(set from, set f, set to)
{
	return between(from, then(between(ALL, po, f), po), to);
}

static void relate(int i, int j)
{
	const struct hp_event *a = &g->e[i], *b = &g->e[j];
	set bit = (set)1 << g->index[i];

	put(&inside, i, j);
	if (i >= j)
		return;
	put(&po, i, j);
	if (a->kind != HPE_FENCE && b->kind != HPE_FENCE && a->place == b->place)
		put(&poloc, i, j);
	if (b->address & bit)
		put(&addr, i, j);
	if (b->data & bit)
		put(b->kind == HPE_READ ? &operands : &data, i, j);
	if (b->control & bit)
		put(&ctrl, i, j);
	if (j == i + 1 && a->excl && b->excl && a->kind == HPE_READ && b->kind == HPE_WRITE &&
		a->op == b->op)
		put(&rmw, i, j);
}

void ha_begin(const struct ha_graph *graph)
{
	struct rel *all[] = {
		&po, &poloc, &inside, &addr, &data, &ctrl, &rmw, &lrs, &rrloc, &operands};

	g = graph;
	for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
		memset(all[k], 0, sizeof *all[k]);
	EACH(i)
		EACH(j)
			if (g->thread[i] == g->thread[j])
				relate(i, j);
	R = members(is_read);
	W = members(is_write);
	M = R | W;
	F = members(is_fence);
	Acq = members(is_acquire);
	Rel = members(is_release);
	Sc = members(is_sc);
	EACH(i)
		for (int j = i + 1; j < g->n; j++) {
			if (!has(poloc, i, j))
				continue;
			if (W & BIT(j))
				break;
			put(W & BIT(i) ? &lrs : &rrloc, i, j);
		}
	addrpo = then(addr, po);
}

/* --- rf and co -------------------------------------------------------------------------------- */

static struct rel rf, co, fr, rfe, rfi, coe, fre;

static int place_in_co(int i)
{
	if (g->e[i].kind == HPE_WRITE)
		return g->at[i];
	return g->rf[i] == HA_INIT ? 0 : g->at[g->rf[i]];
}

static struct rel outside(struct rel r)
{
	EACH(i)
		r.row[i] &= ~inside.row[i];
	return r;
}

static void begin_communication(void)
{
	memset(&rf, 0, sizeof rf);
	memset(&co, 0, sizeof co);
	memset(&fr, 0, sizeof fr);
	EACH(i)
		EACH(j) {
			if (R & BIT(j) && g->rf[j] == i)
				put(&rf, i, j);
			if (W & BIT(j) && M & BIT(i) && g->e[i].place == g->e[j].place &&
				place_in_co(i) < g->at[j])
				put(W & BIT(i) ? &co : &fr, i, j);
		}
	rfe = outside(rf);
	rfi = both(rf, inside);
	coe = outside(co);
	fre = outside(fr);
}

static bool atomic(void)
{
	EACH(i)
		EACH(j)
			if (has(rmw, i, j) && place_in_co(i) + 1 != g->at[j])
				return false;
	return true;
}

bool ha_buffers_loads(void)
{
	begin_communication();
	return !acyclic(join(po, rf));
}

/* --- ARMv8 ------------------------------------------------------------------------------------ */

static bool arm8(void)
{
	set isb = fences(HPF_ISB, NO_ORDER);
	set full = fences(HPF_DMB, HP_SC) | fences(NO_KIND, HP_REL) | fences(NO_KIND, HP_AR);
	set ld = fences(HPF_DMB_LD, HP_ACQ), st = fences(HPF_DMB_ST, NO_ORDER);
	set A = Acq, Q = 0, amoL = 0, pick = members(is_pick);
	struct rel ob, address = between(~pick, addr, ALL);

	EACH(i)
		if (g->rcpc && Acq & BIT(i) && !g->e[i].update && g->e[i].order != HP_SC)
			Q |= BIT(i);
	A &= ~Q;
	EACH(i)
		EACH(j)
			if (!g->llsc && has(rmw, i, j) && A & BIT(i) && Rel & BIT(j))
				amoL |= BIT(j);
	/* What a CAS has found if it succeeds is picked: that orders stores. */
	ob = between(~pick, join(addr, data), ALL);
	ob = join(ob, then(ob, lrs));
	ob = join(ob, between(pick, join(addr, data), W));
	ob = join(ob, between(ALL, join(ctrl, then(address, po)), W));
	ob = join(ob, between(ALL, then(between(ALL, join(ctrl, then(address, po)), isb), po), R));
	ob = join(ob, join(rmw, then(rmw, between(ALL, lrs, A | Q))));
	ob = join(ob, fenced(M, full, M));
	ob = join(ob, fenced(R & ~members(has_no_result), ld, M));
	ob = join(ob, fenced(W, st, W));
	ob = join(ob, between(amoL, po, M));
	ob = join(ob, between(Rel, po, A));
	ob = join(ob, between(A | Q, po, M));
	ob = join(ob, between(M, po, Rel));
	ob = join(ob, between(ALL, poloc, W));
	return acyclic(join(join(ob, rfe), join(coe, fre)));
}

/* --- RISC-V ----------------------------------------------------------------------------------- */

/* The fences of loads and stores of C. */
static struct rel c_fences(void)
{
	struct rel r = {{0}};

	EACH(i) {
		const struct hp_event *e = &g->e[i];

		if (e->update || e->kind == HPE_FENCE || e->order == HP_RLX)
			continue;
		EACH(j) {
			if (!has(po, j, i) || !(M & BIT(j)))
				continue;
			if (e->kind == HPE_WRITE)
				r.row[j] |= (BIT(i) | po.row[i]) & W;
			else if (e->order == HP_SC)
				r.row[j] |= (BIT(i) | po.row[i]) & M;
			else if (R & BIT(j))
				r.row[j] |= po.row[i] & M;
		}
	}
	return r;
}

static bool riscv(void)
{
	set aq = Acq, rl = Rel, U = members(is_update), written = 0;
	struct rel ppo = join(c_fences(), between(ALL, poloc, W)), differ = {{0}};

	EACH(i) {
		const struct hp_event *e = &g->e[i];

		if (g->llsc || !e->update)
			continue;
		if (e->kind == HPE_WRITE && acquire_order(e->order))
			aq |= BIT(i);
		if (e->kind == HPE_READ && e->order >= HP_REL)
			rl |= BIT(i);
	}
	EACH(i)
		EACH(j) {
			if (has(rrloc, i, j) && g->rf[i] != g->rf[j])
				put(&differ, i, j);
			if (has(rmw, i, j))
				written |= BIT(j);
		}
	ppo = join(ppo, differ);
	ppo = join(ppo, between(written, rfi, ALL));
	ppo = join(ppo, fenced(M, fences(HPF_DMB, HP_SC), M));
	ppo = join(ppo, fenced(R, fences(HPF_DMB_LD, HP_ACQ), M));
	ppo = join(ppo, fenced(W, fences(HPF_DMB_ST, NO_ORDER), W));
	ppo = join(ppo, fenced(M, fences(NO_KIND, HP_REL), W));
	ppo = join(ppo, fenced(R, fences(NO_KIND, HP_AR), M));
	ppo = join(ppo, fenced(W, fences(NO_KIND, HP_AR), W));
	ppo = join(ppo, between(aq, po, M));
	ppo = join(ppo, between(M, po, rl));
	ppo = join(ppo, between((aq | rl) & U, po, (aq | rl) & U));
	ppo = join(ppo, join(rmw, operands));
	ppo = join(ppo, join(addr, data));
	ppo = join(ppo, then(join(addr, data), lrs));
	ppo = join(ppo, between(ALL, join(ctrl, addrpo), W));
	return acyclic(join(join(ppo, co), join(rfe, fr)));
}

/* --- POWER ------------------------------------------------------------------------------------ */

/* Leading sync: a fence in front of the access, or of the first half of the RMW. */
static void power_fences(struct rel *sync, struct rel *lw, struct rel *ci)
{
	*sync = fenced(M, fences(HPF_DMB, HP_SC), M);
	*lw = fenced(M,
		fences(HPF_LWSYNC, HP_ACQ) | fences(NO_KIND, HP_REL) | fences(NO_KIND, HP_AR), M);
	*ci = then(between(ALL, ctrl, fences(HPF_ISB, NO_ORDER)), po);
	EACH(i) {
		const struct hp_event *e = &g->e[i];
		bool first = e->kind == HPE_READ || (e->kind == HPE_WRITE && !e->excl);
		struct rel *to = NULL;

		if (Acq & BIT(i))
			ci->row[i] |= po.row[i];
		if (first && e->order == HP_SC)
			to = sync;
		else if (first && e->order >= HP_REL && (e->kind == HPE_WRITE || e->update))
			to = lw;
		EACH(j)
			if (to && has(po, j, i) && M & BIT(j))
				to->row[j] |= (BIT(i) | po.row[i]) & M;
	}
}

static struct rel power_ppo(struct rel cis)
{
	struct rel dd = join(addr, data), ic = {{0}}, ii, ci, cc;

	ii = join(join(dd, rfi), both(poloc, then(fre, rfe)));
	ci = join(cis, both(poloc, then(coe, rfe)));
	cc = join(join(dd, poloc), join(ctrl, addrpo));
	while (true) {
		struct rel i0 = ii, c0 = ci, d0 = cc, e0 = ic;

		ii = join(join(i0, c0), join(then(e0, c0), then(i0, i0)));
		ic = join(join(e0, join(i0, d0)), join(then(e0, d0), then(i0, e0)));
		ci = join(c0, join(then(c0, i0), then(d0, c0)));
		cc = join(join(d0, c0), join(then(c0, e0), then(d0, d0)));
		if (same(ii, i0) && same(ic, e0) && same(ci, c0) && same(cc, d0))
			return join(between(R, ii, R), between(R, ic, W));
	}
}

static bool power(void)
{
	struct rel sync, lw, cis, fence, hb, hbs, pb, pbs, prop, far;

	power_fences(&sync, &lw, &cis);
	fence = join(sync, join(between(R, lw, M), between(W, lw, W)));
	hb = join(power_ppo(cis), join(fence, rfe));
	if (!acyclic(hb))
		return false;
	hbs = maybe(closure(hb));
	pb = then(join(fence, then(rfe, fence)), hbs);
	pbs = maybe(closure(pb));
	far = join(join(rfe, fre), join(coe, join(then(fre, rfe), then(coe, rfe))));
	prop = then(then(maybe(far), pbs), then(sync, hbs));
	prop = join(prop, between(W, pb, W));
	return acyclic(join(co, prop)) && irreflexive(then(then(fre, prop), hbs));
}

/* --- IMM -------------------------------------------------------------------------------------- */

/* The fences of C; instructions synchronise nothing. */
static set c_fences_with(bool (*with)(int order))
{
	set s = 0;

	EACH(i)
		if (g->e[i].kind == HPE_FENCE && !g->e[i].fence && with(g->e[i].order))
			s |= BIT(i);
	return s;
}

static bool releases(int o)
{
	return o >= HP_REL;
}

static bool imm(void)
{
	set fsc = F & Sc, Rx = R & members(is_update);
	struct rel start, sw, hb, eco, bob, deps, pf, f = identity(fsc), s = identity(Sc), scb;

	start = join(identity(Rel), between(c_fences_with(releases), po, W));
	sw = then(start, then(maybe(closure(then(rf, rmw))), rf));
	sw = then(sw, join(identity(Acq), between(R, po, c_fences_with(acquire_order))));
	hb = closure(join(po, sw));
	eco = closure(join(rf, join(co, fr)));
	if (!irreflexive(hb) || !irreflexive(then(hb, eco)))
		return false;
	bob = join(between(ALL, po, Rel), between(Acq, po, ALL));
	bob = join(bob, join(between(ALL, po, F), between(F, po, ALL)));
	bob = join(bob, join(between(Rel, poloc, W), between(Sc, po, Sc)));
	deps = join(join(data, operands), join(ctrl, join(addr, addrpo)));
	deps = join(deps, between(Rx, po, ALL));
	pf = then(then(f, then(hb, eco)), then(hb, f));
	if (!acyclic(join(join(rfe, bob), join(pf,
		    join(between(R, closure(join(deps, rfi)), W), both(then(coe, rfe), po))))))
		return false;
	scb = join(join(po, join(co, fr)), rf);
	scb = then(then(s, maybe(then(f, hb))), then(scb, then(maybe(then(hb, f)), s)));
	scb = join(scb, then(s, then(then(po, then(hb, po)), s)));
	return acyclic(join(scb, join(then(f, then(hb, f)), pf)));
}

bool ha_allows(enum hp_model m)
{
	begin_communication();
	if (!atomic() || !acyclic(join(poloc, join(rf, join(co, fr)))))
		return false;
	switch (m) {
	case HP_ARM8: return arm8();
	case HP_POWER: return power();
	case HP_RISCV: return riscv();
	default: return imm();
	}
}
