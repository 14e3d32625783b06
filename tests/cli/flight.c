/* SPDX-License-Identifier: ISC */
/* flight.c - a program with a flight recorder: what is recorded, and how it ends. See t_flight.sh. */
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

atomic_int number, flag, done;
_Atomic(char) small;
_Atomic(double) real;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t sem;
volatile int device;
static _Thread_local atomic_int own;

static void count(int n)
{
	for (int i = 0; i < n; i++)
		atomic_store(&number, i);
}

static void *count_up(void *arg)
{
	count((int)(long)arg);
	return NULL;
}

static void *wait_for_flag(void *arg)
{
	while (!atomic_load(&flag))
		;
	atomic_store(&done, 1);
	return arg;
}

static void *take_lock(void *arg)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void join_new(void *(*f)(void *), long arg)
{
	pthread_t t;

	pthread_create(&t, NULL, f, (void *)arg);
	pthread_join(t, NULL);
}

/* One of each kind. */
static void kinds(void)
{
	int expected = 7;
	volatile int local = 1;
	double pi = 3.5;

	atomic_store(&number, 65);
	atomic_fetch_add(&number, 5);
	atomic_compare_exchange_strong(&number, &expected, 1);
	atomic_thread_fence(memory_order_seq_cst);
	atomic_signal_fence(memory_order_seq_cst);
	device = local;
	atomic_store(&small, -1);
	atomic_store(&real, pi);
	atomic_fetch_add(&own, 1);
	pthread_mutex_trylock(&lock);
	pthread_mutex_trylock(&lock);
	sem_trywait(&sem);
	sem_post(&sem);
	syscall(SYS_futex, &number, FUTEX_WAIT_PRIVATE, 1, NULL);
	syscall(SYS_futex, &number, FUTEX_WAKE, 1);
	errno = syscall(SYS_close, -1) == -1 && errno == EBADF ? EAGAIN : 0;
	printf("%d %d\n", number, errno == EAGAIN);
}

static void spin(void)
{
	pthread_t t;

	pthread_create(&t, NULL, wait_for_flag, NULL);
	usleep(20000);
	atomic_store(&flag, 1);
	pthread_join(t, NULL);
}

static void hang(void)
{
	pthread_mutex_lock(&lock);
	join_new(take_lock, 0);
}

/* More threads than rings are kept of, two at a time. */
static void threads(void)
{
	for (long i = 0; i < 200; i++)
		join_new(count_up, i + 1);
}

static void children(void)
{
	int status;

	atomic_store(&number, 1);
	if (!fork()) {
		atomic_store(&number, 2);
		_exit(atomic_load(&number));
	}
	if (!fork())
		_exit(0); /* without an event */
	while (wait(&status) > 0)
		;
	atomic_store(&number, 3);
}

static void say(int signal)
{
	write(1, "own\n", 4);
	_exit(signal == SIGSEGV ? 5 : 6);
}

static void open_library(void)
{
	void *library = dlopen("./flight_lib.so", RTLD_NOW);
	void (*push)(void);

	if (!library) {
		puts(dlerror());
		exit(1);
	}
	push = (void (*)(void))dlsym(library, "push");
	push();
	abort();
}

static void run(const char *mode)
{
	atomic_store(&done, 0);
	if (!strcmp(mode, "kinds"))
		kinds();
	else if (!strcmp(mode, "count"))
		count(5003);
	else if (!strcmp(mode, "spin"))
		spin();
	else if (!strcmp(mode, "hang"))
		hang();
	else if (!strcmp(mode, "threads"))
		threads();
	else if (!strcmp(mode, "children"))
		children();
	else if (!strcmp(mode, "library"))
		open_library();
	else if (!strcmp(mode, "abort"))
		abort();
	else if (!strcmp(mode, "fault"))
		*(volatile int *)8 = 1;
}

int main(int argc, char **argv)
{
	sem_init(&sem, 0, 0);
	if (argc > 2)
		signal(SIGSEGV, say);
	run(argv[1]);
	return 0;
}
