/* SPDX-License-Identifier: ISC */
/* Six threads write lines into a buffer, a seventh empties it. Wrong (depth 2): the number of
 * lines is read before the lock is taken again, and lines are lost. */
#include "scale.h"

#define WRITERS 6
#define LINES	12
#define ROOM	16
#define LENGTH	24

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;
static char buffer[ROOM][LENGTH];
static int used, closing;
static int written[WRITERS];

static void format(char *line, int writer, int n)
{
	memset(line, '.', LENGTH);
	line[0] = (char)('a' + writer);
	line[1] = (char)('0' + n / 10);
	line[2] = (char)('0' + n % 10);
	line[LENGTH - 1] = 0;
}

static void log_line(const char *line)
{
	pthread_mutex_lock(&lock);
	while (used == ROOM)
		pthread_cond_wait(&room, &lock);
	memcpy(buffer[used++], line, LENGTH);
	pthread_cond_signal(&some);
	pthread_mutex_unlock(&lock);
}

static void *writer(void *id)
{
	char line[LENGTH];

	for (int i = 0; i < LINES; i++) {
		format(line, (int)(intptr_t)id, i);
		log_line(line);
	}
	return NULL;
}

static void check(const char *line)
{
	int writer = line[0] - 'a';

	assert(writer >= 0 && writer < WRITERS);
	assert((line[1] - '0') * 10 + line[2] - '0' == written[writer]);
	written[writer]++;
}

static void *flusher(void *unused)
{
	static char copy[ROOM][LENGTH];
	int n, over = 0;

	while (!over) {
		pthread_mutex_lock(&lock);
		while (!used && !closing)
			pthread_cond_wait(&some, &lock);
		n = used;
		over = closing && !used;
#ifdef WRONG
		pthread_mutex_unlock(&lock);
		pthread_mutex_lock(&lock);
#endif
		memcpy(copy, buffer, (size_t)n * LENGTH);
		used = 0;
		pthread_cond_broadcast(&room);
		pthread_mutex_unlock(&lock);
		for (int i = 0; i < n; i++)
			check(copy[i]);
	}
	return unused;
}

int main(void)
{
	start(0, WRITERS, writer);
	start(WRITERS, 1, flusher);
	join(0, WRITERS);
	pthread_mutex_lock(&lock);
	closing = 1;
	pthread_cond_signal(&some);
	pthread_mutex_unlock(&lock);
	join(WRITERS, 1);
	for (int i = 0; i < WRITERS; i++)
		assert(written[i] == LINES);
	return 0;
}
