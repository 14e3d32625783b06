/* SPDX-License-Identifier: ISC */
/*
 * A thread asks for a variable of the environment while another one changes it. Two changes exclude
 * each other.
 *
 * options --strategy graph --time 60
 * verdict -DWRONG rc11 race
 * report -DWRONG rc11 "race on the environment"
 * verdict -DWRONG -DOTHER sc race
 * verdict -DWRONG -DCLEAR -O2 tso race
 * verdict rc11 ok
 * verdict -O2 sc ok
 * verdict tso ok
 * verdict -DCHANGES rc11 ok
 * verdict -DCHANGES sc ok
 * verdict sc ok -- --strategy dfs
 */
#include "../clean/two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void)
{
#if !defined(WRONG) && !defined(CHANGES)
	pthread_mutex_lock(&lock);
#endif
}

static void leave(void)
{
#if !defined(WRONG) && !defined(CHANGES)
	pthread_mutex_unlock(&lock);
#endif
}

static void *change(void *arg)
{
	enter();
#ifdef CLEAR
	clearenv();
#else
	setenv("HEDDLE_TEST_A", "new", 1);
#endif
	leave();
	return arg;
}

static void *look(void *arg)
{
	const char *value;

#ifdef CHANGES
	setenv("HEDDLE_TEST_B", "other", 1);
	return arg;
#endif
	enter();
#ifdef OTHER
	value = getenv("HEDDLE_TEST_B");
#else
	value = getenv("HEDDLE_TEST_A");
#endif
	assert(!value || !strcmp(value, "old") || !strcmp(value, "new"));
	leave();
	return arg;
}

int main(void)
{
	setenv("HEDDLE_TEST_A", "old", 1);
	two(change, NULL, look, &lock);
#ifdef CHANGES
	assert(!strcmp(getenv("HEDDLE_TEST_A"), "new") && !strcmp(getenv("HEDDLE_TEST_B"), "other"));
#endif
	return 0;
}
