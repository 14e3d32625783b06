/* SPDX-License-Identifier: ISC */
/*
 * ck_port.h - Concurrency Kit's primitives, for a memory model and with fences to choose.
 *
 * Debian's x86-64 build assumes TSO: most of its fences are nothing but compiler barriers. With
 * -DPORT_PSO its own macro selects a PSO machine, and it emits them. The headers are used as
 * installed; a fence is removed by defining the function as another one (-DNO_FENCE_STORE,
 * -DNO_FENCE_MEMORY) after ck_pr.h has defined it.
 */
#ifndef CK_PORT_H
#define CK_PORT_H

#include <ck_md.h>
#ifdef PORT_PSO
#undef CK_MD_TSO
#define CK_MD_PSO
#endif
#include <ck_pr.h>

#ifdef NO_FENCE_STORE
#define ck_pr_fence_store() ck_pr_barrier()
#endif
#ifdef NO_FENCE_MEMORY
#define ck_pr_fence_memory() ck_pr_barrier()
#endif
#ifdef NO_FENCE_UNLOCK
#define ck_pr_fence_unlock() ck_pr_barrier()
#endif

#include "../clean/two.h"

#endif
