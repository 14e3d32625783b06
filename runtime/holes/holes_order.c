/* SPDX-License-Identifier: ISC */
/* holes_order.c - see holes_order.h. */
#include "holes/holes_order.h"
#include "cat/map.h"
#include "model/hardware/hardware.h"

static bool is_update(const struct hevent *e)
{
	return e->type == LABEL_RMW || e->type == LABEL_CAS;
}

static const struct ordered none = {0, 0}, all = {KIND_ALL, KIND_ALL};

/* The propagation of a write is after all accesses of its location. */
static bool late_at_place(const struct hevent *x, const struct hevent *y)
{
	return holes_same_place(x, y);
}

/* --- ARMv8 ------------------------------------------------------------------------------------ */

static struct ordered arm8_fence(const struct hevent *f, u32 op)
{
	switch (op) {
	case FENCE_CONTEXT: return (struct ordered){0, KIND_ALL};
	case FENCE_FULL: return all;
	case FENCE_C: return f->how & E_RELEASE ? all : (struct ordered){KIND_RETURNS, KIND_ALL};
	case FENCE_LOADS: return (struct ordered){KIND_RETURNS, KIND_ALL};
	case FENCE_STORES: return (struct ordered){KIND_WRITE, KIND_WRITE};
	default: return none;
	}
}

/* The read of the RMW with write f, a CAS or one of one instruction, is LDAR. */
static bool holes_is_amo_al(const struct causes *c, u32 f)
{
	const struct hevent *w = &c->g->event[f];
	u32 r = holes_is_excl_write(w) ? holes_half(c->g, f) : 0;

	return r && holes_is_release(w) && !c->llsc && is_ldar(c, &c->g->event[r]);
}

static bool arm8_early(struct causes *c, const struct hevent *y, const u16 *before, u32 i)
{
	const struct hevent *x = &c->g->event[before[i]];

	return (holes_is_read(y) && is_ldar(c, y) && holes_is_release(x)) ||
		holes_is_amo_al(c, before[i]);
}

/* --- IMM -------------------------------------------------------------------------------------- */

static struct ordered imm_fence(const struct hevent *f, u32 op)
{
	return all;
}

static bool imm_early(struct causes *c, const struct hevent *y, const u16 *before, u32 i)
{
	const struct hevent *x = &c->g->event[before[i]];

	return (holes_is_read(x) && is_update(x)) ||
	       (x->how & E_SC && y->how & E_SC && !holes_is_write(y));
}

static bool imm_late(const struct hevent *x, const struct hevent *y)
{
	return (x->how & E_SC && y->how & E_SC) ||
		(holes_same_place(x, y) && holes_is_release(x));
}

/* --- POWER ------------------------------------------------------------------------------------ */

static struct ordered power_fence(const struct hevent *f, u32 op)
{
	if (op == FENCE_CONTEXT)
		return (struct ordered){0, KIND_ALL};
	return op == FENCE_FULL || op == FENCE_C || op == FENCE_LIGHT ? all : none;
}

/* A barrier in front of the access. */
static bool has_sc_front(const struct hevent *e)
{
	return e->how & E_SC && e->flags & (E_READ | E_WRITE);
}

static bool has_light_front(const struct hevent *e)
{
	return e->how & E_RELEASE && (e->flags & E_WRITE || (e->flags & E_READ && is_update(e)));
}

static bool power_early(struct causes *c, const struct hevent *y, const u16 *before, u32 i)
{
	const struct hevent *x = &c->g->event[before[i]];

	if (!holes_is_excl_write(x) && (has_sc_front(x) || has_light_front(x)))
		for (u32 k = 0; k < i; k++)
			causes_need(c, before[k], true);
	return holes_same_place(x, y) || (x->how & E_SC && y->how & E_SC) || has_sc_front(y) ||
	       has_light_front(y);
}

/* --- RISC-V ----------------------------------------------------------------------------------- */

static struct ordered riscv_fence(const struct hevent *f, u32 op)
{
	bool c = op == FENCE_C;

	if (op == FENCE_CONTEXT)
		return none;
	if (op == FENCE_FULL || (c && f->how & E_SC))
		return (struct ordered){KIND_READ | KIND_WRITE, KIND_READ | KIND_WRITE};
	if (op == FENCE_LOADS || (c && f->how & E_ACQUIRE && !(f->how & E_RELEASE)))
		return (struct ordered){KIND_READ, KIND_READ | KIND_WRITE};
	if (c && f->how & E_ACQUIRE) /* fence.tso, and a little more: harmless */
		return (struct ordered){KIND_READ | KIND_WRITE, KIND_READ | KIND_WRITE};
	if (c)
		return (struct ordered){KIND_READ | KIND_WRITE, KIND_WRITE};
	return op == FENCE_STORES  ? (struct ordered){KIND_WRITE, KIND_WRITE}
	       : op == FENCE_READS ? (struct ordered){KIND_READ, KIND_READ}
				   : none;
}

static bool holes_is_annotated(const struct causes *c, const struct hevent *e)
{
	return is_update(e) && holes_kind(e) != KIND_OTHER &&
	       (is_acquire(e) || holes_is_release(e) ||
		       (!c->llsc && c->h->x->cache.node[e->node].label.order != __ATOMIC_RELAXED));
}

/* The fences that RISC-V has for an access x of C: does one order z, before x, before y? */
static bool riscv_fences(const struct hevent *z, const struct hevent *x, const struct hevent *y)
{
	if (is_update(x) || holes_kind(x) == KIND_OTHER ||
		!(x->how & (E_ACQUIRE | E_RELEASE | E_SC)))
		return false;
	if (x->how & E_SC && holes_is_read(x))
		return true;
	if (holes_is_write(x))
		return holes_is_write(y);
	return holes_is_read(z);
}

static bool riscv_early(struct causes *c, const struct hevent *y, const u16 *before, u32 i)
{
	const struct hevent *x = &c->g->event[before[i]];
	bool releases = holes_is_read(y) &&
			((is_update(y) && !c->llsc && y->how & E_RELEASE) || y->how & E_SC);
	bool amo = holes_is_excl_write(x) && !c->llsc &&
		   is_acquire(&c->g->event[holes_half(c->g, before[i])]);

	for (u32 k = 0; k < i; k++)
		if (riscv_fences(&c->g->event[before[k]], x, y))
			causes_need(c, before[k], true);
	return releases || amo ||
		(holes_is_annotated(c, x) && holes_is_annotated(c, y) && holes_is_read(y));
}

/* --- the Linux kernel's ----------------------------------------------------------------------- */

/* Axioms are checked of complete executions only, so this order may lack some. */
static struct ordered lkmm_fence(const struct hevent *f, u32 op)
{
	switch (op) {
	case FENCE_FULL:
	case FENCE_LIGHT:
	case FENCE_RCU_SYNC:
	case FENCE_SRCU_SYNC: return all;
	case FENCE_READS:
	case FENCE_LOADS: return (struct ordered){KIND_RETURNS, KIND_RETURNS};
	case FENCE_STORES: return (struct ordered){KIND_WRITE, KIND_WRITE};
	case FENCE_C: break;
	default: return none;
	}
	if (f->how & E_ACQUIRE)
		return f->how & E_RELEASE ? all : (struct ordered){KIND_RETURNS, KIND_RETURNS};
	return f->how & E_RELEASE ? (struct ordered){KIND_WRITE, KIND_WRITE} : none;
}

static bool lkmm_early(struct causes *c, const struct hevent *y, const u16 *before, u32 i)
{
	return false;
}

static bool lkmm_late(const struct hevent *x, const struct hevent *y)
{
	return holes_same_place(x, y) && holes_kind(x) != KIND_PLAIN;
}

/* --- the models ------------------------------------------------------------------------------- */

static const struct holes_order orders[] = {
	[MODEL_ARM8] = {arm8_fence, arm8_early, late_at_place,
		.reads = true, .excl_read = true, .has_amo = true, .has_ldar = true},
	[MODEL_IMM] = {imm_fence, imm_early, imm_late, .rmw_data = true},
	[MODEL_POWER] = {power_fence, power_early, NULL, .reads = true},
	[MODEL_RISCV] = {riscv_fence, riscv_early, late_at_place,
		.reads = true, .own_excl = true, .rmw_data = true, .has_amo = true},
};

/* Of models in files. */
static const struct holes_order lkmm = {
	lkmm_fence, lkmm_early, lkmm_late, .has_plain = true, .may_pass = true};

static const struct {
	const struct holes_order *order;
	enum model_id model; /* whose orders its accesses have */
} of_files[CAUSES_KINDS] = {
	[CAUSES_NONE] = {&orders[MODEL_ARM8], MODEL_ARM8}, /* not explored */
	[CAUSES_ARM8] = {&orders[MODEL_ARM8], MODEL_ARM8},
	[CAUSES_POWER] = {&orders[MODEL_POWER], MODEL_POWER},
	[CAUSES_RISCV] = {&orders[MODEL_RISCV], MODEL_RISCV},
	[CAUSES_IMM] = {&orders[MODEL_IMM], MODEL_IMM},
	[CAUSES_LKMM] = {&lkmm, MODEL_RC11},
};

const struct holes_order *order_of_model(const struct holes *h)
{
	const struct model *m = h->x->graph.model;

	return m->is_file ? of_files[cat_causes(&h->x->graph)].order : &orders[m->id];
}

/* The model whose orders the events have; NULL: the graph's. */
static const struct model *model_of_orders(const struct holes *h)
{
	const struct graph *g = &h->x->graph;

	return g->model->is_file ? model_of(of_files[cat_causes(g)].model) : NULL;
}

static u16 plain_flag(const struct holes *h, const struct label *l)
{
	bool plain = l->type == LABEL_PLAIN_READ || l->type == LABEL_PLAIN_WRITE ||
		     label_is_promoted(l);

	return plain && order_of_model(h)->has_plain ? E_PLAIN : 0;
}

u16 holes_read_orders(const struct holes *h, const struct label *l, bool excl, u16 flags)
{
	const struct model *m = model_of_orders(h);

	if (m)
		flags = graph_read_flags(m, l, excl) | (flags & E_NO_RESULT);
	return (u16)((flags & ~E_PLAIN) | plain_flag(h, l));
}

u16 holes_write_orders(const struct holes *h, const struct label *l, bool excl, u16 flags)
{
	const struct model *m = model_of_orders(h);

	if (m)
		flags = graph_write_flags(m, l, excl);
	return (u16)((flags & ~E_PLAIN) | plain_flag(h, l));
}

u16 holes_other_orders(const struct holes *h, const struct label *l, u16 flags)
{
	const struct model *m = model_of_orders(h);

	return m ? graph_other_flags(m, l) : flags;
}
