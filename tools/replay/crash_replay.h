/* SPDX-License-Identifier: ISC */
/* crash_replay.h - a finding from a process that died without a report. */
#ifndef REPLAY_CRASH_REPLAY_H
#define REPLAY_CRASH_REPLAY_H

#include "child/child.h"
#include "option/opt.h"
#include "program/elffile.h"

/*
 * Add the finding to the status page, with a replay file if one can be written. False: there is
 * none. A signal from outside (SIGKILL for lack of memory, or by hand; SIGXCPU, SIGTERM, ...) is
 * attributed to the program only if the same execution ends by it again; else the page has a note.
 */
bool lost_finding(struct child *c, const struct child_setup *setup, const struct settings *s,
	const struct elf_facts *facts);

/* A finding without time to record it: a replay file with its choices only. */
void lost_choices(struct child *c, u32 at, const struct child_setup *setup,
	const struct settings *s, const struct elf_facts *facts);

#endif
