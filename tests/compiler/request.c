// SPDX-License-Identifier: ISC
/*
 * request.c - the side of the sender: a packet with the number of words, the words and the
 * environment, and four descriptors; the answer is the exit code.
 */
#define _GNU_SOURCE
#include "request.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char packet[REQUEST_SIZE];

/* Appends the strings, and an empty one; returns the new size, 0 if they do not fit. */
static size_t add_strings(size_t size, char *const *string)
{
	for (; *string; string++) {
		size_t n = strlen(*string) + 1;

		if (n >= REQUEST_SIZE - size)
			return 0;
		memcpy(packet + size, *string, n);
		size += n;
	}
	packet[size++] = 0;
	return size < REQUEST_SIZE ? size : 0;
}

static bool send_request(int to, size_t size, const int *files)
{
	char control[CMSG_SPACE(REQUEST_FILES * sizeof *files)] = {0};
	struct iovec data = {packet, size};
	struct msghdr m = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = control,
		.msg_controllen = sizeof control};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(REQUEST_FILES * sizeof *files);
	memcpy(CMSG_DATA(c), files, REQUEST_FILES * sizeof *files);
	return sendmsg(to, &m, MSG_NOSIGNAL) == (ssize_t)size;
}

static int connect_to(const char *path)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	strncpy(a.sun_path, path, sizeof a.sun_path - 1);
	if (s >= 0 && connect(s, (struct sockaddr *)&a, sizeof a)) {
		close(s);
		return -1;
	}
	return s;
}

int request_run(const char *path, char *const *argv, char *const *envp)
{
	size_t size = add_strings(0, argv);
	int s, code = -1, files[REQUEST_FILES] = {-1, 0, 1, 2};

	if (!size || !(size = add_strings(size, envp)))
		return -1;
	s = connect_to(path);
	files[0] = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (s >= 0 && files[0] >= 0 && send_request(s, size, files) &&
			read(s, &code, sizeof code) != sizeof code)
		code = -1;
	close(files[0]);
	close(s);
	return code;
}
