/* SPDX-License-Identifier: ISC */
/* read_replay.h - replay files from disk. */
#ifndef TOOLS_READ_REPLAY_H
#define TOOLS_READ_REPLAY_H

#include "event/trace.h"

/* Read a replay file, or die with one line that says where it is wrong and what to do. */
const struct trace *load_trace(const char *path);

/* The same, but returns NULL, having warned. */
const struct trace *load_trace_or_warn(const char *path);

#endif
