/* SPDX-License-Identifier: ISC */
/*
 * trace.h - the replay file (`NAME.heddle`): this comment is its specification, version 7.
 *
 * A replay file holds one failing execution: the command, the choices that realise it, and, for
 * reports, every event with its call stack. It is text, one record a line:
 *
 *     keyword key=value key=value ...
 *
 * They are separated by one space, and ended by a newline. A value contains no white
 * space: bytes outside 0x21..0x7e, '%' and '=' are written %XX (two hex digits, upper case), an
 * empty string is a single '%'. Numbers are decimal, or hex with 0x. A key whose value is 0, empty
 * or "none" is omitted. Readers skip unknown keys and refuse unknown keywords.
 *
 * A LOC is a code or data address: `M+0xOFF`, module number and offset from the module's load
 * base, or `-+0xADDRESS` outside all modules. An address in a call stack is the return address;
 * in the innermost frame, the address after the call that made the event; at a signal, the address
 * of the instruction plus one. So the address minus one is always inside the instruction.
 *
 * `heddle-trace` is the first record and `end` the last; `program` and `finding` occur once,
 * `minimised` at most once. `module` records precede the records that contain a LOC. Otherwise the
 * order of different records is free. Records with an id, and events by step, are in increasing
 * order; steps count 1, 2, 3, ... without a gap. Choices, cycle edges and output are in order of
 * occurrence.
 *
 *   heddle-trace version=5 tool=0.1.0
 *   program path=/abs/path build_id=HEX check=N
 *                      check: 0 = main, else the N-th heddle_check call
 *   arg value=..       argv[1], argv[2], ... of the program
 *   option name=model value=tso
 *                      options of the exploration (option.def): model and strategy, and those that
 *                      differ from their default
 *   module id=0 base=0x.. size=0x.. build_id=HEX path=..
 *   thread id=1 parent=0 child=1 start=LOC stack=S name=.. enabled=0|1
 *                      id 0 is the main thread; child: the n-th thread created by its parent;
 *                      start: its start routine; stack: of its creation; enabled: at the end of
 *                      the execution its next step was possible
 *   stack id=S frames=LOC,LOC,...                    innermost first; ids begin at 1
 *   block id=B thread=T nth=N size=N stack=S freed=S address=LOC
 *                      a heap block: T's n-th allocation; freed: the stack of its free(); ids
 *                      begin at 1
 *   place id=P kind=K address=LOC size=N block=B thread=T module=M offset=N stack=S frame=N
 *         above=N below=N name=.. into=N
 *                      memory or object of an event; ids begin at 1. K is
 *                        global   a variable of a module
 *                        heap     in block B
 *                        stack    on the stack of thread T; offset: from the stack's top end
 *                                 downwards; stack: calls of T that were active, frame: the
 *                                 one it belongs to, 0 = innermost; above: bytes from the
 *                                 stack pointer in that call, below: bytes to its canonical
 *                                 frame address (the stack pointer before the call)
 *                        tls      thread T's copy of a thread-local variable of module M;
 *                                 offset: from the start of M's initialisation image
 *                        other    anything else
 *                      name: given by heddle_name() to memory that begins `into` bytes before it
 *   event step=N thread=T kind=K order=O place=P size=N value=0x.. old=0x.. from=E store=E missed=E
 *         co=E stack=S buffered=N flags=F,F,... kind: a name of kind.def; order: relaxed, consume,
 *         acquire, release, acq_rel, seq_cst; value: read or written (little endian, up to 16
 *         bytes), a sync operation's result, nanoseconds of a sleep; of a wait that timed out, in
 *         the upper 8 bytes, by how many nanoseconds time advanced; old: an RMW's value before, a
 *         sync operation's argument (create, join: the other thread; a condition's wake, a
 *         futex's wait: 1 if spurious); from: step of the write it read from, 0 = the initial
 *         value; store: of a commit, the step of the store that reached memory; missed: step of the
 *         newest write to the place that an access in an execution graph did not see, or that a
 *         write preceded in co, although it had been made; co: of a write of an execution graph,
 *         step of the write before it in co, 0 = the initial value; buffered: stores of this
 *         thread in its buffer after this step; flags: plain, volatile, asm, forwarded (read from
 *         the own buffer), buffered (a store that went into the buffer), spin, virtual (a fence
 *         from an orders file), use (in an execution graph: the use of a whole block), rare (a
 *         weak compare-and-exchange that failed spuriously)
 *   choice n=OPTIONS taken=I why=W thread=T
 *                      in order of use; I < OPTIONS; why: schedule, weak-cas, spurious, timeout,
 *                      interrupt, choose; thread: the thread chosen, or whose choice it is;
 *                      negative (-1-T): a commit of thread T.
 *                      Or of an execution graph, one for each of its events, each after the write
 *                      that it reads from: why: graph; thread: of the event, by the number of
 *                      threads in graphs (determined by their creation); taken: for a read, the
 *                      number of the choice whose write it reads from, 1 = the first; for a write,
 *                      that of the write before it in co; 0: the initial value; for
 *                      heddle_choose() and the like: the number chosen; n: at least one more.
 *                      why: graph-rare: a weak compare-and-exchange that failed spuriously;
 *                      graph-early: a read of a write whose choice comes later (load buffering),
 *                      which has this value
 *   finding kind=K step=N other=N repeats=N thread=T reorder=R message=.. file=.. line=N
 *           function=.. signal=N execution=N
 *                      kind: a name of finding.c; step: the event that failed; other: the other
 *                      access of a race, or the event that makes a use of the heap an error;
 *                      repeats: of livelock and starvation: the steps from this one to the last
 *                      can be repeated for ever, 0: no thread is enabled any more; reorder: yes
 *                      (impossible under sequential consistency), no, unknown; execution: its
 *                      number in the search
 *   minimised tries=N complete=0|1 rare=N relaxed=N delayed=N switches=N steps=N
 *             to_rare=N to_relaxed=N to_delayed=N to_switches=N to_steps=N
 *                      the execution is simpler than the one found and has the same finding: the
 *                      number of attempts, and whether there was time for all; in the execution
 *                      found, and (to_) in this one: spurious events, relaxed events (loads and
 *                      stores that overtook a store; in a graph, reads of and writes before
 *                      something older than the newest), stores that did not reach memory at
 *                      once, switches between threads, events
 *   wait thread=T kind=K place=P holder=T stack=S
 *                      for deadlock and livelock: the blocked operation; holder: -1 when no thread
 *                      holds it
 *   cycle from=E to=E relation=po|rf|co|fr kept=order|address|data|control
 *                      edges of a cycle that SC forbids, in order; kept: an edge of po that the
 *                      model, one of hardware, keeps: by a dependency of the later event itself,
 *                      or (order) by others, instructions and barriers
 *   axiom name=.. repair=none|orders|fences|unknown
 *                      of the model in a file: the axiom that forbids the execution (compare), or
 *                      would with these changes: acquire and release on the ends of the cycle's rf,
 *                      or seq_cst fences in its edges of po that are not kept; unknown: none of
 *                      these does
 *   link from=E to=E name=..
 *                      edges of that axiom's cycle, with the name of the relation in the file;
 *                      from: 0 = the initial value
 *   history object=.. before=happens|steps state=..
 *                      for linearizability: the object; its precedence: happens-before, or the
 *                      order of steps; its state after the placed operations
 *   operation id=N thread=T begin=E end=E placed=N call=.. result=.. why=..
 *                      an operation of it, from step to step (end: 0 = it has not ended); placed:
 *                      its position in the longest order that explains its results, 0 = none;
 *                      why: the reason it cannot be the next; ids begin at 1
 *   site at=LOC order=O fail=O before=O after=O
 *                      of an orders file, in force in this execution: replaces the order of the
 *                      access or fence whose call returns to LOC (none: removed); fail: of a
 *                      compare and exchange that fails; before, after: a fence there
 *   visible at=LOC size=N
 *                      with option private: so many bytes of plain memory are known to race;
 *                      accesses there are steps. Without that option all are
 *   output fd=1|2 text=..                            output of the program in this execution
 *   end records=N crc=0xXXXXXXXX                     number of lines before this one; CRC-32 (as
 *                      in zlib) of all bytes before this line
 *
 * Older versions lack: 6: `axiom`, `link`; 5: flag rare; 4: also `visible`; 3: also `site`,
 * `minimised`, `co`, flag virtual; 2: also `history`, `operation`; 1: also execution graphs
 * (`missed`, `other`, `graph`, `graph-rare`).
 */
#ifndef HEDDLE_TRACE_H
#define HEDDLE_TRACE_H

#define HEDDLE_TRACE_VERSION 7 /* readers accept older ones */

#endif
