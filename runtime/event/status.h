/* SPDX-License-Identifier: ISC */
/*
 * status.h - the page that the tested process shares with `heddle run`.
 *
 * The runtime writes it, the tool reads it: counts for the progress line, the result at the end,
 * and the choices of the running execution, which thus survive the death of the process. The tool
 * makes it (memfd, sizeof(struct status)) and passes its descriptor as option status-fd.
 */
#ifndef EVENT_STATUS_H
#define EVENT_STATUS_H

/* The headers of STATUS_LAYOUT (Makefile): all users are recompiled if one of them changes. */
#include "base/option.h"
#include "event/event.h"
#include "event/finding.h"

/* The upper half is that of every version; the lower one stands for its layout (Makefile). */
#define STATUS_TAG	0x68656464ull
#define STATUS_MAGIC	(STATUS_TAG << 32 | STATUS_LAYOUT)
#define STATUS_FINDINGS 64
#define STATUS_CHOICES	(1 << 24)

/* Sent by the tool to make the process check `stop`, while the state is STATUS_EXPLORING. */
#define CLOCK_SIGNAL SIGVTALRM

enum status_state {
	STATUS_NEW,   /* nothing has run: a process that ends now was not instrumented */
	STATUS_READY, /* the runtime is up, nothing explored yet */
	STATUS_EXPLORING,
	STATUS_DONE,	 /* `exit_code` and all counts are final */
	STATUS_REFUSED,	 /* cannot explore; the reason is in `note`; exit code 2 */
	STATUS_DIVERGED, /* the replay diverged; `note` names both events; exit code 2 */
};

/* The reasons why the search is not complete; several may hold. */
enum status_bound {
	BOUND_EXECUTIONS = 1 << 0, /* --executions */
	BOUND_TIME = 1 << 1,	   /* --time */
	BOUND_STEPS = 1 << 2,	   /* some executions hit --max-steps */
	BOUND_BUFFER = 1 << 3,	   /* a store found its buffer full */
	BOUND_WEAK_CAS = 1 << 4,   /* more spurious failures were possible than allowed */
	BOUND_SPURIOUS = 1 << 5,
	BOUND_TIMEOUTS = 1 << 6,
	BOUND_SAMPLING = 1 << 7,  /* the strategy samples, it never completes */
	BOUND_FINDING = 1 << 8,	  /* stopped at a finding */
	BOUND_INTERRUPT = 1 << 9, /* Ctrl-C */
	BOUND_RANGE = 1 << 10,	  /* a large memory operation was taken as one step */
	BOUND_NONDETERMINISM = 1 << 11,
	BOUND_PREEMPTIONS = 1 << 12, /* --preemptions */
	BOUND_RACE = 1 << 13,	     /* executions ended with a data race: graphs, --keep-going */
	BOUND_HEAP = 1 << 14,	     /* likewise with a heap error */
	BOUND_HANG = 1 << 15,	     /* --hang: a thread computed too long without an event */
	BOUND_LONG = 1 << 16, /* some executions have more events than an execution graph holds */
	BOUND_ROOM = 1 << 17, /* too little memory, or too few attempts, for some: see the notes */
	BOUND_LOOPS = 1 << 18, /* some were cut at a bound on the iterations of a loop */
	BOUND_DELAYS = 1 << 19, /* --delays */
	BOUND_BUFFERING = 1 << 20, /* those with load buffering are not explored (hardware) */
	BOUND_DEPENDENCIES = 1 << 21, /* --deps all */
	BOUND_READY = 1 << 22, /* timers and signals were reported last (kernel/epoll.c) */
	BOUND_FOREIGN = 1 << 23, /* a call of code that is not instrumented emptied a buffer */
	BOUND_FOREIGN_WRITES = 1 << 24, /* not all writes of such code were found */
	BOUND_CAS_VALUE = 1 << 25, /* hardware: what a CAS returns is what it has read */
};

/* With option `judged` the tool decides whether a recorded finding counts. */
enum status_verdict {
	VERDICT_NONE,
	VERDICT_ASKED, /* the runtime waits for one of the following */
	VERDICT_COUNTS,
	VERDICT_SUPPRESSED,
};

enum status_test {
	TEST_NONE,
	TEST_EXPLORED,
	TEST_INACTIVE,
	TEST_UNINITIALISED,
	TEST_OTHER,
	TEST_SKIPPED, /* explored; it asked to be skipped */
};

struct status_finding {
	struct finding finding;
	u64 execution;	   /* in which execution, 1 first */
	i32 reorder;	   /* 1: not sequentially consistent; 0: it is; -1: unknown */
	volatile u32 verdict;
	u32 in_from;	   /* heddle compare: also under the other model */
	char replay[512];  /* path of the replay file, "" = not written */
};

#define OUTCOME_NAMES 16
#define OUTCOMES      1024

/* Outcomes of executions: heddle_observe(). */
struct status_outcome {
	u64 executions;
	u32 has;   /* bit i: it has a value for name[i] */
	u32 in_sc; /* some execution under sc, or the model of `from', ends with it */
	i64 value[OUTCOME_NAMES];
};

struct status_outcomes {
	u32 nnames, n;
	u32 more;     /* outcomes without room */
	u32 sc_known; /* all executions under sc are: an outcome not in_sc is impossible there */
	char name[OUTCOME_NAMES][32];
	struct status_outcome row[OUTCOMES]; /* the most frequent one first */
};

/* heddle compare: end states that the explored model has and `from` forbids. */
enum status_portable { PORTABLE_NOT_ASKED, PORTABLE, PORTABLE_NOT, PORTABLE_UNKNOWN };

struct status_item {
	u64 addr;  /* of a global variable, or part of one; a thread's result: its slot */
	u64 value; /* at the end */
	u32 size;  /* bytes; 0: a thread's result */
};

#define STATE_ITEMS 24
#define NEW_STATES  16

/* The end of an execution: the globals that have changed, the results of threads. */
struct end_state {
	u64 executions;
	u32 n, more; /* items; there was no room for so many */
	struct status_item item[STATE_ITEMS];
};

struct status_compare {
	u32 portable; /* enum status_portable */
	u32 level;    /* enum compare_level: never LEVEL_AUTO */
	u32 by_itself; /* `from` has been explored, too: one graph did not say enough */
	u32 nfindings;	     /* new */
	u64 outcomes, states; /* seen, of that level */
	u64 new_outcomes, new_states;
	u64 executions;	     /* new, counted at level executions only */
	u32 more; /* states: there were others, for which there was no room */
	struct end_state state[NEW_STATES]; /* new ones */
};

/* Samples by pct: executions, by depth from 1 to 3; the most agents and steps of one. */
#define STATUS_DEPTHS 3

struct status_pct {
	u64 executions[STATUS_DEPTHS];
	u64 agents, steps;
};

/* run --shard: hashes, to be the same in all shards. */
struct status_shard {
	u64 tree; /* how the search has been divided */
	u64 facts; /* facts learnt about the program, on which its executions depend */
};

/* Option `ticket': the tool asks for parts of the remaining work, each in a file. */
enum give_state {
	GIVE_NONE,
	GIVE_ASKED,  /* by the tool, for up to `wanted' levels */
	GIVE_DONE,   /* `given' of them are in files; the process waits for GIVE_NONE */
	GIVE_CANNOT, /* likewise: none, as another process cannot go on from them; `note' */
};

struct status_give {
	volatile u32 state; /* enum give_state */
	u32 wanted, given;
	volatile u32 restarts; /* all that was found, and given away, before the last one is void */
	u32 bounds, complete;  /* of the explored part */
	char note[96];
};

#define STATUS_LIBRARY 512

/* Option `call-stacks' 2: which goals (bits) does a thread with this call stack match? */
enum status_question { QUESTION_NONE, QUESTION_ASKED };

#define STATUS_FRAMES 64

struct status_calls {
	volatile u32 question; /* enum status_question: the runtime waits */
	u32 n;
	u64 base; /* of the program */
	u64 frame[STATUS_FRAMES]; /* return addresses, innermost first */
	u64 goals, near; /* the answer; near: at another line of the innermost function */
	volatile u64 together; /* goals with a thread of their own at the same time: the most */
};

struct status {
	u64 magic;
	u32 size;	   /* sizeof(struct status), checked by both sides */
	volatile u32 state;
	volatile u32 stop; /* the tool sets it: finish this execution and stop */
	i32 exit_code;
	u64 until; /* monotonic nanoseconds, by the tool: the end of the search; 0 = no limit */
	u32 equivalence;   /* enum equivalence, never EQUIVALENCE_AUTO: of strategy graph */
	u64 twins; /* strategy graph: threads whose names count no more than those of older ones */
	volatile u64 executions; /* complete ones */
	volatile u64 blocked;	 /* cut short: bound, assume, deadlock-free blocking */
	volatile u64 cut;	 /* of these: at a bound on the iterations of a loop */
	volatile u64 failing;	 /* executions with a finding, among both */
	volatile u64 steps;	 /* all steps of all executions */
	volatile u64 states; /* strategy states: different ones, so far */
	u64 loops;	     /* likewise: some executions do not end */
	u64 boundless;	     /* likewise: the search with buffers without a bound has begun */
	volatile u64 estimate;	 /* of the number of executions; 0 = unknown */
	u64 nanoseconds;	 /* spent exploring */
	u32 complete;
	u32 max_steps; /* of an execution, as in force */
	u32 levels; /* all executions under sc with fewer preemptions than this have been seen; */
	u32 delays; /* likewise, with fewer delays */
	struct status_pct pct;
	u32 assumed;		 /* an execution was blocked by heddle_assume() */
	u32 promoted;		 /* data races among the findings past which the search continued */
	u32 assembly; /* the program has made accesses or fences by inline assembly: graphs */
	u32 bounds;		 /* enum status_bound */
	u32 strategy;		 /* the one running now, enum strategy */
	u32 chosen; /* of the whole search: as requested, or its replacement */
	u32 model;		 /* of the executions made now, enum model_id: never MODEL_AUTO */
	u32 chosen_model; /* of the whole search, likewise */
	u32 nfindings;
	struct status_finding findings[STATUS_FINDINGS];
	char library[STATUS_LIBRARY]; /* to be opened before the exploration begins again */
	i32 library_flags;	      /* of dlopen() */
	char note[512];
	u32 unconfirmed; /* findings not confirmed: a bug in Heddle, exit code 70 */
	char held[320]; /* the cause of a slow search, with a code address: no execution has ended,
			 * or a loop has too many possible iteration counts */
	char doubt[768]; /* the first of them: one line */
	char coverage[8][160];	 /* limits of the coverage, one sentence each */
	struct status_outcomes outcomes;
	struct status_compare compare;
	struct status_shard shard;
	struct status_calls calls;
	struct status_give give;
	/* run --suite: the tests that the program has started so far, the current one, its
	 * result */
	u32 tests, test_state; /* enum status_test */
	char suite[128], test[128];
	/* The running execution: choice i is taken | options << 16. */
	volatile u32 unrecorded; /* so many of them lead to the last finding, if there was no time
				    to record it */
	volatile u32 nchoices;
	u32 choices[STATUS_CHOICES];
};

#endif
