/* SPDX-License-Identifier: ISC */
/*
 * libc_tls.h - the state that libc keeps for each thread, other than errno: its locale, h_errno,
 * the message of dlerror(), the state of the resolver.
 *
 * The buffers of strerror(), strsignal() and inet_ntoa() are replaced
 * (intercept/libc/thread_text.c).
 */
#ifndef PROCESS_LIBC_TLS_H
#define PROCESS_LIBC_TLS_H

#include "base/base.h"

/* By the main thread, before each exploration: does the program use any of them? */
bool libc_tls_find(void);

/* Reset those of the calling thread to a new thread's; the main thread's, to their values at the
 * beginning of the exploration. */
void libc_tls_reset(bool is_main);

/* After a failed dlsym() by the runtime: the message that dlerror() would return to the calling
 * thread is forgotten. */
void libc_tls_forget_message(void);

#endif
