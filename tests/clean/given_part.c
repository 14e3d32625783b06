/* SPDX-License-Identifier: ISC */
/* graph: rc11 tso; random: rc11 */
/* given_part.c - blocks that libc allocates for the program beside some that it keeps: the addresses
 * of a host, and conversions between character sets, one of which both threads use. */
#include <iconv.h>
#include <netdb.h>
#include <string.h>

#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static iconv_t wide;
static struct addrinfo *found;
static int n;

static void convert(void)
{
	char text[] = "abc", result[16], *from = text, *to = result;
	size_t left = 3, room = sizeof result;

	assert(iconv(wide, &from, &left, &to, &room) == 0 && left == 0);
	/* The first call writes a mark of the byte order. */
	assert(room == sizeof result - (n ? 6 : 8));
}

static void *work(void *arg)
{
	const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_CANONNAME};

	pthread_mutex_lock(&lock);
	if (!found)
		assert(getaddrinfo("127.0.0.1", NULL, &hints, &found) == 0);
	assert(found->ai_family == AF_INET && !strcmp(found->ai_canonname, "127.0.0.1"));
	convert();
	n++;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	wide = iconv_open("UTF-16", "UTF-8");
	assert(wide != (iconv_t)-1);
	two(work, NULL, work, NULL);
	assert(iconv_close(wide) == 0);
	freeaddrinfo(found);
	assert(n == 2);
	return 0;
}
