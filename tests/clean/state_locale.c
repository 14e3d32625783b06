/* SPDX-License-Identifier: ISC */
/* graph: rc11 tso; random: rc11 */
/* state_locale.c - each thread has its locale and its errno; those of a slot's thread in the last
 * execution are gone. With a thread-local variable, thread-local storage is switched. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>

#include "two.h"

static atomic_int hits;
static _Thread_local int mine;

static void *work(void *arg)
{
	locale_t locale;

	assert(uselocale(NULL) == LC_GLOBAL_LOCALE && !errno && !mine);
	locale = newlocale(LC_ALL_MASK, "C.UTF-8", NULL);
	hits++;
	uselocale(locale);
	hits++;
	assert(uselocale(NULL) == locale && MB_CUR_MAX == 6);
	errno = ++mine;
	return arg;
}

int main(void)
{
	assert(uselocale(NULL) == LC_GLOBAL_LOCALE && !errno && MB_CUR_MAX == 1);
	two(work, NULL, work, NULL);
	assert(MB_CUR_MAX == 1 && hits == 4);
	uselocale(newlocale(LC_ALL_MASK, "C.UTF-8", NULL));
	errno = EINVAL;
	return 0;
}
