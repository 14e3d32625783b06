/* SPDX-License-Identifier: ISC */
/*
 * tally.h - loads whose values make no difference: HEDDLE_USED_COUNTS.
 *
 * `turns++' loads a value, adds to it, and stores the result at the same address, all in one block;
 * printf("%lu\n", turns) shows it, on standard output or standard error, and its own result is not
 * used. If all loads of a variable are such ones, its contents are not part of the program's state
 * (runtime/graph/tally.h).
 */
#ifndef INSTRUMENT_TALLY_H
#define INSTRUMENT_TALLY_H

#include "llvm_pass.h"

bool tally_counts(struct pass *p, LLVMValueRef load);

#endif
