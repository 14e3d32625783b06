/* SPDX-License-Identifier: ISC */
/* mailbox.c - hand a letter over through a volatile flag, as many old programs do: fine on x86. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char letter[16];
static volatile int delivered;

static void *postman(void *arg)
{
	memcpy(letter, "greetings", 10);
	__asm__ volatile("" ::: "memory");
	delivered = 1;
	return arg;
}

int main(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, postman, NULL))
		return 1;
	while (!delivered)
		;
	__asm__ volatile("" ::: "memory");
	assert(!strcmp(letter, "greetings"));
	return pthread_join(t, NULL);
}
