/* SPDX-License-Identifier: ISC */
/*
 * databases.c - lists that libc is in the middle of: users, groups, services and the like begin
 * anew in each execution; the table of hsearch() is the execution's. libc has one entry of each
 * list for all threads, and takes no lock for the table: two threads that use one race.
 */
#include "intercept/intercept.h"
#include "intercept/libc/settings.h"
#include "machine/wait/foreign.h"
#include "machine/record/name.h"

#include <grp.h>
#include <netdb.h>
#include <pwd.h>
#include <rpc/netdb.h>
#include <search.h>
#include <shadow.h>

#define CALLER __builtin_return_address(0)

/* The thread has used what `use' stands for. */
static void note_use(u64 *use, const char *name, bool changes, const void *caller)
{
	u64 n;

	if (!machine_exploring || !foreign_is_caller(caller))
		return;
	name_give((u64)(uintptr_t)use, sizeof *use, name);
	machine_read(&n, use, sizeof n);
	n++;
	if (changes)
		machine_write(use, &n, sizeof n);
}

/* LIST(type, function that returns the next entry, function that goes back to the first) */
#define LIST(type, next, end)                                                                      \
	static void undo_##next(long unused, long before)                                          \
	{                                                                                          \
		end();                                                                             \
	}                                                                                          \
	INTERCEPT type next(void)                                                                  \
	{                                                                                          \
		static PER_EXECUTION u64 use;                                                      \
		type entry;                                                                        \
                                                                                                   \
		NATIVELY(next);                                                                    \
		settings_step(undo_##next);                                                        \
		settings_undo(undo_##next, 0);                                                     \
		entry = real(next)();                                                              \
		note_use(&use, "the entry of " #next "()", true, CALLER);                          \
		return entry;                                                                      \
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
static PER_EXECUTION u64 table_use;
static const char table_name[] = "the table of hsearch()";

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
	int done;

	table_step();
	if (machine_exploring)
		settings_undo(undo_table, 0);
	done = hcreate_r(n, &table);
	note_use(&table_use, table_name, true, CALLER);
	return done;
}

INTERCEPT void hdestroy(void)
{
	table_step();
	hdestroy_r(&table);
	note_use(&table_use, table_name, true, CALLER);
}

INTERCEPT ENTRY *hsearch(ENTRY entry, ACTION action)
{
	ENTRY *found = NULL;

	table_step();
	hsearch_r(entry, action, &found, &table);
	note_use(&table_use, table_name, action == ENTER, CALLER);
	return found;
}
