/* SPDX-License-Identifier: ISC */
/*
 * settings.c - see settings.h: locale, modes of new files, attributes of new
 * threads, the current directory, flags of descriptors, the process group. Users, groups and roots
 * cannot be undone: refused.
 */
#include "intercept/libc/settings.h"
#include "intercept/intercept.h"
#include "process/descriptor.h"
#include "process/snapshot.h"

#include <argp.h>
#include <dlfcn.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <grp.h>
#include <libintl.h>
#include <locale.h>
#include <netdb.h>
#include <obstack.h>
#include <regex.h>
#include <sys/fsuid.h>
#include <sys/personality.h>
#include <syslog.h>

/* --- undoing --------------------------------------------------------------------------------- */

static struct {
	void (*undo)(long which, long before);
	long which, before;
} kept[64];
static u32 nkept;

long *settings_undo(void (*undo)(long which, long before), long which)
{
	for (u32 i = 0; i < nkept; i++)
		if (kept[i].undo == undo && kept[i].which == which)
			return NULL;
	if (nkept == array_size(kept))
		machine_refuse("limit: an execution changes more than %zu settings of the process",
			array_size(kept));
	kept[nkept].undo = undo;
	kept[nkept].which = which;
	clean_up_at_end();
	return &kept[nkept++].before;
}

void settings_execution_ends(void)
{
	while (nkept) {
		nkept--;
		kept[nkept].undo(kept[nkept].which, kept[nkept].before);
	}
}

void settings_step(const void *setting)
{
	static const struct sync_op op = {EV_DRAIN, NULL, NULL};

	sync_arrive(&op, setting);
}

/* --- libc's variables ------------------------------------------------------------------------ */

void settings_add_to_snapshot(void)
{
	void *sign = dlsym(RTLD_DEFAULT, "signgam"); /* of libm */

	/* tzname lies in the program, its origin in libc. */
	real(tzset)();
	if (sign)
		snapshot_add(sign, sizeof(int));
	snapshot_add(&getdate_err, sizeof getdate_err);
	snapshot_add(&re_syntax_options, sizeof re_syntax_options);
	snapshot_add(&obstack_exit_failure, sizeof obstack_exit_failure);
	snapshot_add(&error_message_count, sizeof error_message_count);
	snapshot_add(&error_one_per_line, sizeof error_one_per_line);
	snapshot_add(&error_print_progname, sizeof error_print_progname);
	snapshot_add(&argp_program_version, sizeof argp_program_version);
	snapshot_add(&argp_program_version_hook, sizeof argp_program_version_hook);
	snapshot_add(&argp_program_bug_address, sizeof argp_program_bug_address);
	snapshot_add(&argp_err_exit_status, sizeof argp_err_exit_status);
	snapshot_add(&program_invocation_name, sizeof program_invocation_name);
	snapshot_add(&program_invocation_short_name, sizeof program_invocation_short_name);
}

/* --- locale ----------------------------------------------------------------------------------- */

static void undo_locale(long unused, long name)
{
	real(setlocale)(LC_ALL, (const char *)name);
}

INTERCEPT char *setlocale(int category, const char *name)
{
	static char now[4096];
	long *before;

	NATIVELY(setlocale, category, name);
	settings_step(now);
	if (name && (before = settings_undo(undo_locale, 0)))
		*before = (long)strncpy(now, real(setlocale)(LC_ALL, NULL), sizeof now - 1);
	return real(setlocale)(category, name);
}

static void undo_domain(long unused, long name)
{
	real(textdomain)((const char *)name);
}

INTERCEPT char *textdomain(const char *name)
{
	static char now[256];
	long *before;

	NATIVELY(textdomain, name);
	settings_step(now);
	if (name && (before = settings_undo(undo_domain, 0)))
		*before = (long)strncpy(now, real(textdomain)(NULL), sizeof now - 1);
	return real(textdomain)(name);
}

static void undo_bindings(long domain, long directory)
{
	real(bindtextdomain)((const char *)domain, (const char *)directory);
}

/* The domains stay known to libc, which copies their names. */
INTERCEPT char *bindtextdomain(const char *domain, const char *directory)
{
	static char domains[8][64], before[8][256];
	static PER_EXECUTION u32 n;
	long *old;

	NATIVELY(bindtextdomain, domain, directory);
	settings_step(domains);
	if (domain && directory && n < array_size(domains) && strlen(domain) < sizeof domains[0]) {
		old = settings_undo(undo_bindings, (long)strcpy(domains[n], domain));
		*old = (long)strncpy(before[n], real(bindtextdomain)(domain, NULL),
			sizeof before[0] - 1);
		n++;
	}
	return real(bindtextdomain)(domain, directory);
}

/* --- files and messages ---------------------------------------------------------------------- */

static void undo_umask(long unused, long before)
{
	real(umask)((mode_t)before);
}

INTERCEPT mode_t umask(mode_t mode)
{
	long *before;
	mode_t old;

	NATIVELY(umask, mode);
	settings_step(undo_umask);
	before = settings_undo(undo_umask, 0);
	old = real(umask)(mode);
	if (before)
		*before = (long)old;
	return old;
}

static void undo_directory(long unused, long fd)
{
	if (real(fchdir)((int)fd) < 0)
		coverage_note("the current directory cannot be restored: %s", strerror(errno));
	real(close)((int)fd);
}

void settings_keep_directory(void)
{
	long *before = settings_undo(undo_directory, 0);
	int low = before ? real(open)(".", O_PATH | O_CLOEXEC) : -1;

	if (!before)
		return;
	*before = low < 0 ? -1 : real(fcntl)(low, F_DUPFD_CLOEXEC, DESCRIPTORS_OWN);
	if (low >= 0)
		real(close)(low);
	if (*before < 0)
		machine_refuse("the program changes its directory, and the current one cannot be "
			       "opened, to be restored: %s",
			strerror(errno));
}

INTERCEPT int fchdir(int fd)
{
	NATIVELY_OR_OURS(fchdir, fd);
	machine_drain();
	settings_keep_directory();
	return real(fchdir)(fd);
}

static void undo_status_flags(long fd, long before)
{
	real(fcntl)((int)fd, F_SETFL, before);
}

static void undo_descriptor_flags(long fd, long before)
{
	real(fcntl)((int)fd, F_SETFD, before);
}

void settings_keep_flags(int fd, int command)
{
	long *status = command == F_SETFL ? settings_undo(undo_status_flags, fd) : NULL,
	     *descriptor = command == F_SETFD ? settings_undo(undo_descriptor_flags, fd) : NULL;

	if (status)
		*status = real(fcntl)(fd, F_GETFL);
	if (descriptor)
		*descriptor = real(fcntl)(fd, F_GETFD);
}

static void undo_log_mask(long unused, long before)
{
	real(setlogmask)((int)before);
}

INTERCEPT int setlogmask(int mask)
{
	long *before;
	int old;

	NATIVELY(setlogmask, mask);
	settings_step(undo_log_mask);
	before = mask ? settings_undo(undo_log_mask, 0) : NULL;
	old = real(setlogmask)(mask);
	if (before)
		*before = old;
	return old;
}

/* --- the process and its threads ------------------------------------------------------------- */

static void undo_personality(long unused, long before)
{
	if (before >= 0)
		real(personality)((unsigned long)before);
}

INTERCEPT int personality(unsigned long flags)
{
	long *before;
	int old;

	NATIVELY_OR_OURS(personality, flags);
	settings_step(undo_personality);
	before = settings_undo(undo_personality, 0);
	old = real(personality)(flags);
	if (before)
		*before = old;
	return old;
}

static void undo_group(long unused, long before)
{
	real(setpgid)(0, (pid_t)before);
}

INTERCEPT int setpgid(pid_t pid, pid_t group)
{
	long *before;

	NATIVELY(setpgid, pid, group);
	machine_drain();
	before = settings_undo(undo_group, 0);
	if (before)
		*before = getpgrp();
	return real(setpgid)(pid, group);
}

static void undo_concurrency(long unused, long before)
{
	real(pthread_setconcurrency)((int)before);
}

INTERCEPT int pthread_setconcurrency(int level)
{
	long *before;

	NATIVELY(pthread_setconcurrency, level);
	settings_step(undo_concurrency);
	before = settings_undo(undo_concurrency, 0);
	if (before)
		*before = real(pthread_getconcurrency)();
	return real(pthread_setconcurrency)(level);
}

INTERCEPT int pthread_getconcurrency(void)
{
	NATIVELY(pthread_getconcurrency);
	settings_step(undo_concurrency);
	return real(pthread_getconcurrency)();
}

static void undo_attributes(long unused, long before)
{
	real(pthread_setattr_default_np)((pthread_attr_t *)before);
}

INTERCEPT int pthread_setattr_default_np(const pthread_attr_t *attr)
{
	static pthread_attr_t now;
	long *before;

	NATIVELY(pthread_setattr_default_np, attr);
	settings_step(&now);
	before = settings_undo(undo_attributes, 0);
	if (before && !pthread_getattr_default_np(&now))
		*before = (long)&now;
	return real(pthread_setattr_default_np)(attr);
}

/* --- users, groups, roots -------------------------------------------------------------------- */

#define GROUPS 64

struct identity {
	uid_t user[3];
	gid_t group[3], groups[GROUPS];
	int files[2]; /* the user and group that accesses to files are checked for */
	int ngroups;
	pid_t session;
};

static struct identity identity_now(void)
{
	struct identity i = {0};

	real(getresuid)(&i.user[0], &i.user[1], &i.user[2]);
	real(getresgid)(&i.group[0], &i.group[1], &i.group[2]);
	i.ngroups = real(getgroups)(GROUPS, i.groups);
	i.files[0] = real(setfsuid)((uid_t)-1);
	i.files[1] = real(setfsgid)((gid_t)-1);
	i.session = getsid(0);
	return i;
}

static void refuse_change(const struct identity *before, const char *call)
{
	struct identity now = identity_now();

	if (memcmp(before, &now, sizeof now))
		machine_refuse("the program changes its user, group or session by %s(): that "
			       "cannot be undone for the next execution",
			call);
}

#define IDENTITY(type, name, params, args)                                                         \
	INTERCEPT type name params                                                                 \
	{                                                                                          \
		struct identity before;                                                            \
		type result;                                                                       \
		if (!machine_entered())                                                            \
			return real(name) args;                                                    \
		machine_drain();                                                                   \
		before = identity_now();                                                           \
		result = real(name) args;                                                          \
		refuse_change(&before, #name);                                                     \
		return result;                                                                     \
	}

IDENTITY(int, setuid, (uid_t a), (a))
IDENTITY(int, setgid, (gid_t a), (a))
IDENTITY(int, seteuid, (uid_t a), (a))
IDENTITY(int, setegid, (gid_t a), (a))
IDENTITY(int, setreuid, (uid_t a, uid_t b), (a, b))
IDENTITY(int, setregid, (gid_t a, gid_t b), (a, b))
IDENTITY(int, setresuid, (uid_t a, uid_t b, uid_t c), (a, b, c))
IDENTITY(int, setresgid, (gid_t a, gid_t b, gid_t c), (a, b, c))
IDENTITY(int, setgroups, (size_t n, const gid_t *list), (n, list))
IDENTITY(int, initgroups, (const char *user, gid_t group), (user, group))
IDENTITY(int, setfsuid, (uid_t a), (a))
IDENTITY(int, setfsgid, (gid_t a), (a))
IDENTITY(pid_t, setsid, (void), ())

INTERCEPT int chroot(const char *path)
{
	NATIVELY(chroot, path);
	machine_refuse("the program changes its root directory by chroot(): that cannot be undone "
		       "for the next execution");
}
