/* SPDX-License-Identifier: ISC */
/* model.c - heddle model: memory models, and properties of one in a file. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cat/words.h"
#include "command/command.h"
#include "command/model_show.h"
#include "die.h"
#include "option/model_file.h"
#include "path.h"

/* --- check ------------------------------------------------------------------------------------ */

/* Why it is not checked earlier, and where. */
static char *late_words(const struct cat *c, u32 axiom)
{
	const struct cat_axiom *x = &c->axiom[axiom];
	u32 part = cat_late_part(c, axiom);
	struct cat_where w = cat_where_token(c, part ? c->node[part].token : x->token);
	const char *why = part && c->node[part].facts & CAT_MONOTONE
				  ? "a new event may extend earlier pairs"
			  : part       ? "it may lose pairs as the execution grows"
			  : x->negated ? "it is negated"
				       : "it is `empty'";
	char expression[100];
	struct text to = text_begin(expression, sizeof expression);

	if (!part)
		return xprintf("    %s", why);
	cat_words(c, part, true, &to);
	return xprintf("    %s: %s (%s:%u:%u)", expression, why, w.file, w.number, w.column);
}

static const char *when_words(const struct cat_axiom *x)
{
	static const char *const words[] = {
		[CAT_PRUNES] = "checked on every graph",
		[CAT_AT_END] = "checked on complete executions only",
		[CAT_IMPLIED] = "holds in every execution that is explored",
	};

	return x->kind == CAT_FLAG || x->kind == CAT_UNDEFINED
		       ? "a flag: a finding of complete executions"
		       : words[x->when];
}

static void show_axioms(const struct cat *c)
{
	char name[80];

	for (u32 i = 0; i < c->naxioms; i++) {
		cat_axiom_name(c, i, name);
		printf("  %-28s %s\n", name, when_words(&c->axiom[i]));
		if (c->axiom[i].when == CAT_AT_END && c->axiom[i].kind == CAT_REQUIRED)
			printf("%s\n", late_words(c, i));
	}
}

static void show_warnings(const struct cat *c)
{
	for (u32 i = 0; i < c->nwarnings; i++) {
		struct cat_where w = cat_where_token(c, c->warning[i].token);
		u32 n;
		const char *text = cat_text(c, c->warning[i].token, &n);

		printf("%s:%u:%u: warning: `%.*s' %s\n", w.file, w.number, w.column, (int)n, text,
			c->warning[i].words);
	}
}

static int check_file(const char *path)
{
	struct cat *c = model_file_read(path);

	show_warnings(c);
	printf("%s: %u axiom%s\n", path, c->naxioms, c->naxioms == 1 ? "" : "s");
	show_axioms(c);
	printf("  load buffering               %s\n",
		c->acyclic_porf	 ? "excluded by the model"
		: c->map.causes ? "allowed, and explored"
				: "not excluded: executions with it are not explored");
	printf("  coherence                    %s\n",
		c->coherent ? "required by the model"
			    : "not seen to be required: executions without it are not explored");
	return EXIT_CLEAN;
}

/* --- list ------------------------------------------------------------------------------------- */

static int is_model(const struct dirent *d)
{
	const char *dot = strrchr(d->d_name, '.');

	return dot && !strcmp(dot, ".cat");
}

static int list_models(void)
{
	struct dirent **file;
	const char *folder = model_file_folder();
	int n = folder ? scandir(folder, &file, is_model, alphasort) : 0;

	printf("built in: %sor a file\n", MODEL_NAMES);
	for (int i = 0; i < n; i++)
		printf("%s\n", path_here(xprintf("%s/%s", folder, file[i]->d_name)));
	return EXIT_CLEAN;
}

static int run_model(int argc, char **argv)
{
	struct settings s;
	int first = settings_read(&s, &command_model, argc, argv);
	const char *what = first < argc ? argv[first] : "";

	if (!strcmp(what, "list") && first + 1 == argc)
		return list_models();
	if (!strcmp(what, "check") && first + 2 == argc)
		return check_file(argv[first + 1]);
	if (!strcmp(what, "show") && first + 2 == argc)
		return model_show(argv[first + 1]);
	die("model: wanted `check FILE.cat', `show FILE.cat' or `list' (heddle help cat)");
}

const struct command command_model = {
	.name = "model",
	.summary = "memory models, and models in files",
	.usage = "list | check FILE.cat | show FILE.cat",
	.text = "list: the models that are built in, and the files that are installed.\n"
		"check: read a model as `heddle run --model FILE.cat' does, and print when its\n"
		"axioms are checked and what is not explored.\n"
		"show: its sets and relations as they are computed, and the time that each axiom\n"
		"takes over one graph.\n\n"
		"Exit status: 0; 2 the file has a mistake.\n",
	.examples = "  heddle model list\n"
		    "  heddle model check tso.cat\n"
		    "  heddle model show tso.cat\n",
	.groups = GROUP_MODEL,
	.run = run_model,
};
