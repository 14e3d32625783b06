/* SPDX-License-Identifier: ISC */
/*
 * thread_text.c - texts that libc makes in a buffer of the calling thread: all fibers are one
 * thread to it, so each has its own here. Texts of known numbers are constants.
 */
#include "intercept/intercept.h"

#include <arpa/inet.h>

enum thread_text { TEXT_ERROR, TEXT_SIGNAL, TEXT_ADDRESS, TEXTS };

#define TEXT_SIZE 64

static char *keep_text(enum thread_text which, const char *text)
{
	static char texts[THREADS_MAX][TEXTS][TEXT_SIZE];
	char *own = texts[thread_id(thread_self())][which];

	strncpy(own, text, TEXT_SIZE - 1);
	return own;
}

INTERCEPT char *strerror(int error)
{
	NATIVELY_OR_OURS(strerror, error);
	return strerrordesc_np(error) ? real(strerror)(error)
				      : keep_text(TEXT_ERROR, real(strerror)(error));
}

INTERCEPT char *strerror_l(int error, locale_t locale)
{
	NATIVELY(strerror_l, error, locale);
	return strerrordesc_np(error) ? real(strerror_l)(error, locale)
				      : keep_text(TEXT_ERROR, real(strerror_l)(error, locale));
}

INTERCEPT char *strsignal(int sig)
{
	NATIVELY_OR_OURS(strsignal, sig);
	return sigdescr_np(sig) ? real(strsignal)(sig)
				: keep_text(TEXT_SIGNAL, real(strsignal)(sig));
}

INTERCEPT char *inet_ntoa(struct in_addr address)
{
	NATIVELY(inet_ntoa, address);
	return keep_text(TEXT_ADDRESS, real(inet_ntoa)(address));
}
