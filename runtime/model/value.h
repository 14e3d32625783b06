/* SPDX-License-Identifier: ISC */
/* value.h - the new value of a read-modify-write. */
#ifndef MODEL_VALUE_H
#define MODEL_VALUE_H

#include "base/base.h"

/* a <op> b for operands of so many bytes (1, 2, 4, 8, 16); op is HEDDLE_ADD ... of heddle/abi.h.
 * The result may have more bits than fit: the caller cuts them off. */
u128 value_apply(u32 size, u128 a, u128 b, int op);

/* The lowest `size' bytes, at most 8, as a signed number. */
i64 value_signed(u64 v, u32 size);

#endif
