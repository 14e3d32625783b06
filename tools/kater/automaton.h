/* SPDX-License-Identifier: ISC */
/*
 * automaton.h - finite automata for the cycles of a relation.
 *
 * A cycle of events is a word: for each event the letter of the edge that leads to it and its kind,
 * in a circle. The automaton has no first and no last state. A walk from a state to itself spells
 * such a word. Where the relation's expression ends and begins again, a transition is marked: with
 * MARK_ONCE a walk is a cycle of the relation if it has exactly one mark (irreflexive), with
 * MARK_MORE if it has at least one (acyclic).
 *
 * A set of words, not circles, is a circle that contains LETTER_START once.
 */
#ifndef KATER_AUTOMATON_H
#define KATER_AUTOMATON_H

#include "kater/term.h"

enum mark { MARK_NONE, MARK_ONCE, MARK_MORE };

/* From an event of `source' by one of the letters to one of `target'. */
struct transition {
	u32 from, to;
	letters l;
	kinds source, target;
	u8 mark; /* enum mark */
};

struct automaton {
	u32 n, nt, room;
	struct transition *t;
	kinds identity; /* events that the relation relates to themselves: an empty word */
};

/* The cycles of e, each time around with this mark. */
struct automaton *automaton_cycles(const struct term *e, enum mark mark);
/* The words of e. */
struct automaton *automaton_words(const struct term *e);

u32 automaton_state(struct automaton *a);
void automaton_add(struct automaton *a, struct transition t);
/* Adds the states of b to a. */
void automaton_join(struct automaton *a, const struct automaton *b);
/* Removes states on no marked cycle, and merges states with the same future. */
void automaton_reduce(struct automaton *a);
/* Skips the fences of a view, which lie beside events of a program. */
void automaton_hide(struct automaton *a, const struct kind_view *v);
/* Restricts each letter to the kinds of events that it can relate. */
void automaton_restrict(struct automaton *a);
/* Splits states until no transition has a condition on its source. */
void automaton_split(struct automaton *a);

#endif
