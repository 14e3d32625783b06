/* SPDX-License-Identifier: ISC */
/* Local variables whose contents are copied before they are stored to, in whole or in part, and those
 * that are stored to by code that is not instrumented. graph: sc tso rc11; random: tso; dfs: tso */
#include "two.h"

#include <semaphore.h>
#include <setjmp.h>
#include <time.h>
#include <unistd.h>

struct padded {
	char c;
	long n;
	int i;
};

union word {
	int i;
	char c[4];
	long n;
};

struct bits {
	unsigned a : 3, b : 29;
	unsigned c : 16, d : 16;
};

static struct padded kept;
static atomic_int turn;

static __attribute__((noinline)) void fill(struct padded *p)
{
	p->c = 'a';
	p->n = 3;
	p->i = 4;
}

static __attribute__((noinline)) void copy(void)
{
	struct padded p, q;

	fill(&p);
	q = p;
	memcpy(&kept, &q, sizeof kept);
	assert(q.c == 'a' && q.n == 3 && q.i == 4);
}

static __attribute__((noinline)) int get(bool ok, int *to)
{
	if (ok)
		*to = 7;
	return ok;
}

/* The value is read, and used only if there is one. */
static __attribute__((noinline)) int looked(bool ok)
{
	int value, got = get(ok, &value), seen = value;

	return got && seen == 7 ? 1 : got ? seen : 0;
}

static __attribute__((noinline)) void put_char(char *to)
{
	*to = 'x';
}

static __attribute__((noinline)) void parts(void)
{
	union word w;
	struct bits b;
	int buffer[8], half[8], n = 0;

	put_char(&w.c[1]);
	assert(w.c[1] == 'x');
	get(true, &w.i);
	assert(w.i == 7);
	b.a = 5;
	b.c = 6;
	atomic_signal_fence(memory_order_seq_cst);
	assert(b.a == 5 && b.c == 6);
	while (n < 3)
		get(true, &buffer[n++]);
	memcpy(half, buffer, sizeof half);
	for (int i = 0; i < n; i++)
		assert(half[i] == 7);
}

static __attribute__((noinline)) void library(void)
{
	struct timespec now;
	char *end;
	int n, fd[2], more;

	assert(sscanf("12", "%d", &n) == 1 && n == 12);
	assert(strtol("7 ", &end, 10) == 7 && *end == ' ');
	assert(!clock_gettime(CLOCK_MONOTONIC, &now) && now.tv_nsec >= 0);
	assert(!pipe(fd) && write(fd[1], "abcd", 4) == 4 && read(fd[0], &more, 4) == 4);
	assert(more == 0x64636261);
	close(fd[0]);
	close(fd[1]);
}

struct job {
	sem_t done;
	int in, out;
};

static _Atomic(struct job *) job;

static void *asks(void *arg)
{
	struct job j;

	sem_init(&j.done, 0, 0);
	j.in = 2;
	atomic_store_explicit(&job, &j, memory_order_release);
	sem_wait(&j.done);
	assert(j.out == 3);
	copy();
	return arg;
}

static void *answers(void *arg)
{
	struct job *j;

	while (!(j = atomic_load_explicit(&job, memory_order_acquire)))
		;
	j->out = j->in + 1;
	sem_post(&j->done);
	parts();
	return arg;
}

static void *reads(void *arg)
{
	bool first = !atomic_fetch_add(&turn, 1);

	assert(looked(first) == first);
	if (first)
		library();
	return arg;
}

int main(void)
{
	two(asks, NULL, answers, NULL);
	two(reads, NULL, reads, NULL);
	puts("ok");
	return 0;
}
