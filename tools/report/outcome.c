/* SPDX-License-Identifier: ISC */
/* outcome.c - the table of outcomes (heddle_observe), as text and as JSON. */
#include "report/summary.h"

#include <stdlib.h>
#include <string.h>

#include "die.h"

const char *outcome_sc(const struct status_outcomes *o, u32 row)
{
	return o->row[row].in_sc ? "possible" : o->sc_known ? "impossible" : "unknown";
}

/* "-" where an execution has not observed the name. */
static char *outcome_value(const struct status_outcomes *o, u32 row, u32 name)
{
	if (!(o->row[row].has >> name & 1))
		return xstrdup("-");
	return xprintf("%lld", (long long)o->row[row].value[name]);
}

static int width_of(const struct status_outcomes *o, u32 name)
{
	size_t width = strlen(o->name[name]);

	for (u32 i = 0; i < o->n; i++) {
		char *value = outcome_value(o, i, name);

		width = strlen(value) > width ? strlen(value) : width;
		free(value);
	}
	return (int)width;
}

void text_outcomes(const struct summary *s, FILE *out)
{
	const struct status_outcomes *o = s->outcomes;
	int width[OUTCOME_NAMES];

	if (!o || !o->n)
		return;
	for (u32 k = 0; k < o->nnames; k++) {
		width[k] = width_of(o, k);
		fprintf(out, "  %*s", width[k], o->name[k]);
	}
	fprintf(out, "  %12s  under %s\n", "executions", s->from ? s->from : "sc");
	for (u32 i = 0; i < o->n; i++) {
		for (u32 k = 0; k < o->nnames; k++) {
			char *value = outcome_value(o, i, k);

			fprintf(out, "  %*s", width[k], value);
			free(value);
		}
		fprintf(out, "  %12llu  %s\n", (unsigned long long)o->row[i].executions,
			outcome_sc(o, i));
	}
	if (o->more)
		fprintf(out, "  there were more outcomes: the limit is %u\n", OUTCOMES);
	fprintf(out, "\n");
}
