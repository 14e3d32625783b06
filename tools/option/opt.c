/* SPDX-License-Identifier: ISC */
/*
 * opt.c - the command line.
 *
 * The options of an exploration come from option.def, which the runtime reads too; the tool's own
 * are in the table below. getopt_long() gets its table from both, and so does the help.
 */
#include "option/opt.h"

#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "die.h"
#include "option/model_file.h"
#include "path.h"
#include "source/primitive.h"

enum own {
	OWN_JSON = 1000,
	OWN_JUNIT,
	OWN_SARIF,
	OWN_HTML,
	OWN_ANNOTATE,
	OWN_STACKS,
	OWN_ALL,
	OWN_COLUMNS,
	OWN_WIDTH,
	OWN_COLOR,
	OWN_REPLAY_DIR,
	OWN_STDIN,
	OWN_SUPPRESSIONS,
	OWN_PRIMITIVE,
	OWN_SUITE,
	OWN_MPI,
	OWN_LIST,
	OWN_TEST,
	OWN_QUIET,
	OWN_VERBOSE,
	OWN_GDB,
	OWN_COVERAGE,
	OWN_BACKTRACE,
	OWN_CORE,
	OWN_FLIGHT,
	OWN_VALUES,
	OWN_LAST,
	OWN_MAN,
	OWN_COMPLETE,
	OWN_FROM,
	OWN_TO,
	OWN_LEVEL,
	OWN_ALL_REPAIRS,
	OWN_FAST,
	OWN_PATCH,
	OWN_COST,
	OWN_CHANGES,
	OWN_PICTURE,
	OWN_OUTPUT,
	OWN_OPERATIONS,
	OWN_EXPECTED,
	OWN_RUN,
	OWN_THREADS,
	OWN_HELP,
	OWN_EXPLORE = 2000, /* plus the index in option.def */
};

/* Commands that report places in the program. */
#define GROUP_PLACES \
	(GROUP_RENDER | GROUP_REPAIR | GROUP_RELAX | GROUP_DRAW | GROUP_EXPLAIN | GROUP_KNOWN)

static const struct own_option {
	const char *name;
	char letter;
	int id;
	unsigned groups;
	const char *value, *help;
} own_options[] = {
	{"json", 0, OWN_JSON, GROUP_RENDER | GROUP_REPAIR | GROUP_RELAX | GROUP_MERGE, "FILE",
		"write everything as JSON as well; -: to standard output, without text"},
	{"junit", 0, OWN_JUNIT, GROUP_RENDER, "FILE", "likewise as JUnit XML"},
	{"sarif", 0, OWN_SARIF, GROUP_RENDER, "FILE", "likewise as SARIF 2.1.0"},
	{"html", 0, OWN_HTML, GROUP_RENDER, "FILE",
		"likewise as one page for a browser; DIR/: a page for each finding, and an index "
		"(heddle help html)"},
	{"annotate", 0, OWN_ANNOTATE, GROUP_RENDER, "WHEN",
		"print findings as GitHub annotations: always, never, or auto: if GITHUB_ACTIONS "
		"is true"},
	{"stacks", 0, OWN_STACKS, GROUP_RENDER, "", "the call stack of every step"},
	{"all", 0, OWN_ALL, GROUP_RENDER, "", "every step of a long execution"},
	{"output", 'o', OWN_PICTURE, GROUP_DRAW, "FILE",
		"the drawing: FILE.svg, FILE.dot or FILE.png"},
	{"output", 0, OWN_OUTPUT, GROUP_GENERATE, "DIR",
		"folder of the clients (default: LIST.clients in the current one)"},
	{"output", 0, OWN_OUTPUT, GROUP_LITMUS, "DIR",
		"folder where the tests' programs stay (default: they are removed)"},
	{"run", 0, OWN_RUN, GROUP_KATER, "",
		"compile a program of each counterexample, and explore it under both models"},
	{"output", 0, OWN_OUTPUT, GROUP_KATER, "DIR",
		"folder where these programs stay (default: they are removed)"},
	{"json", 0, OWN_JSON, GROUP_KATER, "FILE",
		"write the answers as JSON as well; -: to standard output"},
	{"expected", 0, OWN_EXPECTED, GROUP_LITMUS, "FILE",
		"compare the results with those in a log of herd or of heddle litmus"},
	{"operations", 0, OWN_OPERATIONS, GROUP_GENERATE, "N",
		"operations of a client, at most (2 to 9, default 4)"},
	{"threads", 0, OWN_THREADS, GROUP_GENERATE, "N",
		"threads of a client, at most (2 to 8, default 3)"},
	{"list", 0, OWN_LIST, GROUP_GENERATE, "",
		"write the clients, and print their names"},
	{"test", 0, OWN_TEST, GROUP_GENERATE, "GLOB", "only clients with a matching name"},
	{"all", 0, OWN_ALL, GROUP_DRAW, "",
		"every event, including those visible to one thread only"},
	{"columns", 0, OWN_COLUMNS, GROUP_RENDER, "",
		"a column for each thread, if the width suffices"},
	{"width", 0, OWN_WIDTH, GROUP_RENDER | GROUP_EXPLAIN, "N",
		"width of the report (default: the terminal's)"},
	{"color", 0, OWN_COLOR, GROUP_RENDER, "WHEN", "auto, always or never"},
	{"replay-dir", 'o', OWN_REPLAY_DIR, GROUP_RUN, "DIR",
		"folder of replay files (default: the current one)"},
	{"stdin", 0, OWN_STDIN, GROUP_RUN | GROUP_REPLAY | GROUP_REPAIR | GROUP_RELAX, "FILE",
		"standard input of the program (default: empty)"},
	{"suppressions", 0, OWN_SUPPRESSIONS, GROUP_RUN | GROUP_REPAIR | GROUP_RELAX | GROUP_KNOWN,
		"FILE", "known findings (default: heddle.supp, if it exists)"},
	{"primitive", 0, OWN_PRIMITIVE, GROUP_PLACES, "GLOB",
		"functions, or files of functions, that reports place at their calls; !GLOB: "
		"others (heddle help places)"},
	{"backtrace", 0, OWN_BACKTRACE, GROUP_REPRODUCE, "FILE",
		"a text with the call stacks of the failure; -: standard input"},
	{"core", 0, OWN_CORE, GROUP_REPRODUCE, "FILE", "its core file"},
	{"flight", 0, OWN_FLIGHT, GROUP_REPRODUCE, "FILE",
		"the file of its flight recorder (heddle help recorder)"},
	{"values", 0, OWN_VALUES, GROUP_REPRODUCE, "NAMES",
		"variables, separated by commas, that are to have their values of the core file"},
	{"last", 0, OWN_LAST, GROUP_FLIGHT, "N",
		"events of each thread, at most (default 10)"},
	{"coverage", 0, OWN_COVERAGE, GROUP_SUITE, "",
		"print the lines that no execution has reached, and the branches that have gone "
		"one way only (heddle help coverage)"},
	{"gdb", 0, OWN_GDB, GROUP_REPLAY, "", "open gdb at the failure"},
	{"from", 0, OWN_FROM, GROUP_COMPARE, "MODEL",
		"the reference model (default: sc)"},
	{"to", 0, OWN_TO, GROUP_COMPARE, "MODEL", "the model to explore (default: rc11)"},
	{"level", 0, OWN_LEVEL, GROUP_COMPARE, "LEVEL",
		"compare, besides findings: outcomes (heddle_observe), state (globals and return "
		"values of threads), executions, or findings only (default: outcomes if any are "
		"observed, else state)"},
	{"suite", 0, OWN_SUITE, GROUP_SUITE, "",
		"explore each test of the program separately (heddle help suites)"},
	{"mpi", 0, OWN_MPI, GROUP_SUITE, "",
		"explore with all processes that mpirun or srun has started (heddle help "
		"machines)"},
	{"list", 0, OWN_LIST, GROUP_SUITE, "", "with --suite: only print the names of the tests"},
	{"test", 0, OWN_TEST, GROUP_SUITE, "GLOB", "with --suite: only tests with a matching name"},
	{"quiet", 'q', OWN_QUIET, GROUP_RUN, "", "no report, only the last line"},
	{"man", 0, OWN_MAN, GROUP_HELP, "", "the manual page heddle(1), for man -l -"},
	{"complete", 0, OWN_COMPLETE, GROUP_HELP, "SHELL",
		"command-line completion for bash or zsh"},
	{"verbose", 'v', OWN_VERBOSE, GROUP_RUN | GROUP_REPLAY | GROUP_REPAIR | GROUP_RELAX, "",
		"print progress"},
	{"patch", 0, OWN_PATCH, GROUP_REPAIR | GROUP_RELAX, "FILE",
		"write the diff to FILE (default: print it)"},
	{"cost", 0, OWN_COST, GROUP_REPAIR, "KIND=N",
		"cost of a change: KIND is acquire, release, acq_rel or seq_cst, or fence- and one "
		"of these"},
	{"changes", 0, OWN_CHANGES, GROUP_REPAIR, "KINDS",
		"permitted changes: order, after-store, before-store, after-load, before-load "
		"(fences there), all"},
	{"all", 0, OWN_ALL_REPAIRS, GROUP_REPAIR | GROUP_RELAX, "",
		"show all repairs of least cost, or all minimal choices"},
	{"fast", 0, OWN_FAST, GROUP_REPAIR, "", "a minimal repair, not necessarily the cheapest"},
	{"help", 'h', OWN_HELP, ~0u, "", "this text"},
};

#define OPTIONS_MAX 80
#define JOBS_LETTER 'j' /* of --jobs, the only option of option.def that has one */

/* --- mistakes -------------------------------------------------------------------------------- */

const char *nearest(const char *name, const char *const *names)
{
	const char *best = NULL;
	unsigned distance = 4;

	for (; *names; names++) {
		unsigned d = text_distance(name, *names);

		if (d < distance && d < strlen(*names) && d <= (strlen(name) + 1) / 2) {
			distance = d;
			best = *names;
		}
	}
	return best;
}

void die_unknown(const char *what, const char *name, const char *const *names)
{
	const char *best = nearest(name, names);

	if (best)
		die("no %s `%s': did you mean `%s'?", what, name, best);
	die("no %s `%s': see `heddle help'", what, name);
}

static _Noreturn void die_option(
	const struct command *c, const char *word, const struct option *table)
{
	const char *names[OPTIONS_MAX + 1], *best, *typed;
	char name[64];
	unsigned n = 0;

	typed = xprintf("%.*s", (int)strcspn(word, "="), word);
	snprintf(name, sizeof(name), "%s", typed + strspn(typed, "-"));
	for (; table[n].name; n++) {
		names[n] = table[n].name;
		if (strchr(word, '=') && !strcmp(name, names[n]))
			die("%s: option `%s' takes no value", c->name, typed);
	}
	names[n] = NULL;
	best = nearest(name, names);
	if (best)
		die("%s: no option `%s': did you mean `--%s'?", c->name, typed, best);
	die("%s: no option `%s': `heddle help %s' lists them", c->name, typed, c->name);
}

static void command_defaults(const struct command *c, struct options *o)
{
	option_defaults(o);
	if (c->defaults)
		c->defaults(o);
}

/* --- reading --------------------------------------------------------------------------------- */

/* getopt's table for a command; letters gets its short options. */
static void build_table(const struct command *c, struct option *table, char *letters)
{
	const char *name, *shape, *help;
	unsigned n = 0;

	letters += sprintf(letters, "+:");
	for (size_t i = 0; i < array_size(own_options); i++) {
		const struct own_option *o = &own_options[i];

		if (!(o->groups & c->groups) && o->id != OWN_HELP)
			continue;
		table[n++] = (struct option){
			o->name, *o->value ? required_argument : no_argument, NULL, o->id};
		if (o->letter)
			letters += sprintf(letters, "%c%s", o->letter, *o->value ? ":" : "");
	}
	for (unsigned i = 0; option_describe(i, &name, &shape, &help); i++) {
		if (!*help || !(c->groups & GROUP_EXPLORE))
			continue;
		table[n++] = (struct option){name, *shape ? required_argument : optional_argument,
			NULL, OWN_EXPLORE + (int)i};
	}
	if (c->groups & GROUP_EXPLORE)
		letters += sprintf(letters, "%c:", JOBS_LETTER);
	BUG_ON(n >= OPTIONS_MAX);
	table[n] = (struct option){NULL, 0, NULL, 0};
}

static bool terminal_has_color(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb");
}

static unsigned terminal_width(void)
{
	struct winsize size;

	if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return 120;
}

static unsigned read_number(const char *option, const char *value, unsigned from, unsigned to)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(value, &end, 10);
	if (errno || *end || n < from || n > to)
		die("wrong value `%s' for %s: wanted a number from %u to %u", value, option,
			from, to);
	return (unsigned)n;
}

static bool read_when(const char *option, const char *value, bool by_itself)
{
	static const char *const words[] = {"auto", "always", "never", NULL};

	for (int i = 0; words[i]; i++)
		if (!strcmp(value, words[i]))
			return i == 1 || (i == 0 && by_itself);
	die("wrong value `%s' for %s: wanted auto, always or never", value, option);
}

static bool is_github(void)
{
	const char *set = getenv("GITHUB_ACTIONS");

	return set && !strcmp(set, "true");
}

static void take_option(
	struct settings *s, const struct command *c, const char *name, const char *value)
{
	struct err err;

	if (!strcmp(name, "model") || !strcmp(name, "from"))
		value = model_file_named(value);
	if (!option_set(&s->explore, name, value, &err))
		die("%s: %s", c->name, err.message);
}

static void add_cost(struct settings *s, const char *value)
{
	if (s->ncosts == array_size(s->costs))
		die("more than %zu costs", array_size(s->costs));
	s->costs[s->ncosts++] = value;
}

static void take_own_option(struct settings *s, const struct command *c, int id, const char *value)
{
	switch (id) {
	case OWN_JSON: s->json = value; break;
	case OWN_JUNIT: s->junit = value; break;
	case OWN_SARIF: s->sarif = value; break;
	case OWN_HTML: s->html = value; break;
	case OWN_ANNOTATE: s->annotate = read_when("annotate", value, is_github()); break;
	case OWN_STACKS: s->style.stacks = true; break;
	case OWN_ALL: s->style.all = true; break;
	case OWN_COLUMNS: s->style.columns = true; break;
	case OWN_WIDTH: s->style.width = read_number("width", value, 40, 1000); break;
	case OWN_COLOR:
		s->style.color = read_when("color", value, terminal_has_color());
		s->always_color = read_when("color", value, false);
		break;
	case OWN_REPLAY_DIR: s->replay_dir = value; break;
	case OWN_STDIN: s->input = value; break;
	case OWN_SUPPRESSIONS: s->suppressions = value; break;
	case OWN_PRIMITIVE: primitive_rule(value); break;
	case OWN_GDB: s->gdb = true; break;
	case OWN_BACKTRACE: s->backtrace = value; break;
	case OWN_CORE: s->core = value; break;
	case OWN_FLIGHT: s->flight = value; break;
	case OWN_VALUES: s->values = value; break;
	case OWN_LAST: s->last = read_number("last", value, 1, 1000); break;
	case OWN_COVERAGE: s->coverage = true; break;
	case OWN_MAN: s->man = true; break;
	case OWN_COMPLETE: s->complete = value; break;
	case OWN_FROM: take_option(s, c, "from", value); break;
	case OWN_TO: take_option(s, c, "model", value); break;
	case OWN_LEVEL: take_option(s, c, "level", value); break;
	case OWN_PICTURE: s->picture = value; break;
	case OWN_OUTPUT: s->output = value; break;
	case OWN_EXPECTED: s->expected = value; break;
	case OWN_RUN: s->run_programs = true; break;
	case OWN_OPERATIONS: s->operations = read_number("operations", value, 2, 9); break;
	case OWN_THREADS: s->threads = read_number("threads", value, 2, 8); break;
	case OWN_PATCH: s->patch = value; break;
	case OWN_COST: add_cost(s, value); break;
	case OWN_CHANGES: s->changes = value; break;
	case OWN_ALL_REPAIRS: s->all_repairs = true; break;
	case OWN_FAST: s->fast = true; break;
	case OWN_SUITE: s->suite = true; break;
	case OWN_MPI: s->mpi = true; break;
	case OWN_LIST: s->list = true; break;
	case OWN_TEST: s->test = value; break;
	case OWN_QUIET: s->quiet = true; break;
	case OWN_VERBOSE: s->verbose = true; break;
	}
}

/* The number of --jobs; all: a process for each processor. */
static const char *read_jobs(const char *value)
{
	cpu_set_t set;

	if (strcmp(value, "all") != 0)
		return value;
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return "1";
	return xprintf("%d", CPU_COUNT(&set) < JOBS_MAX ? CPU_COUNT(&set) : JOBS_MAX);
}

/* The option of a letter, which depends on the command. */
static int option_id(const struct command *c, int letter)
{
	for (size_t i = 0; i < array_size(own_options); i++)
		if (own_options[i].letter == letter && own_options[i].groups & c->groups)
			return own_options[i].id;
	return letter == 'h' ? OWN_HELP : letter;
}

static void take_setting(struct settings *s, const struct command *c, int id, const char *value)
{
	const char *name, *shape, *help;

	if (id < OWN_EXPLORE && id != JOBS_LETTER) {
		take_own_option(s, c, option_id(c, id), value);
		return;
	}
	name = "jobs";
	if (id != JOBS_LETTER)
		option_describe((unsigned)(id - OWN_EXPLORE), &name, &shape, &help);
	if (!strcmp(name, "jobs"))
		value = read_jobs(value);
	take_option(s, c, name, value);
}

/* -abc: letters, one of them this? */
static bool is_letters(const char *word, int letter)
{
	return word[0] == '-' && word[1] != '-' && strchr(word, letter);
}

/* Is the word after -j its value? */
static bool is_jobs(const char *word)
{
	return !strcmp(word, "all") || strspn(word, "0123456789") == strlen(word);
}

/* --help, and the word after it. */
static _Noreturn void show_help(const struct command *c, const char *next)
{
	if (next && !strcmp(next, "all"))
		command_describe(c, stdout);
	else
		command_summarise(c, stdout);
	exit(EXIT_CLEAN);
}

int settings_read(struct settings *s, const struct command *c, int argc, char **argv)
{
	struct option table[OPTIONS_MAX];
	char letters[64];
	int id;

	memset(s, 0, sizeof(*s));
	command_defaults(c, &s->explore);
	s->style.color = terminal_has_color();
	s->style.width = terminal_width();
	s->annotate = is_github();
	s->suite = c->groups & GROUP_GENERATE;
	s->threads = 3;
	s->operations = 4;
	s->last = 10;
	build_table(c, table, letters);
	opterr = 0;
	optind = 1;
	while ((id = getopt_long(argc, argv, letters, table, NULL)) != -1) {
		if (id == JOBS_LETTER && optarg == argv[optind - 1] && !is_jobs(optarg)) {
			optind--; /* -j alone */
			optarg = "all";
		}
		if (id == ':')
			die("%s: option `%s' needs a value", c->name, argv[optind - 1]);
		if (id == '?') /* of letters, getopt_long() may still be in the word */
			die_option(c,
				optopt && optind < argc && is_letters(argv[optind], optopt)
					? argv[optind]
					: argv[optind - 1],
				table);
		if (option_id(c, id) == OWN_HELP)
			show_help(c, argv[optind]);
		take_setting(s, c, id, optarg);
	}
	if (c->groups & GROUP_PLACES)
		primitive_rules_read();
	return optind;
}

char *command_line(char **argv)
{
	char *line = xstrdup("heddle");

	for (; *argv; argv++)
		line = xprintf("%s %s", line, shell_word(*argv));
	return line;
}

/* Empty options at the end make the text a multiple of this long: so the same program finds the
 * same addresses on its first stack in a run and in a replay. */
#define ENVIRONMENT_STEP 2048

char *settings_environment(const struct options *o)
{
	char value[OPTION_TEXT_MAX], *text;
	const char *name;
	size_t n;
	FILE *to = open_memstream(&text, &n);

	if (!to)
		die("not enough memory");
	fputs("explore", to);
	for (unsigned i = 0; option_show(o, i, &name, value, sizeof(value)); i++) {
		if (option_is_default(o, i) || !strcmp(name, "explore"))
			continue;
		fprintf(to, ",%s=", name);
		for (const char *c = value; *c; c++)
			fprintf(to, *c == ',' || *c == '%' ? "%%%02X" : "%c", *c);
	}
	fflush(to);
	for (size_t rest = ENVIRONMENT_STEP - n % ENVIRONMENT_STEP; rest; rest--)
		fputc(',', to);
	fclose(to);
	return text;
}

/* --- help ------------------------------------------------------------------------------------ */

bool option_text(const struct command *c, unsigned i, struct option_text *to)
{
	static char value[OPTION_TEXT_MAX];
	struct options o;
	unsigned k;

	*to = (struct option_text){.explore = c->groups & GROUP_EXPLORE};
	for (k = 0; to->explore && option_describe(k, &to->name, &to->value, &to->help); k++) {
		if (!*to->help || i--)
			continue;
		command_defaults(c, &o);
		option_show(&o, k, &to->name, value, sizeof(value));
		to->standard = value;
		to->letter = strcmp(to->name, "jobs") ? 0 : JOBS_LETTER;
		to->index = k;
		return true;
	}
	*to = (struct option_text){.index = ~0u};
	for (k = 0; k < array_size(own_options); k++) {
		const struct own_option *own = &own_options[k];

		if (!(own->groups & c->groups) || i--)
			continue;
		to->letter = own->letter;
		to->name = own->name;
		to->value = own->value;
		to->help = own->help;
		return true;
	}
	return false;
}
