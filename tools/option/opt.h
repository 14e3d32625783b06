/* SPDX-License-Identifier: ISC */
/* opt.h - commands, their options and their help, all from tables. */
#ifndef OPTION_OPT_H
#define OPTION_OPT_H

#include "base/option.h"
#include "document/result.h"

struct command {
	const char *name;
	const char *summary;  /* one line, for the list */
	const char *usage;    /* the words after "heddle NAME" */
	const char *text;     /* a paragraph or two */
	const char *examples; /* lines, each indented by two spaces */
	unsigned groups;      /* of its options */
	int (*run)(int argc, char **argv);
	void (*defaults)(struct options *o); /* that differ from those of others; NULL: none do */
};

extern const struct command *const commands[]; /* ends with NULL */

enum option_group {
	GROUP_EXPLORE = 1 << 0, /* option.def */
	GROUP_RENDER = 1 << 1,
	GROUP_RUN = 1 << 2,
	GROUP_REPLAY = 1 << 3,
	GROUP_COMPARE = 1 << 4,
	GROUP_SUITE = 1 << 5,
	GROUP_HELP = 1 << 6,
	GROUP_REPAIR = 1 << 7, /* fences */
	GROUP_RELAX = 1 << 8,
	GROUP_KNOWN = 1 << 9,
	GROUP_DRAW = 1 << 10, /* graph */
	GROUP_MERGE = 1 << 11,
	GROUP_EXPLAIN = 1 << 12,
	GROUP_MODEL = 1 << 13,
	GROUP_REPRODUCE = 1 << 14,
	GROUP_GENERATE = 1 << 15, /* its clients are a suite */
	GROUP_FLIGHT = 1 << 16,
	GROUP_LITMUS = 1 << 17,
	GROUP_KATER = 1 << 18,
};

/* The settings of a command line. */
struct settings {
	struct options explore;
	struct style style;
	const char *suppressions; /* NULL: ./heddle.supp, if there is one */
	const char *json, *junit, *sarif, *html; /* each NULL, a file, or "-" */
	bool annotate;
	bool quiet, verbose;
	/* run, compare, fences, relax; replay: --stdin and --gdb */
	const char *replay_dir; /* NULL: the current directory */
	const char *input;	/* a file for the program's standard input, NULL: /dev/null */
	bool suite, list, gdb, coverage, mpi;
	bool always_color; /* --color always */
	unsigned at_once; /* --suite: tests that are explored at the same time */
	u64 shard;	  /* --shard: of a suite, not of each test */
	const char *test; /* a glob for names of tests, NULL: all */
	/* fences, relax */
	const char *patch; /* a file for the diff, NULL: standard output */
	bool all_repairs;
	/* fences */
	bool fast;
	const char *changes; /* kinds of changes, NULL: all */
	const char *costs[16];
	unsigned ncosts;
	/* graph */
	const char *picture; /* a file, NULL: standard output */
	/* reproduce */
	const char *backtrace, *core, *flight; /* files; NULL */
	const char *values; /* names of variables; NULL */
	/* flight */
	unsigned last; /* events of each thread */
	/* generate */
	const char *output; /* a folder; NULL: that of the list's name */
	unsigned threads, operations; /* of a client, at most */
	/* litmus; output, too: NULL, the programs are removed */
	const char *expected; /* a file of results; NULL */
	/* kater; output and json, too */
	bool run_programs;
	/* help */
	bool man;
	const char *complete; /* a shell; NULL */
};

/*
 * Read the options of a command. Returns the index in argv of the first word that is no option.
 * --help prints help and exits with 0; a mistake is one line on stderr and exit code 2.
 */
int settings_read(struct settings *s, const struct command *c, int argc, char **argv);

/* output.c: open the files of --json and the like before anything is run. */
struct outputs settings_outputs(const struct settings *s);

/* The command line, for a shell. */
char *command_line(char **argv);

/* The options for the runtime: every one that is not at its default, commas escaped. */
char *settings_environment(const struct options *o);

/* The page of a command, as printed by --help all; with the options to begin with, by --help. */
void command_summarise(const struct command *c, FILE *out);
void command_describe(const struct command *c, FILE *out);

/* The i-th option of a command, for listings; false: no more. Valid until the next call. */
struct option_text {
	char letter; /* 0 = has none */
	const char *name, *value, *help; /* value: its name, "" = none */
	bool explore;	      /* of the search (option.def), which come first */
	const char *standard; /* of these: the default */
	unsigned index;	      /* in option.def, else ~0 */
};
bool option_text(const struct command *c, unsigned i, struct option_text *to);

/* The name that is nearest to a misspelt one, NULL if none is near. names ends with NULL. */
const char *nearest(const char *name, const char *const *names);

/* "no WHAT `wombat': did you mean `combat'?", exit 2. names ends with NULL. */
_Noreturn void die_unknown(const char *what, const char *name, const char *const *names);

#endif
