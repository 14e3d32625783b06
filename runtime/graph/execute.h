/* SPDX-License-Identifier: ISC */
/*
 * execute.h - the program as the graph explorer's oracle: native threads follow an execution graph.
 *
 * Idea.   The explorer needs the next label of thread t in graph g (trust/program.h). Each native
 *         thread has *passed* a prefix of its events in g. Before an event is passed, others must
 *         be: the write that it reads from, the CREATE of its thread, the END of a joined thread;
 *         this includes earlier operations on the same synchronisation object, as they read from
 *         one another. So the fiber that needs an event switches to the one that must pass it, and
 *         regains control as soon as it has. Nothing else runs.
 * Memory. A write reaches real memory when it is passed, unless a write after it in co is there
 *         already: memory holds the co-last of the passed writes. Reads return their value in g.
 * Again.  If the graph contains the passed events, the threads continue; otherwise the program
 *         starts again. The explorer caches labels, so both are rare.
 */
#ifndef GRAPH_EXECUTE_H
#define GRAPH_EXECUTE_H

#include "graph/tally.h"
#include "trust/cache.h"
#include "trust/program.h"
#include "machine/core.h"
#include "model/linearize.h"

extern const struct engine graph_engine;

/* --- for the search -------------------------------------------------------------------------- */

/* Why ANSWER_STOP. */
enum execute_stop {
	EXECUTE_GOES_ON,
	EXECUTE_UNSUPPORTED, /* graphs cannot represent the program: execute_words() */
	EXECUTE_DIVERGED,    /* the program behaved differently for the same values:
				execute_words() */
	EXECUTE_UNCONFIRMED, /* the same, though it is deterministic */
	EXECUTE_REFUSED,     /* Heddle cannot test it: the status page's note */
	EXECUTE_STOPPED,     /* the time is up, or Ctrl-C */
};

/* Begin: labels of events are looked up in cache, the explorer's. */
bool execute_init(struct places *places, const struct cache *cache);
/* The model in a file; NULL: there is none. */
const struct cat_model *execute_model_file(void);
enum answer execute_next(struct program *p, struct graph *g, u32 t, struct label *out);
enum answer execute_try(struct program *p, struct graph *g, u32 t, struct label *out);
bool execute_enough(struct program *p);
enum execute_stop execute_stopped(void);
#define EXECUTE_WORDS 600
const char *execute_words(void);
/* A label in words, for messages. */
const char *execute_label_words(const struct label *l);
void execute_resume(enum execute_stop s); /* ignore a stop so far */
void execute_stop_as(enum execute_stop s, const char *words);

/* The finding behind a LABEL_FAIL. */
const struct finding *execute_finding(const struct label *l);

/* Graphs cannot represent the program; for leaf(). */
void execute_give_up(const char *words);

/* When a graph first has so many events, execute_next() stops, and sets the limit to 0: none. For
 * searches in this process only. */
extern u32 execute_limit;

/* End the native execution; execute_next() begins another one. */
void execute_finish(void);

/*
 * Start the program again along a plan of g; then run a thread up to its position in g. With
 * M.recording set every event is recorded; execute_recorded() is the step of an event of g. False:
 * it diverged. failure: an event that is a failure by itself, 0 = none.
 */
bool execute_replay(const struct graph *g, const struct plan *p, u32 failure);
bool execute_run_to(u32 t);
/* Is t, run up to its position, at this label? If not, execute_words() has the difference. */
bool execute_is_at(u32 t, const struct label *was);
/* Was new shared memory discovered? Then the search has to restart. */
bool execute_again(void);
/* A debugger that waits at failure_point stops in t at its position, unless t crashed. */
void execute_show(struct thread *t);
u32 execute_recorded(const struct graph *g, u32 e);

/* These bytes are shared, and a location. */
void execute_know(u64 addr, u32 size, bool atomic);
/* On or off: every accessed global variable is a location, even if only one thread uses it. */
void execute_know_variables(bool on);

/* Plain accesses of the location become atomic ones (--races=promote). */
void execute_promote(u32 loc);
bool execute_is_promoted(u32 loc);
bool execute_promotes(void); /* Has any been promoted, until the next call of: */
void execute_promote_none(void);
/* Do races make accesses relaxed atomics: by an option, by the model, or as one already has? */
bool execute_promotes_races(void);
/* Before workers are forked: promotions of any process are shared from now on. */
void execute_promote_begin(void);
/* After a restart: promote all of these. */
void execute_promote_again(void);

/* --- for the running thread ------------------------------------------------------------------ */

/* The result of a passed label in the graph. */
struct step {
	u64 value; /* of the read, or of the event */
	bool excl; /* RMW, CAS: it has written */
	u64 written;
};

/* Are operations events yet? Not before the first thread is created, or the first choice made. */
bool execute_begun(void);
void execute_begin(void); /* operations are events from now on */

/* A number for the history of the running thread: a hash of the path to its node in the explorer's
 * cache. */
u64 execute_history(void);

/* The running thread arrives at l; returns when it has passed it. */
struct step execute_step(const struct label *l);

/* The same for an access through an entry stub: a recurring state is LABEL_SPIN. */
void execute_loop_access(void);
/* The same at the head of a loop; site: where __heddle_turn() returns to. */
struct loop_visit;
bool execute_loop_head(const struct loop_visit *v, u64 site);
/* It is about to write size <= 8 bytes of its own memory; it allocates or frees a block. */
void execute_own_write(u64 addr, u32 size, const void *from);
void execute_hands_over(const void *p);
/* execute_time.c. The running thread sleeps until then (--sleepers last); reads a clock, which
 * takes so many nanoseconds; comes to its next step, whose time others may know. */
void execute_sleep(u64 deadline);
void execute_look(u64 takes);
void execute_tick(void);
/* The running thread begins a loop whose iterations have no effect, or has completed such an
 * iteration. */
void execute_await(bool again);
/* A LABEL_SPIN of the reads since the last progress. Returns when the time of its wait is over. */
void execute_repeat(struct label *l);
/* The thread has written, or made an event that does not depend on its reads. */
void execute_progress(void);
/* It has changed something visible to others: loop_state_effect(). */
void execute_affects(u64 what, u64 before, u64 after);
/* The same by the addition l: loop_state_add(). */
void execute_adds(u64 what, u64 before, u64 after, const struct label *l);
/* The value of the last __heddle_compared(). */
extern u64 graph_compared;
/* The object of the next fence, with the label's value. */
struct fence_object {
	const void *object;
	u32 value;
};
extern struct fence_object graph_fence_object;
/*
 * Of graph/tally.h: the running thread loads, with the used `bytes' of abi.h; stores; updates.
 * True: the contents do not matter, and execute_counted() follows the access: it has changed so
 * many bytes there.
 */
bool execute_load_counts(u64 addr, u64 size, u32 bytes, enum tally_access how);
bool execute_store_counts(u64 addr, u32 size, enum tally_access how);
bool execute_update_counts(u64 addr, u32 size, bool counts_only);
void execute_counted(u64 addr, u32 size);
/* It has stored n <= 8 bytes in one location, not atomically. */
void execute_stores(u64 addr, u32 n, const u8 *from);

/* --- execute_heap.c: the running thread has allocated p; frees it; are these events? */
void execute_alloc(const void *p, size_t size, const void *caller);
void execute_free(const void *p, const void *caller);

/* A read of loc, on a stack, has found the pattern of fresh memory: is the memory fresh? If the
 * program has not stored to loc, code that is not instrumented may have. */
bool execute_is_fresh(u32 loc);
/* The running thread's function whose frame ends at `frame` returns; its stack pointer is sp. */
void execute_frame_leave(u64 sp, u64 frame);
void execute_variable(u64 addr, u64 n);
/* The thread calls a function whose variables are unknown, and which may reuse dead stack. */
void execute_frames_unknown(void);
/* It is not instrumented: engine.h. */
void execute_foreign_call(
	const struct module *m, u64 site, u64 sp, const struct foreign_range *range);
bool execute_heap_on(void);

/* The location of the block that is accessed, 0 = none. If part of the access is not an event:
 * execute_use(). */
struct execute_use {
	u64 header; /* 0: already an event */
	u64 addr, size;
	const u8 *value; /* the value stored; NULL: a load */
};
u32 execute_block(u64 addr, u64 size, const u8 *value, struct execute_use *use);
/* Returns whether only the running thread uses the block, or there is none. */
bool execute_use(struct execute_use *use, u32 block);
/* The same for an object on which an operation is performed. */
u32 execute_block_of(const void *obj, enum event_kind kind);

/* Location of a synchronisation object; `state`: before its first event. */
u32 execute_object(const void *obj, u64 (*state)(const void *obj));
/* Location of an atomic access, by the running thread; or range of pieces (place.h). */
u32 execute_location(u64 addr, u32 size);
bool execute_has_pieces(u32 loc);
/* Adopt ranges known to other processes; at the beginning of a search. */
void execute_know_ranges(void);
/* An RMW accesses this range. */
void execute_updates(u32 range);
/* The location of a plain access to a part of one granule: 0 = not shared, or in a region. */
u32 execute_plain_location(
	u64 addr, u32 size, bool writes, struct place *out, bool *atomic, bool *region);

/* The running thread cannot continue: the execution is over for it. */
_Noreturn void execute_end(enum outcome outcome);
/* New facts about the program void all results so far. */
_Noreturn void execute_begin_again(void);
/* It has performed an operation that graphs cannot represent. */
_Noreturn void execute_unsupported(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The running thread arrives at: a choice of n; the creation of slot's thread; another's end; its
 * own. */
u32 execute_choose(u32 n);
/* Of a call that signals interrupt, after its looks for them: LABEL_CAME. */
u32 execute_choose_came(u32 call);
void execute_operation(enum label_choice what, u32 call, u64 value);
void execute_create(u32 slot, void *(*start)(void *), void *arg);
void execute_join(u32 slot, u16 flags);
_Noreturn void execute_end_of_thread(void *result, u16 flags);
/* Has some thread ended with unequal numbers of allocations and frees? Its label has the
 * difference. */
bool execute_unbalanced(void);
/* An operation on a synchronisation object; returns the result of object_step(). */
u64 execute_sync(const struct sync_op *op, const void *obj, u64 argument, u16 flags);

/* slot's thread is being started; its stack ends at this address. */
void execute_created(u32 slot, void *stack_end);

/*
 * Clear the stack below the caller. Remains of the runtime there depend on more than the thread's
 * own history, and may become an uninitialised variable in a later frame of the program: compared
 * states (loop_state.h) would differ. Call it before returning to the program.
 */
void execute_wipe(void);

/* The value of a location of 1 to 16 bytes as two words, and back. */
void execute_unpack(u32 size, u64 value, u64 v[2]);
u64 execute_pack(u32 size, const u64 v[2]);
/* The initial value of a location. */
void execute_initial(u32 loc, u32 size, u64 v[2]);

/* --- graph_access.c: accesses ---------------------------------------------------------------- */

bool graph_keeps_private(u64 addr, u32 size);
void graph_load(u64 addr, u32 size, int order, u16 flags, u64 out[2]);
void graph_store(u64 addr, u32 size, const u64 value[2], int order, u16 flags);
void graph_rmw(u64 addr, u32 size, u64 value[2], int op, int order);
bool graph_cas(u64 addr, u32 size, u64 expected[2], const u64 desired[2], int orders);
void graph_fence(int order);
void graph_read(void *to, const void *from, size_t n);
void graph_write(void *to, const void *from, size_t n);
void graph_fill(void *to, int byte, size_t n);

#endif
