/* SPDX-License-Identifier: ISC */
/* analysis.c - see analysis.h. */
#include "cat/analysis.h"

#define EVENTUAL (CAT_MONOTONE | CAT_EXACT | CAT_STATIC)
#define NEW	 (CAT_NEW_LAST | CAT_NEW_ENDS | CAT_NEW_IN)
#define WITHIN	 (CAT_CAUSAL | CAT_BOUNDED | CAT_STRICT)
#define PARTS \
	(CAT_IN_RMW | CAT_IN_FR | CAT_IN_CO | CAT_IN_BREAK | CAT_IN_PO | CAT_IN_LOC | \
		CAT_IN_COHERENCE | CAT_IN_CAUSE)
#define COM	(CAT_IN_LOC | CAT_IN_COHERENCE)
#define ORDER	(CAT_IN_PO | CAT_IN_CAUSE)
#define ACYCLIC (CAT_IN_COHERENCE | CAT_IN_CAUSE) /* in all explored graphs */
#define REMAINS (CAT_OF_ENDS | CAT_SHRINKS)
#define ALL	(EVENTUAL | NEW | WITHIN | PARTS | CAT_CLOSED | REMAINS)
#define LOCAL	(EVENTUAL | CAT_NEW_ENDS | CAT_CLOSED | REMAINS)

static const u32 base_facts[CAT_BASE_COUNT] = {
	[CAT_BASE_po] = (ALL & ~PARTS) | ORDER,
	[CAT_BASE_rf] = ((ALL & ~PARTS) & ~CAT_STATIC & ~REMAINS) | COM | CAT_IN_CAUSE,
	[CAT_BASE_co] = (ALL & ~PARTS & ~CAT_CAUSAL & ~CAT_STATIC) | CAT_IN_CO | COM,
	[CAT_BASE_fr] = (ALL & ~PARTS & ~CAT_CAUSAL & ~CAT_STATIC) | CAT_IN_FR | COM,
	[CAT_BASE_loc] = LOCAL | CAT_IN_LOC,
	[CAT_BASE_int] = LOCAL,
	[CAT_BASE_ext] = LOCAL,
	[CAT_BASE_id] = LOCAL | CAT_CAUSAL | CAT_BOUNDED | CAT_NEW_LAST,
	[CAT_BASE_addr] = (ALL & ~PARTS & ~REMAINS) | ORDER,
	[CAT_BASE_data] = (ALL & ~PARTS & ~REMAINS) | ORDER,
	[CAT_BASE_ctrl] = (ALL & ~PARTS & ~REMAINS) | ORDER,
	[CAT_BASE_rmw] = (ALL & ~PARTS) | CAT_IN_RMW | ORDER | COM,
};

/* --- atoms ------------------------------------------------------------------------------------ */

#define ATOMS_PO  (ATOM_PO_RR | ATOM_PO_RW | ATOM_PO_WR | ATOM_PO_WW)
#define ATOMS_LOC (ATOM_LOC_RR | ATOM_LOC_RW | ATOM_LOC_WR | ATOM_LOC_WW)
#define ATOMS_RF  (ATOM_RFE | ATOM_RFI)
#define ATOMS_CO  (ATOM_COE | ATOM_COI)
#define ATOMS_FR  (ATOM_FRE | ATOM_FRI)
#define ATOMS_COM (ATOMS_RF | ATOMS_CO | ATOMS_FR)
#define ATOMS_ID  (ATOM_ID_R | ATOM_ID_W)
#define ATOMS	  (ATOMS_PO | ATOMS_LOC | ATOMS_COM | ATOMS_ID)
#define FROM_R	  (ATOM_PO_RR | ATOM_PO_RW | ATOM_LOC_RR | ATOM_LOC_RW | ATOMS_FR | ATOM_ID_R)
#define TO_R	  (ATOM_PO_RR | ATOM_PO_WR | ATOM_LOC_RR | ATOM_LOC_WR | ATOMS_RF | ATOM_ID_R)

static const u32 base_atoms[CAT_BASE_COUNT] = {
	[CAT_BASE_po] = ATOMS_PO | ATOMS_LOC,
	[CAT_BASE_rf] = ATOMS_RF,
	[CAT_BASE_co] = ATOMS_CO,
	[CAT_BASE_fr] = ATOMS_FR,
	[CAT_BASE_loc] = ATOMS_LOC | ATOMS_COM | ATOMS_ID,
	[CAT_BASE_int] = ATOMS_PO | ATOMS_LOC | ATOM_RFI | ATOM_COI | ATOM_FRI | ATOMS_ID,
	[CAT_BASE_ext] = ATOM_RFE | ATOM_COE | ATOM_FRE,
	[CAT_BASE_id] = ATOMS_ID,
};

/* Those that begin, or end, in the kinds. */
static u32 atoms_from(u32 kinds)
{
	return (kinds & KIND_R ? FROM_R : 0) | (kinds & KIND_W ? ATOMS & ~FROM_R : 0);
}

static u32 atoms_to(u32 kinds)
{
	return (kinds & KIND_R ? TO_R : 0) | (kinds & KIND_W ? ATOMS & ~TO_R : 0);
}

static u32 kinds_of_id(u32 has)
{
	return (has & ATOM_ID_R ? KIND_R : 0) | (has & ATOM_ID_W ? KIND_W : 0);
}

/* The kinds that a set can have. */
static u32 kinds_at_most(const struct cat_node *x)
{
	if (x->op == CAT_TAG && x->a == MAP_F)
		return 0;
	return x->op != CAT_TAG || x->a > MAP_W ? KIND_R | KIND_W : x->a == MAP_R ? KIND_R : KIND_W;
}

/* The atoms that a relation can have a part of; depth: of the expression, as far as it is looked
 * at. */
static u32 atoms_at_most(const struct cat *c, const struct cat_node *x, u32 depth)
{
	const struct cat_node *a = &c->node[x->a], *b = &c->node[x->b];

	if (!depth--)
		return ATOMS;
	switch (x->op) {
	case CAT_EMPTY: return 0;
	case CAT_BASE: return base_atoms[x->a];
	case CAT_UNION: return atoms_at_most(c, a, depth) | atoms_at_most(c, b, depth);
	case CAT_INTER: return atoms_at_most(c, a, depth) & atoms_at_most(c, b, depth);
	case CAT_DIFF: return atoms_at_most(c, a, depth);
	case CAT_PRODUCT: return atoms_from(kinds_at_most(a)) & atoms_to(kinds_at_most(b));
	case CAT_FROM: return atoms_from(kinds_at_most(a)) & atoms_at_most(c, b, depth);
	case CAT_TO: return atoms_at_most(c, a, depth) & atoms_to(kinds_at_most(b));
	}
	return ATOMS;
}

static u32 atoms_of_diff(const struct cat *c, const struct cat_node *x, u32 a)
{
	const struct cat_node *b = &c->node[x->b];

	if (b->op == CAT_TAG && b->a == MAP_IW)
		return a; /* initial writes are on no cycle */
	return a & ~atoms_at_most(c, b, 8);
}

static u32 atoms_of(const struct cat *c, const struct cat_node *x)
{
	u32 a = c->node[x->a].has, b = c->node[x->b].has;

	switch (x->op) {
	case CAT_UNIVERSE: return x->type == CAT_SET ? KIND_R | KIND_W : ATOMS;
	case CAT_TAG: return x->a == MAP_R ? KIND_R : x->a == MAP_W ? KIND_W : 0;
	case CAT_BASE: return base_atoms[x->a];
	case CAT_VAR: return x->a ? a : 0;
	case CAT_UNION: return a | b;
	case CAT_INTER: return a & b;
	case CAT_DIFF: return atoms_of_diff(c, x, a);
	case CAT_SEQ: return (atoms_from(kinds_of_id(a)) & b) | (a & atoms_to(kinds_of_id(b)));
	case CAT_PLUS: return a;
	case CAT_STAR:
	case CAT_OPT: return a | ATOMS_ID;
	case CAT_ID: return (a & KIND_R ? ATOM_ID_R : 0) | (a & KIND_W ? ATOM_ID_W : 0);
	case CAT_PRODUCT: return atoms_from(a) & atoms_to(b);
	case CAT_FROM: return atoms_from(a) & b;
	case CAT_TO: return a & atoms_to(b);
	}
	return 0;
}

/* --- idle iterations -------------------------------------------------------------------------- */

/* Is it rf, or those pairs of rf with some relation of their events? */
static bool is_of_rf(const struct cat *c, const struct cat_node *x)
{
	const struct cat_node *a = &c->node[x->a], *b = &c->node[x->b];

	if (x->op == CAT_BASE)
		return x->a == CAT_BASE_rf;
	return x->op == CAT_INTER && ((is_of_rf(c, a) && b->facts & CAT_OF_ENDS) ||
					     (is_of_rf(c, b) && a->facts & CAT_OF_ENDS));
}

/* Is it a union of relations that shrink, and of parts of rf? *rf: atoms of these parts. */
static bool shrinks_but_for_rf(const struct cat *c, u32 node, u32 *rf)
{
	const struct cat_node *x = &c->node[node];
	bool is_rf = is_of_rf(c, x);

	if (is_rf)
		*rf |= atoms_at_most(c, x, 8) & ATOMS_RF;
	if (is_rf || x->facts & CAT_SHRINKS)
		return true;
	return x->op == CAT_UNION && shrinks_but_for_rf(c, x->a, rf) &&
	       shrinks_but_for_rf(c, x->b, rf);
}

/* Does its closure shrink: does it lead from w to r with the iteration? */
static bool has_way_around(const struct cat *c, u32 node)
{
	u32 has = c->node[node].has, rf = 0, wanted = ATOM_LOC_RR;

	if (!shrinks_but_for_rf(c, node, &rf))
		return false;
	if (!rf)
		return true;
	/* If r is of the thread of u: w rf u po r. Else: w co w2 rf r, or w rf u po w2 rf r, where
	 * w2 ends the iteration. */
	wanted |= rf | ATOM_RFE;
	return (has & wanted) == wanted &&
	       ((has & ATOMS_CO) == ATOMS_CO ||
		       (has & (ATOM_RFI | ATOM_LOC_RW)) == (ATOM_RFI | ATOM_LOC_RW));
}

static u32 facts_of_inter(u32 a, u32 b)
{
	u32 f = (a & b & (EVENTUAL | CAT_CLOSED | CAT_NEW_ENDS | REMAINS)) |
		((a | b) & (WITHIN | PARTS));

	if (f & CAT_NEW_ENDS)
		f |= (a | b) & (CAT_NEW_LAST | CAT_NEW_IN);
	if (f & CAT_IN_PO && f & CAT_IN_LOC)
		f |= CAT_IN_COHERENCE;
	return f;
}

static u32 facts_of_diff(u32 a, u32 b)
{
	u32 f = a & (WITHIN | PARTS);

	if (b & CAT_EXACT)
		f |= a & (CAT_MONOTONE | CAT_EXACT);
	if (b & CAT_MONOTONE)
		f |= a & NEW;
	if (b & CAT_OF_ENDS)
		f |= a & REMAINS;
	return f | (a & b & (CAT_STATIC | CAT_CLOSED));
}

static u32 facts_of_seq(u32 a, u32 b)
{
	u32 f = a & b &
		(CAT_MONOTONE | CAT_STATIC | CAT_CAUSAL | CAT_BOUNDED | CAT_IN_CO | CAT_SHRINKS |
			ORDER | COM);

	if (a & b & CAT_EXACT && b & CAT_CAUSAL)
		f |= CAT_EXACT;
	if (f & CAT_BOUNDED)
		f |= ((a | b) & CAT_STRICT) | (a & b & CAT_CLOSED);
	if (a & b & CAT_NEW_LAST)
		f |= CAT_NEW_LAST | CAT_NEW_ENDS | ((a | b) & CAT_NEW_IN);
	if (a & CAT_IN_FR && b & CAT_IN_CO)
		f |= CAT_IN_BREAK | CAT_IN_FR;
	return f;
}

/* [set];r or r;[set] */
static u32 facts_of_filter(u32 set, u32 r)
{
	u32 f = (set & r & (EVENTUAL | CAT_CLOSED | REMAINS)) | (r & (WITHIN | PARTS));

	return set & CAT_NEW_ENDS ? f | (r & NEW) : f;
}

static u32 facts_of_closure(u32 a, enum cat_op op)
{
	u32 f = a & (CAT_MONOTONE | CAT_STATIC | CAT_CAUSAL | CAT_BOUNDED | CAT_SHRINKS);

	if (a & CAT_EXACT && (a & CAT_CAUSAL || op == CAT_OPT))
		f |= CAT_EXACT;
	if (a & CAT_BOUNDED || op == CAT_OPT)
		f |= a & CAT_CLOSED;
	if (a & CAT_NEW_LAST || op == CAT_OPT)
		f |= a & (CAT_NEW_LAST | CAT_NEW_ENDS);
	if (op == CAT_OPT)
		f |= a & CAT_OF_ENDS;
	if (op == CAT_PLUS)
		f |= a & (CAT_STRICT | CAT_NEW_IN | CAT_IN_CO | ORDER | COM);
	return f;
}

static u32 facts_of_range(u32 a)
{
	u32 f = a & (CAT_MONOTONE | CAT_STATIC | CAT_SHRINKS);

	if (a & CAT_CAUSAL)
		f |= a & CAT_EXACT;
	return a & CAT_NEW_LAST ? f | CAT_NEW_ENDS : f;
}

static u32 facts_of_not(u32 a)
{
	u32 f = a & CAT_EXACT ? LOCAL & ~(~a & (CAT_STATIC | CAT_CLOSED)) : 0;

	return a & CAT_OF_ENDS ? f | REMAINS : f & ~(u32)REMAINS;
}

static u32 facts_of(const struct cat *c, const struct cat_node *x)
{
	u32 a = c->node[x->a].facts, b = c->node[x->b].facts;

	switch (x->op) {
	case CAT_EMPTY: return ALL;
	case CAT_UNIVERSE: return LOCAL;
	case CAT_TAG: return x->a == MAP_IW ? LOCAL & ~REMAINS : LOCAL;
	case CAT_BASE: return base_facts[x->a];
	case CAT_VAR: return x->a ? a & ~(u32)(CAT_EXACT | CAT_OF_ENDS) : ALL;
	case CAT_UNION: return a & b;
	case CAT_INTER: return facts_of_inter(a, b);
	case CAT_DIFF: return facts_of_diff(a, b);
	case CAT_NOT: return facts_of_not(a);
	case CAT_SEQ: return facts_of_seq(a, b);
	case CAT_PLUS:
	case CAT_STAR:
	case CAT_OPT:
		return facts_of_closure(a, x->op) |
		       (x->op != CAT_OPT && has_way_around(c, x->a) ? CAT_SHRINKS : 0);
	case CAT_INVERSE: return a & (EVENTUAL | CAT_CLOSED | CAT_NEW_ENDS | REMAINS);
	case CAT_ID:
		return (a & (EVENTUAL | CAT_CLOSED | REMAINS)) | CAT_CAUSAL | CAT_BOUNDED |
		       (a & CAT_NEW_ENDS ? CAT_NEW_LAST | CAT_NEW_ENDS : 0);
	case CAT_PRODUCT: return a & b & LOCAL;
	case CAT_DOMAIN: return a & (CAT_MONOTONE | CAT_STATIC | CAT_SHRINKS);
	case CAT_RANGE: return facts_of_range(a);
	case CAT_FROM: return facts_of_filter(a, b);
	case CAT_TO: return facts_of_filter(b, a);
	/* That of a prefix is that of the execution, restricted; but a new event may begin order
	 * among others. */
	case CAT_ORDER: return a & b & CAT_MONOTONE;
	}
	return 0;
}

/* --- the model -------------------------------------------------------------------------------- */

static void find_facts(struct cat *c)
{
	bool changed = true;

	for (u32 i = 1; i < c->nnodes; i++) {
		c->node[i].facts = ALL;
		c->node[i].has = 0;
	}
	while (changed) {
		changed = false;
		for (u32 i = 1; i < c->nnodes; i++) {
			struct cat_node *x = &c->node[i];
			u32 facts = facts_of(c, x) & x->facts;
			u32 has = atoms_of(c, x) | x->has;

			changed |= facts != x->facts || has != x->has;
			x->facts = facts;
			x->has = has;
		}
	}
}

static enum cat_when when_checked(const struct cat *c, const struct cat_axiom *x)
{
	const u16 good = CAT_MONOTONE | CAT_NEW_LAST | CAT_NEW_IN;
	const struct cat_node *n = &c->node[x->node];

	if (x->negated || x->kind != CAT_REQUIRED)
		return CAT_AT_END;
	if (n->op == CAT_EMPTY || (n->facts & ACYCLIC && x->test != CAT_IS_EMPTY))
		return CAT_IMPLIED;
	if (x->test == CAT_IS_EMPTY)
		return n->facts & CAT_IN_RMW && n->facts & CAT_IN_BREAK ? CAT_IMPLIED : CAT_AT_END;
	return (n->facts & good) == good ? CAT_PRUNES : CAT_AT_END;
}

/* r of which `acyclic r' follows: the axiom's, or r of irreflexive r+, or irreflexive r+;s?. */
static u32 acyclic_atoms(const struct cat *c, const struct cat_axiom *x)
{
	const struct cat_node *n = &c->node[x->node], *a = &c->node[n->a], *b = &c->node[n->b];

	if (x->test == CAT_ACYCLIC || n->op == CAT_PLUS)
		return n->has;
	if (n->op == CAT_SEQ && a->op == CAT_PLUS && (b->op == CAT_OPT || b->op == CAT_STAR))
		return a->has;
	return 0;
}

/* irreflexive hb;eco? is coherence, if hb has po of a location and eco is transitive. */
static bool is_coherence(const struct cat *c, const struct cat_axiom *x)
{
	const struct cat_node *n = &c->node[x->node], *a = &c->node[n->a], *b = &c->node[n->b];

	if ((acyclic_atoms(c, x) & (ATOMS_LOC | ATOMS_COM)) == (ATOMS_LOC | ATOMS_COM))
		return true;
	if (x->test != CAT_IRREFLEXIVE || n->op != CAT_SEQ || (a->has & ATOMS_LOC) != ATOMS_LOC ||
		(b->has & (ATOMS_CO | ATOMS_FR)) != (ATOMS_CO | ATOMS_FR))
		return false;
	if (a->op == CAT_PLUS && (a->has & ATOMS_RF) == ATOMS_RF)
		return true;
	return b->op == CAT_OPT && c->node[b->a].op == CAT_PLUS && (b->has & ATOMS_RF) == ATOMS_RF;
}

/* Does an execution without an idle iteration satisfy the axiom if that with it does? */
static bool is_axiom_kept(const struct cat *c, const struct cat_axiom *x)
{
	if (x->when == CAT_IMPLIED)
		return true;
	if (x->kind != CAT_REQUIRED || x->negated)
		return false;
	return c->node[x->node].facts & CAT_SHRINKS ||
	       (x->test == CAT_ACYCLIC && has_way_around(c, x->node));
}

void analysis_model(struct cat *c)
{
	const u32 porf = ATOM_PO_RW | ATOM_LOC_RW | ATOM_RFE;

	find_facts(c);
	c->bounded = c->shrinks = true;
	for (u32 i = 0; i < c->naxioms; i++) {
		struct cat_axiom *x = &c->axiom[i];

		x->when = when_checked(c, x);
		c->shrinks &= is_axiom_kept(c, x);
		if (x->when == CAT_PRUNES && (c->node[x->node].facts & (CAT_CLOSED | CAT_STRICT)) !=
						     (CAT_CLOSED | CAT_STRICT))
			c->bounded = false;
		if (x->kind != CAT_REQUIRED || x->negated)
			continue;
		c->acyclic_porf |= (acyclic_atoms(c, x) & porf) == porf;
		c->coherent |= is_coherence(c, x);
	}
}
