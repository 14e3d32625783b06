/* SPDX-License-Identifier: ISC */
/*
 * agent.c - see agent.h.
 *
 * The process of a ticket has its files in a folder of its own: the image to begin with, what is
 * left, the parts that it gives away, replay files. It is an ordinary exploration (job.h) with
 * option `ticket'; of a suite, a process of heddle for a shard.
 */
#include "mpi/agent.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child/interrupt.h"
#include "clock.h"
#include "die.h"
#include "mpi/machines.h"
#include "mpi/part.h"
#include "program/place_words.h"
#include "replay/crash_replay.h"
#include "shard/shard.h"
#include "suite/suite.h"
#include "temporary.h"

#define PROGRESS_NS 300000000ull

static struct {
	const struct job *like;
	char *folder;
	struct job *job; /* NULL: none runs */
	pid_t suite;	 /* likewise: 0 */
	u64 ticket;
	u32 kind, deaths;
	bool asked;
	u32 wanted, restarts;
	u64 reported;	/* clock_now() of the last MESSAGE_PROGRESS */
	u64 executions; /* of tickets that are over */
} me;

static char *file(const char *name)
{
	return xprintf("%s/%s", me.folder, name);
}

static void empty_folder(void)
{
	DIR *d = opendir(me.folder);

	for (struct dirent *e; d && (e = readdir(d));)
		if (e->d_name[0] != '.')
			unlink(file(e->d_name));
	if (d)
		closedir(d);
}

static void send_message(struct message *m)
{
	m->ticket = me.ticket;
	post(0, m);
}

static void send_kind(enum message_kind kind)
{
	send_message(&(struct message){.kind = kind});
}

void agent_begin(const struct job *j)
{
	struct message m = {.kind = MESSAGE_HELLO, .number = {search_hash(j), STATUS_MAGIC}};
	char host[256] = "?";

	gethostname(host, sizeof(host) - 1);
	me.like = j;
	me.folder = temporary_folder("rank");
	if (!me.folder)
		die("cannot make a temporary folder: %s", strerror(errno));
	message_add_text(&m, host);
	post(0, &m);
}

/* --- the beginning of a ticket ---------------------------------------------------------------- */

static void begin_suite(const struct message *m)
{
	static struct job j;

	fflush(NULL);
	me.suite = fork();
	if (me.suite < 0)
		die("cannot start a process: %s", strerror(errno));
	if (me.suite)
		return;
	j = *me.like;
	j.s.shard = m->number[1] | m->number[2] << 32;
	j.s.at_once = 1;
	j.to = (struct outputs){.json = fopen(file("suite.json"), "we")};
	if (!j.to.json)
		_exit(EXIT_USAGE);
	_exit(suite_run(&j, (char *[]){"heddle", NULL}, NULL) >= 0 ? 0 : EXIT_USAGE);
}

static void set_work(struct options *o, const struct message *m)
{
	strcpy(o->replay_dir, me.folder);
	o->time = m->number[3];
	switch ((enum work_kind)m->number[0]) {
	case WORK_GRAPHS:
		o->ticket = 1;
		strcpy(o->checkpoint, file("rest"));
		if (!m->nparts || !m->part[0].n)
			break;
		strcpy(o->resume, file("work"));
		if (!bytes_to_file(m->part[0], o->resume))
			die("%s: cannot be written: %s", o->resume, strerror(errno));
		break;
	case WORK_ROUNDS:
		o->first_round = m->number[1];
		o->rounds = m->number[2];
		break;
	case WORK_SHARD:
	case WORK_SUITE: o->shard = m->number[1] | m->number[2] << 32; break;
	}
}

static void begin_ticket(const struct message *m)
{
	empty_folder();
	me.ticket = m->ticket;
	me.kind = (u32)m->number[0];
	me.deaths = (u32)m->number[4];
	me.asked = false;
	me.restarts = 0;
	if (me.kind == WORK_SUITE) {
		begin_suite(m);
		return;
	}
	me.job = xmalloc(sizeof(*me.job));
	*me.job = *me.like;
	me.job->paces = false;
	me.job->setup.verbose = false;
	me.job->setup.no_out = me.ticket != 1; /* once */
	set_work(&me.job->s.explore, m);
	job_begin(me.job);
}

/* --- its messages ----------------------------------------------------------------------------- */

static void add_message_file(struct message *m, const char *path)
{
	message_add(m, bytes_of_file(path));
}

/* Page, replay files and the rest. */
static void add_results(struct message *m, const struct status *s)
{
	message_add(m, part_pack(s));
	message_add(m, replays_pack(s));
	add_message_file(m, file("rest"));
}

static void send_and_free(struct message *m)
{
	send_message(m);
	for (u32 i = 0; i < m->nparts; i++)
		bytes_free(&m->part[i]);
}

static void tell_restarts(const struct status *s)
{
	if (s->give.restarts == me.restarts || me.kind != WORK_GRAPHS)
		return;
	me.restarts = s->give.restarts;
	send_kind(MESSAGE_AGAIN);
}

static void tell_progress(const struct status *s)
{
	struct message m = {.kind = MESSAGE_PROGRESS,
		.number = {me.executions + (s ? s->executions : 0), s ? s->nfindings : 0,
			s ? s->chosen : 0, s && s->state == STATUS_EXPLORING}};

	if (clock_now() - me.reported < PROGRESS_NS)
		return;
	me.reported = clock_now();
	send_message(&m);
}

static void tell_given(struct status *s)
{
	struct message m = {.kind = MESSAGE_GAVE, .number = {s->give.given}};

	s->bounds = s->give.bounds; /* it will set them at its end */
	s->complete = s->give.complete;
	add_results(&m, s);
	for (u32 i = 1; i <= s->give.given && i <= GIVEN_MOST; i++)
		add_message_file(&m, file(xprintf("rest.%u", i)));
	send_and_free(&m);
}

static void tell_cannot(const struct status *s)
{
	struct message m = {.kind = MESSAGE_CANNOT};

	message_add_text(&m, xprintf("%.*s", (int)sizeof(s->give.note), s->give.note));
	send_and_free(&m);
}

/* The process waits in a leaf for GIVE_NONE. */
static bool exchange_parts(struct status *s)
{
	u32 state = __atomic_load_n(&s->give.state, __ATOMIC_ACQUIRE);

	if (me.kind != WORK_GRAPHS || s->state != STATUS_EXPLORING)
		return false;
	if (me.asked && state <= GIVE_ASKED) {
		s->give.wanted = me.wanted < GIVEN_MOST ? me.wanted : GIVEN_MOST;
		me.asked = false;
		if (state == GIVE_NONE)
			__atomic_store_n(&s->give.state, GIVE_ASKED, __ATOMIC_RELEASE);
		return true;
	}
	if (state != GIVE_DONE && state != GIVE_CANNOT)
		return false;
	if (state == GIVE_DONE)
		tell_given(s);
	else
		tell_cannot(s);
	__atomic_store_n(&s->give.state, GIVE_NONE, __ATOMIC_RELEASE);
	return true;
}

/* --- the end of a ticket ---------------------------------------------------------------------- */

#define OUT_OF_TIME (BOUND_TIME | BOUND_INTERRUPT)

/* A process that has died: the first time it is tried again, as others may have killed it. */
static enum end end_of_dead(struct job *j)
{
	struct status *s = j->child.status;

	if (WIFEXITED(j->child.wait_status) && WEXITSTATUS(j->child.wait_status) == EXIT_BUG)
		exit(EXIT_BUG); /* it has printed the reason */
	if (j->child.interrupted || j->child.killed) {
		s->bounds |= j->child.interrupted ? BOUND_INTERRUPT : BOUND_TIME;
		return me.kind == WORK_GRAPHS ? END_LOST : END_CUT;
	}
	if (!me.deaths || !lost_finding(&j->child, &j->setup, &j->s, &j->facts))
		return END_LOST;
	s->executions++;
	s->failing++;
	s->complete = 0;
	return END_OVER;
}

static enum end end_of_job(struct job *j, const char **why)
{
	struct status *s = j->child.status;
	int code = j->child.wait_status;

	*why = job_defect(j);
	if (*why)
		return END_REFUSED;
	if (s->state == STATUS_EXPLORING)
		return end_of_dead(j);
	if (s->state == STATUS_DONE)
		return s->bounds & OUT_OF_TIME && !(s->bounds & BOUND_FINDING) ? END_CUT : END_OVER;
	if (j->child.interrupted || j->child.killed ||
		(WIFSIGNALED(code) && !me.deaths && s->state != STATUS_REFUSED))
		return END_LOST;
	*why = place_words(xprintf("%.*s", (int)sizeof(s->note), s->note));
	if (!**why)
		*why = xprintf("%s: ended before anything was explored", j->setup.argv[0]);
	return END_REFUSED;
}

static void free_job(void)
{
	munmap(me.job->child.status, sizeof(struct status));
	free(me.job);
	me.job = NULL;
}

static void end_job(void)
{
	const char *why = NULL;
	struct message m = {.kind = MESSAGE_DONE};
	struct status *s = me.job->child.status;

	m.number[0] = end_of_job(me.job, &why);
	if (!why) {
		tell_restarts(s);
		me.executions += s->executions;
		add_results(&m, s);
	} else {
		message_add_text(&m, why);
	}
	send_and_free(&m);
	free_job();
	send_kind(MESSAGE_IDLE);
}

static bool look_at_suite(void)
{
	struct message m = {.kind = MESSAGE_DONE, .number = {END_OVER}};
	int code;

	if (waitpid(me.suite, &code, WNOHANG) != me.suite)
		return false;
	me.suite = 0;
	add_message_file(&m, file("suite.json"));
	if (!m.part[0].n)
		m.number[0] = END_LOST;
	send_and_free(&m);
	send_kind(MESSAGE_IDLE);
	return true;
}

/* --- all of it -------------------------------------------------------------------------------- */

static void drop(void)
{
	if (me.job) {
		child_kill(&me.job->child);
		while (!job_poll(me.job))
			usleep(1000);
		free_job();
	}
	if (me.suite) {
		kill(me.suite, SIGTERM);
		waitpid(me.suite, NULL, 0);
		me.suite = 0;
	}
}

bool agent_take(const struct message *m)
{
	switch ((enum message_kind)m->kind) {
	case MESSAGE_WORK: begin_ticket(m); return true;
	case MESSAGE_ASK:
		me.asked = me.job && me.ticket == m->ticket;
		me.wanted = (u32)m->number[0];
		return true;
	case MESSAGE_DROP:
		if (me.ticket != m->ticket || (!me.job && !me.suite))
			return true; /* it has just ended: IDLE is on its way */
		drop();
		send_kind(MESSAGE_IDLE);
		return true;
	case MESSAGE_LEAVE:
		if (m->nparts)
			warn("%s", message_text(m, 0));
		return false;
	default: return true;
	}
}

bool agent_look(void)
{
	struct status *s;
	bool ended;

	if (me.suite)
		return look_at_suite();
	if (!me.job) {
		tell_progress(NULL);
		return false;
	}
	s = me.job->child.status;
	ended = job_poll(me.job);
	tell_restarts(s);
	if (exchange_parts(s))
		return true;
	if (ended)
		end_job();
	else
		tell_progress(s);
	return ended;
}

bool agent_works(void)
{
	return me.job || me.suite;
}

void agent_end(void)
{
	drop();
	empty_folder();
	rmdir(me.folder);
}
