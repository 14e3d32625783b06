/* SPDX-License-Identifier: ISC */
/* real.c - look up the functions of real.def in the libraries behind the executable. */
#include "intercept/real.h"

#include <dlfcn.h>

struct real real_table;
bool real_ready;

/* Two threads may call this at the same time, and write the same values. The release store pairs
 * with the acquire load in real(): a reader that sees the flag also sees the table. */
void real_init(void)
{
#define REAL(ret, name, params) real_table.name = (ret(*) params)dlsym(RTLD_NEXT, #name);
#include "intercept/real.def"
#undef REAL
	__atomic_store_n(&real_ready, true, __ATOMIC_RELEASE);
}
