/* SPDX-License-Identifier: ISC */
/* crash_replay.h - a finding from a process that died without a word. */
#ifndef TOOLS_CRASH_REPLAY_H
#define TOOLS_CRASH_REPLAY_H

#include "child.h"
#include "elffile.h"
#include "opt.h"

/*
 * Add the finding to the status page, with a replay file if one can be written. False: there is
 * none. What others send (SIGKILL for want of memory, or by hand; SIGXCPU, SIGTERM, ...) is the
 * program's doing only if it dies of it once more in the same execution again; else the page has a
 * note that says what happened.
 */
bool lost_finding(struct child *c, const struct child_setup *setup, const struct settings *s,
	const struct elf_facts *facts);

/* A finding that there was no time to record: a replay file with its choices only. */
void lost_choices(struct child *c, u32 at, const struct child_setup *setup,
	const struct settings *s, const struct elf_facts *facts);

#endif
