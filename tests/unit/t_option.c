/* SPDX-License-Identifier: ISC */
/* t_option.c - options from text, and their mistakes. */
#include "base/option.h"

#include <stdio.h>
#include <string.h>

#include "unit.h"

static void defaults(void)
{
	struct options o;
	const char *name;
	char value[OPTION_TEXT_MAX];
	unsigned n = 0;

	memset(&o, 0xff, sizeof(o));
	option_defaults(&o);
	CU_ASSERT_EQUAL(o.model, MODEL_AUTO);
	CU_ASSERT_EQUAL(o.strategy, STRATEGY_GRAPH);
	CU_ASSERT_EQUAL(o.time, 60000000);
	CU_ASSERT_EQUAL(o.buffer_size, 64);
	CU_ASSERT_EQUAL(o.replay_dir[0], 0);
	for (unsigned i = 0; option_show(&o, i, &name, value, sizeof(value)); i++, n++)
		CU_ASSERT(option_is_default(&o, i));
	CU_ASSERT(n >= 20);
}

static void whole_string(void)
{
	struct options o;
	struct err err;

	option_defaults(&o);
	CU_ASSERT_FATAL(option_parse(&o,
		"model=pso,strategy=pct,executions=20k,time=.25,keep-going,detect=-livelock,"
		"max_steps=5,replay-dir=/tmp/a%2Cb%25,seed=0",
		&err));
	CU_ASSERT_EQUAL(o.model, MODEL_PSO);
	CU_ASSERT_EQUAL(o.strategy, STRATEGY_PCT);
	CU_ASSERT_EQUAL(o.executions, 20000);
	CU_ASSERT_EQUAL(o.time, 250000);
	CU_ASSERT_EQUAL(o.keep_going, 1);
	CU_ASSERT_EQUAL(o.detect, DETECT_DEFAULT & ~DETECT_LIVELOCK);
	CU_ASSERT_EQUAL(o.max_steps, 5);
	CU_ASSERT_EQUAL(o.seed, 0);
	CU_ASSERT_STRING_EQUAL(o.replay_dir, "/tmp/a,b%");
	CU_ASSERT(option_parse(&o, "", &err));
	CU_ASSERT(option_parse(&o, ",,model=sc,", &err));
	CU_ASSERT_EQUAL(o.model, MODEL_SC);
}

/* text must be refused with this message at this offset, and leave the other options alone. */
static void accepts_time(const char *value, u64 microseconds)
{
	struct options o;
	struct err err;

	option_defaults(&o);
	CU_ASSERT_TRUE(option_set(&o, "time", value, &err));
	CU_ASSERT_EQUAL(o.time, microseconds);
}

static void refused(const char *text, size_t at, const char *message)
{
	struct options o;
	struct err err = {"", 999};

	option_defaults(&o);
	CU_ASSERT_FALSE(option_parse(&o, text, &err));
	if (strcmp(err.message, message))
		printf("\n  %s: %s\n", text, err.message);
	CU_ASSERT_STRING_EQUAL(err.message, message);
	CU_ASSERT_EQUAL(err.at, at);
	CU_ASSERT_EQUAL(o.seed, 1);
}

/* A set of detectors: as given, and as shown. */
static void detects(const char *value, u64 set, const char *shown)
{
	struct options o;
	struct err err;
	const char *name;
	char text[64] = "";

	option_defaults(&o);
	CU_ASSERT_TRUE(option_set(&o, "detect", value, &err));
	CU_ASSERT_EQUAL(o.detect, set);
	for (unsigned i = 0; option_show(&o, i, &name, text, sizeof text); i++)
		if (!strcmp(name, "detect"))
			break;
	if (shown)
		CU_ASSERT_STRING_EQUAL(text, shown);
}

static void sets(void)
{
	detects("heap", DETECT_HEAP, "heap");
	detects("leak,race", DETECT_RACE | DETECT_LEAK, "race,leak");
	detects("+leak", DETECT_DEFAULT | DETECT_LEAK,
		"race,heap,unwritten,stack,lin,flag,livelock,leak");
	detects("-heap-unwritten-stack", DETECT_RACE | DETECT_LIN | DETECT_FLAG | DETECT_LIVELOCK,
		"race,lin,flag,livelock");
	detects("+leak-heap-stack,unwritten",
		DETECT_RACE | DETECT_LEAK | DETECT_LIN | DETECT_FLAG | DETECT_LIVELOCK,
		"race,lin,flag,livelock,leak");
	detects("all-race-lock-order", DETECT_ALL & ~DETECT_RACE & ~DETECT_LOCK_ORDER, NULL);
	detects("lock-order", DETECT_LOCK_ORDER, "lock-order");
	detects("uninit", DETECT_UNINIT | DETECT_HEAP, "heap,uninit");
	detects("none", 0, "none");
}

static void shards(void)
{
	struct options o;
	struct err err;
	const char *name;
	char text[64] = "";

	option_defaults(&o);
	CU_ASSERT_EQUAL(option_shards(&o), 1);
	CU_ASSERT_EQUAL(option_shard(&o), 0);
	CU_ASSERT_TRUE(option_set(&o, "shard", "12/345", &err));
	CU_ASSERT_EQUAL(option_shards(&o), 345);
	CU_ASSERT_EQUAL(option_shard(&o), 11);
	for (unsigned i = 0; option_show(&o, i, &name, text, sizeof text); i++)
		if (!strcmp(name, "shard"))
			break;
	CU_ASSERT_STRING_EQUAL(text, "12/345");
}

static void mistakes(void)
{
	refused("detect=heaps", 0,
		"wrong value `heaps' for detect: wanted names of detectors, as heap,leak "
		"or +leak: see `heddle help run'");
	refused("detect=heap%2C", 0,
		"wrong value `heap,' for detect: wanted names of detectors, as heap,leak "
		"or +leak: see `heddle help run'");
	refused("reuse=always", 0, "wrong value `always' for reuse: wanted never, lifo or choose");
	refused("model=arm", 0,
		"wrong value `arm' for model: wanted sc, tso, pso, sra, ra, rc11, arm8, power, "
		"riscv, imm, or auto, or a file FILE.cat");
	accepts_time("2s", 2000000);
	accepts_time("300ms", 300000);
	accepts_time("1.5m", 90000000);
	accepts_time("1h", 3600000000);
	refused("time=1,modle=sc", 7, "no option `modle': did you mean `model'?");
	refused("wombat", 0, "no option `wombat': `heddle help run' lists them");
	refused("model", 0, "option `model' needs a value");
	refused("strategy=follow", 0,
		"wrong value `follow' for strategy: wanted graph, rf, traces, states, auto, "
		"random, pct, pos, surw, pctwm, dfs or mixed");
	refused("equivalence=co", 0, "wrong value `co' for equivalence: wanted rf+co, rf or auto");
	refused("seed=", 0, "wrong value `' for seed: wanted a number, as 500 or 20k");
	refused("seed=-1", 0, "wrong value `-1' for seed: wanted a number, as 500 or 20k");
	refused("seed=5x", 0, "wrong value `5x' for seed: wanted a number, as 500 or 20k");
	refused("seed=5kk", 0, "wrong value `5kk' for seed: wanted a number, as 500 or 20k");
	refused("seed=18446744073709551616", 0,
		"wrong value `18446744073709551616' for seed: wanted a number, as 500 or 20k");
	refused("seed=18446744073709551615k", 0,
		"wrong value `18446744073709551615k' for seed: wanted a number, as 500 or 20k");
	refused("time=2x", 0, "wrong value `2x' for time: wanted seconds, as 60 or 0.5");
	refused("time=1.", 0, "wrong value `1.' for time: wanted seconds, as 60 or 0.5");
	refused("time=99999999999999", 0,
		"wrong value `99999999999999' for time: wanted seconds, as 60 or 0.5");
	refused("keep-going=maybe", 0, "wrong value `maybe' for keep-going: wanted on or off");
	refused("buffer-size=0", 0,
		"wrong value `0' for buffer-size: wanted a number from 1 to 64");
	refused("buffer-size=65", 0,
		"wrong value `65' for buffer-size: wanted a number from 1 to 64");
}

static void too_long(void)
{
	struct options o;
	struct err err;
	char text[OPTION_TEXT_MAX + 40] = "replay-dir=";

	option_defaults(&o);
	memset(text + 11, 'x', OPTION_TEXT_MAX - 1);
	CU_ASSERT(option_parse(&o, text, &err));
	CU_ASSERT_EQUAL(strlen(o.replay_dir), OPTION_TEXT_MAX - 1);
	memset(text + 11, 'x', OPTION_TEXT_MAX);
	CU_ASSERT_FALSE(option_parse(&o, text, &err));
	memset(text, 'n', 100);
	text[100] = 0;
	CU_ASSERT_FALSE(option_parse(&o, text, &err));
	CU_ASSERT(strlen(err.message) < sizeof(err.message));
}

/* option_set() reads the output of option_show(). */
static void show_and_set(void)
{
	struct options a, b;
	struct err err;
	const char *name;
	char value[OPTION_TEXT_MAX];

	option_defaults(&a);
	CU_ASSERT_FATAL(
		option_parse(&a, "model=sc,strategy=dfs,time=0.000001,keep-going,seed=77", &err));
	option_defaults(&b);
	for (unsigned i = 0; option_show(&a, i, &name, value, sizeof(value)); i++) {
		if (strcmp(name, "time") == 0)
			CU_ASSERT_STRING_EQUAL(value, "0.000001");
		CU_ASSERT(option_set(&b, name, value, &err));
	}
	CU_ASSERT_EQUAL(memcmp(&a, &b, sizeof(a)), 0);
}

static const char *conflict(const char *text)
{
	struct options o;
	struct err err;

	option_defaults(&o);
	CU_ASSERT_FATAL(option_parse(&o, text, &err));
	return option_conflict(&o);
}

static void conflicts(void)
{
	CU_ASSERT_PTR_NULL(conflict("jobs=2,checkpoint=x,equivalence=rf"));
	CU_ASSERT_PTR_NULL(conflict("strategy=dfs,jobs=1,preemptions=2"));
	CU_ASSERT_PTR_NULL(conflict("strategy=dfs,jobs=2"));
	CU_ASSERT_PTR_NULL(conflict("strategy=traces,jobs=2"));
	CU_ASSERT_PTR_NOT_NULL(conflict("strategy=states,model=sc,jobs=2"));
	CU_ASSERT_PTR_NOT_NULL(conflict("strategy=rf,model=tso,jobs=2"));
	CU_ASSERT_PTR_NOT_NULL(conflict("strategy=rf,resume=x"));
	CU_ASSERT_PTR_NOT_NULL(conflict("strategy=rf,equivalence=rf"));
	CU_ASSERT_PTR_NOT_NULL(conflict("equivalence=rf,preemptions=2"));
	CU_ASSERT_PTR_NOT_NULL(conflict("equivalence=auto,checkpoint=x"));
	CU_ASSERT_PTR_NULL(conflict("model=arm8,deps=none,arch-rmw=llsc,rcpc=on"));
	CU_ASSERT_PTR_NOT_NULL(conflict("model=power,deps=none,rcpc=on"));
	CU_ASSERT_PTR_NOT_NULL(conflict("model=tso,deps=none"));
	CU_ASSERT_PTR_NOT_NULL(conflict("arch-rmw=llsc"));
	CU_ASSERT_PTR_NULL(conflict("symmetry=always,regions=6"));
	CU_ASSERT_PTR_NULL(conflict("symmetry=auto,unreduced,keep-going"));
	CU_ASSERT_PTR_NOT_NULL(conflict("symmetry=always,unreduced"));
	CU_ASSERT_PTR_NOT_NULL(conflict("symmetry=always,keep-going"));
	CU_ASSERT_PTR_NOT_NULL(conflict("strategy=traces,unreduced"));
	CU_ASSERT_PTR_NOT_NULL(conflict("regions=6,unreduced"));
}

static void descriptions(void)
{
	const char *name, *shape, *help;
	unsigned i, internal = 0;

	for (i = 0; option_describe(i, &name, &shape, &help); i++)
		internal += !*help;
	CU_ASSERT(i >= 20);
	CU_ASSERT(internal >= 6);
	CU_ASSERT(option_is_default(&(struct options){0}, i));
	CU_ASSERT_STRING_EQUAL(model_name(MODEL_PSO), "pso");
	CU_ASSERT_STRING_EQUAL(strategy_name(STRATEGY_FOLLOW), "follow");
}

/* Replay files of earlier versions have names with `_'. */
static void recorded(void)
{
	CU_ASSERT_TRUE(option_is_recorded(option_find("model")));
	CU_ASSERT_TRUE(option_is_recorded(option_find("state_cycle")));
	CU_ASSERT_EQUAL(option_find("state_cycle"), option_find("state-cycle"));
	CU_ASSERT_FALSE(option_is_recorded(option_find("jobs")));
	CU_ASSERT_FALSE(option_is_recorded(option_find("status-fd")));
	CU_ASSERT_EQUAL(option_find("statecycle"), ~0u);
	CU_ASSERT_FALSE(option_is_recorded(~0u));
}

const struct unit_test option_tests[] = {
	{"defaults", defaults},
	{"whole string", whole_string},
	{"shards", shards},
	{"sets of detectors", sets},
	{"mistakes", mistakes},
	{"too long", too_long},
	{"show and set", show_and_set},
	{"conflicts", conflicts},
	{"descriptions", descriptions},
	{"recorded", recorded},
	{NULL, NULL},
};
