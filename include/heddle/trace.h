/* SPDX-License-Identifier: ISC */
/*
 * trace.h - the replay file (`NAME.heddle`): this comment is its specification, version 1.
 *
 * A replay file holds one failing execution: what to run, the choices that realise it, and, for
 * reports, every event with its call stack. It is text, one record a line:
 *
 *     keyword key=value key=value ...
 *
 * Values contain no white space: bytes outside 0x21..0x7e, '%' and '=' are written %XX (two upper
 * case hex digits), an empty string is a single '%'. Numbers are decimal, or hex with 0x.
 * Readers skip keys they do not know and refuse keywords they do not know. A code location is
 * `M+0xOFF`: module number and offset from its load base, or `-`. The address in a call stack is
 * the return address; of the innermost frame, the address after the call that made the event.
 *
 * Records, in this order:
 *
 *   heddle-trace version=1 tool=0.1.0
 *   program path=/abs/path build_id=HEX check=N      N: 0 = main, else the N-th heddle_check call
 *   arg value=..                                     argv[1], argv[2], ... of the program
 *   option name=model value=tso                      every option that is not at its default
 *   module id=0 base=0x.. size=0x.. build_id=HEX path=..
 *   thread id=1 parent=0 child=1 start=M+0x.. stack=S name=..
 *                      id 0 is the main thread; child: the n-th thread that its parent created;
 *                      stack: where it was created
 *   stack id=S frames=M+0x..,M+0x..,...              innermost first
 *   block id=B thread=T nth=N size=N stack=S freed=S address=0x..
 *                                                    a heap block; freed: 0 or a stack id
 *   place id=P kind=global module=M offset=0x.. size=N
 *   place id=P kind=heap block=B offset=N size=N
 *   place id=P kind=stack thread=T offset=N size=N stack=S   offset from the stack's top end;
 *   place id=P kind=tls thread=T module=M offset=N size=N
 *   place id=P kind=other address=0x.. size=N
 *   event step=N thread=T kind=K order=O place=P size=N value=0x.. old=0x.. from=E store=E
 *         stack=S buffered=N flags=volatile,asm,plain,forwarded,spin  result=N
 *                      kind: a name of kind.def; one event a line, `step` counts 1, 2, 3...
 *                      value: read or written (little endian, up to 16 bytes)
 *                      old: an RMW's value before; a sync operation's argument
 *                      from: step of the write it read from, 0 = the initial value
 *                      store: of a commit, the step of the store that reached memory
 *                      buffered: stores of this thread that sit in its buffer after this step
 *                      keys that are 0 or do not apply are left out
 *   choice n=OPTIONS taken=I why=W thread=T stack=S  in order of use; why: schedule, weak-cas,
 *                      spurious, timeout, choose, reuse; thread: who was chosen, or whose
 *                      choice it is; negative (-1-T): a commit of thread T
 *   finding kind=K step=N thread=T reorder=yes|no|unknown message=.. file=.. line=N function=..
 *   wait thread=T kind=K place=P holder=T stack=S    for deadlock and livelock: who waits for what;
 *                      holder: -1 when nobody holds it
 *   cycle from=E to=E relation=po|rf|co|fr           edges of a cycle that SC forbids, in order
 *   output fd=1|2 text=..                            what the program printed in this execution
 *   end records=N crc=0xXXXXXXXX                     number of lines before this one; CRC-32 (the
 *                      one of zlib) of all bytes before this line
 */
#ifndef HEDDLE_TRACE_H
#define HEDDLE_TRACE_H

#define HEDDLE_TRACE_VERSION 1

#endif
