/* SPDX-License-Identifier: ISC */
/*
 * result.h - the results of a command, for its documents: json.c, junit.c, sarif.c,
 * annotate.c.
 *
 * A command has one result for each test that it explored. `heddle run PROGRAM` has one, without a
 * name: the program is the test. A command that explores several (`run --suite`) gives each its
 * name, fills in an array of struct result, and passes it to results_write() once, at the end:
 *
 *     struct result r[2] = {
 *             {.suite = "queue", .name = "push_pop", .summary = ..., .findings = f, .nfindings =
 *             1}, {.suite = "queue", .name = "empty", .summary = ...},
 *     };
 *     results_write(&(struct results){.program = argv[0], .at = r, .n = 2, .exit_code = 1},
 *     &outputs);
 *
 * The summary of each is that of its own exploration. Nothing is freed but with the process.
 */
#ifndef DOCUMENT_RESULT_H
#define DOCUMENT_RESULT_H

#include "report/summary.h"

/* A rule of a file of suppressions (suppress.h). */
struct suppression {
	const char *file; /* its place */
	int line;
	const char *kind, *function, *source; /* globs; NULL = any */
	const char *reason;		      /* the comment before it, NULL = none */
	unsigned findings;		      /* number of findings that it suppresses */
};

/* One finding. */
struct found {
	const struct report *report;	     /* NULL: no readable trace, only `status` */
	const struct report *passing; /* the closest passing execution; NULL: not known */
	const struct status_finding *status; /* NULL when the run is not known (replay, report) */
	const struct suppression *suppressed; /* NULL: it counts */
};

/* One test. */
struct result {
	const char *suite; /* the group it belongs to, NULL = none */
	const char *name;  /* NULL: the program itself */
	unsigned number;   /* of the test, in the order of the suite, from 1 on */
	struct summary summary;
	struct found *findings;
	unsigned nfindings;
	const char *error; /* the reason why it could not be explored, one line; NULL = it could */
};

/* A part of a search (run --shard). */
struct shard {
	u32 number, of; /* from 1 on */
	u64 search; /* the same for all shards of it */
	const struct status_shard *seen; /* NULL: its tests are its parts */
};

/* One command. */
struct results {
	const char *program;	  /* as given; of `report` and `replay`, the recorded one */
	const char *command_line; /* for a shell; NULL = not known */
	const struct result *at;
	unsigned n;
	int exit_code;
	const struct shard *shard; /* NULL: all of it */
	const struct suppression *suppressions; /* the rules that were read, used or not */
	unsigned nsuppressions;
};

/* The files of all outputs. */
struct outputs {
	FILE *text;	/* the report and the last line; NULL: stdout is taken */
	FILE *json, *junit, *sarif, *html; /* NULL: not asked for */
	const char *html_folder; /* of pages; NULL: not asked for */
	FILE *annotate; /* workflow commands of GitHub; NULL: none */
};

/* Write all documents except the text. */
void results_write(const struct results *r, const struct outputs *to);

/* One each. */
void json_results(const struct results *r, FILE *out);
void junit_results(const struct results *r, FILE *out);
void sarif_results(const struct results *r, FILE *out);
void annotate_results(const struct results *r, FILE *out);
void html_results(const struct results *r, FILE *out); /* html/page.c */
/* A page for each finding, and index.html, in a folder that exists (html/folder.c). */
void html_folder(const struct results *r, const char *folder);

/* The number of findings of a result that count; the first of these, NULL: none. */
unsigned result_failures(const struct result *r);
const struct found *result_first_failure(const struct result *r);

/* Any report of the result, for names of memory that do not depend on the execution. NULL: none. */
const struct report *result_names(const struct result *r);

/* The name of a test, or the program's. */
const char *result_name(const struct results *all, const struct result *r);

/* The basic data of a finding, with or without a trace: NULL and 0 = unknown. */
const struct finding *found_base(const struct found *f);
const char *found_message(const struct found *f);
const char *found_file(const struct found *f);
int found_line(const struct found *f);

/* found_file():found_line(), in words; the file is not NULL. */
const char *found_place(const struct found *f);

const char *found_function(const struct found *f);
const char *found_replay(const struct found *f);
int found_reorder(const struct found *f); /* 1: impossible under sc, 0: possible, -1: unknown */

/* The report and the last line as plain text, for documents that quote them. */
char *found_text(const struct found *f);
char *summary_text(const struct summary *s);

/* --- source.c: paths of source files, for machines ------------------------------------------- */

/* Relative to the root of the sources if it is below that, else absolute. The root is
 * $GITHUB_WORKSPACE, without it the current directory. */
char *source_path(const char *file);

/* The same as a URI reference. *relative: to the root's. */
char *source_uri(const char *file, bool *relative);
char *source_root_uri(void);

#endif
