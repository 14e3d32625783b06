/* SPDX-License-Identifier: ISC */
/* kater.c - heddle kater: claims about memory models, proved or refuted. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/command.h"
#include "die.h"
#include "kater/answer.h"
#include "kater/program.h"
#include "path.h"
#include "temporary.h"

static struct {
	const struct settings *s;
	const char *folder; /* of programs; NULL: none are made */
	unsigned claims, wrong, unknown, programs;
	json_t *all;
} state;

static const char *const verdict_words[] = {"holds", "fails", "unknown"};

/* --- programs --------------------------------------------------------------------------------- */

static const char *model_word(const struct kater_model *m)
{
	return m->path ? m->path : m->name;
}

/* The program of a counterexample, and its results under both models. */
static void make_counterexample(const struct claim *c, const struct answer *a, json_t *to)
{
	const char *problem = program_problem(&a->execution), *about, *name;
	const struct kater_model *models[] = {a->allows, a->forbids};
	char *program;

	if (problem) {
		printf("        no program: %s\n", problem);
		return;
	}
	name = xprintf("kater%u", ++state.programs);
	about = xprintf(" * %s.c - %s: an execution that %s allows%s%s\n *\n * %s\n", name, c->text,
		a->allows->name, a->forbids ? ", and not " : "", a->forbids ? a->forbids->name : "",
		answer_word(c, &a->word));
	program = program_build(&a->execution, about, state.folder, name);
	if (state.s->output)
		printf("        %s.c\n", program);
	json_object_set_new(to, "program", json_string(xprintf("%s.c", program)));
	for (u32 i = 0; i < 2 && state.s->run_programs; i++) {
		int observed;

		if (!models[i] || models[i]->drop_from)
			continue;
		/* A model that forbids the smaller execution forbids the larger one, too. */
		if (!i && models[i]->without) {
			printf("        not run: %s has fewer axioms than its file\n",
				models[i]->name);
			continue;
		}
		observed = program_observed(program, model_word(models[i]));
		printf("        heddle run --model %s: %s\n", path_base(model_word(models[i])),
			observed < 0 ? "not complete"
			: observed   ? "it happens"
				     : "it does not happen");
		json_object_set_new(to, i ? "happens_in_weaker" : "happens_in_stronger",
			observed < 0 ? json_null() : json_boolean(observed));
	}
}

/* --- answers ---------------------------------------------------------------------------------- */

static void print_answer(const struct claim *c, const struct answer *a, json_t *to)
{
	printf("%-7s %s\n", a->refused ? "refused" : verdict_words[a->verdict], c->text);
	if (a->refused)
		printf("        %s\n", a->refused);
	if (a->word.n && *a->axiom)
		printf("        axiom %s of %s: %s\n", a->axiom, a->forbids->name,
			answer_word(c, &a->word));
	else if (a->word.n)
		printf("        %s\n", answer_word(c, &a->word));
	if (a->verdict == VERDICT_FAILS && a->has_execution)
		printf("        %s\n", program_line(&a->execution));
	for (u32 i = 0; i < a->nnotes; i++)
		printf("        %s\n", a->note[i]);
	if (a->verdict == VERDICT_FAILS && a->has_execution && state.folder)
		make_counterexample(c, a, to);
}

static json_t *answer_json(const struct claim *c, const struct answer *a)
{
	json_t *o = json_object();

	json_object_set_new(o, "claim", json_string(c->text));
	json_object_set_new(o, "file", json_string(c->where.file));
	json_object_set_new(o, "line", json_integer(c->where.number));
	json_object_set_new(o, "verdict", json_string(verdict_words[a->verdict]));
	json_object_set_new(o, "expected", json_string(c->refute ? "fails" : "holds"));
	json_object_set_new(o, "seconds", json_real(a->seconds));
	json_object_set_new(
		o, "word", a->word.n ? json_string(answer_word(c, &a->word)) : json_null());
	json_object_set_new(o, "axiom", *a->axiom ? json_string(a->axiom) : json_null());
	json_object_set_new(o, "refused", a->refused ? json_string(a->refused) : json_null());
	json_object_set_new(o, "execution",
		a->has_execution && a->verdict == VERDICT_FAILS
			? json_string(program_line(&a->execution))
			: json_null());
	return o;
}

static void answer_claims(const struct query *q)
{
	static struct answer a;

	for (u32 i = 0; i < q->nclaims; i++) {
		const struct claim *c = &q->claim[i];
		json_t *o;

		answer_find(c, &a);
		o = answer_json(c, &a);
		print_answer(c, &a, o);
		fflush(stdout);
		json_array_append_new(state.all, o);
		state.claims++;
		if (a.refused || a.verdict == VERDICT_UNKNOWN)
			state.unknown++;
		else if ((a.verdict == VERDICT_FAILS) != c->refute)
			state.wrong++;
	}
}

/* --- the command ------------------------------------------------------------------------------ */

static char *claim_of_words(char **words, int n)
{
	char *text = xstrdup(words[0]);

	for (int i = 1; i < n; i++)
		text = xprintf("%s %s", text, words[i]);
	return text;
}

static bool names_file(const char *word)
{
	size_t n = strlen(word);

	return n > 4 && !strcmp(word + n - 4, ".kat");
}

static void write_json(const char *path)
{
	FILE *f = strcmp(path, "-") != 0 ? fopen(path, "we") : stdout;

	if (!f)
		die("%s: %s", path, strerror(errno));
	if (json_dumpf(state.all, f, JSON_INDENT(2)) != 0 || fputc('\n', f) < 0 || fflush(f) != 0)
		die("%s: %s", path, strerror(errno));
}

static void open_programs(const struct settings *s)
{
	state.folder = s->output ? s->output : s->run_programs ? temporary_folder("kater") : NULL;
	if (s->output && mkdir(s->output, 0777) != 0 && errno != EEXIST)
		die("%s: %s", s->output, strerror(errno));
	if (!state.folder && s->run_programs)
		die("cannot make a folder for programs: %s", strerror(errno));
}

static int run_kater(int argc, char **argv)
{
	static struct settings s;
	int first = settings_read(&s, &command_kater, argc, argv);

	if (first == argc)
		die("kater: name a file of claims, or write one, as in `heddle kater sc within "
		    "tso'");
	state.s = &s;
	state.all = json_array();
	open_programs(&s);
	if (names_file(argv[first])) {
		for (int i = first; i < argc; i++) {
			struct query q = query_read(argv[i], NULL);

			answer_claims(&q);
		}
	} else {
		struct query q = query_read("claim", claim_of_words(argv + first, argc - first));

		answer_claims(&q);
	}
	if (state.claims > 1 || state.unknown)
		printf("heddle: %u claim%s, %u not as expected, %u not decided\n", state.claims,
			state.claims == 1 ? "" : "s", state.wrong, state.unknown);
	if (s.json)
		write_json(s.json);
	if (state.folder && !s.output)
		remove_folder(state.folder);
	return state.wrong ? EXIT_FINDING : state.unknown ? EXIT_CUT : EXIT_CLEAN;
}

const struct command command_kater = {
	.name = "kater",
	.summary = "claims about memory models: proved, or refuted by a program",
	.usage = "[OPTIONS] FILE.kat... | CLAIM",
	.text = "Decide claims about memory models: that one allows only what another does, that "
		"two\n"
		"are equal, that a model allows a reordering, or forbids a kind of cycle; and "
		"about\n"
		"relations. A claim that fails comes with a shortest cycle, and an execution that\n"
		"has it; with --run, a C program of it is compiled, and explored under both "
		"models.\n"
		"`heddle help kater' has the language.\n\n"
		"Exit status: 0 all claims hold, or fail where that is expected; 1 not; 2 usage, "
		"or\n"
		"a mistake in a file; 3 a claim is not decided.\n",
	.examples = "  heddle kater sc within tso\n"
		    "  heddle kater --run tso within sc\n"
		    "  heddle kater --output programs examples/models.kat\n",
	.groups = GROUP_KATER,
	.run = run_kater,
};
