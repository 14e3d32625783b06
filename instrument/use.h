/* SPDX-License-Identifier: ISC */
/* use.h - does control flow depend on a load's value? */
#ifndef INSTRUMENT_USE_H
#define INSTRUMENT_USE_H

#include "llvm_pass.h"

/*
 * The bytes of a load, a bit each, the lowest first, that are certainly used: by a branch, as an
 * address, or by an atomic store. 0: none, or unknown.
 */
unsigned use_bytes(struct pass *p, LLVMValueRef load);

#endif
