/* SPDX-License-Identifier: ISC */
/*
 * extern.c - the calls preceded by __heddle_extern_call.
 */
#include "../expect.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

int sink;
int (*pointer)(const char *) = atoi;
char text[8] = "1234567";
jmp_buf buffer;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static int here(const char *s)
{
	return s != 0;
}

__attribute__((noinline)) int visible(const char *s)
{
	return s != 0;
}

__attribute__((noinline, const)) static int pure(int i)
{
	return i + 1;
}

int main(void)
{
	sink = (int)strtol(text, 0, 10);
	__heddle_expect("extern strtol");
	sink = here(text) + visible(text) + pure(3);
	sink = pointer(text);
	__heddle_expect("plain_load8 pointer");
	__heddle_expect("extern atoi");
	sink = (int)strlen(text); /* the runtime has its own form */
	__heddle_expect("lib strlen");
	free(malloc(10)); /* the runtime interposes these */
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	if (setjmp(buffer)) /* nothing may be inserted next to it */
		sink = 1;
	return 0;
}
