/* SPDX-License-Identifier: ISC */
/*
 * judge.c - see judge.h.
 *
 * Programs with very many executions are cut short, one in a hundred at most; without a finding by
 * then, they are not judged.
 * Races must be exact. An execution ends with its first race, so in programs with races only false
 * failures and stuck threads count.
 */
#include "judge.h"

#include "counted.h"

#include <heddle/heddle.h>

#include <stdio.h>
#include <string.h>

#define OTHER 0x80

static const char *model = "rc11", *options = "";
static enum { SEES_ALL, SEES_FAILURES, SEES_SOME } sees; /* dfs does not detect races */
static unsigned long programs, executions, wrong, incomplete, with[8];
static unsigned timeouts; /* that are explored; 0: all */
static unsigned long limited; /* programs whose other executions are omitted */
static bool endless;
static unsigned long begun; /* endless programs without a failure so far */

#define MOST	     20000 /* executions */
#define MOST_ENDLESS 50

bool judge_begin(int argc, char **argv)
{
	if (argc > 1)
		model = argv[1];
	if (argc > 2)
		options = argv[2];
	if (strstr(options, "random") || strstr(options, "pct") || strstr(options, "mixed"))
		sees = SEES_SOME;
	else if (strstr(options, "dfs"))
		sees = SEES_FAILURES;
	for (int m = 0; m < GP_MODELS; m++)
		if (!strcmp(model, gp_model_names[m]))
			return argc <= 3;
	fprintf(stderr, "%s [MODEL [OPTIONS]]\n", argv[0]);
	return false;
}

const char *judge_model(void)
{
	return model;
}

bool judge_goes_on(void)
{
	return wrong < 10;
}

void judge_timeouts(unsigned most)
{
	timeouts = most;
}

void judge_endless(bool it_is)
{
	endless = it_is;
}

static unsigned verdict(const struct heddle_result *r)
{
	static const struct {
		const char *kind;
		unsigned has;
	} kinds[] = {{"race", HAS_RACE}, {"assertion", HAS_FAILURE}, {"deadlock", HAS_STUCK},
		{"livelock", HAS_STUCK}};
	unsigned v = 0;

	for (unsigned i = 0; i < r->findings; i++) {
		unsigned has = OTHER;

		for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
			if (!strcmp(kinds[k].kind, r->finding[i].kind))
				has = kinds[k].has;
		v |= has;
	}
	return v;
}

static bool is_right(unsigned found, unsigned expected, bool complete)
{
	if (found & ~expected)
		return false;
	if (sees == SEES_ALL && complete)
		return found == expected || (found & HAS_RACE && expected & HAS_RACE);
	return sees == SEES_SOME || !complete || found == expected || expected & HAS_RACE;
}

static void complain(const char *name, unsigned expected, unsigned found, int code,
	const struct heddle_result *r)
{
	printf("# %s, %s: expected %u, found %u (1 race, 2 failure, 4 stuck); exit code %d, %s\n",
		name, model, expected, found, code, r->complete ? "complete" : "not complete");
	for (unsigned i = 0; i < r->findings; i++)
		printf("#   %s\n", r->finding[i].message);
	fflush(stdout);
}

bool judge(const char *name, void (*run)(void *), unsigned expected)
{
	char text[300];
	bool cut;
	struct heddle_options o = {
		.options = text, .name = name, .model = model, .keep_going = true, .quiet = true};
	struct heddle_result r;
	unsigned found;
	int code;

	snprintf(text, sizeof text,
		"detect=all,detect=-threads,max-findings=64,minimise=0,time=20,executions=%d,"
		"timeouts=%u%s%s%s",
		endless ? MOST_ENDLESS : MOST, timeouts ? timeouts : 100,
		endless ? ",max-steps=200" : "", *options ? "," : "", options);
	code = heddle_check(run, NULL, &o, &r);
	found = verdict(&r);
	programs++;
	executions += r.executions + r.blocked;
	with[found & 7]++;
	cut = sees != SEES_SOME && !r.complete && !found;
	if (cut && endless)
		begun++;
	else if (cut && timeouts && r.executions + r.blocked < MOST)
		limited++;
	else
		incomplete += cut;
	if (code != 2 && code != 70 && is_right(found, expected, endless ? r.complete : code != 3))
		return true;
	wrong++;
	complain(name, expected, found, code, &r);
	return false;
}

int judge_end(void)
{
	char text[100] = "";
	bool bad = wrong || !programs || (sees == SEES_ALL && incomplete > 1 + programs / 100);

	if (limited || begun)
		snprintf(text, sizeof text, ", %lu left out time-outs, %lu have no end", limited,
			begun);
	printf("%s - count: %s%s%s: %lu programs, %lu clean, %lu with races, %lu more with "
	       "failures, %lu more stuck; "
	       "%lu executions; %lu cut short%s; %lu wrong\n",
		bad ? "not ok" : "ok", model, *options ? ", " : "", options, programs, with[0],
		with[1] + with[3] + with[5] + with[7], with[2] + with[6], with[4], executions,
		incomplete, text, wrong);
	return bad;
}
