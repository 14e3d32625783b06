/* SPDX-License-Identifier: ISC */
/* latch.c - std::latch::count_down() of libstdc++ gets seq_cst order: see ../latch.c. */
#include "pass.h"

#include <stdlib.h>
#include <string.h>

#define COUNT_DOWN "_ZNSt5latch10count_downEl"
#define FETCH_SUB  "_ZNSt13__atomic_impl9fetch_sub"

static void strengthen(gcc_stmt call)
{
	unsigned last = gcc_nargs(call) - 1;

	if (!strncmp(gcc_called_name(call), FETCH_SUB, strlen(FETCH_SUB)) &&
		gcc_constant(gcc_arg(call, last)) == __ATOMIC_RELEASE)
		gcc_set_arg_number(call, last, __ATOMIC_SEQ_CST);
}

void latch_strengthen(void)
{
	gcc_stmt *list;
	unsigned n;

	if (strcmp(gcc_function_name(), COUNT_DOWN))
		return;
	list = gcc_statements(&n);
	for (unsigned i = 0; i < n; i++)
		if (gcc_kind(list[i]) == GCC_CALL)
			strengthen(list[i]);
	free(list);
}
