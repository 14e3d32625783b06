/* SPDX-License-Identifier: ISC */
/*
 * status.c - the page that the tested process shares with the tool, after a store through a wild
 * pointer: it is refused, or makes documents. An input has the changes: two bytes of an offset in
 * 32 bits, one of a length of up to 32, new bytes.
 */
#include "fuzz.h"

#include <string.h>

#include "base/option.h"
#include "documents.h"
#include "child/status_page.h"

#define USED offsetof(struct status, choices)

static struct status page;

static void fill(void)
{
	memset(&page, 0, USED);
	page.magic = STATUS_MAGIC;
	page.size = sizeof(page);
	page.state = STATUS_DONE;
	page.executions = 4;
	page.exit_code = 1;
	page.failing = 1;
	page.model = MODEL_TSO;
	page.nfindings = 2;
	strcpy(page.suite, "suite");
	strcpy(page.test, "test");
	page.findings[0] = (struct status_finding){{.kind = FINDING_ASSERTION,
							   .message = "assertion `x' failed",
							   .file = "x.c",
							   .line = 7},
		.execution = 3, .replay = "x.heddle"};
	page.findings[1].finding =
		(struct finding){.kind = FINDING_RACE, .message = "data race on x"};
	strcpy(page.coverage[0], "a note");
	page.outcomes.nnames = page.outcomes.n = 2;
	strcpy(page.outcomes.name[0], "r0");
	strcpy(page.outcomes.name[1], "r1");
	page.outcomes.row[0] = (struct status_outcome){.executions = 3, .has = 3, .value = {0, 1}};
	page.outcomes.row[1] = (struct status_outcome){.executions = 1, .has = 1};
	page.compare.portable = PORTABLE_NOT;
	page.compare.level = LEVEL_STATE;
	page.compare.new_states = 1;
	page.compare.state[0] = (struct end_state){.executions = 1, .n = 1, .item = {{4096, 1, 4}}};
}

/* An offset of used data: after the page's head, or the first items of each array. */
static size_t place(const u8 *data)
{
	static const size_t begin[] = {0, offsetof(struct status, findings),
		offsetof(struct status, note), offsetof(struct status, coverage),
		offsetof(struct status, outcomes), offsetof(struct status, outcomes.row),
		offsetof(struct status, compare), offsetof(struct status, compare.state),
		offsetof(struct status, tests)};

	return begin[data[0] % array_size(begin)] + (data[1] | (data[0] / array_size(begin)) << 8);
}

static void change(const u8 *data, size_t size)
{
	u8 *bytes = (u8 *)&page;

	while (size > 3) {
		size_t at = place(data), n = data[2] % 32 + 1u;

		data += 3;
		size -= 3;
		for (; n && size && at < USED; n--, size--)
			bytes[at++] = *data++;
	}
}

void fuzz_status(const u8 *data, size_t size)
{
	struct found found[STATUS_FINDINGS];
	struct result result = {.findings = found};
	struct summary *sum = &result.summary;

	fill();
	change(data, size);
	if (!page_is_whole(&page))
		return;
	for (unsigned i = 0; i < page.nfindings; i++)
		found[i] = (struct found){.status = &page.findings[i]};
	result.nfindings = page.nfindings;
	result.suite = page.suite;
	result.name = size & 1 ? page.test : NULL;
	*sum = (struct summary){.model = model_name((enum model_id)page.model),
		.strategy = strategy_name((enum strategy)page.chosen),
		.known = true,
		.complete = page.complete,
		.equivalence = equivalence_name((enum equivalence)page.equivalence),
		.executions = page.executions,
		.blocked = page.blocked,
		.failing = page.failing,
		.steps = page.steps,
		.bounds = page.bounds,
		.estimate = page.estimate,
		.outcomes = &page.outcomes,
		.exit_code = page.exit_code};
	if (page.compare.portable) {
		sum->compare = &page.compare;
		sum->from = "sc";
	}
	for (unsigned i = 0; i < array_size(page.coverage) && page.coverage[i][0]; i++)
		sum->coverage[sum->ncoverage++] = page.coverage[i];
	fuzz_documents(&(struct results){.program = "x",
		.command_line = "heddle run x",
		.at = &result,
		.n = 1,
		.exit_code = page.exit_code});
}
