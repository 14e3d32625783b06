/* SPDX-License-Identifier: ISC */
/*
 * live.h - liveness of the contents of a private variable.
 *
 * For one variable of private.h at a time, before anything in the function is rewritten.
 */
#ifndef INSTRUMENT_LIVE_H
#define INSTRUMENT_LIVE_H

#include "map.h"
#include "shim.h"

struct live {
	unsigned long long
		size;	    /* of the variable in bytes; 0: not known, or not always the same */
	struct map use;	    /* instruction: enum live_use */
	struct map first;   /* block: the first use in it that decides, READS or REPLACES */
	struct map changed; /* blocks in which it may be written */
};

void live_analyse(struct live *l, LLVMTargetDataRef layout, LLVMValueRef variable);
void live_release(struct live *l);

/* May the block write the variable? */
bool live_changes(const struct live *l, LLVMBasicBlockRef block);

/* Does the instruction access it, and if so: replace all of it without reading it? */
bool live_is_used(const struct live *l, LLVMValueRef instruction);
bool live_is_replaced(const struct live *l, LLVMValueRef instruction);

/* May the value of the variable at the beginning of the block be read later? */
bool live_at(const struct live *l, LLVMBasicBlockRef block);

#endif
