/* SPDX-License-Identifier: ISC */
/* worker.c - see worker.h. */
#include "search/jobs/worker.h"
#include "machine/execution/clock.h"
#include "machine/core.h"
#include "process/input.h"
#include "process/output.h"
#include "process/shared.h"
#include "process/sys.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static struct status *own, *common; /* NULL: no worker */
static volatile u32 *findings_lock;

long worker_fork(void)
{
	long parent = sys_call4(SYS_getpid, 0, 0, 0, 0);
	long pid = sys_call4(SYS_clone, 0, 0, 0, 0); /* no signal at its end */

	if (pid)
		return pid;
	sys_call4(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
	if (sys_call4(SYS_getppid, 0, 0, 0, 0) != parent)
		sys_call4(SYS_exit_group, 2, 0, 0, 0);
	return 0;
}

void worker_begin(struct status *page, volatile u32 *lock)
{
	common = M.status;
	own = page;
	findings_lock = lock;
	shared_forked();
	status_use(own);
	clock_forked();
	output_forked();
	input_forked();
}

bool worker_ended(i32 pid, int *code)
{
	if (sys_call4(SYS_wait4, pid, (long)code, WNOHANG | __WALL, 0) != pid)
		return false;
	if (WIFEXITED(*code) && WEXITSTATUS(*code) == 70)
		sys_call4(SYS_exit_group, 70, 0, 0, 0);
	return true;
}

void worker_stop(i32 pid, struct status *page, bool kill)
{
	if (!page->stop || kill)
		sys_call4(SYS_kill, pid, page->stop ? SIGKILL : CLOCK_SIGNAL, 0, 0);
	page->stop = 1;
}

void worker_enter(void)
{
	if (!own)
		return;
	shared_take(findings_lock);
	status_use(common);
	common->strategy = own->strategy;
}

void worker_leave(void)
{
	if (!own)
		return;
	status_use(own);
	shared_give(findings_lock);
}

bool worker_is_one(void)
{
	return own;
}

const struct status *worker_own(void)
{
	return own ? own : M.status;
}

struct status *worker_common(void)
{
	return own ? common : M.status;
}
