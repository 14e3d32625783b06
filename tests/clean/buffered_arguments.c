/* SPDX-License-Identifier: ISC */
/* libc and the kernel get the values that the calling thread has stored, buffered or not.
 * random: tso pso */
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include "two.h"

static atomic_int x, y;
static char sent;
static struct iovec vector;
static struct msghdr message;
static struct timeval wait_for;
static struct itimerval before;
static char text[16], name[] = "HEDDLE_A", number[] = "/heddle-a";

/* With a second thread, stores are buffered. */
static void *other(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return atomic_load_explicit(&x, memory_order_relaxed) ? arg : NULL;
}

static void format(char *to, size_t room, const char *words, ...)
{
	va_list list;

	va_start(list, words);
	vsnprintf(to, room, words, list);
	va_end(list);
}

/* Texts, names and lists of arguments. */
static void strings(void)
{
	char out[16];

	strcpy(text, "ab");
	text[0] = 'c';
	format(out, sizeof out, "%s %d", text, 7);
	assert(!strcmp(out, "cb 7"));
	name[7] = 'B';
	assert(!setenv(name, "1", 1) && getenv("HEDDLE_B"));
	name[7] = 'C';
	assert(!unsetenv(name) && getenv("HEDDLE_B"));
	strcpy(text, "HEDDLE_D=2");
	assert(!putenv(text) && !strcmp(getenv("HEDDLE_D"), "2"));
	number[8] = 'b';
	assert(sem_open(number, O_CREAT, 0600, 1) != SEM_FAILED);
	number[8] = 'c';
	assert(sem_unlink(number) == -1);
	assert(sem_open(number, 0) == SEM_FAILED && !sem_unlink("/heddle-b"));
}

static void *caller(void *arg)
{
	struct timeval a, b;
	char received = 0;
	int fd[2];

	assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, fd) == 0);
	sent = 'a';
	assert(send(fd[0], &sent, 1, MSG_DONTWAIT) == 1);
	assert(recv(fd[1], &received, 1, MSG_DONTWAIT) == 1 && received == 'a');
	vector.iov_base = &sent;
	vector.iov_len = 1;
	message.msg_iov = &vector;
	message.msg_iovlen = 1;
	sent = 'b';
	assert(sendmsg(fd[0], &message, MSG_DONTWAIT) == 1);
	vector.iov_base = &received;
	assert(recvmsg(fd[1], &message, MSG_DONTWAIT) == 1 && received == 'b');
	gettimeofday(&a, NULL);
	wait_for.tv_usec = 20000;
	assert(select(0, NULL, NULL, NULL, &wait_for) == 0);
	gettimeofday(&b, NULL);
	assert((b.tv_sec - a.tv_sec) * 1000000 + b.tv_usec - a.tv_usec >= 20000);
	before.it_value.tv_sec = 7;
	assert(setitimer(ITIMER_REAL, &(struct itimerval){0}, &before) == 0);
	assert(before.it_value.tv_sec == 0);
	strings();
	return arg;
}

int main(void)
{
	two(caller, NULL, other, NULL);
	puts("ok");
	return 0;
}
