/* SPDX-License-Identifier: ISC */
/* hardware.h - the explorer under hardware's models against the axioms. */
#ifndef AGREE_HARDWARE_H
#define AGREE_HARDWARE_H

#include <stdbool.h>
#include <stdint.h>

/* Litmus tests, then so many random programs of each kind; prints TAP. model: -1, or only this one.
 * Returns whether all agree. */
bool hardware_programs(int programs, uint64_t seed, int model, bool show);

extern const char *const hp_model_names[4];

#endif
