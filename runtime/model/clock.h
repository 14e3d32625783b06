/* SPDX-License-Identifier: ISC */
/* clock.h - vector clocks: how many events of each thread, in lanes of 8 so that a join is a few
 * vector instructions. */
#ifndef MODEL_CLOCK_H
#define MODEL_CLOCK_H

#include "base/base.h"

#define CLOCK_LANES TINY(2, 8) /* a clock has a multiple of so many entries */

/* Signed, as processors compare signed lanes: no thread has more events than CLOCK_MAX. */
#define CLOCK_MAX 0x7fffu
typedef int16_t clock_vector
	__attribute__((vector_size(2 * CLOCK_LANES), aligned(2 * CLOCK_LANES)));

static inline void clock_join(u16 *to, const u16 *from, u32 lanes)
{
	for (u32 i = 0; i < lanes; i += CLOCK_LANES) {
		clock_vector a = *(clock_vector *)(to + i), b = *(const clock_vector *)(from + i);
		clock_vector more = a > b;

		*(clock_vector *)(to + i) = (a & more) | (b & ~more);
	}
}

static inline void clock_copy(u16 *to, const u16 *from, u32 lanes)
{
	for (u32 i = 0; i < lanes; i += CLOCK_LANES)
		*(clock_vector *)(to + i) = *(const clock_vector *)(from + i);
}

#endif
