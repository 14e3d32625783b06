/* SPDX-License-Identifier: ISC */
/* graph: rc11 tso; random: rc11 */
/* options.c - main() reads its arguments by getopt(), in each execution from the first one on. */
#include <assert.h>
#include <getopt.h>
#include <stddef.h>
#include <unistd.h>

#include "two.h"

static int verbose;
static atomic_int hits;

static void *work(void *arg)
{
	hits += verbose;
	return arg;
}

static void read_options(int argc, char **argv)
{
	static const struct option names[] = {{"verbose", no_argument, NULL, 'v'}, {0}};
	int c;

	assert(optind == 1 && opterr == 1 && !optarg);
	while ((c = getopt_long(argc, argv, "vn:", names, NULL)) != -1) {
		if (c == 'v')
			verbose++;
		else
			assert(c == 'n' && optarg[0] == '7');
	}
	assert(optind == argc - 1 && argv[optind][0] == 'f');
}

int main(void)
{
	char *argv[] = {"options", "file", "-vn", "7", "--verbose", "-v", NULL};

	read_options(6, argv);
	two(work, NULL, work, NULL);
	assert(verbose == 3 && hits == 6);
	return 0;
}
