// SPDX-License-Identifier: ISC
/*
 * client.c - clang, for heddle-cc in the tests (HEDDLE_CC, HEDDLE_CXX): the command is run by the
 * server, or by clang itself where there is none.
 *
 *     CLANG_SERVER=SOCKET CLANG_FOLDER=/usr/lib/llvm-14/bin clang ...
 */
#include "request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv)
{
	const char *name = strrchr(argv[0], '/'), *server = getenv("CLANG_SERVER"),
		   *folder = getenv("CLANG_FOLDER");
	static char clang[4096];
	int code = -1;

	(void)argc;
	name = name ? name + 1 : argv[0];
	snprintf(clang, sizeof clang, "%s/%s", folder ? folder : "/usr/bin", name);
	argv[0] = clang;
	if (server)
		code = request_run(server, argv, environ);
	if (code >= 0)
		return code;
	execv(clang, argv);
	perror(clang);
	return 127;
}
