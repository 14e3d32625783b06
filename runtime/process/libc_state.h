/* SPDX-License-Identifier: ISC */
/* libc_state.h - what libc keeps of each execution, and no function restores: orientation and
 * buffering of stdin, stdout and stderr; the characters of which mbtowc() and mblen() have seen a
 * part. */
#ifndef PROCESS_LIBC_STATE_H
#define PROCESS_LIBC_STATE_H

void libc_state_begin(void); /* before an exploration */
void libc_state_end(void);   /* an execution has ended, and what it has written is discarded */

#endif
