/* SPDX-License-Identifier: ISC */
/* libc_state.h - state that executions change and no function of libc can restore: orientation and
 * buffering of stdin, stdout and stderr; incomplete characters in mbtowc() and its like. */
#ifndef PROCESS_LIBC_STATE_H
#define PROCESS_LIBC_STATE_H

void libc_state_begin(void); /* before an exploration */
void libc_state_end(void);   /* an execution has ended, and its output is discarded */

/* Also to be called at the end of this execution; NULL: nothing. */
extern void (*libc_state_reset)(void);

#endif
