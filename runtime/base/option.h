/* SPDX-License-Identifier: ISC */
/* option.h - the options of an exploration, from a comma-separated string. */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include "base/base.h"
#include "base/models.h"

enum strategy {
	STRATEGY_RANDOM,
	STRATEGY_PCT,
	STRATEGY_POS,
	STRATEGY_SURW,
	STRATEGY_PCTWM,
	STRATEGY_DFS,
	STRATEGY_MIXED,
	STRATEGY_GRAPH,
	STRATEGY_RF,
	STRATEGY_TRACES,
	STRATEGY_STATES,
	STRATEGY_AUTO, /* a name for graph with equivalence auto: never a value */
	STRATEGY_FOLLOW, /* replay; has no name for users */
};

/* Data races: findings; ignored; promoted to atomic accesses (C before 2011). */
enum races { RACES_AUTO, RACES_REPORT, RACES_IGNORE, RACES_PROMOTE };

/* Equivalence of execution graphs: the same reads-from and coherence, or the same reads-from. */
enum equivalence { EQUIVALENCE_RF_CO, EQUIVALENCE_RF, EQUIVALENCE_AUTO };
/* Does malloc() return memory freed by the same thread? */
enum reuse { REUSE_NEVER, REUSE_LIFO, REUSE_CHOOSE };
/* When something is done; the option's help explains auto. */
enum when { WHEN_AUTO, WHEN_NEVER, WHEN_ALWAYS };
/* --tick: the default, and the greatest value, in nanoseconds. */
#define TICK	  1000
#define TICK_MOST 100000000000

/* The end of a sleep or timed wait: at any moment, or when no other thread is enabled. */
enum sleepers { SLEEPERS_ANY, SLEEPERS_LAST, SLEEPERS_AUTO /* last for a whole program */ };

/* Of arm8, power, riscv, imm: an access depends on earlier loads as it does in the program, on
 * none, or on all. */
enum dependencies { DEPENDENCIES_TRACKED, DEPENDENCIES_NONE, DEPENDENCIES_ALL };
/* Their read-modify-writes: one instruction, or a loop of load-linked and store-conditional. */
enum arch_rmw { ARCH_RMW_LSE, ARCH_RMW_LLSC };

/* heddle compare: the level of the comparison. All but the first include findings. */
enum compare_level {
	LEVEL_AUTO, /* outcomes if the program observes any, else state */
	LEVEL_FINDINGS,
	LEVEL_OUTCOMES,	  /* values of heddle_observe() together */
	LEVEL_STATE,	  /* globals at the end, return values of threads */
	LEVEL_EXECUTIONS, /* every execution */
};

/* The detectors that can be switched: detect.def. Other findings need no detector. */
enum detect_bit {
#define DETECT(name, NAME, standard, words) DETECT_BIT_##NAME,
#include "base/detect.def"
#undef DETECT
	DETECTORS
};

enum detect {
#define DETECT(name, NAME, standard, words) DETECT_##NAME = 1 << DETECT_BIT_##NAME,
#include "base/detect.def"
#undef DETECT
	DETECT_ALL = (1 << DETECTORS) - 1,
#define DETECT(name, NAME, standard, words) +((standard) << DETECT_BIT_##NAME)
	DETECT_DEFAULT = 0
#include "base/detect.def"
#undef DETECT
};

#define OPTION_TEXT_MAX 512

#define JOBS_MAX 64 /* processes of an exploration */

#define NUMBER_ANY	1000000 /* no bound: the word `any' */
#define PREEMPTIONS_ANY NUMBER_ANY
#define DELAYS_ANY	NUMBER_ANY
#define WEAK_CAS_AUTO	NUMBER_ANY /* for graphs; none at all in dfs */

typedef u64 option_NUMBER;
typedef u64 option_SECONDS;
typedef u64 option_FLAG;
typedef u64 option_SHARD; /* option_shards(), option_shard() */
typedef enum model_id option_MODEL;
typedef enum strategy option_STRATEGY;
typedef enum races option_RACES;
typedef enum equivalence option_EQUIVALENCE;
typedef enum reuse option_REUSE;
typedef enum when option_WHEN;
typedef enum sleepers option_SLEEPERS;
typedef enum dependencies option_DEPENDENCIES;
typedef enum arch_rmw option_ARCH_RMW;
typedef enum compare_level option_LEVEL;
typedef u64 option_DETECT; /* enum detect */
typedef char option_TEXT[OPTION_TEXT_MAX];

struct options {
#define OPTION(name, c_name, type, value, help)	    option_##type c_name;
#define UNRECORDED(name, c_name, type, value, help) option_##type c_name;
#define RECORDED(name, c_name, type, value)	    option_##type c_name;
#define INTERNAL(name, c_name, type, value)	    option_##type c_name;
#include "base/option.def"
#undef OPTION
#undef UNRECORDED
#undef RECORDED
#undef INTERNAL
};

/* A user's mistake: message, and its byte offset in the text. */
struct err {
	char message[200];
	size_t at;
};

/* Every option at its default. */
void option_defaults(struct options *o);

/*
 * Set one option. value may be NULL for a FLAG ("on"); flags also take on/off, yes/no, 1/0. Names
 * may be given with '-' or '_'. Returns false and fills *err when the name is unknown or the value
 * does not fit (the message lists those that would).
 */
bool option_set(struct options *o, const char *name, const char *value, struct err *err);

/*
 * Parse "name=value,name,name=value". In a value, %XX stands for a byte (so that a comma in a
 * path can be passed). Returns false at the first mistake.
 */
bool option_parse(struct options *o, const char *text, struct err *err);

/* A conflict of options of different strategies, in words, or NULL. */
const char *option_conflict(const struct options *o);

/* Of how many parts is this run one, and which, from 0 on (--shard)? Of one, the whole. */
static inline u32 option_shards(const struct options *o)
{
	return o->shard ? (u32)(o->shard >> 32) : 1;
}

static inline u32 option_shard(const struct options *o)
{
	return o->shard ? (u32)o->shard - 1 : 0;
}

/* Are schedules bounded, which graphs do not represent? */
static inline bool option_is_bounded(const struct options *o)
{
	return o->preemptions < PREEMPTIONS_ANY || o->delays < DELAYS_ANY;
}

/* The model to explore: never MODEL_AUTO. */
enum model_id option_model(const struct options *o);

/* Does the strategy explore execution graphs, all of them? */
static inline bool strategy_is_exact(enum strategy s)
{
	return s == STRATEGY_GRAPH || s == STRATEGY_RF || s == STRATEGY_TRACES;
}

/* Random execution graphs? random is that only under models without store buffers. */
static inline bool strategy_is_walk(enum strategy s)
{
	return s == STRATEGY_RANDOM || s == STRATEGY_PCTWM;
}

/* The value of the i-th option of option.def as text, into to[n]; false if i is out of range. */
bool option_show(const struct options *o, unsigned i, const char **name, char *to, size_t n);

/* Whether the i-th option of the list still has its default value. */
bool option_is_default(const struct options *o, unsigned i);

/* A row of the list, for --help: false if i is out of range. Internal options have help "". */
bool option_describe(unsigned i, const char **name, const char **value_shape, const char **help);

/* The index in option.def of the option of this name, where `_' stands for `-', too; ~0: none. */
unsigned option_find(const char *name);

/* Does a replay file contain the i-th option, as it affects executions? `heddle replay' accepts no
 * other options. */
bool option_is_recorded(unsigned i);

/* The k-th name that the i-th option accepts as its value; NULL: no more. */
const char *option_choice(unsigned i, unsigned k);

const char *model_name(enum model_id m);
const char *strategy_name(enum strategy s);
const char *equivalence_name(enum equivalence e);
const char *level_name(enum compare_level l);

/* The i-th detector of detect.def: name, findings; *on: by default. NULL: no more. */
const char *detect_describe(unsigned i, const char **words, bool *on);

#endif
