/* SPDX-License-Identifier: ISC */
/* suppress.c - a file of suppressions, and findings to match with its rules. */
#include "fuzz.h"

#include "event/status.h"
#include "job/suppress.h"

static const struct status_finding known[] = {
	{.finding = {.kind = FINDING_ASSERTION,
		 .line = 7,
		 .message = "assertion `a' failed",
		 .file = "src/queue.c",
		 .function = "push"}},
	{.finding = {.kind = FINDING_RACE,
		 .line = 24,
		 .message = "data race on x",
		 .file = "./stats.c",
		 .function = "count_all"}},
	{.finding = {.kind = FINDING_DEADLOCK, .message = "deadlock"}},
};

#define KNOWN (sizeof(known) / sizeof(known[0]))

void fuzz_suppress(const u8 *data, size_t size)
{
	struct suppressions rules;
	struct found found[KNOWN];

	fuzz_file(data, size);
	rules = suppressions_read("fuzz.supp");
	for (unsigned i = 0; i < KNOWN; i++) {
		found[i] = (struct found){.status = &known[i]};
		found[i].suppressed = suppressions_match(&rules, &found[i]);
	}
	suppressions_count(&rules, found, KNOWN);
	for (unsigned i = 0; i < rules.n; i++)
		FUZZ_CHECK(rules.rule[i].kind && rules.rule[i].findings <= KNOWN);
}
