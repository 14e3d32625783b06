/* SPDX-License-Identifier: ISC */
/* flight.c - heddle flight: the last events of each thread, from a production build. */
#include <stdio.h>

#include "command/command.h"
#include "die.h"
#include "path.h"
#include "recorder/flight.h"
#include "report/clean.h"

/* "push (queue.c:17)". */
static char *place_words(const struct flight *f, const struct flight_step *s)
{
	const struct frames *at = flight_place(f, s);
	const struct frame *in = &at->at[at->place < at->n ? at->place : 0];

	if (in->function && in->file && in->line)
		return xprintf("%s (%s:%d)", in->function, path_base(in->file), in->line);
	return xprintf("%s+0x%llx",
		in->function ? in->function
		: at->module ? path_base(at->module)
			     : "?",
		(unsigned long long)at->offset);
}

/* Its end: what it waits for, or has failed in. */
static const char *end_words(const struct flight *f, const struct flight_step *last)
{
	if (!last || !(flight_waits(last) || flight_fails(last)))
		return "";
	return clean_text(xprintf(", %s: %s in %s", flight_waits(last) ? "waits" : "failed",
		flight_kind_name(last->kind), place_words(f, last)));
}

static void list_threads(const struct flight *f)
{
	for (u32 i = 0; i < f->nthreads; i++) {
		const struct flight_thread *t = &f->thread[i];
		const struct flight_step *last = t->n ? &f->step[t->first + t->n - 1] : NULL;

		printf("  %s (%u): %llu event%s%s%s\n", t->name, t->tid,
			(unsigned long long)t->events, t->events == 1 ? "" : "s",
			t->ended ? ", has ended" : "",
			end_words(f, last));
	}
	if (f->lost)
		printf("  %llu other threads were not recorded: at most %u at a time are\n",
			(unsigned long long)f->lost, FLIGHT_THREADS);
}

static void list_steps(const struct flight *f, u32 last)
{
	u64 end = f->nsteps ? f->step[f->order[f->nsteps - 1]].time : 0;

	printf("%12s  %-6s %s\n", "cycles", "thread", "event");
	for (u32 i = 0; i < f->nsteps; i++) {
		const struct flight_step *s = &f->step[f->order[i]];
		const struct flight_thread *t = &f->thread[s->thread];

		if (f->order[i] + last < t->first + t->n)
			continue;
		printf("%12s  %-6s %s, %s\n",
			s->timed ? xprintf("%lld", (long long)(s->time - end) * 8) : "", t->name,
			clean_text(flight_words(f, s)), clean_text(place_words(f, s)));
	}
}

static int run_flight(int argc, char **argv)
{
	struct settings s;
	int first = settings_read(&s, &command_flight, argc, argv);
	struct flight f;

	if (argc - first != 1)
		die("flight: name one file (NAME.PID.flight, or a core file)");
	f = flight_read(argv[first]);
	printf("%s: process %u, %u thread%s\n", clean_text(path_here(argv[first])), f.pid,
		f.nthreads, f.nthreads == 1 ? "" : "s");
	list_threads(&f);
	list_steps(&f, s.last);
	return EXIT_CLEAN;
}

const struct command command_flight = {
	.name = "flight",
	.summary = "list the last events of a production build's threads",
	.usage = "[--last N] FILE",
	.text = "List what the flight recorder of a program compiled by `heddle-cc --recorder'\n"
		"has left: the last synchronisation events of each thread, in their order, from\n"
		"NAME.PID.flight or a core file. Events without a time of their own (loads,\n"
		"unlocks, calls that have not returned) follow the one before them in their\n"
		"thread. `heddle help recorder' says how to make the file.\n",
	.examples = "  heddle-cc --recorder -g -O2 -o server server.c\n"
		    "  kill -s RTMAX-1 PID\n"
		    "  heddle flight server.PID.flight\n",
	.groups = GROUP_FLIGHT,
	.run = run_flight,
};
