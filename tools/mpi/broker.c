/* SPDX-License-Identifier: ISC */
/*
 * broker.c - see broker.h.
 *
 * A rank is asked for a part when another one has nothing to do, but not before its process has run
 * for MATURE; it gives one as soon as it has a saved graph. A rank that has not been heard for
 * SILENT counts as lost while others have nothing to do: its remaining work is given to one of
 * them, and it has to drop its ticket when it is heard again.
 */
#include "mpi/broker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child/interrupt.h"
#include "clock.h"
#include "die.h"
#include "mpi/journal.h"
#include "mpi/machines.h"
#include "mpi/part.h"
#include "mpi/table.h"
#include "path.h"
#include "shard/shard.h"
#include "temporary.h"

#define MATURE	   100000000ull	 /* nanoseconds */
#define DELAY	   50000000ull	 /* after a part was given */
#define COMMIT	   5000000000ull /* how often a rank reports its remaining work */
#define SILENT	   3000000000ull
#define PATIENCE   3000000000ull /* at the end */
#define ROUNDS_NS  1000000000ull /* that a ticket of samples is to take */
#define ROUNDS_ALL UINT32_MAX
#define PART	   256 /* samples of a round */
#define SHARDS	   64  /* of searches that cannot be divided on the way; the result depends on it */
#define DEATHS	   3
#define PROGRESS   200000000ull
#define LINE	   2000000000ull

enum rank_state { RANK_NEW, RANK_IDLE, RANK_BUSY, RANK_REFUSED, RANK_LEFT };

static struct rank {
	enum rank_state state;
	u64 heard, dropped; /* when it last said something, and had to drop its ticket */
	u64 id;		    /* of its ticket */
	char *host;
	u64 executions, findings;
} * ranks;

static struct {
	struct job *job;
	int n;
	struct ticket_table table;
	u64 search, started, deadline;	 /* 0: none */
	u32 kind;			 /* enum work_kind */
	u64 next_round, rounds, at_once; /* of samples */
	bool over, enough;
	u64 over_since, drawn;
	const char *refusal, *note;
} at;

/* --- the table -------------------------------------------------------------------------------- */

static bool decide(const struct message *m)
{
	if (!table_take(&at.table, m))
		return false;
	journal_add(m);
	return true;
}

static void add_ticket(u32 kind, u64 first, u64 count)
{
	decide(&(struct message){.kind = MESSAGE_NEW, .number = {kind, first, count}});
}

static void declare_lost(u64 ticket)
{
	decide(&(struct message){.kind = MESSAGE_LOST, .ticket = ticket});
}

static void add_shards(u32 kind, u32 n)
{
	for (u32 i = 1; i <= n; i++)
		add_ticket(kind, i, n);
}

static void begin_search(void)
{
	const struct options *o = &at.job->s.explore;

	at.next_round = 0;
	if (at.kind == WORK_GRAPHS)
		add_ticket(WORK_GRAPHS, 0, 0);
	else if (at.kind == WORK_SHARD || at.kind == WORK_SUITE)
		add_shards(at.kind, SHARDS);
	else
		at.rounds = o->executions ? (o->executions + PART - 1) / PART : ROUNDS_ALL;
}

/* Of the journal. */
static void take_old(const struct message *m)
{
	table_take(&at.table, m);
	if (m->kind != MESSAGE_NEW)
		return;
	at.kind = (u32)m->number[0];
	if (at.kind == WORK_ROUNDS)
		at.next_round = m->number[1] + m->number[2];
}

/* The part that was not done is open. */
static void reopen(void)
{
	struct ticket *next;

	for (struct ticket *k = at.table.first; k; k = next) {
		next = k->next;
		if (k->state == TICKET_CUT || (k->state == TICKET_OPEN && k->page.n))
			declare_lost(k->id);
	}
}

static u32 kind_of_work(const struct job *j)
{
	const struct options *o = &j->s.explore;

	if (j->s.suite)
		return WORK_SUITE;
	if (option_is_bounded(o) || o->strategy == STRATEGY_DFS)
		return WORK_SHARD;
	return o->strategy == STRATEGY_GRAPH ? WORK_GRAPHS : WORK_ROUNDS;
}

void broker_begin(struct job *j, int n)
{
	const struct options *o = &j->s.explore;
	struct message search = {.kind = MESSAGE_SEARCH, .number = {search_hash(j), STATUS_MAGIC}};
	bool resumed;
	const char *journal = machines_journal(&resumed);

	part_by_sites = o->judged;
	ranks = xmalloc((size_t)n * sizeof(*ranks));
	at.job = j;
	at.n = n;
	at.search = search.number[0];
	at.started = j->started = clock_now();
	at.deadline = o->time && !j->s.suite ? at.started + o->time * 1000 : 0;
	at.kind = kind_of_work(j);
	at.at_once = 1;
	at.table.failures = o->keep_going ? (u32)o->max_findings : 1;
	if (*journal && resumed) {
		at.rounds = o->executions ? (o->executions + PART - 1) / PART : ROUNDS_ALL;
		journal_resume(journal, &search, take_old);
		reopen();
	} else {
		if (*journal)
			journal_begin(journal, &search);
		begin_search();
	}
}

/* --- ranks ------------------------------------------------------------------------------------ */

static void tell(int rank, enum message_kind kind, u64 ticket, u64 number)
{
	post(rank, &(struct message){.kind = kind, .ticket = ticket, .number = {number}});
}

static void greet(int rank, const struct message *m)
{
	struct rank *r = &ranks[rank];
	struct message no = {.kind = MESSAGE_LEAVE};

	r->host = xstrdup(message_text(m, 0));
	r->state = RANK_IDLE;
	if (m->number[0] == at.search && m->number[1] == STATUS_MAGIC)
		return;
	r->state = RANK_REFUSED;
	message_add_text(&no, xprintf("rank %d (%s) takes no part: it has another program, other "
				      "arguments or options, or another version of heddle than "
				      "rank 0",
				      rank, r->host));
	post(rank, &no);
}

/* The rank's ticket, if it still is; NULL. */
static struct ticket *ticket_of(int rank)
{
	struct ticket *k =
		ranks[rank].state == RANK_BUSY ? table_find(&at.table, ranks[rank].id) : NULL;

	return k && k->owner == rank && k->state == TICKET_RUNS ? k : NULL;
}

static u32 count_ranks(enum rank_state s)
{
	u32 n = 0;

	for (int i = 0; i < at.n; i++)
		n += ranks[i].state == s;
	return n;
}

/* This program's graphs cannot be divided on the way: begin again, by shards. */
static void divide_before(const char *why, u32 shards)
{
	if (count_ranks(RANK_IDLE) + count_ranks(RANK_BUSY) < 2)
		return;
	decide(&(struct message){.kind = MESSAGE_FORGET});
	at.kind = WORK_SHARD;
	at.note = why;
	add_shards(WORK_SHARD, shards);
}

static void take_refusal(const struct message *m)
{
	if (!at.refusal)
		at.refusal = xstrdup(message_text(m, 0));
}

/* The next ticket of samples takes as long as it should. */
static void measure_rounds(const struct ticket *k)
{
	u64 passed = clock_now() - k->begun;

	if (k->work.kind != WORK_ROUNDS || !passed)
		return;
	at.at_once = k->work.count * ROUNDS_NS / passed;
	at.at_once = at.at_once < 1		      ? 1
		     : at.at_once > 4 * k->work.count ? 4 * k->work.count
						      : at.at_once;
}

static void take_end(struct ticket *k, const struct message *m)
{
	enum end end = (enum end)m->number[0];

	if (end == END_REFUSED || (end == END_LOST && k->deaths >= DEATHS))
		take_refusal(end == END_REFUSED ? m : &(struct message){0});
	if (end == END_LOST && k->deaths >= DEATHS)
		at.refusal = "a process was killed repeatedly (memory? ulimit?)";
	if (end == END_OVER)
		measure_rounds(k);
	decide(m);
}

static void take_gift(struct ticket *k, const struct message *m)
{
	u64 now = clock_now();

	k->asked = false;
	k->committed = now;
	k->ask_after = now + DELAY;
	decide(m);
}

static void take_progress(int rank, const struct ticket *k, const struct message *m)
{
	ranks[rank].executions = m->number[0];
	ranks[rank].findings = m->number[1];
	if (k && k->work.kind == WORK_GRAPHS && m->number[3] && m->number[2] != STRATEGY_GRAPH &&
		!k->work.image.n)
		divide_before(NULL, count_ranks(RANK_IDLE) + count_ranks(RANK_BUSY));
}

void broker_take(int rank, const struct message *m)
{
	struct rank *r = &ranks[rank];
	struct ticket *k = ticket_of(rank);

	r->heard = clock_now();
	if (k && k->id != m->ticket)
		k = NULL;
	switch ((enum message_kind)m->kind) {
	case MESSAGE_HELLO: greet(rank, m); break;
	case MESSAGE_BYE: r->state = RANK_LEFT; break;
	case MESSAGE_IDLE:
		if (r->state == RANK_BUSY && m->ticket == r->id)
			r->state = RANK_IDLE;
		break;
	case MESSAGE_PROGRESS: take_progress(rank, k, m); break;
	case MESSAGE_GAVE:
		if (k)
			take_gift(k, m);
		break;
	case MESSAGE_CANNOT:
		if (k)
			divide_before(
				xprintf("limit: parts of this search cannot be given away, as "
					"they do not keep %s: it was divided before it began",
					message_text(m, 0)),
				SHARDS);
		break;
	case MESSAGE_DONE:
		if (k)
			take_end(k, m);
		break;
	case MESSAGE_AGAIN:
		if (k)
			decide(m);
		break;
	default: break;
	}
}

/* --- work ------------------------------------------------------------------------------------- */

static bool is_time_up(void)
{
	return at.refusal || interrupt_count() || (at.deadline && clock_now() >= at.deadline);
}

static void give_ticket(int rank, struct ticket *k)
{
	u64 now = clock_now();
	struct message m = {.kind = MESSAGE_WORK,
		.ticket = k->id,
		.number = {k->work.kind, k->work.first, k->work.count,
			at.deadline ? (at.deadline - now) / 1000 + 1 : 0, k->deaths}};

	message_add(&m, k->work.image);
	k->state = TICKET_RUNS;
	k->owner = rank;
	k->begun = k->committed = now;
	k->ask_after = now + MATURE;
	k->asked = false;
	ranks[rank].state = RANK_BUSY;
	ranks[rank].id = k->id;
	post(rank, &m);
}

static struct ticket *find_work(void)
{
	struct ticket *k = table_open(&at.table);
	u64 count = at.at_once;

	if (k || at.kind != WORK_ROUNDS || at.enough || at.next_round >= at.rounds)
		return k;
	count = count < at.rounds - at.next_round ? count : at.rounds - at.next_round;
	add_ticket(WORK_ROUNDS, at.next_round, count);
	at.next_round += count;
	return table_open(&at.table);
}

/* Returns the number of ranks that are left without work. */
static u32 give_work(void)
{
	u32 idle = 0;

	for (int i = 0; i < at.n; i++) {
		struct ticket *k = ranks[i].state == RANK_IDLE ? find_work() : NULL;

		if (k)
			give_ticket(i, k);
		idle += ranks[i].state == RANK_IDLE;
	}
	return idle;
}

/* Ask for parts for the idle ranks; and each rank, from time to time, for its remaining work. */
static void ask_for_parts(u32 idle)
{
	u64 now = clock_now();
	u32 busy = 0, each;

	for (struct ticket *k = at.table.first; k; k = k->next) {
		busy += k->state == TICKET_RUNS;
		idle -= k->asked && k->state == TICKET_RUNS && idle;
	}
	each = busy ? (idle + busy - 1) / busy : 0;
	for (struct ticket *k = at.table.first; k; k = k->next) {
		bool commits = now >= k->committed + COMMIT; /* whether or not it has been asked */

		if (k->state != TICKET_RUNS || k->work.kind != WORK_GRAPHS)
			continue;
		if (!commits && (k->asked || !idle || now < k->ask_after))
			continue;
		tell(k->owner, MESSAGE_ASK, k->id,
			commits		    ? 0
			: each < GIVEN_MOST ? each
					    : GIVEN_MOST);
		k->asked = true;
		if (commits)
			k->committed = now;
		else
			idle -= idle < each ? idle : each;
	}
}

/* Ranks with a ticket that is not theirs any more; and, if others have nothing to do, those that
 * are silent lose theirs. */
static void look_after_ranks(u32 idle)
{
	u64 now = clock_now();

	for (int i = 0; i < at.n; i++) {
		struct rank *r = &ranks[i];
		bool silent = now >= r->heard + SILENT;

		if (r->state != RANK_BUSY)
			continue;
		if (silent && idle && ticket_of(i))
			declare_lost(r->id);
		if (!ticket_of(i) && !silent && now >= r->dropped + SILENT / 2) {
			r->dropped = now;
			tell(i, MESSAGE_DROP, r->id, 0);
		}
	}
}

/* --- progress --------------------------------------------------------------------------------- */

/* heddle: 4 ranks, 3 at work, 123456 executions, 23456/s, 0 findings, 5.3 s */
static void draw_ranks(bool last)
{
	bool tty = isatty(STDERR_FILENO);
	u64 now = clock_now(), executions = 0, findings = 0, working = 0;
	double seconds = (double)(now - at.started) / 1e9;

	if ((!tty && !at.job->s.verbose) || (!last && now < at.drawn + (tty ? PROGRESS : LINE)))
		return;
	at.drawn = now;
	for (int i = 0; i < at.n; i++) {
		executions += ranks[i].executions;
		findings += ranks[i].findings;
		working += ticket_of(i) != NULL;
	}
	for (const struct ticket *k = at.table.first; k; k = k->next)
		findings += k->failures;
	if (last && tty)
		fprintf(stderr, "\r\033[K");
	else if (!last)
		fprintf(stderr,
			"%sheddle: %d ranks, %llu at work, %llu executions, %.0f/s, %llu "
			"finding%s, "
			"%.1f s%s",
			tty ? "\r\033[K" : "", at.n, (unsigned long long)working,
			(unsigned long long)executions,
			seconds > 0 ? (double)executions / seconds : 0,
			(unsigned long long)findings, findings == 1 ? "" : "s", seconds,
			tty ? "" : "\n");
	fflush(stderr);
}

/* --- the end ---------------------------------------------------------------------------------- */

static bool any_runs(void)
{
	for (int i = 0; i < at.n; i++)
		if (ticket_of(i))
			return true;
	return false;
}

static bool is_job_over(void)
{
	bool greeted = !count_ranks(RANK_NEW) || clock_now() >= at.started + PATIENCE;

	at.enough = table_cut(&at.table);
	if (at.enough)
		return greeted;
	if (is_time_up()) {
		at.over_since = at.over_since ? at.over_since : clock_now();
		return !any_runs() || at.refusal || clock_now() >= at.over_since + PATIENCE;
	}
	if (table_is_busy(&at.table) || !count_ranks(RANK_IDLE) || !greeted)
		return false;
	return at.kind != WORK_ROUNDS || at.next_round >= at.rounds;
}

bool broker_look(void)
{
	u32 idle;

	journal_sync(false);
	draw_ranks(false);
	if (at.over)
		return false;
	if (is_job_over()) {
		at.over = true;
		at.over_since = clock_now();
		draw_ranks(true);
		journal_sync(true);
		for (int i = 0; i < at.n; i++)
			if (ranks[i].state != RANK_LEFT && ranks[i].state != RANK_REFUSED)
				tell(i, MESSAGE_LEAVE, 0, 0);
		return false;
	}
	if (is_time_up())
		return true;
	idle = give_work();
	look_after_ranks(idle);
	ask_for_parts(idle);
	return true;
}

bool broker_has_missing(void)
{
	return count_ranks(RANK_LEFT) < (u32)at.n;
}

bool broker_waits(void)
{
	return broker_has_missing() && clock_now() < at.over_since + PATIENCE;
}

static void write_replays(struct status *s, struct bytes replays)
{
	const struct options *o = &at.job->s.explore;
	const char *name = o->replay_name[0] ? o->replay_name : path_base(at.job->setup.argv[0]);

	for (u32 i = 0; i < s->nfindings; i++) {
		struct bytes b = replays_of(replays, i);
		char *to = s->findings[i].replay;

		s->findings[i].verdict = o->judged ? VERDICT_ASKED : VERDICT_NONE;
		to[0] = 0;
		if (!b.n)
			continue;
		snprintf(to, sizeof(s->findings[i].replay), "%s/%s%s.heddle", o->replay_dir, name,
			i ? xprintf("-%u", i + 1) : "");
		if (!bytes_to_file(b, to)) {
			warn("%s: cannot be written: %s", to, strerror(errno));
			to[0] = 0;
		}
	}
}

static int code_of(const struct status *s)
{
	for (u32 i = 0; i < s->nfindings; i++)
		if (s->findings[i].verdict != VERDICT_SUPPRESSED)
			return EXIT_FINDING;
	if (s->unconfirmed)
		return EXIT_BUG;
	return s->complete && s->executions ? EXIT_CLEAN : EXIT_CUT;
}

void broker_sum(struct status *s)
{
	struct part_sum sum;
	bool left;

	if (at.refusal) {
		part_begin(s);
		s->state = STATUS_REFUSED;
		snprintf(s->note, sizeof(s->note), "%s", at.refusal);
		return;
	}
	sum = table_sum(&at.table, &left);
	part_begin(s);
	if (sum.page.n)
		part_add(s, sum.page);
	if (left)
		s->complete = 0;
	if (left && !(s->bounds & (BOUND_TIME | BOUND_FINDING)))
		s->bounds |= interrupt_count() ? BOUND_INTERRUPT : BOUND_TIME;
	if (at.note)
		part_note(s, at.note);
	s->exit_code = code_of(s);
	s->nanoseconds = clock_now() - at.started;
	write_replays(s, sum.replays);
}

char **broker_suite(unsigned *n)
{
	char **files = xmalloc(SHARDS * sizeof(*files)), *folder = temporary_folder("ranks");

	if (!folder)
		die("cannot make a temporary folder: %s", strerror(errno));
	*n = 0;
	for (struct ticket *k = at.table.first; k; k = k->next) {
		if (k->state != TICKET_DONE)
			continue;
		files[*n] =
			xprintf("%s/shard-%llu.json", folder, (unsigned long long)k->work.first);
		if (!bytes_to_file(k->page, files[*n]))
			die("%s: cannot be written: %s", files[*n], strerror(errno));
		++*n;
	}
	return files;
}
