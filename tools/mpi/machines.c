/* SPDX-License-Identifier: ISC */
/* machines.c - see machines.h: options, and the loop of a rank. */
#include "mpi/machines.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "die.h"
#include "mpi/agent.h"
#include "mpi/broker.h"
#include "mpi/transport.h"
#include "shard/merge.h"

/* Between two looks, if there was nothing to do: it doubles, up to the next one; that of a rank
 * whose process is at work is longer, as each look takes time from that. */
#define NAP_US	       500
#define NAP_MOST_US    2000
#define NAP_AT_WORK_US 10000

/* Messages of this rank to itself. */
struct self_message {
	struct self_message *next;
	struct bytes all;
};

static struct {
	const struct transport *by;
	int rank, size;
	struct self_message *letters, **end;
	char journal[OPTION_TEXT_MAX];
	bool resumed;
	bool missing; /* a rank did not say goodbye */
} here;

/* --- options ---------------------------------------------------------------------------------- */

static const char *conflict(const struct job *j)
{
	const struct options *o = &j->s.explore;

	if (o->jobs > 1)
		return "--jobs: not with --mpi, whose ranks are processes: mpirun -n N";
	if (o->shard || j->s.list)
		return o->shard ? "--shard: not with --mpi" : "--list: not with --mpi";
	if (o->checkpoint[0] && o->resume[0])
		return "--checkpoint: not with --resume, which continues a journal in its file";
	if (j->s.suite)
		return j->s.junit || j->s.sarif || j->s.html
			       ? "--mpi --suite writes --json only, not --junit, --sarif and --html"
			       : NULL;
	if (o->strategy == STRATEGY_RF || o->strategy == STRATEGY_TRACES ||
		o->strategy == STRATEGY_STATES || o->strategy == STRATEGY_MIXED)
		return "--mpi: not with --strategy rf, traces, states and mixed";
	if (o->equivalence == EQUIVALENCE_AUTO)
		return "--mpi needs --equivalence rf or rf+co, not auto";
	if (o->executions && o->strategy == STRATEGY_GRAPH)
		return "--executions: with --mpi only of strategies that sample";
	return NULL;
}

void machines_options(struct job *j)
{
	struct options *o = &j->s.explore;
	const char *wrong = conflict(j);

	if (wrong)
		die("run: %s", wrong);
	here.resumed = o->resume[0];
	strcpy(here.journal, here.resumed ? o->resume : o->checkpoint);
	o->checkpoint[0] = o->resume[0] = 0;
}

const char *machines_journal(bool *resumed)
{
	*resumed = here.resumed;
	return here.journal;
}

void machines_join(struct job *j)
{
	struct settings *s = &j->s;

	here.end = &here.letters;
	here.by = transport_open(&here.rank, &here.size);
	s->style.color = s->always_color; /* output goes through the launcher, maybe to a file */
	if (!here.rank)
		return;
	s->json = s->junit = s->sarif = s->html = NULL;
	s->annotate = s->verbose = false;
	s->quiet = true;
}

/* --- messages --------------------------------------------------------------------------------- */

void post(int rank, const struct message *m)
{
	struct bytes all = message_write(m);
	struct self_message *l;

	if (rank != here.rank) {
		here.by->send(rank, all.at, all.n);
		bytes_free(&all);
		return;
	}
	l = xmalloc(sizeof(*l));
	l->all = all;
	*here.end = l;
	here.end = &l->next;
}

static bool take_own_machine(struct bytes *all)
{
	struct self_message *l = here.letters;

	if (!l)
		return false;
	*all = l->all;
	here.letters = l->next;
	if (!here.letters)
		here.end = &here.letters;
	free(l);
	return true;
}

static bool is_for_broker(const struct message *m)
{
	return m->kind <= MESSAGE_BYE;
}

/* Take the next message, if there is one. *leave: rank 0 wants this rank to leave. */
static bool take_one(bool *leave)
{
	struct bytes all;
	struct message m;
	int from = here.rank;

	if (!take_own_machine(&all)) {
		all.at = here.by->receive(&from, &all.n);
		if (!all.at)
			return false;
	}
	if (!message_read(&m, all))
		die("rank %d has sent data that is not a message", from);
	if (!is_for_broker(&m))
		*leave |= !agent_take(&m);
	else if (!here.rank)
		broker_take(from, &m);
	bytes_free(&all);
	return true;
}

/* --- the loop --------------------------------------------------------------------------------- */

/* Until this rank is to leave, and rank 0 until all others have left, or do not answer. */
static void take_part(void)
{
	unsigned nap = NAP_US, most;
	bool leave = false, said = false, goes_on = true;

	while (goes_on) {
		bool busy = take_one(&leave);

		busy |= !leave && agent_look();
		if (leave && !said) {
			said = true;
			agent_end();
			post(0, &(struct message){.kind = MESSAGE_BYE});
		}
		goes_on = here.rank ? !leave || !here.by->sent() : broker_look() || broker_waits();
		most = agent_works() ? NAP_AT_WORK_US : NAP_MOST_US;
		nap = busy ? NAP_US : nap * 2 < most ? nap * 2 : most;
		if (!busy)
			usleep(nap);
	}
	if (here.rank) {
		here.by->end();
		exit(EXIT_CLEAN);
	}
	here.missing = broker_has_missing();
}

void machines_explore(struct job *j)
{
	struct child *c = &j->child;

	if (!here.rank)
		broker_begin(j, here.size);
	agent_begin(j);
	take_part();
	c->status = mmap(NULL, sizeof(*c->status), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (c->status == MAP_FAILED)
		die("not enough memory");
	c->ended = true;
	broker_sum(c->status);
	job_end(j);
}

int machines_suite(struct job *j, char **argv)
{
	char **files;
	unsigned n;
	json_t *whole;
	int code;

	if (!here.rank)
		broker_begin(j, here.size);
	agent_begin(j);
	take_part();
	files = broker_suite(&n);
	if (!n)
		die("run: --mpi --suite: no test has been explored");
	whole = merge_files(files, n);
	for (unsigned i = 0; i < n; i++)
		unlink(files[i]);
	*strrchr(files[0], '/') = 0;
	rmdir(files[0]);
	js_put(whole, "command_line", js_text(command_line(argv)));
	code = (int)json_integer_value(json_object_get(whole, "exit_code"));
	if (j->to.text)
		merge_show(whole, j->to.text);
	if (j->to.json)
		js_write(whole, j->to.json);
	return code;
}

void machines_leave(int code)
{
	fflush(NULL);
	if (here.missing)
		here.by->abort(code);
	here.by->end();
	exit(code);
}
