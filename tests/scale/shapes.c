/* SPDX-License-Identifier: ISC */
/* Small programs, all of them wrong, of the shapes that benchmarks of concurrency testing have: -DSHAPE=account,
 * reorder, token_ring, two_stages, philosophers, wrong_lock, aba. */
#include "scale.h"

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static atomic_int a, b;

/* A withdrawal and a deposit; the balance expected after both is wrong. */
static int balance = 100, seen_deposit, seen_withdrawal;

static void *deposit(void *unused)
{
	pthread_mutex_lock(&one);
	balance += 50;
	seen_deposit = 1;
	pthread_mutex_unlock(&one);
	return unused;
}

static void *withdraw(void *unused)
{
	pthread_mutex_lock(&one);
	balance -= 30;
	seen_withdrawal = 1;
	pthread_mutex_unlock(&one);
	return unused;
}

static void *audit(void *unused)
{
	pthread_mutex_lock(&one);
	if (seen_deposit && seen_withdrawal)
		assert(balance == 150);
	pthread_mutex_unlock(&one);
	return unused;
}

static void account(void)
{
	start(0, 1, deposit);
	start(1, 1, withdraw);
	start(2, 1, audit);
	join(0, 3);
}

/* 19 threads write a and then b, one looks at both. */
static void *sets(void *unused)
{
	a = 1;
	b = -1;
	return unused;
}

static void *looks(void *unused)
{
	int x = a, y = b;

	assert((x == 0 && y == 0) || (x == 1 && y == -1));
	return unused;
}

static void reorder(void)
{
	start(0, 19, sets);
	start(19, 1, looks);
	join(0, 20);
}

/* Each of four threads takes its number from its neighbour's. */
static int token[4];

static void *passes(void *id)
{
	int n = (int)(intptr_t)id;

	pthread_mutex_lock(&one);
	token[n] = (token[(n + 3) % 4] + 1) % 10;
	pthread_mutex_unlock(&one);
	return NULL;
}

static void token_ring(void)
{
	start(0, 4, passes);
	join(0, 4);
	assert(token[3] == token[2] + 1 || token[2] == token[1] + 1 || token[1] == token[0] + 1);
}

/* Of 100 threads all but one do something in two steps, under two locks. */
static int first_stage, second_stage;

static void *two_steps(void *unused)
{
	pthread_mutex_lock(&one);
	first_stage = 1;
	pthread_mutex_unlock(&one);
	pthread_mutex_lock(&other);
	second_stage = first_stage + 1;
	pthread_mutex_unlock(&other);
	return unused;
}

static void *reads_both(void *unused)
{
	int x, y;

	pthread_mutex_lock(&one);
	x = first_stage;
	pthread_mutex_unlock(&one);
	pthread_mutex_lock(&other);
	y = second_stage;
	pthread_mutex_unlock(&other);
	assert(!x || y == x + 1);
	return unused;
}

static void two_stages(void)
{
	start(0, 99, two_steps);
	start(99, 1, reads_both);
	join(0, 100);
}

/* Seven philosophers who all take the fork on the left first. */
static pthread_mutex_t fork_[7];
static int meals;

static void *dines(void *id)
{
	int n = (int)(intptr_t)id;

	pthread_mutex_lock(&fork_[n]);
	pthread_mutex_lock(&fork_[(n + 1) % 7]);
	pthread_mutex_lock(&one);
	meals++;
	pthread_mutex_unlock(&one);
	pthread_mutex_unlock(&fork_[(n + 1) % 7]);
	pthread_mutex_unlock(&fork_[n]);
	return NULL;
}

static void philosophers(void)
{
	for (int i = 0; i < 7; i++)
		pthread_mutex_init(&fork_[i], NULL);
	start(0, 7, dines);
	join(0, 7);
	assert(meals == 7);
}

/* One thread takes one lock, seven take another one. */
static atomic_int shared_;

static void *right_lock(void *unused)
{
	int x;

	pthread_mutex_lock(&one);
	x = shared_;
	shared_ = x + 1;
	assert(shared_ == x + 1);
	pthread_mutex_unlock(&one);
	return unused;
}

static void *another_lock(void *unused)
{
	pthread_mutex_lock(&other);
	shared_++;
	pthread_mutex_unlock(&other);
	return unused;
}

static void wrong_lock(void)
{
	start(0, 1, right_lock);
	start(1, 7, another_lock);
	join(0, 8);
}

/* Three threads pop two nodes and push the first one again: a stack whose top is compared alone. */
static struct node {
	_Atomic(struct node *) next;
	atomic_int owned;
} node[4];
static _Atomic(struct node *) top;

static struct node *pop(void)
{
	struct node *n = top, *next;

	do {
		if (!n)
			return NULL;
		next = n->next;
	} while (!atomic_compare_exchange_strong(&top, &n, next));
	assert(atomic_exchange(&n->owned, 1) == 0);
	return n;
}

static void push(struct node *n)
{
	struct node *old = top;

	n->owned = 0;
	do
		n->next = old;
	while (!atomic_compare_exchange_strong(&top, &old, n));
}

static void *pops_and_pushes(void *unused)
{
	struct node *x = pop(), *y = pop();

	if (x)
		push(x);
	if (y)
		push(y);
	return unused;
}

static void aba(void)
{
	for (int i = 0; i < 4; i++)
		push(&node[i]);
	start(0, 3, pops_and_pushes);
	join(0, 3);
}

int main(void)
{
	SHAPE();
	return 0;
}
