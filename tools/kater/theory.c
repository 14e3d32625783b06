/* SPDX-License-Identifier: ISC */
/* theory.c - see theory.h. */
#include "kater/theory.h"

#include <stdlib.h>

#include "die.h"

#define READS  kinds_of(KINDS_READS)
#define WRITES kinds_of(KINDS_WRITES)
#define FENCES kinds_of(KINDS_FENCES)

#define RF_INVERSE (LETTERS_RF << LETTER_INVERSE)

/* A transition t is widened: new paths from t.from to t.to. */
struct widening {
	struct automaton *a;
	const struct theory *theory;
	letters within_loc, in_po, communicates;
	/* States in front of the end of a path: the same for all paths to it. */
	struct hub {
		u32 to, state;
		u8 how, mark;
		kinds target;
	} * hub;
	u32 nhubs, room;
};

static void add_transition(struct widening *w, const struct transition *t, u32 from, letters l,
	kinds source, bool ends, u32 to)
{
	automaton_add(w->a, (struct transition){from, ends ? t->to : to, l, source,
				    ends ? t->target : ~0ull, ends ? t->mark : MARK_NONE});
}

/* The hub `how' of t's end; *fresh: it is new. */
static u32 hub(struct widening *w, const struct transition *t, u8 how, bool *fresh)
{
	for (u32 i = 0; i < w->nhubs; i++) {
		const struct hub *h = &w->hub[i];

		*fresh = false;
		if (h->to == t->to && h->how == how && h->mark == t->mark && h->target == t->target)
			return h->state;
	}
	if (w->nhubs == w->room) {
		w->room = 2 * w->room + 64;
		w->hub = xgrow(w->hub, w->room * sizeof(*w->hub));
	}
	*fresh = true;
	w->hub[w->nhubs++] = (struct hub){t->to, automaton_state(w->a), how, t->mark, t->target};
	return w->hub[w->nhubs - 1].state;
}

/* before*; core; after* */
static void add_path(struct widening *w, const struct transition *t, u8 how, letters before,
	letters core, letters after)
{
	bool fresh;
	u32 first = hub(w, t, how, &fresh), last = hub(w, t, (u8)(how + 1), &fresh);

	add_transition(w, t, t->from, before, t->source, false, first);
	add_transition(w, t, t->from, core, t->source, false, last);
	add_transition(w, t, t->from, core, t->source, true, 0);
	if (!fresh)
		return;
	add_transition(w, t, first, before, ~0ull, false, first);
	add_transition(w, t, first, core, ~0ull, false, last);
	add_transition(w, t, first, core, ~0ull, true, 0);
	add_transition(w, t, last, after, ~0ull, false, last);
	add_transition(w, t, last, after, ~0ull, true, 0);
}

/* --- program order ---------------------------------------------------------------------------- */

enum {
	HOW_PO = 0,
	HOW_DIF = 2,
	HOW_LOC = 4,
	HOW_ORDER = 6,
	HOW_BETWEEN = 8,
	HOW_INSIDE = 10,
	HOW_READ = 12,
	HOW_BACK = 13,
};

static void widen_po(struct widening *w, struct transition t)
{
	struct transition fenced = t;

	if ((t.l & LETTERS_PO) == LETTERS_PO) {
		add_path(w, &t, HOW_PO, w->in_po, w->in_po, 0);
		return;
	}
	if (t.l & L(LOC))
		add_path(w, &t, HOW_LOC, w->within_loc, w->within_loc, 0);
	if (!(t.l & L(DIF)))
		return;
	add_path(w, &t, HOW_DIF, w->within_loc, L(DIF), w->within_loc);
	fenced.source &= FENCES;
	add_path(w, &fenced, HOW_PO, w->in_po, w->in_po, 0);
	fenced = t;
	fenced.target &= FENCES;
	add_path(w, &fenced, HOW_PO, w->in_po, w->in_po, 0);
}

/* --- the order of writes ---------------------------------------------------------------------- */

/* co, or fr: paths of communication from a write, or read, to a write. */
static void widen_coherent(struct widening *w, struct transition t, letters inside, letters between)
{
	letters back = w->theory->inverse ? RF_INVERSE : 0;

	t.target &= WRITES;
	if (t.l & inside && t.l & between)
		add_path(w, &t, HOW_ORDER, w->communicates | back, w->communicates, 0);
	else if (t.l & between)
		add_path(w, &t, HOW_BETWEEN, w->within_loc, LETTERS_EXT, w->within_loc);
	else
		add_path(w, &t, HOW_INSIDE, w->within_loc, w->within_loc, 0);
}

/* From `from' by co, or by a read of the write that it is. */
static void add_writes(
	struct widening *w, const struct transition *t, u32 from, kinds source, u32 order, u32 read)
{
	add_transition(w, t, from, LETTERS_CO, source, false, order);
	add_transition(w, t, from, LETTERS_CO, source, true, 0);
	add_transition(w, t, from, LETTERS_RF, source, false, read);
}

/* Without coherence: co is (co | rf; fr | rf; rf^-1; co)+, fr is fr | rf^-1; co and then co. */
static void widen_order(struct widening *w, const struct transition *t, bool reads)
{
	bool fresh, unused;
	u32 order = hub(w, t, HOW_ORDER, &fresh), read = hub(w, t, HOW_READ, &unused),
	    back = hub(w, t, HOW_BACK, &unused);

	if (reads) {
		add_transition(w, t, t->from, LETTERS_FR, t->source, false, order);
		add_transition(w, t, t->from, LETTERS_FR, t->source, true, 0);
		add_transition(w, t, t->from, RF_INVERSE, t->source, false, back);
	} else {
		add_writes(w, t, t->from, t->source, order, read);
	}
	if (!fresh)
		return;
	add_writes(w, t, order, ~0ull, order, read);
	add_writes(w, t, back, ~0ull, order, read);
	add_transition(w, t, read, LETTERS_FR, ~0ull, false, order);
	add_transition(w, t, read, LETTERS_FR, ~0ull, true, 0);
	add_transition(w, t, read, RF_INVERSE, ~0ull, false, back);
}

static void widen_writes(
	struct widening *w, struct transition t, letters inside, letters between, bool reads)
{
	if (!(t.l & (inside | between)))
		return;
	t.source &= reads ? READS : WRITES;
	if (w->theory->coherent)
		widen_coherent(w, t, inside, between);
	else if (t.l & inside && t.l & between)
		widen_order(w, &t, reads);
	else if (t.l & between)
		add_path(w, &t, HOW_BETWEEN, reads ? 0 : L(COI), between, L(COI));
	else
		add_path(w, &t, HOW_INSIDE, reads ? 0 : L(COI), inside, L(COI));
}

/* --- all -------------------------------------------------------------------------------------- */

/* Each event that is written: to a read of it, and back. */
static void add_returns(struct automaton *a)
{
	for (u32 q = a->n; q--;) {
		u32 read = automaton_state(a);

		automaton_add(
			a, (struct transition){q, read, LETTERS_RF, WRITES, READS, MARK_NONE});
		automaton_add(
			a, (struct transition){read, q, RF_INVERSE, READS, WRITES, MARK_NONE});
	}
}

void theory_widen(struct automaton *a, const struct theory *t)
{
	struct widening w = {.a = a, .theory = t};
	u32 n = a->nt;

	w.within_loc = L(LOC) | L(RMW) | L(RFI) | (t->coherent ? L(COI) | L(FRI) : 0);
	w.in_po = w.within_loc | L(DIF) | LETTERS_DEPS;
	w.communicates = w.within_loc | LETTERS_RF | LETTERS_CO | LETTERS_FR;
	for (u32 i = 0; i < n; i++) {
		struct transition x = a->t[i];

		if (x.l & LETTERS_PO)
			widen_po(&w, x);
		widen_writes(&w, x, L(COI), L(COE), false);
		widen_writes(&w, x, L(FRI), L(FRE), true);
		if (x.l & L(ANY))
			add_path(&w, &x, HOW_PO, ~0ull, ~0ull, 0);
	}
	if (t->inverse)
		add_returns(a);
	free(w.hub);
	automaton_reduce(a);
}

const struct term *theory_atomicity(void)
{
	return term_seq(term_letters(L(FRE)),
		term_seq(term_letters(L(COE)), term_letters(L(RMW) << LETTER_INVERSE)));
}
