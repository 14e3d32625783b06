/* SPDX-License-Identifier: ISC */
/* option_value.h - the values of options as text. A reader accepts the whole text, or nothing. */
#ifndef BASE_OPTION_VALUE_H
#define BASE_OPTION_VALUE_H

#include "base/option.h"

struct text;

/* Digits, and k, m or g. */
bool value_read_number(const char *s, u64 *value);

/* "2/7": the number in the lower half, from 1 on; how many there are in the upper one; 0: none. */
bool value_read_shard(const char *s, u64 *value);
void value_show_shard(struct text *t, u64 value);

/* "2", "0.25", ".5", "2s", "300ms", "5m", "1h": microseconds; further digits are ignored. */
bool value_read_seconds(const char *s, u64 *value);
void value_show_seconds(struct text *t, u64 microseconds);

/* on, yes ... or off, no ... */
bool value_read_flag(const char *s, u64 *value);

/* One of n names: its number. */
bool value_read_name(const char *s, const char *const *names, size_t n, u64 *value);

/* Names of detectors, separated by commas; or additions to *value, +leak-heap, and removals. */
bool value_read_detectors(const char *s, u64 *value);
void value_show_detectors(struct text *t, u64 value);

/* The i-th detector of detect.def; NULL: no more. */
const char *detect_name(unsigned i);

#endif
