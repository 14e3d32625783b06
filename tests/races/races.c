/* SPDX-License-Identifier: ISC */
/*
 * races.c - explore the corpus of races.h: races MODEL [NAME...]
 *
 * A line a case: NAME, the exit code of heddle_check(), complete or not, executions; for each
 * finding a line with its kind and its replay file, or its message where there is none.
 */
#include "races.h"

extern const struct race_case __start_race_cases[], __stop_race_cases[];

static void explore(const struct race_case *c, const char *model)
{
	struct heddle_options options = {
		.name = c->name, .model = model, .keep_going = true, .time = 200, .quiet = true,
		.options = "detect=all",
	};
	struct heddle_result r;
	int code = heddle_check(c->run, NULL, &options, &r);

	printf("%s %d %s %llu\n", c->name, code, r.complete ? "complete" : "incomplete",
		(unsigned long long)r.executions);
	for (unsigned i = 0; i < r.findings; i++)
		printf("\t%s %s\n", r.finding[i].kind,
			r.finding[i].replay ? r.finding[i].replay : r.finding[i].message);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *model = argc > 1 ? argv[1] : "rc11";

	for (const struct race_case *c = __start_race_cases; c < __stop_race_cases; c++) {
		bool wanted = argc < 3;

		for (int i = 2; i < argc; i++)
			wanted |= !strcmp(argv[i], c->name);
		if (wanted)
			explore(c, model);
	}
	return 0;
}
