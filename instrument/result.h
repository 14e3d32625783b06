/* SPDX-License-Identifier: ISC */
/* result.h - what is the result of an atomic addition used for? */
#ifndef INSTRUMENT_RESULT_H
#define INSTRUMENT_RESULT_H

#include "llvm_pass.h"

/* Its use: compared with `with' plus `plus', a constant or a parameter of the function. */
struct result {
	enum heddle_result_use use;
	LLVMValueRef with;
	unsigned plus;
};

/* rmw: an integer of at most 8 bytes. */
struct result result_of(LLVMValueRef rmw);

#endif
