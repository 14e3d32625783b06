/* SPDX-License-Identifier: ISC */
/* unconfirmed.c - see unconfirmed.h. */
#include "failure/unconfirmed.h"
#include "graph/execute.h"
#include "machine/core.h"
#include "machine/wait/foreign.h"
#include "machine/learnt.h"
#include "process/module.h"
#include "process/snapshot.h"
#include "failure/replay.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TIMES 8

/* --- is the program deterministic? ----------------------------------------------------------- */

/* A library that is not instrumented and changed its variables in this execution: threads may share
 * unknown state there. NULL: none. */
static const char *changed_library(void)
{
	for (unsigned i = 0; i < modules_count(); i++) {
		const struct module *m = module_at(i);

		if (m->instrumented || m->is_libc || m->is_program)
			continue;
		for (unsigned k = 0; k < m->nwritable; k++)
			if (snapshot_is_changed(m->writable[k].start, m->writable[k].end))
				return m->path;
	}
	return NULL;
}

static const char *library; /* the last time the graph was followed */

/* Follow the graph once; words: the result. */
static void follow_once(struct trust *x, const struct plan *p, char *words, size_t room)
{
	const struct graph *g = &x->graph;
	bool good;

	execute_finish();
	execute_resume(EXECUTE_GOES_ON);
	good = execute_replay(g, p, 0);
	for (u32 t = 0; t < g->nthreads && good; t++)
		good = !graph_is_alive(g, t) || execute_run_to(t);
	snprintf(words, room, "%s", good ? "" : execute_words());
	library = changed_library();
	execute_finish();
}

/* Follow it several times. False: it diverged, and execute_words() is the place. */
static bool repeats_graph(struct trust *x)
{
	static char first[EXECUTE_WORDS], words[EXECUTE_WORDS];
	void *memory;
	struct plan *p = failure_plan(&x->graph, &memory);
	bool same = true;

	linearize_causal(&x->graph, 0, memory, p);
	follow_once(x, p, first, sizeof first);
	for (u32 i = 1; i < TIMES && same && execute_stopped() != EXECUTE_STOPPED; i++) {
		follow_once(x, p, words, sizeof words);
		same = !strcmp(first, words);
	}
	if (execute_stopped() == EXECUTE_STOPPED)
		return false; /* no time to find out */
	if (!same)
		execute_stop_as(EXECUTE_DIVERGED, words[0] ? words : first);
	return same;
}

bool unconfirmed_is_ours(struct trust *x)
{
	char why[EXECUTE_WORDS];

	if (!repeats_graph(x))
		return false;
	execute_resume(EXECUTE_GOES_ON);
	if (!library)
		library = foreign_library();
	if (!library)
		return true;
	snprintf(why, sizeof why,
		"threads behave differently with another order of their calls of %s, which is not "
		"instrumented",
		library);
	execute_stop_as(EXECUTE_UNSUPPORTED, why);
	return false;
}

bool unconfirmed_changes(struct trust *x)
{
	char words[EXECUTE_WORDS];
	void *memory;
	struct plan *p = failure_plan(&x->graph, &memory);

	linearize_causal(&x->graph, 0, memory, p);
	follow_once(x, p, words, sizeof words);
	return execute_again() || learnt_changed;
}

/* --- the file -------------------------------------------------------------------------------- */

static int out;

static __attribute__((format(printf, 1, 2))) void print(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vdprintf(out, format, ap);
	va_end(ap);
}

static void print_program(void)
{
	print("heddle %s\n", HEDDLE_VERSION);
	for (unsigned i = 0; i < modules_count(); i++) {
		const struct module *m = module_at(i);

		print("module %s%s 0x%llx build-id ", m->path,
			m->instrumented ? "" : " (not instrumented)", (unsigned long long)m->base);
		for (u32 k = 0; k < m->build_id_len; k++)
			print("%02x", m->build_id[k]);
		print("\n");
	}
}

static void print_options(void)
{
	const char *name, *shape, *help;
	char value[OPTION_TEXT_MAX];

	print("options --model=%s --strategy=%s", model_name(M.model),
		strategy_name((enum strategy)M.status->strategy));
	for (unsigned i = 0; option_describe(i, &name, &shape, &help); i++)
		if (option_is_recorded(i) && !option_is_default(M.options, i) &&
			strcmp(name, "model") && strcmp(name, "strategy") &&
			option_show(M.options, i, &name, value, sizeof value))
			print(" --%s=%s", name, value);
	print("\n");
}

static void print_event(const struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[e];
	const struct label *l = trust_label(x, e);
	const struct place *p = &g->places->place[ev->loc];

	print("%u: T%u %s", e, ev->thread, execute_label_words(l));
	if (ev->loc)
		print(" 0x%llx/%u", (unsigned long long)p->addr, p->size);
	print(" order %u op %u flags 0x%x value 0x%llx rf %u co after %u site 0x%x\n", l->order,
		l->op, ev->flags, (unsigned long long)ev->value, ev->rf, ev->co_prev, l->site);
}

static void print_graph(const struct trust *x)
{
	const struct graph *g = &x->graph;

	for (u32 e = 1; e <= g->n; e++)
		print_event(x, e);
	for (u32 t = 0; t < g->nthreads; t++)
		if (graph_is_alive(g, t))
			print("T%u is at %s\n", t,
				execute_label_words(&x->cache.node[g->thread[t].node].label));
}

void unconfirmed_note(const struct trust *x, const struct finding *f, const char *why)
{
	struct status *s = M.status;
	static char path[512];
	int n;

	if (s->unconfirmed++)
		return;
	out = replay_open(path, sizeof path, 0, ".unconfirmed");
	n = snprintf(s->doubt, sizeof s->doubt,
		"bug in heddle, please report it%s%.200s: ", out < 0 ? "" : " with ",
		out < 0 ? "" : path);
	if (f)
		n += snprintf(s->doubt + n, sizeof s->doubt - (size_t)n, "not confirmed: %.100s; ",
			f->message);
	snprintf(s->doubt + n, sizeof s->doubt - (size_t)n, "%.400s", why);
	if (out < 0)
		return;
	print("%s\n", s->doubt);
	if (f)
		print("%s: %s\n", finding_name(f->kind), f->message);
	print_program();
	print_options();
	if (x)
		print_graph(x);
	close(out);
}
