/* SPDX-License-Identifier: ISC */
/* Concurrency Kit's epochs: objects that a reader sees are not removed before its section ends. */
#include <assert.h>
#include <ck_epoch.h>
#include <pthread.h>

struct item {
	int alive;
};

static ck_epoch_t epoch;
static ck_epoch_record_t record[2];
static struct item items[2] = {{1}, {1}};
static struct item *shared = &items[0];

static void *reader(void *arg)
{
	struct item *p;

	ck_epoch_begin(&record[0], NULL);
	p = ck_pr_load_ptr(&shared);
	ck_pr_fence_load();
	assert(ck_pr_load_int(&p->alive));
	ck_epoch_end(&record[0], NULL);
	return arg;
}

static void *updater(void *arg)
{
	ck_pr_store_ptr(&shared, &items[1]);
#ifndef NO_GRACE_PERIOD
	ck_epoch_synchronize(&record[1]);
#endif
	ck_pr_store_int(&items[0].alive, 0);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	ck_epoch_init(&epoch);
	ck_epoch_register(&epoch, &record[0], NULL);
	ck_epoch_register(&epoch, &record[1], NULL);
	pthread_create(&t, NULL, reader, NULL);
	pthread_create(&u, NULL, updater, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
