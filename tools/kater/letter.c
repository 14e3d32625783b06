/* SPDX-License-Identifier: ISC */
/* letter.c - see letter.h. */
#include "kater/letter.h"

#include <stdio.h>

#define ACCESSES (KINDS_READS | KINDS_WRITES)

/* By enum kind_op; 0: all. */
static const struct {
	const char *name;
	u32 source, target;
} bases[LETTER_BASES] = {
	[LETTER_DIF] = {"po", 0, 0},
	[LETTER_LOC] = {"po-loc", ACCESSES, ACCESSES},
	[LETTER_ADDR] = {"addr", KINDS_READS, ACCESSES},
	[LETTER_DATA] = {"data", KINDS_READS, KINDS_WRITES},
	[LETTER_CTRL] = {"ctrl", KINDS_READS, 0},
	[LETTER_RMW] = {"rmw", 1u << KIND_RMW_READ | 1u << KIND_SYNC_RMW_READ,
		1u << KIND_RMW_WRITE | 1u << KIND_SYNC_RMW_WRITE},
	[LETTER_RFI] = {"rfi", KINDS_WRITES, KINDS_READS},
	[LETTER_RFE] = {"rfe", KINDS_WRITES, KINDS_READS},
	[LETTER_COI] = {"coi", KINDS_WRITES, KINDS_WRITES},
	[LETTER_COE] = {"coe", KINDS_WRITES, KINDS_WRITES},
	[LETTER_FRI] = {"fri", KINDS_READS, KINDS_WRITES},
	[LETTER_FRE] = {"fre", KINDS_READS, KINDS_WRITES},
};

static kinds some(u32 ops)
{
	return ops ? kinds_of(ops) : KINDS_ALL;
}

kinds letter_source(u32 letter)
{
	return letter < LETTER_BASES	   ? some(bases[letter].source)
	       : letter < 2 * LETTER_BASES ? some(bases[letter - LETTER_INVERSE].target)
					   : KINDS_ALL;
}

kinds letter_target(u32 letter)
{
	return letter < LETTER_BASES	   ? some(bases[letter].target)
	       : letter < 2 * LETTER_BASES ? some(bases[letter - LETTER_INVERSE].source)
					   : KINDS_ALL;
}

letters letters_inverse(letters l)
{
	letters to = l & (L(ANY) | L(START));

	to |= (l & LETTERS_BASE) << LETTER_INVERSE;
	to |= l >> LETTER_INVERSE & LETTERS_BASE;
	for (u32 i = LETTER_FREE; i + 1 < 64; i += 2) {
		to |= (l >> i & 1) << (i + 1);
		to |= (l >> (i + 1) & 1) << i;
	}
	return to;
}

const char *letter_name(u32 letter, const char *const *own)
{
	static char text[4][60];
	static u32 turn;
	char *to = text[turn++ % 4];

	if (letter < LETTER_BASES)
		return bases[letter].name;
	if (letter < LETTER_ANY)
		snprintf(to, sizeof text[0], "%s^-1", bases[letter - LETTER_INVERSE].name);
	else if (letter < LETTER_FREE)
		return "any";
	else
		snprintf(to, sizeof text[0], "%s%s", own ? own[(letter - LETTER_FREE) / 2] : "r",
			(letter - LETTER_FREE) % 2 ? "^-1" : "");
	return to;
}
