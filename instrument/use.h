/* SPDX-License-Identifier: ISC */
/* use.h - does a load's value decide what happens next? */
#ifndef INSTRUMENT_USE_H
#define INSTRUMENT_USE_H

#include "llvm_pass.h"

/*
 * Which bytes of what is loaded, the lowest first, a bit each, are sure to be used: by a branch, as
 * an address, or by an atomic store. 0: none, or unknown.
 */
unsigned use_bytes(struct pass *p, LLVMValueRef load);

#endif
