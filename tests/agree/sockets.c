/* SPDX-License-Identifier: ISC */
/*
 * sockets.c - random sequences of calls on sockets, on signals with masks, and on timers that are
 * far away, by one thread: the explored results are those of the kernel. TAP.
 *
 *     sockets [FIRST SEED [PROGRAMS]]
 */
#include "sequence.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES 8 /* pairs of stream, datagram and seqpacket sockets, and of TCP */
#define TCP   6 /* from here on; these stay open */

static int file[FILES], timer;
static volatile sig_atomic_t handled[2]; /* calls of the handlers of the two signals */

static const int signals[2] = {SIGUSR1, SIGUSR2};

static void on_signal(int sig)
{
	handled[sig == SIGUSR2]++;
}

/* Bytes for the other end of the kernel's connection. */
static int unread(int of)
{
	int n = 0;

	return of < TCP || !is_kernels || ioctl(file[of ^ 1], FIONREAD, &n) ? 0 : n;
}

/* The kernel's segments take a moment, on a busy machine a longer one. */
static void settle(int of, int until)
{
	for (int i = 0; of >= TCP && is_kernels && (!i || (unread(of) < until && i < 1000)); i++)
		usleep(100);
}

static void open_connection(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int listens = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t length = sizeof a;

	assert(listens >= 0 && !bind(listens, (struct sockaddr *)&a, length));
	assert(!listen(listens, 1));
	assert(!getsockname(listens, (struct sockaddr *)&a, &length));
	file[TCP] = socket(AF_INET, SOCK_STREAM, 0);
	assert(!connect(file[TCP], (struct sockaddr *)&a, length));
	file[TCP + 1] = accept(listens, NULL, NULL);
	close(listens);
}

static void open_all(void)
{
	static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};

	for (int i = 0; i < 3; i++)
		assert(!socketpair(AF_UNIX, types[i], 0, file + 2 * i));
	open_connection();
	timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	handled[0] = handled[1] = 0;
	for (int i = 0; i < 2; i++)
		signal(signals[i], on_signal);
}

static void close_all(void)
{
	sigset_t none;

	for (int i = 0; i < FILES; i++)
		if (file[i] >= 0)
			close(file[i]);
	close(timer);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* --- sockets ---------------------------------------------------------------------------------- */

/* Versions of Linux differ: is a socket for packets reset if it is closed with an empty one
 * unread? */
static bool is_empty_different(int of)
{
	return of >= 4 && of < TCP;
}

static int send_some(char *to)
{
	static const char text[] = "abcdefgh";
	int of = draw("file", FILES), n = draw("bytes", 6) + is_empty_different(of),
	    first = draw("first", 3), before = unread(of);
	struct iovec v[2] = {{(char *)text, (size_t)first}, {(char *)text + first, (size_t)n}};
	struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};

	int result;

	(void)to;
	result = error((int)sendmsg(file[of], &m, MSG_DONTWAIT | (below(2) ? MSG_NOSIGNAL : 0)));
	settle(of, before + result);
	return result;
}

/* The bytes, and whether a message was longer. */
static int receive(char *to)
{
	static const int flags[] = {0, 0, 0, MSG_PEEK, MSG_PEEK, MSG_TRUNC, MSG_PEEK | MSG_TRUNC};
	char a[4] = "", b[8] = "";
	struct iovec v[2] = {{a, 2}, {b, sizeof b - 2}};
	struct msghdr m = {.msg_iov = v, .msg_iovlen = (size_t)draw("parts", 2) + 1};
	int result = error((int)recvmsg(
		file[draw("file", FILES)], &m, MSG_DONTWAIT | flags[draw("flags", 7)]));

	snprintf(to, LINE / 2, " '%s%s'%s", a, b, m.msg_flags & MSG_TRUNC ? " truncated" : "");
	return result;
}

static int read_or_write(char *to)
{
	char bytes[8] = "";
	int of = draw("file", FILES), n = draw("bytes", 4) + is_empty_different(of), result, out,
	    before;

	if (file[of] < 0)
		return -1;
	before = unread(of);
	assert(!fcntl(file[of], F_SETFL, O_NONBLOCK));
	out = draw("out", 2);
	result = error(
		(int)(out ? write(file[of], "wxyz", (size_t)n) : read(file[of], bytes, (size_t)n)));
	settle(of, out ? before + result : 0);
	snprintf(to, LINE / 2, " '%s'", bytes);
	return result;
}

static int look_at_one(char *to)
{
	int of = draw("file", FILES), unread = -1, failed = -1;
	struct pollfd p = {.fd = file[of], .events = POLLIN | POLLOUT | POLLRDHUP | POLLPRI};
	socklen_t length = sizeof failed;

	if (file[of] < 0)
		return -1;
	assert(poll(&p, 1, 0) >= 0);
	assert(!ioctl(file[of], FIONREAD, &unread));
	if (below(3) == 0)
		assert(!getsockopt(file[of], SOL_SOCKET, SO_ERROR, &failed, &length));
	snprintf(to, LINE / 2, " unread %d error %d", unread, failed);
	return p.revents;
}

static int shut(char *to)
{
	int of = draw("file", FILES), result;

	(void)to;
	if (of >= TCP || below(2))
		return 0;
	result = error(shutdown(file[of], draw("how", 3)));
	return result;
}

/* Is this a datagram socket whose peer has messages? It loses them when it finds this closed, which
 * is not simulated. */
static bool would_lose(int of)
{
	struct pollfd p = {.fd = file[of ^ 1], .events = POLLIN};

	return (of == 2 || of == 3) && poll(&p, 1, 0) > 0 && p.revents & POLLIN;
}

static int end(char *to)
{
	int of = draw("file", FILES);

	(void)to;
	if (file[of] < 0 || of >= TCP || below(5) || would_lose(of))
		return 0;
	close(file[of]);
	file[of] = -1;
	return 1;
}

/* --- signals ---------------------------------------------------------------------------------- */

static sigset_t draw_set(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (int i = 0; i < 2; i++)
		if (draw("in", 2))
			sigaddset(&set, signals[i]);
	return set;
}

static int mask(char *to)
{
	static const int how[] = {SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK};
	sigset_t set = draw_set(), old;
	int result = sigprocmask(how[draw("how", 3)], &set, &old);

	snprintf(to, LINE / 2, " old %d%d", sigismember(&old, SIGUSR1), sigismember(&old, SIGUSR2));
	return result;
}

static int send_signal(char *to)
{
	int sig = signals[draw("signal", 2)];

	(void)to;
	return draw("thread", 2) ? pthread_kill(pthread_self(), sig) : raise(sig);
}

static int look_at_pending(char *to)
{
	sigset_t set;
	int result = sigpending(&set);

	(void)to;
	return result ? -errno : sigismember(&set, SIGUSR1) + 2 * sigismember(&set, SIGUSR2);
}

static int take_signal(char *to)
{
	const struct timespec none = {0};
	sigset_t set = draw_set();
	siginfo_t info = {0};
	int result = error(sigtimedwait(&set, &info, &none));

	(void)to;
	return result == info.si_signo || result < 0 ? result : -1000;
}

/* Of a call with a mask; time-outs of 0: nothing else would end it. */
static int wait_masked(char *to)
{
	struct pollfd p = {.fd = file[draw("file", FILES)], .events = POLLIN};
	const struct timespec none = {0};
	sigset_t set = draw_set();
	fd_set in;

	(void)to;
	if (p.fd < 0 || draw("poll", 2))
		return error(ppoll(&p, 1, &none, &set));
	FD_ZERO(&in);
	FD_SET(p.fd, &in);
	return error(pselect(p.fd + 1, &in, NULL, NULL, &none, &set));
}

static int ignore(char *to)
{
	int i = draw("signal", 2);

	(void)to;
	return signal(signals[i], draw("ignored", 2) ? SIG_IGN : on_signal) == SIG_IGN;
}

/* --- timers ----------------------------------------------------------------------------------- */

static int set_timer(char *to)
{
	static const time_t seconds[] = {0, 1000, 2000};
	struct itimerspec t = {.it_value.tv_sec = seconds[draw("value", 3)],
				  .it_interval.tv_sec = seconds[draw("interval", 3)]},
			  old;
	int result = error(timerfd_settime(timer, 0, &t, &old));

	snprintf(to, LINE / 2, " interval %ld armed %d", (long)old.it_interval.tv_sec,
		old.it_value.tv_sec > 900);
	return result;
}

static int look_at_timer(char *to)
{
	struct pollfd p = {.fd = timer, .events = POLLIN};
	struct itimerspec t;
	unsigned long n = 0;
	int result = draw("read", 2) ? error((int)read(timer, &n, sizeof n)) : poll(&p, 1, 0);

	assert(!timerfd_gettime(timer, &t));
	snprintf(to, LINE / 2, " interval %ld armed %d", (long)t.it_interval.tv_sec,
		t.it_value.tv_sec > 900);
	return result;
}

static void call(int i, char *to)
{
	static const struct {
		const char *word;
		int (*make)(char *to);
	} calls[] = {{"send", send_some}, {"send", send_some}, {"receive", receive},
		{"receive", receive}, {"file", read_or_write}, {"look", look_at_one},
		{"look", look_at_one}, {"shut", shut}, {"close", end}, {"mask", mask},
		{"signal", send_signal}, {"pending", look_at_pending}, {"take", take_signal},
		{"wait", wait_masked}, {"ignore", ignore}, {"set timer", set_timer},
		{"timer", look_at_timer}};
	unsigned kind = below(sizeof calls / sizeof *calls);
	char more[LINE / 2] = "";
	int result = calls[kind].make(more);

	(void)i;
	snprintf(to, LINE, "%s%s: %d%s, %d %d", calls[kind].word, drawn, result, more, handled[0],
		handled[1]);
}

int main(int argc, char **argv)
{
	return sequences("sockets", "random", argc, argv);
}
