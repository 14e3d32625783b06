/* SPDX-License-Identifier: ISC */
/* Mutual exclusion by loads and stores, of the measurements of "The Reads-From Equivalence for the
 * TSO and PSO Memory Models" (OOPSLA 2021, tables 7 and 8): two threads, N rounds each. All
 * accesses are relaxed, as the paper takes them, so under tso and pso no thread is excluded. It
 * does not say how its programs wait; threads that give up for good if the first read of a wait
 * fails have its counts, all of them exactly, of
 *
 *     PETERSON  and the solutions of Correia and Ramalhete (2-thread software solutions for the
 *               mutual exclusion problem, 2016):
 *     CR4 Peterson's, where a thread that finds the other out does not read the turn CR5 that
 *     without `turn': it is the exclusive or of a bit of each thread CR6 of three words, for
 *     two threads that do different things CR8 likewise, where the first thread steps back if
 *     it is not its turn CR9 one thread has versions, the other publishes the one at which it
 *     arrived
 *
 * of SZYMANSKI under sc only (103 and 1991; tso 497 and 284015, here 617 and 608477). There is
 * nothing in a critical section: an access there would be another count under tso, and in these is
 * none. Of the others the paper's text does not determine the program, and no shape that was tried
 * has its counts (beside ours, of N=2 under sc): they are here as other programs of the same kind.
 *
 *     BURNS     303, paper 342           LAMPORT  188 (1456)            BAKERY   N=1: 22 (41)
 *     DEKKER    with fences, N=3: 4348,   KESSELS  197 (624)             TSAY     N=1: 13 (45)
 *               tso 4437 (N=4: 28595,     FISCHER  Peterson and Fischer, N=1: 62 (N=2: 4386)
 *               tso 29044)                DIJKSTRA 8 (319)
 *
 * With -DTHREADS=3 BURNS, BAKERY and DIJKSTRA are those for three threads; of N=1 under sc: 678
 * (849), 1324 (5296) and 19 (741). The other five of Correia and Ramalhete wait in loops that do
 * more than look; the text does not say how often, nor whether they look again where they could use
 * what they have seen. Some 150 shapes of CR1, CR2 and CR3 were tried, none has the paper's counts.
 * Here a loop is gone through once, then they give up:
 *
 *     CR1       the turn as in CR5; a thread inside that sees it is not its turn steps back until
 *               it is: 103 (N=4: 3851, here 47079)
 *     CR2       likewise, and does so before the first try, too: 2078 (1293)
 *     CR3       enters at once if the other one is out, else waits first: 1186 (1030)
 *     CR7       CR6 with its turn in the words of the threads: 142 (N=3: 573, here 1505)
 *     CR10      versions: the first thread publishes the one it waits for, the second its present
 *               one: 1920 (5079)
 *
 * All of these keep the other out under sc (checked with a plain counter in the critical section),
 * and under tso and pso have the same count, as those of the paper: a thread has one word.
 *
 * counts-dfs -DPETERSON -DN=1 sc 9
 * counts-rf -DPETERSON -DN=3 sc 1609
 * counts-rf -DPETERSON -DN=2 pso 399
 * counts -DPETERSON -DN=3 sc 1686
 * counts-dfs -DCR4 -DN=1 sc 11
 * counts-rf -DCR4 -DN=3 sc 2907
 * counts -DCR4 -DN=3 sc 3164
 * counts-rf -DCR5 -DN=3 sc 2985
 * counts-rf -DCR6 -DN=2 sc 718
 * counts-rf -DCR8 -DN=2 sc 394
 * counts-rf -DCR8 -DN=2 tso 2031
 * counts -DCR8 -DN=2 tso 2987
 * counts-rf -DCR9 -DN=2 sc 361
 * counts-rf -DCR1 -DN=1 sc 8
 * counts-rf -DCR1 -DN=2 sc 103
 * counts-rf -DCR1 -DN=2 tso,pso 171
 * counts-rf -DCR2 -DN=1 sc 33
 * counts-rf -DCR3 -DN=1 sc 26
 * counts-rf -DCR7 -DN=1 sc 12
 * counts-rf -DCR7 -DN=2 sc 142
 * counts-rf -DCR7 -DN=2 tso,pso 456
 * counts-rf -DCR10 -DN=1 sc 56
 * counts-rf -DCR10 -DN=1 tso,pso 66
 * counts-rf -DBURNS -DTHREADS=3 -DN=1 sc 678
 * counts-rf -DBAKERY -DTHREADS=3 -DN=1 sc 1324
 * counts-rf -DDIJKSTRA -DTHREADS=3 -DN=1 sc,tso 19
 * counts-rf -DDIJKSTRA -DTHREADS=3 -DN=1 pso 41
 * counts-rf -DSZYMANSKI -DN=1 sc 103
 * counts-rf -DSZYMANSKI -DN=1 tso 617
 * counts-rf -DBURNS -DN=2 sc 303
 * counts-rf -DBURNS -DN=2 tso 1406
 * counts-rf -DBAKERY -DN=1 sc 22
 * counts-rf -DBAKERY -DN=1 tso 48
 * counts-rf -DBAKERY -DN=1 pso 89
 * counts-rf -DDIJKSTRA -DN=2 sc 8
 * counts-rf -DDIJKSTRA -DN=2 pso 11
 * counts-rf -DLAMPORT -DN=2 sc 188
 * counts-rf -DLAMPORT -DN=2 tso 389
 * counts-rf -DKESSELS -DN=2 sc 197
 * counts-rf -DKESSELS -DN=2 pso 2796
 * counts-rf -DTSAY -DN=1 sc 13
 * counts-rf -DTSAY -DN=1 pso 16
 * counts-rf -DFISCHER -DN=1 sc 62
 * counts-rf -DFISCHER -DN=1 tso 72
 * counts-rf-bench -DPETERSON -DN=3 tso 9251
 * counts-rf-bench -DPETERSON -DN=3 pso 15925
 * counts-rf-bench -DPETERSON -DN=4 sc 20161
 * counts-rf-bench -DPETERSON -DN=4 tso 263916
 * counts-bench -DPETERSON -DN=3 tso 29546
 * counts-bench -DPETERSON -DN=3 pso 48500
 * counts-rf-bench -DDEKKER -DN=3 sc 4348
 * counts-rf-bench -DDEKKER -DN=3 tso 4437
 * counts-rf-bench -DCR4 -DN=3 tso 11210
 * counts-rf-bench -DCR4 -DN=3 pso 20804
 * counts-bench -DCR4 -DN=3 tso 16127
 * counts-bench -DCR4 -DN=3 pso 29165
 * counts-rf-bench -DCR4 -DN=4 sc 46275
 * counts-rf-bench -DCR5 -DN=3 tso,pso 12145
 * counts-rf-bench -DCR5 -DN=4 sc 46161
 * counts-rf-bench -DCR6 -DN=2 tso 4568
 * counts-rf-bench -DCR6 -DN=2 pso 9361
 * counts-rf-bench -DCR6 -DN=3 sc 20371
 * counts-rf-bench -DCR8 -DN=2 pso 5785
 * counts-bench -DCR8 -DN=2 pso 9234
 * counts-rf-bench -DCR8 -DN=3 tso 220505
 * counts-rf-bench -DCR9 -DN=3 sc 7304
 * counts-rf-bench -DCR9 -DN=3 tso,pso 38778
 * counts-rf-bench -DCR2 -DN=2 sc 2078
 * counts-rf-bench -DCR2 -DN=2 tso,pso 4116
 * counts-rf-bench -DCR3 -DN=2 sc 1186
 * counts-rf-bench -DCR3 -DN=2 tso,pso 2588
 * counts-rf-bench -DCR7 -DN=3 sc 1505
 * counts-rf-bench -DCR10 -DN=2 sc 1920
 * counts-rf-bench -DCR10 -DN=2 tso,pso 6609
 * counts-rf-bench -DBURNS -DTHREADS=3 -DN=1 tso,pso 5741
 * counts-rf-bench -DBAKERY -DTHREADS=3 -DN=1 tso 13212
 * counts-rf-bench -DSZYMANSKI -DN=2 sc 1991
 */
#include "counts.h"

#ifndef N
#define N 2
#endif
#ifndef THREADS
#define THREADS 2
#endif

enum { OUT, IN, WAITS };

atomic_int state[THREADS], other_state[THREADS], turn, who, last;

#define VALUE(p)   load(&(p), RLX)
#define PUT(p, v)  store(&(p), v, RLX)
#define WAIT(what) do if (!(what)) return false; while (0)

/* round_of(): false: it waits for ever. */

#if defined(PETERSON)
static bool round_of(int me)
{
	int other = 1 - me;

	PUT(state[me], IN);
	PUT(turn, other);
	WAIT(VALUE(state[other]) != IN || VALUE(turn) != other);
	PUT(state[me], OUT);
	return true;
}
#elif defined(CR1) || defined(CR2)
static _Thread_local int bit;

static bool step_back(int me)
{
	int v;

	PUT(state[me], WAITS | bit << 2);
	v = VALUE(state[1 - me]);
	WAIT((v & 3) == OUT || (bit ^ v >> 2) == me);
	return true;
}

static bool round_of(int me)
{
	int other = 1 - me, v;

#ifdef CR2
	v = VALUE(state[other]);
	if ((bit ^ v >> 2) == other)
		WAIT(step_back(me));
#endif
	PUT(state[me], IN | bit << 2);
	v = VALUE(state[other]);
	if ((v & 3) == IN) {
		WAIT((bit ^ v >> 2) == other && step_back(me));
		PUT(state[me], IN | bit << 2);
		v = VALUE(state[other]);
		WAIT((v & 3) != IN);
	}
	bit = ((v & 3) != OUT) ^ v >> 2 ^ me;
	PUT(state[me], OUT | bit << 2);
	return true;
}
#elif defined(CR3)
static _Thread_local int bit;

static bool try_in(int me, int *v)
{
	PUT(state[me], IN | bit << 2);
	*v = VALUE(state[1 - me]);
	return (*v & 3) == OUT || ((*v & 3) == WAITS && (bit ^ *v >> 2) == me);
}

static bool enter(int me, int *v)
{
	*v = VALUE(state[1 - me]);
	if ((*v & 3) == OUT && try_in(me, v))
		return true;
	PUT(state[me], WAITS | bit << 2);
	*v = VALUE(state[1 - me]);
	if ((bit ^ *v >> 2) == me)
		return (*v & 3) != IN;
	return (*v & 3) == OUT && try_in(me, v);
}

static bool round_of(int me)
{
	int v;

	WAIT(enter(me, &v));
	bit = ((v & 3) != OUT) ^ v >> 2 ^ me;
	PUT(state[me], OUT | bit << 2);
	return true;
}
#elif defined(CR7)
static _Thread_local int bit;

static bool first(void)
{
	int v;

	PUT(state[0], IN | bit << 2);
	v = VALUE(state[1]);
	WAIT((bit ^ v >> 2) != 1 && (v & 3) != IN);
	if ((v & 3) != OUT)
		bit = 1 ^ v >> 2;
	PUT(state[0], OUT | bit << 2);
	return true;
}

static bool enter_second(int *v)
{
	*v = VALUE(state[0]);
	WAIT((*v & 3) == OUT || (bit ^ *v >> 2) == 1);
	if ((bit ^ *v >> 2) == 1)
		return true;
	PUT(state[1], IN | bit << 2);
	*v = VALUE(state[0]);
	if ((*v & 3) == OUT)
		return true;
	PUT(state[1], WAITS | bit << 2);
	*v = VALUE(state[0]);
	WAIT((bit ^ *v >> 2) == 1);
	return true;
}

static bool round_of(int me)
{
	int v;

	if (!me)
		return first();
	PUT(state[1], WAITS | bit << 2);
	WAIT(enter_second(&v));
	bit = v >> 2;
	PUT(state[1], OUT | bit << 2);
	return true;
}
#elif defined(CR10)
/* state[0]: the versions that it waits for (bits 0 and 1), and the version. state[1]: the current
 * one, as a bit. */
static _Thread_local int version;

static bool announce(int said)
{
	PUT(state[0], said | 1 << version | version << 2);
	if (!(VALUE(state[1]) >> version & 1))
		return true;
	PUT(state[0], said | version << 2);
	return false;
}

static bool first(void)
{
	int said = announce(0) ? 1 << version : 0;

	version = !version;
	PUT(state[0], said | version << 2);
	if (announce(said))
		said |= 1 << version;
	WAIT(said == 3);
	version = !version;
	PUT(state[0], said | version << 2);
	PUT(state[0], version << 2);
	return true;
}

static bool round_of(int me)
{
	int v, now;

	if (!me)
		return first();
	v = VALUE(state[0]) >> 2;
	PUT(state[1], 1 << v);
	now = VALUE(state[0]);
	WAIT(!(now >> v & 1));
	if (now >> 2 != v) {
		v = now >> 2;
		PUT(state[1], 1 << v);
		WAIT(!(VALUE(state[0]) >> v & 1));
	}
	PUT(state[1], 0);
	return true;
}
#elif defined(CR4)
static bool round_of(int me)
{
	int other = 1 - me;

	PUT(state[me], IN);
	if (VALUE(state[other]) == IN) {
		PUT(turn, other);
		WAIT(VALUE(turn) != other || VALUE(state[other]) != IN);
	}
	PUT(state[me], OUT);
	return true;
}
#elif defined(CR5)
static _Thread_local int bit;

static bool round_of(int me)
{
	int other = 1 - me, v;

	PUT(state[me], IN | bit << 2);
	v = VALUE(state[other]);
	if ((v & 3) == IN) {
		if (bit != (other ^ v >> 2)) {
			bit = other ^ v >> 2;
			PUT(state[me], IN | bit << 2);
		}
		v = VALUE(state[other]);
		WAIT((bit ^ v >> 2) != other || (v & 3) != IN);
	}
	PUT(state[me], OUT | bit << 2);
	return true;
}
#elif defined(CR6)
static bool first(void)
{
	PUT(state[0], IN);
	WAIT(VALUE(turn) != 1);
	WAIT(VALUE(state[1]) != IN);
	if (VALUE(state[1]) != OUT)
		PUT(turn, 1);
	PUT(state[0], OUT);
	return true;
}

static bool enter_second(void)
{
	WAIT(VALUE(state[0]) == OUT || VALUE(turn) == 1);
	if (VALUE(turn) == 1)
		return true;
	if (VALUE(state[0]) == OUT) {
		PUT(state[1], IN);
		if (VALUE(state[0]) == OUT)
			return true;
		PUT(state[1], WAITS);
	}
	WAIT(VALUE(turn) == 1);
	return true;
}

static bool round_of(int me)
{
	if (!me)
		return first();
	PUT(state[1], WAITS);
	WAIT(enter_second());
	if (VALUE(turn))
		PUT(turn, 0);
	PUT(state[1], OUT);
	return true;
}
#elif defined(CR8)
static bool first(void)
{
	PUT(state[0], IN);
	if (VALUE(turn) == 1) {
		if (VALUE(state[1]) == IN)
			PUT(state[0], WAITS);
		WAIT(VALUE(turn) != 1);
	}
	if (VALUE(state[1]) == IN)
		PUT(turn, 1);
	PUT(state[0], OUT);
	return true;
}

static bool round_of(int me)
{
	if (!me)
		return first();
	PUT(state[1], IN);
	WAIT(VALUE(turn) != 0 || VALUE(state[0]) == OUT);
	if (!VALUE(turn)) {
		PUT(turn, 1);
		WAIT(VALUE(state[0]) != IN);
	}
	PUT(state[1], OUT);
	PUT(turn, 0);
	return true;
}
#elif defined(CR9)
static bool first(void)
{
	int version = 1 - (VALUE(state[0]) & 1);

	PUT(state[0], 2 | version);
	WAIT(!(VALUE(state[1]) >> (1 - version) & 1));
	PUT(state[0], version);
	return true;
}

static bool round_of(int me)
{
	int before, now;

	if (!me)
		return first();
	before = VALUE(state[0]);
	PUT(state[1], 1 << (before & 1));
	now = VALUE(state[0]);
	if (now != before) {
		PUT(state[1], 3);
		now = VALUE(state[0]);
		PUT(state[1], 1 << (now & 1));
	}
	WAIT(!(now & 2) || VALUE(state[0]) != now);
	PUT(state[1], 0);
	return true;
}
#elif defined(SZYMANSKI)
static bool round_of(int me)
{
	int other = 1 - me, v;

	PUT(state[me], 1);
	WAIT(VALUE(state[other]) < 3);
	PUT(state[me], 3);
	if (VALUE(state[other]) == 1) {
		PUT(state[me], 2);
		WAIT(VALUE(state[other]) == 4);
	}
	PUT(state[me], 4);
	WAIT(VALUE(state[other]) < 2);
	v = VALUE(state[other]);
	WAIT(v < 2 || v > 3);
	PUT(state[me], 0);
	return true;
}
#elif defined(BURNS)
static bool round_of(int me)
{
	PUT(state[me], OUT);
	for (int i = 0; i < me; i++)
		WAIT(VALUE(state[i]) == OUT);
	PUT(state[me], IN);
	for (int i = 0; i < THREADS; i++)
		WAIT(i == me || VALUE(state[i]) == OUT);
	PUT(state[me], OUT);
	return true;
}
#elif defined(BAKERY)
static bool round_of(int me)
{
	int highest = 0;

	PUT(other_state[me], 1);
	for (int i = 0; i < THREADS; i++) {
		int v = VALUE(state[i]);

		highest = v > highest ? v : highest;
	}
	PUT(state[me], highest + 1);
	PUT(other_state[me], 0);
	for (int i = 0; i < THREADS; i++) {
		int v, mine;

		WAIT(!VALUE(other_state[i]));
		v = VALUE(state[i]);
		mine = VALUE(state[me]);
		WAIT(!v || v > mine || (v == mine && i >= me));
	}
	PUT(state[me], 0);
	return true;
}
#elif defined(DEKKER)
static bool round_of(int me)
{
	int other = 1 - me;

	PUT(state[me], IN);
	fence(SC);
	if (VALUE(state[other]) != OUT) {
		WAIT(VALUE(turn) != me);
		PUT(state[me], OUT);
		WAIT(VALUE(turn) == me);
		PUT(state[me], IN);
		fence(SC);
		WAIT(VALUE(state[other]) == OUT);
	}
	PUT(turn, other);
	PUT(state[me], OUT);
	return true;
}
#elif defined(DIJKSTRA)
static bool round_of(int me)
{
	int k;

	PUT(state[me], IN);
	k = VALUE(turn);
	if (k != me && VALUE(state[k]) == OUT)
		PUT(turn, me);
	WAIT(k == me);
	PUT(other_state[me], IN);
	for (int i = 0; i < THREADS; i++)
		WAIT(i == me || VALUE(other_state[i]) == OUT);
	PUT(other_state[me], OUT);
	PUT(state[me], OUT);
	return true;
}
#elif defined(LAMPORT)
static bool round_of(int me)
{
	PUT(state[me], IN);
	PUT(who, me + 1);
	WAIT(!VALUE(last));
	PUT(last, me + 1);
	if (VALUE(who) != me + 1) {
		PUT(state[me], OUT);
		WAIT(VALUE(state[1 - me]) == OUT);
		WAIT(VALUE(last) == me + 1);
	}
	PUT(last, 0);
	PUT(state[me], OUT);
	return true;
}
#elif defined(KESSELS)
static bool round_of(int me)
{
	int other = 1 - me, bit;

	PUT(state[me], IN);
	bit = VALUE(other_state[other]) ^ me;
	PUT(other_state[me], bit);
	WAIT(VALUE(state[other]) == OUT || (VALUE(other_state[other]) ^ bit) != me);
	PUT(state[me], OUT);
	return true;
}
#elif defined(TSAY)
static bool round_of(int me)
{
	int other = 1 - me;

	PUT(state[me], IN);
	PUT(turn, other);
	if (VALUE(state[other]) != OUT)
		WAIT(VALUE(turn) == me || VALUE(state[other]) == OUT);
	PUT(state[me], OUT);
	return true;
}
#else
/* Thread 0's answer to thread 1's word, or the other way round. */
static int answer(int me, int v)
{
	return me ? 3 - v : v;
}

static bool round_of(int me)
{
	int other = 1 - me, v = VALUE(state[other]), mine = v ? answer(me, v) : 1;

	PUT(state[me], mine);
	v = VALUE(state[other]);
	if (v) {
		mine = answer(me, v);
		PUT(state[me], mine);
	}
	v = VALUE(state[other]);
	WAIT(!v || mine != answer(me, v));
	PUT(state[me], 0);
	return true;
}
#endif

THREAD(work)
{
	for (int i = 0; i < N && round_of(INDEX); i++)
		;
	return NULL;
}

int main(void)
{
	start_many(work, THREADS);
	join_all(NULL);
	return finish();
}
