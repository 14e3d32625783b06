/* SPDX-License-Identifier: ISC */
/* finding: starvation; models: rc11 tso; options: --strategy graph --detect=+starvation; reorder: no */
/* Two threads announce themselves, and withdraw when they see each other. In lockstep they do so for
 * ever; other schedules end. */
#include "../clean/two.h"

static atomic_int flag[2];

static void *polite(void *arg)
{
	int me = arg != NULL;

	for (;;) {
		atomic_store(&flag[me], 1);
		if (!atomic_load(&flag[1 - me]))
			break;
		atomic_store(&flag[me], 0);
	}
	atomic_store(&flag[me], 0);
	return arg;
}

int main(void)
{
	two(polite, NULL, polite, &flag);
	return 0;
}
