/* SPDX-License-Identifier: ISC */
/* Calls that are cancellation points of glibc, and some that are not: the program runs natively, too. A thread with a
 * request makes one of them. WRONG: fcntl(F_SETLK) is expected to be a point, as F_SETLKW is.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict tso ok -- --strategy random --executions 3
 * verdict -DWRONG rc11 assertion -- --strategy graph
 */
#include "kernel.h"
#include "file.h"

#include <sys/wait.h>
#include <termios.h>

int bsd_sigpause(int mask) __asm__("sigpause");

static sem_t sem;
static pthread_t blocked;
static sigset_t no_signals;
static struct timespec moment = {.tv_nsec = 1};
static struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/tmp/heddle-kernel-none"};
static struct flock lock = {.l_type = F_WRLCK};
static struct iovec byte = {(char[1]){0}, 1};
static struct pollfd polled = {.events = POLLIN};
static char path[80];
static int file, ends[2], pair[2], client, epoll;
static void *page;

#define CALLS \
	POINT(open(path, O_RDWR)) \
	POINT(openat(AT_FDCWD, path, O_RDWR)) \
	POINT(creat(path, 0600)) \
	POINT(fopen(path, "r") == NULL) \
	POINT(close(file)) \
	POINT(read(ends[0], byte.iov_base, 1)) \
	POINT(readv(file, &byte, 1)) \
	POINT(write(file, "", 1)) \
	POINT(writev(ends[1], &byte, 1)) \
	POINT(pread(file, byte.iov_base, 1, 0)) \
	POINT(preadv(file, &byte, 1, 0)) \
	POINT(pwrite(file, "", 1, 0)) \
	POINT(pwritev(file, &byte, 1, 0)) \
	POINT(fcntl(file, F_SETLKW, &lock)) \
	POINT(lockf(file, F_LOCK, 1)) \
	POINT(fsync(file)) \
	POINT(fdatasync(file)) \
	POINT(fallocate(file, 0, 0, 1)) \
	POINT(sync_file_range(file, 0, 1, SYNC_FILE_RANGE_WRITE)) \
	POINT(msync(page, 4096, MS_SYNC)) \
	POINT(tcdrain(file)) \
	POINT(connect(client, (struct sockaddr *)&address, sizeof address)) \
	POINT(accept(client, NULL, NULL)) \
	POINT(send(pair[0], "", 1, MSG_NOSIGNAL)) \
	POINT(recv(pair[0], byte.iov_base, 1, 0)) \
	POINT(send(client, "", 1, MSG_NOSIGNAL)) \
	POINT(recv(client, byte.iov_base, 1, 0)) \
	POINT(poll(&polled, 1, -1)) \
	POINT(select(0, NULL, NULL, NULL, NULL)) \
	POINT(epoll_wait(epoll, &(struct epoll_event){0}, 1, -1)) \
	POINT(wait(NULL)) \
	POINT(waitpid(-1, NULL, WNOHANG)) \
	POINT(waitid(P_ALL, 0, NULL, WEXITED)) \
	POINT(system("true")) \
	POINT(sleep(1)) \
	POINT(usleep(1)) \
	POINT(nanosleep(&moment, NULL)) \
	POINT(sem_wait(&sem)) \
	POINT(pthread_join(blocked, NULL)) \
	POINT(pthread_timedjoin_np(blocked, NULL, &moment)) \
	POINT(pause()) \
	POINT(sigpause(SIGUSR1)) \
	POINT(bsd_sigpause(0)) \
	POINT(sigsuspend(&no_signals)) \
	POINT(sigwaitinfo(&no_signals, NULL)) \
	POINT((pthread_testcancel(), 0)) \
	NO_POINT(fcntl(file, F_SETLK, &lock)) \
	NO_POINT(lockf(file, F_TLOCK, 1)) \
	NO_POINT(lseek(file, 0, SEEK_SET)) \
	NO_POINT(ftruncate(file, 4096)) \
	NO_POINT(posix_fallocate(file, 0, 1)) \
	NO_POINT(access(path, F_OK)) \
	NO_POINT(sem_trywait(&sem)) \
	NO_POINT(pthread_tryjoin_np(blocked, NULL)) \
	NO_POINT(pthread_kill(pthread_self(), 0))

#define POINT	 CALL
#define NO_POINT CALL
#define CALL(call) \
	case __COUNTER__: result = (long)(call); break;

static void make_call(long n)
{
	volatile long result;

	switch (n) {
		CALLS
	}
	(void)result;
}

#undef POINT
#undef NO_POINT
#define POINT(call)    1,
#define NO_POINT(call) 0,
static const int is_point[] = {CALLS};

static void *work(void *n)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_cancel(pthread_self());
	pthread_setcancelstate(state, NULL);
	make_call((long)n);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	return NULL;
}

static void *wait_for_ever(void *gate)
{
	pthread_mutex_lock(gate);
	pthread_mutex_unlock(gate);
	return NULL;
}

int main(void)
{
	pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

	name_file(path, "points");
	file = open(path, O_RDWR | O_CREAT, 0600);
	client = socket(AF_UNIX, SOCK_STREAM, 0);
	epoll = epoll_create1(0);
	assert(file >= 0 && client >= 0 && epoll >= 0 && !pipe(ends) && !ftruncate(file, 4096));
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	polled.fd = ends[0];
	page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sem_init(&sem, 0, 0);
	pthread_mutex_lock(&gate);
	blocked = start(wait_for_ever, &gate);
	for (long i = 0; i < (long)(sizeof is_point / sizeof *is_point); i++) {
		pthread_t t = start(work, (void *)i);
		void *result;

		assert(!pthread_join(t, &result));
#ifdef WRONG
		assert((result == PTHREAD_CANCELED) == (is_point[i] || i == 46));
#else
		assert((result == PTHREAD_CANCELED) == is_point[i]);
#endif
	}
	pthread_mutex_unlock(&gate);
	join(blocked);
	munmap(page, 4096);
	assert(!close(file) && !unlink(path));
	return 0;
}
