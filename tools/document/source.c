/* SPDX-License-Identifier: ISC */
/*
 * source.c - naming source files in documents for machines.
 *
 * Debug information names files as given to the compiler: absolute, or relative to its directory,
 * which is usually that of heddle. Services that show a finding in the source want a path from the
 * root of the repository.
 */
#include "document/result.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "die.h"
#include "path.h"

static const char *source_root(void)
{
	const char *set = getenv("GITHUB_WORKSPACE");

	return set && *set == '/' && access(set, X_OK) == 0 ? set : current_folder();
}

/* The part of a path below the folder; NULL if it is not below it. */
static const char *below(const char *folder, const char *path)
{
	size_t n = strlen(folder);

	while (n && folder[n - 1] == '/')
		n--;
	return !strncmp(path, folder, n) && path[n] == '/' ? path + n + 1 : NULL;
}

char *source_path(const char *file)
{
	char *path =
		*file == '/' ? xstrdup(file) : xprintf("%s/%s", current_folder(), path_here(file));
	const char *rest = below(source_root(), path);
	char real[PATH_MAX], root[PATH_MAX];

	if (!rest && realpath(path, real) && realpath(source_root(), root))
		rest = below(root, real);
	return rest ? xstrdup(rest) : path;
}

/* RFC 3986: characters allowed in a path stay, others become %XX. */
static char *encode(const char *path)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "-._~!$&'()*+,;=@/";
	char *uri = xmalloc(3 * strlen(path) + 1), *to = uri;

	for (; *path; path++) {
		if (strchr(safe, *path))
			*to++ = *path;
		else
			to += sprintf(to, "%%%02X", (unsigned char)*path);
	}
	return uri;
}

char *source_uri(const char *file, bool *relative)
{
	char *path = source_path(file);

	*relative = *path != '/';
	return *relative ? encode(path) : xprintf("file://%s", encode(path));
}

char *source_root_uri(void)
{
	const char *root = source_root();

	return xprintf("file://%s%s", encode(root), root[strlen(root) - 1] == '/' ? "" : "/");
}
