/* SPDX-License-Identifier: ISC */
/* read_replay.h - replay files from disk. */
#ifndef REPLAY_READ_REPLAY_H
#define REPLAY_READ_REPLAY_H

#include "event/trace.h"

/* Read a replay file, or die with its mistake, the position and a remedy. */
const struct trace *load_trace(const char *path);

/* The same, but warns and returns NULL. */
const struct trace *load_trace_or_warn(const char *path);

#endif
