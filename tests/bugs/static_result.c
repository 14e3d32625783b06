/* SPDX-License-Identifier: ISC */
/*
 * Two threads use a function of libc that returns one object to all: also the same contents written
 * twice are written. Under a mutex there is no race.
 *
 * options --strategy graph --time 60
 * verdict -DWRONG sc race
 * verdict -DWRONG -O2 rc11 race
 * verdict sc ok
 * verdict -O0 tso ok
 * verdict -DWRONG -DUSER sc race
 * verdict -DUSER pso ok
 * verdict -DWRONG -DTEXT sc race
 * verdict -DTEXT pso ok
 * verdict -DWRONG -DGROUP sc race
 * verdict -DGROUP pso ok
 * verdict -DWRONG -DNUMBER sc race
 * verdict -DNUMBER pso ok
 * verdict -DWRONG -DTOKEN rc11 race
 * report -DWRONG -DTOKEN rc11 "race on the position of strtok()"
 * verdict -DTOKEN pso ok
 * verdict -DWRONG -DTOKEN sc assertion -- --strategy dfs
 * verdict -DNUMBER rc11 ok
 * verdict -DWRONG -DMOUNT sc race
 * verdict -DMOUNT tso ok
 * verdict -DWRONG -DNETWORK sc race
 * verdict -DNETWORK tso ok
 * verdict -DWRONG -DDIGITS sc race
 * verdict -DDIGITS tso ok
 * verdict -DWRONG -DPATH rc11 race
 * verdict -DPATH tso ok
 * verdict -DWRONG -DWIDE rc11 race
 * report -DWRONG -DWIDE rc11 "race on the state of mbtowc()"
 * verdict -DWIDE rc11 ok
 * verdict -DWRONG -DDRAW rc11 race
 * report -DWRONG -DDRAW rc11 "race on the state of drand48()"
 * verdict -DDRAW rc11 ok
 * verdict -DDRAW tso ok
 * verdict -DWRONG -DNEXT rc11 race
 * report -DWRONG -DNEXT rc11 "race on the entry of getpwent()"
 * verdict -DNEXT tso ok
 * verdict -DWRONG -DTABLE rc11 race
 * report -DWRONG -DTABLE rc11 "race on the table of hsearch()"
 * verdict -DTABLE rc11 ok
 * verdict -DWIDE pso ok
 * verdict -DWRONG -DLOCALE rc11 race
 * verdict -DLOCALE tso ok
 * verdict -DWRONG -DOPTION rc11 race
 * report -DWRONG -DOPTION rc11 "race on the position of getopt()"
 * verdict -DOPTION tso ok
 */
#include "../clean/two.h"

#include <arpa/inet.h>
#include <grp.h>
#include <locale.h>
#include <mntent.h>
#include <netdb.h>
#include <pwd.h>
#include <search.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Of the second thread or the first: other contents for some. */
static int result(int second)
{
	time_t day = 86400;

#if defined(USER)
	return strcmp(getpwuid(0)->pw_name, "root") == 0;
#elif defined(TEXT)
	return strcmp(ctime(&day), "Fri Jan  2 00:00:00 1970\n") == 0;
#elif defined(GROUP)
	return strcmp(getgrnam("root")->gr_name, "root") == 0;
#elif defined(TOKEN)
	char words[] = "a b";

	return strtok(words, " ") == words && strtok(NULL, " ") == words + 2;
#elif defined(NUMBER)
	return strcmp(l64a(second ? 3 : 300), second ? "3" : "300") != 0;
#elif defined(MOUNT)
	FILE *mounts = setmntent("/proc/mounts", "r");
	struct mntent *first = getmntent(mounts);

	return first && endmntent(mounts);
#elif defined(NETWORK)
	struct servent *s = getservbyname(second ? "http" : "domain", "tcp");

	return !s || s->s_port == htons(second ? 80 : 53);
#elif defined(DIGITS)
	int point, sign;

	return strcmp(fcvt(second ? -2.5 : 12.5, 1, &point, &sign), second ? "25" : "125") == 0 &&
	       point == (second ? 1 : 2) && sign == second;
#elif defined(PATH)
	char own[L_tmpnam], *name = tmpnam(NULL);

	return name && name[0] == '/' && tmpnam(own) == own && strcmp(own, name) != 0;
#elif defined(DRAW)
	return drand48() < 1 && lrand48() >= 0;
#elif defined(NEXT)
	return getpwent() != NULL;
#elif defined(TABLE)
	ENTRY e = {second ? "b" : "a", NULL}, *found = hsearch(e, ENTER);

	return found && hsearch(e, FIND) == found;
#elif defined(LOCALE)
	return strcmp(localeconv()->decimal_point, ".") == 0;
#elif defined(OPTION)
	char *words[] = {"a", "b", NULL};

	return getopt(2, words, "c") == -1;
#elif defined(WIDE)
	wchar_t w;
	char c[8];

	return mbtowc(&w, "x", 1) == 1 && w == L'x' && mblen("yy", 2) == 1 && wctomb(c, w) == 1 &&
	       c[0] == 'x';
#else
	return gmtime(&day)->tm_yday == 1;
#endif
}

static void *user(void *arg)
{
	int good;

#ifndef WRONG
	pthread_mutex_lock(&lock);
#endif
	good = result(arg != NULL);
#ifndef WRONG
	pthread_mutex_unlock(&lock);
#endif
	assert(good);
	return arg;
}

int main(void)
{
#ifdef TABLE
	hcreate(4);
#endif
	two(user, NULL, user, &lock);
	return 0;
}
