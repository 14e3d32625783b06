/* SPDX-License-Identifier: ISC */
/*
 * letter.h - the letters of words: relations between two events next to each other on a path.
 *
 * Program order has two letters, for accesses of the same location and for others; each kind of
 * communication has two, within a thread and between threads. A dependency is a letter of its own,
 * an edge of po of which more is known. Each letter has an inverse. A file may declare others, of
 * which nothing is known.
 */
#ifndef KATER_LETTER_H
#define KATER_LETTER_H

#include "kater/kind.h"

typedef u64 letters;

enum letter {
	LETTER_DIF, /* po, not within one location */
	LETTER_LOC, /* po & loc */
	LETTER_ADDR,
	LETTER_DATA,
	LETTER_CTRL,
	LETTER_RMW,
	LETTER_RFI,
	LETTER_RFE,
	LETTER_COI,
	LETTER_COE,
	LETTER_FRI,
	LETTER_FRE,
	LETTER_BASES,
	LETTER_INVERSE = LETTER_BASES, /* + a letter */
	LETTER_ANY = 2 * LETTER_BASES, /* all pairs of events */
	LETTER_START,		       /* before the first event of a word */
	LETTER_FREE, /* the first of a file's own, each with its inverse behind it */
};
#define LETTERS_FREE ((64 - LETTER_FREE) / 2)

#define L(name)	       (1ull << LETTER_##name)
#define LETTERS_PO     (L(DIF) | L(LOC))
#define LETTERS_RF     (L(RFI) | L(RFE))
#define LETTERS_CO     (L(COI) | L(COE))
#define LETTERS_FR     (L(FRI) | L(FRE))
#define LETTERS_DEPS   (L(ADDR) | L(DATA) | L(CTRL))
#define LETTERS_EXT    (L(RFE) | L(COE) | L(FRE))
#define LETTERS_BASE   ((1ull << LETTER_BASES) - 1)
#define LETTERS_WITHIN (LETTERS_PO | LETTERS_DEPS | L(RMW) | L(RFI) | L(COI) | L(FRI))
/* Those between accesses of one location. */
#define LETTERS_SAME (L(LOC) | L(RMW) | LETTERS_RF | LETTERS_CO | LETTERS_FR)

/* The kinds that it leads from, and to. */
kinds letter_source(u32 letter);
kinds letter_target(u32 letter);

/* The inverses. */
letters letters_inverse(letters l);

/* "rfe", "rmw^-1"; own: the names of a file's letters, or NULL. */
const char *letter_name(u32 letter, const char *const *own);

#endif
