/* SPDX-License-Identifier: ISC */
/* glib.c - threads and locks of GLib: c: all of them, correctly; o: made by
 * g_thread_create(); d: a deadlock; r: a race; m: a mutex of the heap. */
#include <glib.h>

static GMutex m, a, b;
static GCond c;
static GRecMutex recursive;
static GRWLock rw;
static int n, ready;
static char what;

static gpointer first(gpointer arg)
{
	g_mutex_lock(what == 'd' ? &a : &m);
	if (what == 'd') {
		g_mutex_lock(&b);
		g_mutex_unlock(&b);
	}
	ready = 1;
	n++;
	g_cond_signal(&c);
	g_mutex_unlock(what == 'd' ? &a : &m);
	g_rw_lock_writer_lock(&rw);
	n++;
	g_rw_lock_writer_unlock(&rw);
	return arg;
}

static gpointer second(gpointer arg)
{
	if (what == 'd') {
		g_mutex_lock(&b);
		g_mutex_lock(&a);
		g_mutex_unlock(&a);
		g_mutex_unlock(&b);
		return g_thread_self();
	}
	if (what == 'r')
		n++;
	g_mutex_lock(&m);
	while (!ready)
		g_cond_wait(&c, &m);
	g_mutex_unlock(&m);
	g_rec_mutex_lock(&recursive);
	g_rec_mutex_lock(&recursive);
	g_rw_lock_reader_lock(&rw);
	g_assert_cmpint(n, >=, 1);
	g_rw_lock_reader_unlock(&rw);
	g_rec_mutex_unlock(&recursive);
	g_rec_mutex_unlock(&recursive);
	return g_thread_self();
}

/* The simplest thread. */
static gpointer counts(gpointer mutex)
{
	g_mutex_lock(mutex);
	n++;
	g_mutex_unlock(mutex);
	return mutex;
}

static void with_new_mutex(void)
{
	GMutex *own = g_malloc(sizeof *own);
	GThread *t[2];

	g_mutex_init(own);
	for (int i = 0; i < 2; i++)
		t[i] = g_thread_new("counts", counts, own);
	for (int i = 0; i < 2; i++)
		g_assert(g_thread_join(t[i]) == own);
	g_assert_cmpint(n, ==, 2);
	g_mutex_clear(own);
	g_free(own);
}

int main(int argc, char **argv)
{
	GThread *x, *y;

	what = argv[1][0];
	if (what == 'm') {
		with_new_mutex();
		return 0;
	}
	x = what == 'o' ? g_thread_create(first, &n, TRUE, NULL) : g_thread_new("first", first, &n);
	y = what == 'o' ? g_thread_create_full(second, NULL, 0, TRUE, FALSE, 0, NULL)
			: g_thread_new("second", second, NULL);
	g_assert(g_thread_join(x) == &n);
	g_assert(g_thread_join(y) == y);
	return 0;
}
