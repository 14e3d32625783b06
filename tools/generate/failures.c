/* SPDX-License-Identifier: ISC */
/*
 * failures.c - see failures.h.
 *
 * Failures are the same if their messages are, apart from the names of threads, indices, and the
 * order of clauses: which of two racing threads comes first differs between clients, and so does
 * the number of threads that wait.
 */
#include "generate/failures.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"
#include "report/clean.h"

static struct client_failure {
	char *key;
	const struct job *smallest;
	unsigned clients;
} *failures;
static unsigned nfailures;

/* --- keys ------------------------------------------------------------------------------------ */

/* T12, [3]: without the number. */
static char *drop_numbers(const char *s)
{
	char *to = xmalloc(strlen(s) + 1), *end = to;

	for (char before = 0; *s; s++) {
		if (isdigit((unsigned char)*s) && (before == 'T' || before == '['))
			continue;
		before = *end++ = *s;
	}
	return to;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The clauses of a text, each once, sorted. */
static char *sort_clauses(char *text)
{
	char *clause[64], *rest = text, *all = xstrdup("");
	size_t n = 0;

	for (char *one; n < array_size(clause) && (one = strsep(&rest, ",;"));)
		clause[n++] = one + strspn(one, " ");
	qsort(clause, n, sizeof(*clause), by_text);
	for (size_t i = 0; i < n; i++)
		if (!i || strcmp(clause[i], clause[i - 1]) != 0)
			all = xprintf("%s;%s", all, clause[i]);
	return all;
}

static char *failure_key(const struct job *j)
{
	const struct found *f = result_first_failure(&j->result);
	const char *place = "";

	if (!f)
		return xstrdup(j->result.error ? j->result.error : "");
	/* A history has no place but that of its last operation. */
	if (found_base(f)->kind != FINDING_LINEARIZABILITY && found_file(f))
		place = xprintf(", %s", found_place(f));
	return sort_clauses(drop_numbers(xprintf("%s%s", found_message(f), place)));
}

void failures_add(const struct job *j)
{
	char *key = failure_key(j);

	for (unsigned i = 0; i < nfailures; i++)
		if (!strcmp(failures[i].key, key)) {
			failures[i].clients++;
			return;
		}
	failures = xgrow(failures, (nfailures + 1) * sizeof(*failures));
	failures[nfailures++] = (struct client_failure){key, j, 1};
}

/* --- the report ------------------------------------------------------------------------------ */

static void show_failure(const struct client_failure *f, FILE *out)
{
	const struct job *j = f->smallest;
	const struct found *found = result_first_failure(&j->result);
	const char *replay = found ? found_replay(found) : NULL;

	if (found && found->report && !j->s.quiet)
		text_report(found->report, &j->s.style, out);
	else
		fprintf(out, "FAILED  %s\n",
			clean_text(found ? found_message(found) : j->result.error));
	fprintf(out, "clients   %u %s; the smallest is %s%s\n%s", f->clients,
		f->clients == 1 ? "fails in this way" : "fail in this way", j->result.name,
		replay ? xprintf(" (%s)", shell_word(path_here(replay))) : "",
		j->s.quiet ? "" : "\n");
}

unsigned failures_show(FILE *out)
{
	for (unsigned i = 0; i < nfailures; i++)
		show_failure(&failures[i], out);
	return nfailures;
}
