/* SPDX-License-Identifier: ISC */
/* manual.c - see manual.h. */
#include "help/manual.h"

#include <ctype.h>
#include <string.h>

#include "die.h"
#include "help/page.h"
#include "option/opt.h"

/* --- heddle(1) ------------------------------------------------------------------------------- */

/* Text for man: a line must not begin with a dot or a quote; backslashes and hyphens are
 * literal. */
static void put_manual_text(FILE *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if ((!i || s[i - 1] == '\n') && (s[i] == '.' || s[i] == '\''))
			fputs("\\&", out);
		if (s[i] == '\\')
			fputs("\\e", out);
		else if (s[i] == '-')
			fputs("\\-", out);
		else
			fputc(s[i], out);
	}
}

static void put_roff(FILE *out, const char *s)
{
	put_manual_text(out, s, strlen(s));
}

static void put_upper(FILE *out, const char *s)
{
	for (; *s; s++)
		fputc(toupper((unsigned char)*s), out);
}

static void put_option(FILE *out, const struct option_text *o)
{
	fputs(".TP\n.B ", out);
	if (o->letter)
		fprintf(out, "\\-%c\\fR, \\fB", o->letter);
	fputs("\\-\\-", out);
	put_roff(out, o->name);
	if (*o->value)
		fprintf(out, " \\fI%s", o->value);
	fputc('\n', out);
	put_roff(out, o->help);
	if (o->standard) {
		fputs(" [", out);
		put_roff(out, o->standard);
		fputc(']', out);
	}
	fputc('\n', out);
}

/* Has an earlier command described the option? */
static bool is_described(const struct command *c, const char *name)
{
	struct option_text o;

	for (unsigned i = 0; commands[i] && commands[i] != c; i++)
		for (unsigned k = 0; option_text(commands[i], k, &o); k++)
			if (!strcmp(o.name, name) && o.index != ~0u)
				return true;
	return false;
}

static void put_options(FILE *out, const struct command *c)
{
	struct option_text o;
	bool others = false;

	for (unsigned i = 0; option_text(c, i, &o); i++) {
		if (is_described(c, o.name))
			others = true;
		else if (strcmp(o.name, "help"))
			put_option(out, &o);
	}
	if (others)
		fprintf(out, ".PP\n"
			     "and the options of the search (see\n"
			     ".BR heddle\\ run ).\n");
}

static void put_manual_paragraphs(FILE *out, const char *text)
{
	for (const char *end; *text; text = end + strspn(end, "\n")) {
		end = strstr(text, "\n\n");
		end = end ? end : text + strlen(text);
		fputs(".PP\n", out);
		put_manual_text(out, text, (size_t)(end - text));
		if (end[-1] != '\n')
			fputc('\n', out);
	}
}

static void put_manual_command(FILE *out, const struct command *c)
{
	fputs(".SH HEDDLE ", out);
	put_upper(out, c->name);
	fprintf(out, "\n.B heddle %s\n", c->name);
	put_roff(out, c->usage);
	fputc('\n', out);
	put_manual_paragraphs(out, c->text);
	put_options(out, c);
	fputs(".PP\nExamples:\n.PP\n.nf\n", out);
	put_roff(out, c->examples);
	fputs(".fi\n", out);
}

static void put_detectors(FILE *out)
{
	const char *name, *words;
	bool on;

	fputs(".SH DETECTORS\n"
	      "Switched by\n"
	      ".BR \\-\\-detect ;\n"
	      "heddle help NAME prints the page of each.\n",
		out);
	for (unsigned i = 0; (name = detect_describe(i, &words, &on)); i++) {
		fprintf(out, ".TP\n.B %s\n", name);
		put_roff(out, words);
		fputs(on ? " [on]\n" : " [off]\n", out);
	}
}

/* The text of a page, without the line with its name. */
static void put_topic(FILE *out, const struct page *p)
{
	const char *text = strchr(p->text, '\n') + 1;

	fputs(".SH ", out);
	put_upper(out, p->name);
	fputs("\n.nf\n", out);
	put_roff(out, text + strspn(text, "\n"));
	fputs(".fi\n", out);
}

void manual_page(FILE *out)
{
	fprintf(out,
		".\\\" made by heddle help --man\n.TH HEDDLE 1 \"%s\" \"heddle %s\" \"User "
		"Commands\"\n",
		HEDDLE_DATE, HEDDLE_VERSION);
	fputs(".SH NAME\n"
	      "heddle \\- find data races and weak memory errors in C programs\n"
	      ".SH SYNOPSIS\n"
	      ".B heddle\n"
	      ".I COMMAND\n"
	      "[OPTIONS] ...\n"
	      ".SH DESCRIPTION\n",
		out);
	fputs("Heddle runs a concurrent C program, compiled with\n"
	      ".BR heddle\\-cc (1),\n"
	      "many times, each time with a different order of its threads and of the stores in "
	      "their store buffers, until\n"
	      "one execution fails or all have been explored. Every command prints its page with\n"
	      ".BR \\-\\-help .\n",
		out);
	for (unsigned i = 0; commands[i]; i++)
		put_manual_command(out, commands[i]);
	put_detectors(out);
	for (const struct page *p = pages; p->name; p++)
		if (!page_is_detector(p))
			put_topic(out, p);
	fputs(".SH EXIT STATUS\n"
	      ".TP\n"
	      ".B 0\n"
	      "explored completely, nothing found\n"
	      ".TP\n"
	      ".B 1\n"
	      "a finding\n"
	      ".TP\n"
	      ".B 2\n"
	      "usage or environment\n"
	      ".TP\n"
	      ".B 3\n"
	      "nothing found, but incomplete\n"
	      ".TP\n"
	      ".B 70\n"
	      "a bug in heddle\n",
		out);
	fputs(".SH FILES\n.TP\n.I heddle.supp\nknown findings, in the current directory "
	      "(\\-\\-suppressions)\n.TP\n"
	      ".I *.heddle\nreplay files\n.SH SEE ALSO\n.BR heddle\\-cc (1),\n.BR heddle.h (3)\n",
		out);
}

/* --- completion ------------------------------------------------------------------------------ */

/* The k-th name that the value of an option may have; NULL: there are no more. */
static const char *choice(const struct option_text *o, unsigned k)
{
	const char *name, *unused;
	unsigned i = o->index;

	/* --from, --to and --level are options of the search under other names. */
	for (unsigned at = 0; i == ~0u && option_describe(at, &name, &unused, &unused); at++)
		if (!strcmp(name, strcmp(o->name, "to") ? o->name : "model"))
			i = at;
	return option_choice(i, k);
}

/* The possible values of the tool's own options. */
static const struct {
	const char *option, *words;
} own_choices[] = {
	{"annotate", "auto always never"},
	{"color", "auto always never"},
	{"complete", "bash zsh"},
	{"cost", "acquire= release= acq_rel= seq_cst= fence-acquire= fence-release= fence-acq_rel= "
		 "fence-seq_cst="},
};

/* Is the value a list of names with commas; for --detect also with + or - in front? */
static bool is_list(const struct option_text *o)
{
	return !strcmp(o->name, "detect") || !strcmp(o->name, "changes");
}

static const char *own_words(const struct option_text *o)
{
	for (size_t i = 0; i < array_size(own_choices); i++)
		if (!strcmp(own_choices[i].option, o->name))
			return own_choices[i].words;
	return NULL;
}

static bool has_choices(const struct option_text *o)
{
	return choice(o, 0) || is_list(o) || own_words(o);
}

/* All of them, with spaces between them. */
static void put_choices(FILE *out, const struct option_text *o)
{
	const char *name;

	if (!strcmp(o->name, "detect"))
		fputs("all none ", out);
	else if (!strcmp(o->name, "changes"))
		fputs("order after-store before-store after-load before-load all", out);
	else if (own_words(o))
		fputs(own_words(o), out);
	for (unsigned k = 0; (name = choice(o, k)); k++)
		fprintf(out, "%s%s", k ? " " : "", name);
}

static void put_command_words(FILE *out)
{
	for (unsigned i = 0; commands[i]; i++)
		fprintf(out, "%s%s", i ? " " : "", commands[i]->name);
}

/* The arguments of `heddle help`. */
static void put_help_words(FILE *out)
{
	put_command_words(out);
	for (const struct page *p = pages; p->name; p++)
		fprintf(out, " %s", p->name);
}

static bool takes_replay_files(const struct command *c)
{
	return strstr(c->usage, "FILE") && !strstr(c->usage, "PROGRAM");
}

/* case "$command" in run) ...;; with the words for options, or the choices of each. */
static void put_bash(FILE *out, const struct command *c)
{
	struct option_text o;

	fprintf(out, "\t%s)\n\t\tcase $before in\n", c->name);
	for (unsigned i = 0; option_text(c, i, &o); i++) {
		if (!has_choices(&o))
			continue;
		fprintf(out, "\t\t--%s) words=\"", o.name);
		put_choices(out, &o);
		fprintf(out, "\"%s ;;\n", is_list(&o) ? " list=1" : "");
	}
	fputs("\t\t*) if [[ $now == -* ]]; then words=\"", out);
	for (unsigned i = 0; option_text(c, i, &o); i++)
		fprintf(out, "%s--%s", i ? " " : "", o.name);
	if (!strcmp(c->name, "help")) {
		fputs("\"; else words=\"", out);
		put_help_words(out);
	} else if (takes_replay_files(c)) {
		fputs("\"; else files='!*.heddle", out);
	}
	fprintf(out, "%c; fi ;;\n\t\tesac ;;\n", takes_replay_files(c) ? '\'' : '"');
}

static void complete_bash(FILE *out)
{
	fputs("# completion of heddle for bash: eval \"$(heddle help --complete bash)\"\n"
	      "_heddle() {\n"
	      "\tlocal now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= "
	      "list= files= head=\n"
	      "\tif [[ $now == = ]]; then now=; fi\n"
	      "\tif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
	      "\tif [[ $COMP_CWORD == 1 ]]; then\n\t\tCOMPREPLY=($(compgen -W \"",
		out);
	put_command_words(out);
	fputs("\" -- \"$now\"))\n\t\treturn\n\tfi\n\tcase ${COMP_WORDS[1]} in\n", out);
	for (unsigned i = 0; commands[i]; i++)
		put_bash(out, commands[i]);
	fputs("\tesac\n"
	      "\tif [[ $list ]]; then # of names: what is before the last one stays\n"
	      "\t\tif [[ $now == *,* ]]; then head=${now%,*},; now=${now##*,}; fi\n"
	      "\t\tif [[ $now == [+-]* ]]; then head+=${now:0:1}; now=${now:1}; fi\n"
	      "\tfi\n"
	      "\tif [[ $words ]]; then\n"
	      "\t\tCOMPREPLY=($(compgen -P \"$head\" -W \"$words\" -- \"$now\"))\n"
	      "\t\tif [[ $list || ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; "
	      "fi\n"
	      "\telse\n"
	      "\t\tCOMPREPLY=($(compgen -f -X \"$files\" -- \"$now\") $(compgen -d -- \"$now\"))\n"
	      "\tfi\n"
	      "}\n"
	      "complete -o filenames -F _heddle heddle\n",
		out);
}

/* Text for zsh, with quotes, brackets and colons escaped. */
static void put_zsh_text(FILE *out, const char *s)
{
	for (; *s; s++) {
		if (*s == '\'')
			fputs("'\\''", out);
		else if (strchr("[]:\\", *s))
			fprintf(out, "\\%c", *s);
		else
			fputc(*s, out);
	}
}

/* :NAME:(possible values) */
static void put_zsh_value(FILE *out, const struct option_text *o)
{
	if (!*o->value)
		return;
	fprintf(out, ":%s:", o->value);
	if (is_list(o)) {
		fputs("_heddle_list ", out);
		put_choices(out, o);
	} else if (has_choices(o)) {
		fputc('(', out);
		put_choices(out, o);
		fputc(')', out);
	} else {
		fputs("_files", out);
	}
}

static void put_zsh(FILE *out, const struct command *c)
{
	struct option_text o;

	fprintf(out, "\t%s) _arguments -s", c->name);
	for (unsigned i = 0; option_text(c, i, &o); i++) {
		fprintf(out, " \\\n\t\t'--%s%s[", o.name, *o.value ? "=" : "");
		put_zsh_text(out, o.help);
		fputc(']', out);
		put_zsh_value(out, &o);
		fputc('\'', out);
	}
	if (!strcmp(c->name, "help")) {
		fputs(" \\\n\t\t'1:name:(", out);
		put_help_words(out);
		fputs(")' ;;\n", out);
	} else if (takes_replay_files(c)) {
		fputs(" \\\n\t\t'*:replay file:_files -g \"*.heddle\"' ;;\n", out);
	} else {
		fputs(" \\\n\t\t'*:file:_files' ;;\n", out);
	}
}

static void complete_zsh(FILE *out)
{
	fputs("#compdef heddle\n"
	      "# completion of heddle for zsh: a file _heddle in a folder of $fpath\n"
	      "_heddle_list() { # names with commas between them, + or - in front\n"
	      "\tcompset -P '*,'\n\tcompset -P '[+-]'\n\tcompadd -S '' -- ${argv:#-*}\n}\n"
	      "if ((CURRENT == 2)); then\n\tlocal -a names=(", out);
	for (unsigned i = 0; commands[i]; i++) {
		fprintf(out, "\n\t\t'%s:", commands[i]->name);
		put_zsh_text(out, commands[i]->summary);
		fputc('\'', out);
	}
	fputs(")\n\t_describe command names\n\treturn\nfi\nlocal command=$words[2]\nshift words\n"
	      "((CURRENT--))\ncase $command in\n", out);
	for (unsigned i = 0; commands[i]; i++)
		put_zsh(out, commands[i]);
	fputs("esac\n", out);
}

void manual_complete(const char *shell, FILE *out)
{
	if (!strcmp(shell, "bash"))
		complete_bash(out);
	else if (!strcmp(shell, "zsh"))
		complete_zsh(out);
	else
		die("help: no completion for `%s': wanted bash or zsh", shell);
}
