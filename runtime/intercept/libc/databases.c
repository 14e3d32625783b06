/* SPDX-License-Identifier: ISC */
/*
 * databases.c - lists that libc is in the middle of: users, groups, services and the like begin
 * anew in each execution; the table of hsearch() is the execution's.
 */
#include "intercept/intercept.h"
#include "intercept/libc/settings.h"

#include <grp.h>
#include <netdb.h>
#include <pwd.h>
#include <rpc/netdb.h>
#include <search.h>
#include <shadow.h>

/* LIST(type, function that returns the next entry, function that goes back to the first) */
#define LIST(type, next, end)                                                                      \
	static void undo_##next(long unused, long before)                                          \
	{                                                                                          \
		end();                                                                             \
	}                                                                                          \
	INTERCEPT type next(void)                                                                  \
	{                                                                                          \
		NATIVELY(next);                                                                    \
		settings_step(undo_##next);                                                        \
		settings_undo(undo_##next, 0);                                                     \
		return real(next)();                                                               \
	}

LIST(struct passwd *, getpwent, endpwent)
LIST(struct group *, getgrent, endgrent)
LIST(struct spwd *, getspent, endspent)
LIST(struct servent *, getservent, endservent)
LIST(struct protoent *, getprotoent, endprotoent)
LIST(struct hostent *, gethostent, endhostent)
LIST(struct netent *, getnetent, endnetent)
LIST(struct rpcent *, getrpcent, endrpcent)
LIST(char *, getusershell, endusershell)

/* --- hsearch() ------------------------------------------------------------------------------- */

static PER_EXECUTION struct hsearch_data table;

static void undo_table(long unused, long before)
{
	hdestroy_r(&table);
}

/* All threads share the table. */
static void table_step(void)
{
	if (machine_entered())
		settings_step(&table);
}

INTERCEPT int hcreate(size_t n)
{
	table_step();
	if (machine_exploring)
		settings_undo(undo_table, 0);
	return hcreate_r(n, &table);
}

INTERCEPT void hdestroy(void)
{
	table_step();
	hdestroy_r(&table);
}

INTERCEPT ENTRY *hsearch(ENTRY entry, ACTION action)
{
	ENTRY *found = NULL;

	table_step();
	hsearch_r(entry, action, &found, &table);
	return found;
}
