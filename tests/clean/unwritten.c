/* SPDX-License-Identifier: ISC */
/* Atomic loads of heap memory that has been stored to: by calloc(), realloc(), a plain store,
 * memset(), a system call, code that is not instrumented, or by an order. graph: sc tso rc11;
 * random: tso */
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>
#include "two.h"

struct block {
	atomic_int zero, plain, filled, read_in, outside, ordered;
	atomic_long grown;
	char padding[6];
};

static struct block *b;
static atomic_bool ready;

__attribute__((annotate("heddle_ignore"))) static void outside(int *p)
{
	*p = 5;
}

static struct block *make(void)
{
	struct block *made = calloc(1, offsetof(struct block, grown));
	int fd[2];

	made = realloc(made, sizeof *made);
	made->grown = 1;
	*(int *)&made->plain = 2;
	memset(&made->filled, 1, sizeof made->filled);
	assert(!pipe(fd) && write(fd[1], "abcd", 4) == 4);
	assert(read(fd[0], &made->read_in, 4) == 4);
	close(fd[0]);
	close(fd[1]);
	outside((int *)&made->outside);
	return made;
}

static void *looks(void *arg)
{
	int sum = atomic_load_explicit(&b->zero, memory_order_relaxed) + b->plain + b->filled +
		  b->read_in + b->outside;

	if (atomic_load_explicit(&ready, memory_order_acquire))
		sum += atomic_load_explicit(&b->ordered, memory_order_relaxed);
	assert(sum && b->grown == 1);
	return arg;
}

static void *stores(void *arg)
{
	atomic_store_explicit(&b->ordered, 3, memory_order_relaxed);
	atomic_store_explicit(&ready, true, memory_order_release);
	return arg;
}

int main(void)
{
	b = make();
	two(looks, NULL, stores, NULL);
	free(b);
	puts("ok");
	return 0;
}
