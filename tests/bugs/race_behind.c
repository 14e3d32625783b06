/* SPDX-License-Identifier: ISC
 * finding: race; models: rc11; options: --strategy graph --keep-going; reorder: yes; cflags: -O0
 *
 * Two threads that seem to exclude each other, as both read two flags, store a number or a
 * structure, and load it again. The search continues past the race: each of them still loads its
 * own value or the other's, not the current contents of memory.
 */
#include <pthread.h>
#include <stdatomic.h>

struct triple {
	int part[3];
};

struct {
	short number[2];
	struct triple triple[2];
} cell, *shared = &cell;
static const struct triple ones = {{1, 1, 1}}, twos = {{2, 2, 2}};
static atomic_int x, y;

static void *raise_x(void *arg)
{
	atomic_store(&x, 1);
	return arg;
}

static void *raise_y(void *arg)
{
	atomic_store(&y, 1);
	return arg;
}

static void use(short number, const struct triple *triple)
{
	shared->number[0] = shared->number[1] = number;
	shared->triple[1] = *triple;
	shared->triple[0] = shared->triple[1];
}

static void *if_x_was_first(void *arg)
{
	if (atomic_load(&x) && !atomic_load(&y))
		use(1, &ones);
	return arg;
}

static void *if_y_was_first(void *arg)
{
	if (atomic_load_explicit(&y, memory_order_relaxed) && !atomic_load(&x))
		use(2, &twos);
	return arg;
}

int main(void)
{
	void *(*const fn[4])(void *) = {raise_x, raise_y, if_x_was_first, if_y_was_first};
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, fn[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
