/* SPDX-License-Identifier: ISC */
/* A file is replaced by rename() while another thread reads it. WRONG: it is written in place, and a part is read.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"
#include "file.h"

static char path[80], new[80];

static void *replace(void *arg)
{
#ifdef WRONG
	write_file(path, "new settings");
#else
	write_file(new, "new settings");
	assert(!rename(new, path) && access(new, F_OK));
#endif
	return arg;
}

int main(void)
{
	char text[32] = "";
	pthread_t t;
	ssize_t n;

	name_file(path, "settings");
	name_file(new, "settings.new");
	write_file(path, "old settings");
	t = start(replace, NULL);
	n = read_file(path, text, sizeof text - 1);
	assert(n == 12 && (!strcmp(text, "new settings") || !strcmp(text, "old settings")));
	join(t);
	assert(!unlink(path) && unlink(path) == -1 && errno == ENOENT);
	return 0;
}
