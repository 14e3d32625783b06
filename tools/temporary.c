/* SPDX-License-Identifier: ISC */
/* temporary.c - see temporary.h. */
#include "temporary.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

#define PATH_LONGEST 400

char *temporary_folder(const char *purpose)
{
	const char *where = getenv("TMPDIR");
	char *path =
		xprintf("%s/heddle-%s-XXXXXX", where && *where == '/' ? where : "/tmp", purpose);

	if (strlen(path) > PATH_LONGEST) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return mkdtemp(path);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *at)
{
	remove(path);
	return 0;
}

void remove_folder(const char *folder)
{
	nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
