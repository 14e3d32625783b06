/* SPDX-License-Identifier: ISC */
/* repair.c - see repair.h: the loop. */
#include "repair/repair.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "die.h"
#include "path.h"
#include "repair/hitting.h"
#include "temporary.h"

#define INEXACT_MOST \
	6 /* failing executions that are not exact; with more, another method is used */

/* The state of the search. */
struct repair_state {
	struct repair *r;
	struct hitting *h;
	u32 asserted; /* number of options in the hitting set */
	bool *chosen;
	struct stronger *at;
	char *dir; /* temporary files */
	const char *replay; /* of the last failing execution: among these; NULL: none */
};

/* --- explorations ---------------------------------------------------------------------------- */

static char *file_in(const struct repair_state *s, const char *name)
{
	return xprintf("%s/%s", s->dir, name);
}

static void set_path(char *to, const char *path)
{
	strcpy(to, path);
}

/* Grow the arrays for points and options. */
static void make_room(struct repair_state *s)
{
	const struct points *p = &s->r->points;

	s->chosen = xgrow(s->chosen, (p->noptions + 1) * sizeof(*s->chosen));
	s->at = xgrow(s->at, (p->npoints + 1) * sizeof(*s->at));
	for (; s->asserted < p->noptions; s->asserted++) {
		s->chosen[s->asserted] = false;
		hitting_option(s->h, p->option[s->asserted].cost, p->option[s->asserted].rank);
		for (u32 i = 0; p->relax && i < s->asserted; i++)
			if (option_has(p, s->asserted, i))
				hitting_implies(s->h, s->asserted, i);
	}
	points_apply(p, s->chosen, s->at);
}

static void drop_replay(struct repair_state *s)
{
	if (s->replay)
		unlink(s->replay);
	s->replay = NULL;
}

/* Keep the file of the first failure until the next exploration, as it may be reported. */
static void take_first_replay(struct repair_state *s, const struct job *j)
{
	for (unsigned i = 0; i < j->result.nfindings; i++) {
		const struct found *f = &j->result.findings[i];

		if (!f->status->replay[0])
			continue;
		if (!s->replay && !f->suppressed)
			s->replay = xstrdup(f->status->replay);
		else
			unlink(f->status->replay);
	}
}

/* Move the file to the directory of replay files: the report has its path. */
static void keep_replay(struct repair_state *s)
{
	struct repair *r = s->r;
	char *to = xprintf("%s/%s", r->job->s.explore.replay_dir, path_base(s->replay)),
	     buffer[65536];
	FILE *in = fopen(s->replay, "r"), *out = in ? fopen(to, "w") : NULL;
	size_t n;

	if (!out)
		die("%s: %s", in ? to : s->replay, strerror(errno));
	while ((n = fread(buffer, 1, sizeof(buffer), in)) > 0)
		fwrite(buffer, 1, n, out);
	fclose(in);
	if (fclose(out) != 0)
		die("%s: %s", to, strerror(errno));
	((struct report *)r->shown)->path = path_here(to);
}

static bool interrupted(const struct job *j)
{
	return j->child.interrupted;
}

/* Explore the program with the chosen options, under a model. Dies if that is impossible. */
static struct job *explore_under(struct repair_state *s, enum model_id m)
{
	struct repair *r = s->r;
	struct job *j = xmalloc(sizeof(*j));

	if (r->last)
		munmap(r->last->child.status, sizeof(struct status));
	*j = *r->job;
	j->s.quiet = false;
	if (m == MODEL_SC) { /* no machine of that --model */
		j->s.explore.dependencies = DEPENDENCIES_TRACKED;
		j->s.explore.arch_rmw = ARCH_RMW_LSE;
		j->s.explore.rcpc = 0;
	}
	j->s.explore.model = m;
	j->setup.no_out = true;
	set_path(j->s.explore.replay_dir, s->dir);
	set_path(j->s.explore.sites, file_in(s, "sites"));
	if (r->points.noptions) {
		points_write(&r->points, s->at, file_in(s, "orders"));
		set_path(j->s.explore.orders, file_in(s, "orders"));
	}
	unlink(j->s.explore.sites);
	drop_replay(s);
	job_explore(j);
	if (j->result.error && !interrupted(j))
		die("%s", j->result.error);
	if (access(j->s.explore.sites, R_OK) == 0)
		points_read(&r->points, j->s.explore.sites);
	else if (j->child.status->state == STATUS_DONE)
		die("%s was not written: disk full, or no such folder?", j->s.explore.sites);
	take_first_replay(s, j);
	make_room(s);
	r->explorations++;
	r->executions += j->result.summary.executions;
	r->last = j;
	return j;
}

/* The first failure that counts; NULL: none. */
static const struct found *first_failure(const struct job *j)
{
	return result_first_failure(&j->result);
}

static void say_progress(const struct repair_state *s, const char *what)
{
	const struct repair *r = s->r;
	u32 n = 0;

	for (u32 i = 0; i < s->asserted; i++)
		n += s->chosen[i];
	if (r->job->s.verbose)
		warn("exploration %u: %u change%s, %u failing executions and %u clauses so far: %s",
			r->explorations, n, n == 1 ? "" : "s", r->nseen, r->nclauses, what);
}

/* --- clauses --------------------------------------------------------------------------------- */

static bool hits(const struct repair_state *s, const u32 *option, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (s->chosen[option[i]])
			return true;
	return false;
}

/* Does the execution remain with the chosen options? If so, a clause of *n options. */
static bool take_clause(struct repair_state *s, const struct failure *f, u32 *option, u32 *n)
{
	const struct points *p = &s->r->points;

	if (f->exact && !failure_remains(f, p, s->at))
		return false;
	*n = failure_clause(f, p, s->at, option);
	if (!f->exact && hits(s, option, *n))
		return false;
	hitting_clause(s->h, option, *n);
	s->r->nclauses++;
	return true;
}

/* To relax: with all its orders the program does not fail. Does the failure also disappear? */
static bool remains_in_full(const struct repair_state *s, const struct failure *f)
{
	const struct points *p = &s->r->points;
	struct stronger *all = xmalloc((p->npoints + 1) * sizeof(*all));
	bool remains;

	memset(all, STRENGTH_SEQ_CST, p->npoints * sizeof(*all));
	for (u32 i = 0; i < p->npoints; i++)
		all[i].before = all[i].after = 0;
	remains = f->exact && failure_remains(f, p, all);
	free(all);
	return remains;
}

/* Add a failing execution, found with the chosen options. */
static void see(struct repair_state *s, const struct found *f)
{
	struct repair *r = s->r;
	struct seen *x;

	r->seen = xgrow(r->seen, (r->nseen + 1) * sizeof(*r->seen));
	x = &r->seen[r->nseen++];
	*x = (struct seen){failure_open(f->report->t, &r->points, r->points.model, s->at),
		f->report, found_message(f)};
	if (r->points.relax && remains_in_full(s, x->failure))
		x->failure->exact = false;
	r->ninexact += !x->failure->exact;
}

/* With --keep-going there may be several. */
static void see_all(struct repair_state *s, const struct job *j)
{
	u32 before = s->r->nseen;

	for (unsigned i = 0; i < j->result.nfindings; i++)
		if (!j->result.findings[i].suppressed && j->result.findings[i].report)
			see(s, &j->result.findings[i]);
	if (s->r->nseen == before && !s->r->points.relax)
		die("the replay file of a failing execution cannot be read");
	if (s->r->nseen == before)
		s->r->ninexact = INEXACT_MOST + 1; /* to relax: any failure is enough */
	s->r->shown = first_failure(j)->report;
	s->r->message = found_message(first_failure(j));
}

/* --- proposals ------------------------------------------------------------------------------- */

static bool solve(struct repair_state *s, u64 *cost)
{
	bool some = s->r->fast ? hitting_greedy(s->h, s->chosen, cost)
			       : hitting_solve(s->h, s->chosen, cost);

	if (some)
		points_apply(&s->r->points, s->chosen, s->at);
	return some;
}

/* A choice under which none of the known executions remains. */
static bool propose(struct repair_state *s, u64 *cost)
{
	u32 *option = xmalloc((s->asserted + 1) * sizeof(*option)), n;
	bool again;

	do {
		again = false;
		if (!solve(s, cost))
			return false;
		for (u32 i = 0; i < s->r->nseen && !again; i++)
			again = take_clause(s, s->r->seen[i].failure, option, &n);
	} while (again);
	free(option);
	return true;
}

static void forbid(struct repair_state *s)
{
	u32 *option = xmalloc((s->asserted + 1) * sizeof(*option)), n = 0;

	for (u32 i = 0; i < s->asserted; i++)
		if (s->chosen[i])
			option[n++] = i;
	hitting_forbid(s->h, option, n);
	free(option);
}

static void keep_repair(struct repair_state *s, u64 cost, const struct job *j)
{
	struct repair *r = s->r;
	struct repair_choice *c;

	r->choice = xgrow(r->choice, (r->nchoices + 1) * sizeof(*r->choice));
	c = &r->choice[r->nchoices++];
	*c = (struct repair_choice){
		.cost = cost, .noptions = s->asserted, .summary = j->result.summary};
	c->summary.outcomes = NULL;
	c->chosen = xmalloc((s->asserted + 1) * sizeof(*c->chosen));
	memcpy(c->chosen, s->chosen, s->asserted * sizeof(*c->chosen));
	forbid(s);
}

/* --- without superfluous changes: --fast ----------------------------------------------------- */

/* Has no point of the execution more changes than when it was found? */
static bool has_no_more(const struct failure *f, const struct stronger *at)
{
	for (u32 i = 0; i < f->npoints; i++) {
		const struct stronger *is = &at[i], *was = &f->under[i];

		if (f->at[i] && ((is->order & ~was->order) | (is->before & ~was->before) |
					(is->after & ~was->after) | (is->fail & ~was->fail)))
			return false;
	}
	return true;
}

static bool needed(struct repair_state *s)
{
	for (u32 i = 0; i < s->r->nseen; i++) {
		const struct failure *f = s->r->seen[i].failure;

		if (f->exact ? failure_remains(f, &s->r->points, s->at) : has_no_more(f, s->at))
			return true;
	}
	return false;
}

/* To relax: is an option in another one that is chosen? */
static bool is_part_of_chosen(const struct repair_state *s, u32 option)
{
	for (u32 i = option + 1; i < s->asserted; i++)
		if (s->chosen[i] && option_has(&s->r->points, i, option))
			return true;
	return false;
}

/* A failing execution does not show pairs that dependencies have kept: for a machine's repair,
 * superfluous changes have to be found by trial. */
static bool is_hardware_repair(const struct points *p)
{
	return !p->relax && model_is_hardware(p->model);
}

/* Remove one change after the other; put it back if the program then fails. */
static struct job *reduce(struct repair_state *s, struct job *clean, u64 *cost)
{
	const struct points *p = &s->r->points;

	for (u32 k = 0, noptions = s->asserted; k < noptions; k++) {
		u32 i = p->relax ? noptions - 1 - k : k; /* larger options have higher numbers */
		struct job *j = NULL;

		if (!s->chosen[i] || (p->relax && is_part_of_chosen(s, i)))
			continue;
		s->chosen[i] = false;
		points_apply(p, s->chosen, s->at);
		if (is_hardware_repair(p) || !needed(s)) {
			j = explore_under(s, p->model);
			say_progress(s, first_failure(j) ? "fails" : "clean");
		}
		if (j && !first_failure(j) && !interrupted(j) &&
			j->result.summary.complete >= clean->result.summary.complete) {
			clean = j;
			*cost -= p->option[i].cost;
			continue;
		}
		if (j && first_failure(j))
			see_all(s, j);
		s->chosen[i] = true;
		points_apply(p, s->chosen, s->at);
	}
	return clean;
}

/* --- the loop -------------------------------------------------------------------------------- */

/*
 * To relax when failing executions are not exact, and so exclude little: start from the program's
 * own orders, and remove one after the other.
 */
static void choose_all(struct repair_state *s, u64 *cost)
{
	const struct points *p = &s->r->points;

	*cost = 0;
	for (u32 i = 0; i < s->asserted; i++) {
		s->chosen[i] = true;
		*cost += p->option[i].cost;
	}
	points_apply(p, s->chosen, s->at);
	s->r->fast = true;
}

/* Search until a choice is clean. False: r->result has the reason. */
static bool find_one(struct repair_state *s, u64 *cost)
{
	struct repair *r = s->r;

	for (;;) {
		u32 known = r->points.npoints;
		struct job *j = explore_under(s, r->points.model);
		const struct found *f = first_failure(j);

		say_progress(s, f ? found_message(f) : "clean");
		if (!f && interrupted(j)) {
			r->result = REPAIR_CUT;
			return false;
		}
		if (!f && r->points.relax && known < r->points.npoints)
			continue; /* new points, which also begin without their orders */
		if (!f) {
			known = r->points.npoints;
			if (r->fast || is_hardware_repair(&r->points))
				j = reduce(s, j, cost);
			if (r->points.relax && known < r->points.npoints)
				continue;
			keep_repair(s, *cost, j);
			return true;
		}
		see_all(s, j);
		if (r->points.relax && !r->fast &&
			(r->ninexact > INEXACT_MOST || !propose(s, cost))) {
			choose_all(s, cost);
			continue;
		}
		if (r->points.relax ? r->fast : !propose(s, cost)) {
			r->result = REPAIR_IMPOSSIBLE;
			return false;
		}
	}
}

/* Find the other repairs of the same cost; when relaxing, all other minimal sets of orders. */
static void find_all(struct repair_state *s)
{
	struct repair *r = s->r;
	u64 least = r->choice[0].cost, cost;

	while (propose(s, &cost) && (cost == least || r->points.relax)) {
		struct job *j;

		if (r->nchoices == r->limit) {
			r->more = true;
			return;
		}
		j = explore_under(s, r->points.model);
		say_progress(s, first_failure(j) ? "fails" : "clean");
		if (first_failure(j))
			see_all(s, j);
		else if (interrupted(j))
			return;
		else
			keep_repair(s, cost, j);
	}
}

static void search(struct repair_state *s)
{
	struct repair *r = s->r;
	bool relax = r->points.relax;
	const struct job *j = explore_under(s, relax ? r->points.model : MODEL_SC);
	const struct found *f = first_failure(j);
	u64 cost = 0;

	say_progress(s, f	? relax ? "fails as it is" : "fails under sc"
			: relax ? "as it is, clean"
				: "sc, clean");
	r->sc_complete = j->result.summary.complete;
	r->first = j->result.summary;
	r->first.outcomes = NULL;
	if (f) {
		r->result = relax ? REPAIR_FAILS : REPAIR_SC;
		r->shown = f->report;
		r->message = found_message(f);
		return;
	}
	if (interrupted(j)) {
		r->result = REPAIR_CUT;
		return;
	}
	if (!find_one(s, &cost))
		return;
	r->result = r->nseen ? REPAIR_FOUND : REPAIR_CLEAN;
	if (r->nseen && r->all && !r->fast)
		find_all(s);
}

/* Raise the limit of open files: each report keeps the files of its symbols open. */
static void allow_files(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) != 0)
		return;
	l.rlim_cur = l.rlim_max;
	setrlimit(RLIMIT_NOFILE, &l);
}

void repair_search(struct repair *r)
{
	struct repair_state s = {.r = r, .h = hitting_new(), .dir = temporary_folder("fences")};
	double began = seconds_now();

	if (!s.dir)
		die("no temporary folder: %s", strerror(errno));
	allow_files();
	search(&s);
	if (r->result != REPAIR_FOUND && r->result != REPAIR_CLEAN && s.replay && r->shown)
		keep_replay(&s);
	drop_replay(&s);
	unlink(file_in(&s, "sites"));
	unlink(file_in(&s, "orders"));
	rmdir(s.dir);
	r->seconds = seconds_now() - began;
}
