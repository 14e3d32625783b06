/* SPDX-License-Identifier: ISC */
/*
 * own_values.c - a thread reads its own values, stored in any way, with any operations in between:
 * accesses that go through the buffer and accesses that do not must never meet on one object.
 */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct big {
	char c[40];
};
struct pair {
	long a, b;
};

static struct big shared, other_shared;
static struct pair shared_pair;
static atomic_int x;
static char text[32];
static _Thread_local int per_thread;

static __attribute__((noinline)) void set(int *p, int v)
{
	*p = v;
}

static __attribute__((noinline)) int by_value(struct big b)
{
	struct big *volatile p = &b;

	p->c[0]++;
	return b.c[0] + b.c[39];
}

static __attribute__((noinline)) struct big returned(char c)
{
	struct big b;

	memset(&b, c, sizeof(b));
	return b;
}

static __attribute__((noinline)) int arguments(int n, ...)
{
	va_list ap, again;
	char buffer[32];
	int sum = 0, length;

	va_start(ap, n);
	va_copy(again, ap);
	while (n--)
		sum += va_arg(ap, int);
	va_end(ap);
	length = vsnprintf(buffer, sizeof(buffer), "%d", again);
	va_end(again);
	return sum + length + buffer[0];
}

static void check_values(char c)
{
	struct big local;
	int a, b = 0, n = c;
	int vla[n];

	set(&a, 3);
	assert(a == 3);
	shared = returned(c);
	assert(by_value(shared) == 2 * c + 1);
	shared.c[0] = 1;
	assert(by_value(shared) == 2 + c);
	local = shared;
	assert(local.c[0] == 1 && local.c[39] == c);
	local.c[1] = 5;
	other_shared = local;
	assert(!memcmp(&other_shared, &local, sizeof(local)));
	shared_pair = (struct pair){1, 2};
	shared_pair.b++;
	assert(shared_pair.a + shared_pair.b == 4);
	set(&vla[n - 1], 7);
	assert(vla[n - 1] == 7);
	assert(arguments(3, 1, 2, 3) == 6 + 1 + '1');
	__asm__ volatile("lock; xaddl %1, %0" : "+m"(b), "+r"(n)::"memory");
	assert(b == c && n == 0);
	strcpy(text, "abc");
	strcat(text, "def");
	assert(strlen(text) == 6 && snprintf(text, sizeof(text), "%d", 77) == 2);
	assert(!strcmp(text, "77"));
	set(&per_thread, 9);
	assert(per_thread == 9);
}

static void *other(void *arg)
{
	atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
	set(&per_thread, 1);
	assert(per_thread == 1);
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other, NULL);
	check_values(4);
	pthread_join(t, NULL);
	return 0;
}
