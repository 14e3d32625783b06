/* SPDX-License-Identifier: ISC */
/* compare.c - heddle compare: behaviour possible under one memory model but not another. */
#include <stdio.h>

#include "command/command.h"
#include "die.h"
#include "job/job.h"
#include "model/model.h"
#include "path.h"

/* Is the finding possible under the explored model, and not under the other? */
static bool is_new_finding(const struct found *f)
{
	return !f->suppressed && f->status && !f->status->in_from;
}

/* A failure under both models is a finding, but not one of this comparison. */
static void name_known(const struct result *r, FILE *out)
{
	for (unsigned i = 0; i < r->nfindings; i++) {
		const struct found *f = &r->findings[i];

		if (f->suppressed || is_new_finding(f))
			continue;
		fprintf(out, "FAILED  under %s as well: %s\n", r->summary.from, found_message(f));
		if (found_replay(f))
			fprintf(out, "  replay    heddle replay %s\n",
				shell_word(path_here(found_replay(f))));
		fputc('\n', out);
	}
}

static void show_comparison(struct job *j)
{
	const struct result *r = &j->result;

	for (unsigned i = 0; !j->s.quiet && i < r->nfindings; i++)
		if (is_new_finding(&r->findings[i]) && r->findings[i].report)
			text_report(r->findings[i].report, &j->s.style, j->to.text);
	suppressions_show(&j->rules, r->findings, r->nfindings, j->to.text);
	name_known(r, j->to.text);
	text_outcomes(&r->summary, j->to.text);
	text_compare(&r->summary, result_names(r), j->to.text);
	text_summary(&r->summary, j->to.text);
}

static bool is_reference(enum model_id m)
{
	return model_has_machine(model_of(m)) || model_of(m)->allows;
}

/* "sc, tso or pso": the models by which executions of others can be judged. */
static char *reference_names(void)
{
	char *names = NULL;
	u32 last = MODEL_CAT;

	while (!is_reference(last - 1))
		last--;
	for (u32 m = 0; m < last; m++)
		if (is_reference(m))
			names = !names ? xstrdup(model_name(m))
				       : xprintf("%s%s%s", names, m + 1 == last ? " or " : ", ",
						 model_name(m));
	return names;
}

static void check_compare_options(struct options *o)
{
	if (o->from == MODEL_AUTO)
		o->from = MODEL_SC;
	if (o->model == MODEL_AUTO)
		o->model = MODEL_OF_GRAPHS;
	if (!is_reference(o->from))
		die("compare: --from %s: executions of other models cannot be judged by it: "
		    "compare from %s",
			model_name(o->from), reference_names());
	if (o->from == o->model)
		die("compare: --from and --to are the same model: %s", model_name(o->from));
	if (o->strategy != STRATEGY_GRAPH || o->equivalence != EQUIVALENCE_RF_CO ||
		option_is_bounded(o))
		die("compare: models are compared by their execution graphs: --strategy graph, "
		    "--equivalence "
		    "rf+co, no --preemptions, no --delays");
	if (o->checkpoint[0] || o->resume[0])
		die("compare: not with --checkpoint or --resume");
	o->keep_going = 1;
	o->max_findings = STATUS_FINDINGS;
}

static int run_compare(int argc, char **argv)
{
	static struct job j;

	job_prepare(&j, &command_compare, argc, argv);
	check_compare_options(&j.s.explore);
	job_explore(&j);
	if (j.result.error)
		die("%s", j.result.error);
	if (!j.result.summary.compare && (j.child.interrupted || j.child.killed)) {
		text_summary(&j.result.summary, j.to.text ? j.to.text : stderr);
		return j.exit_code;
	}
	if (!j.result.summary.compare)
		die("compare: the program's process died: see `heddle run --model %s'",
			model_name(j.s.explore.model));
	if (j.to.text)
		show_comparison(&j);
	results_write(&(struct results){.program = j.setup.argv[0],
			      .command_line = command_line(argv),
			      .at = &j.result,
			      .n = 1,
			      .exit_code = j.exit_code,
			      .suppressions = j.rules.rule,
			      .nsuppressions = j.rules.n},
		&j.to);
	return j.exit_code;
}

const struct command command_compare = {
	.name = "compare",
	.summary = "behaviour possible under one memory model and not under another",
	.usage = "[OPTIONS] PROGRAM [ARGUMENTS]",
	.text = "Explore a program under the model --to, and list the findings, outcomes\n"
		"(values that heddle_observe() has seen together) or end states (global\n"
		"variables, and return values of threads) that are impossible under the model\n"
		"--from, each with an execution. A program without any is portable: its tests\n"
		"under --from need not be repeated under --to.\n\n"
		"Exit status: 0 portable; 1 not portable, or it fails under both models; 2\n"
		"usage or environment; 3 unknown: the exploration is incomplete.\n",
	.examples =
		"  heddle compare --from sc --to tso ./queue_test\n"
		"  heddle compare --from tso --to rc11 --level findings ./queue_test\n"
		"  heddle compare --json - --from tso --to pso ./litmus | jq .compare.verdict\n",
	.groups = GROUP_EXPLORE | GROUP_RENDER | GROUP_RUN | GROUP_COMPARE,
	.run = run_compare,
};
