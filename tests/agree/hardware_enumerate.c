/* SPDX-License-Identifier: ISC */
/* hardware_enumerate.c - see hardware_executions.h. Plain loops: slow, and right. */
#include "hardware_executions.h"
#include "hardware_axioms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- sets ------------------------------------------------------------------------------------- */

void hx_add(struct hx_set *s, const struct hx *x)
{
	if (s->n == s->max) {
		s->max = s->max ? 2 * s->max : 64;
		s->x = realloc(s->x, s->max * sizeof *s->x);
		if (!s->x)
			abort();
	}
	s->x[s->n++] = *x;
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct hx));
}

size_t hx_sort(struct hx_set *s)
{
	size_t kept = 0, n = s->n;

	if (n)
		qsort(s->x, n, sizeof *s->x, compare);
	for (size_t i = 0; i < n; i++)
		if (!kept || compare(&s->x[kept - 1], &s->x[i]))
			s->x[kept++] = s->x[i];
	s->n = kept;
	return n - kept;
}

size_t hx_missing(const struct hx_set *a, const struct hx_set *b, struct hx *one)
{
	size_t missing = 0;

	for (size_t i = 0; i < a->n; i++) {
		if (b->n && bsearch(&a->x[i], b->x, b->n, sizeof *b->x, compare))
			continue;
		missing++;
		*one = a->x[i];
	}
	return missing;
}

static void print_name(uint8_t name)
{
	if (name)
		printf("T%d.%d", (name - 1) / HP_EVENTS, (name - 1) % HP_EVENTS);
	else
		printf("init");
}

void hx_print(const struct hprogram *p, const struct hx *x)
{
	for (int t = 0; t < p->nthreads; t++)
		for (int i = 0; i < HP_EVENTS; i++) {
			if (!x->reads[t][i])
				continue;
			printf("    T%d.%d reads %d of ", t, i, x->value[t][i]);
			print_name(x->rf[t][i]);
			printf("\n");
		}
	for (int l = 0; l < HP_PLACES; l++) {
		for (int i = 0; i < HX_WRITES && x->co[l][i]; i++) {
			printf("%s", i ? " " : "    co ");
			print_name(x->co[l][i]);
		}
		printf(x->co[l][0] ? "\n" : "");
	}
}

/* --- threads by themselves --------------------------------------------------------------------
 *
 * Every thread, with each value that some write to the location may have for each of its reads.
 */

#define PATHS_MAX 512

struct path {
	int n;
	struct hp_event event[HP_EVENTS];
};

static struct path path[HP_THREADS][PATHS_MAX];
static int npaths[HP_THREADS];
static uint8_t values[HP_PLACES]; /* bits: values that are written there */
static bool too_many;

static void note_values(const struct path *x)
{
	for (int i = 0; i < x->n; i++)
		if (x->event[i].kind == HPE_WRITE)
			values[x->event[i].place] |= (uint8_t)(1 << x->event[i].value);
}

static void extend(const struct hprogram *p, int t, uint8_t value[HP_EVENTS], uint32_t known)
{
	struct path *to = &path[t][npaths[t]];
	int last;

	if (npaths[t] == PATHS_MAX - 1) {
		too_many = true;
		return;
	}
	to->n = hprogram_run(p, t, value, known, to->event);
	note_values(to); /* also if it waits for ever */
	last = to->n - 1;
	if (to->n && to->event[last].kind == HPE_READ && !(known >> last & 1)) {
		uint8_t place = to->event[last].place;

		for (uint8_t v = 0; v < 4; v++) {
			if ((v && !(values[place] >> v & 1)) ||
				(to->event[last].awaits && v != to->event[last].awaited))
				continue;
			value[last] = v;
			extend(p, t, value, known | (uint32_t)1 << last);
		}
		return;
	}
	npaths[t]++;
}

static void find_paths(const struct hprogram *p)
{
	uint8_t before[HP_PLACES], value[HP_EVENTS] = {0};

	memset(values, 0, sizeof values);
	memset(npaths, 0, sizeof npaths);
	too_many = false;
	do {
		memcpy(before, values, sizeof before);
		for (int t = 0; t < p->nthreads; t++) {
			npaths[t] = 0;
			extend(p, t, value, 0);
		}
	} while (memcmp(before, values, sizeof before));
}

/* --- rf and co -------------------------------------------------------------------------------- */

static struct ha_graph graph;
static unsigned long tried, bound, *buffer;
static struct hx_set *found, *cyclic_found;

static void describe(struct hx *x)
{
	memset(x, 0, sizeof *x);
	for (int i = 0; i < graph.n; i++) {
		const struct hp_event *e = &graph.e[i];
		int t = graph.thread[i], k = graph.index[i], w = graph.rf[i];

		if (e->kind == HPE_READ) {
			x->reads[t][k] = 1;
			x->value[t][k] = e->value;
			x->rf[t][k] = w == HA_INIT ? 0 : hx_name(graph.thread[w], graph.index[w]);
		} else if (e->kind == HPE_WRITE) {
			x->co[e->place][graph.at[i] - 1] = hx_name(t, k);
		}
	}
	for (int i = 0; i < graph.n; i++) {
		const struct hp_event *e = &graph.e[i];

		if (e->kind == HPE_WRITE &&
			(graph.at[i] == HX_WRITES || !x->co[e->place][graph.at[i]]))
			x->final[e->place] = e->value;
	}
}

static void judge(void)
{
	bool cyclic = ha_buffers_loads();
	struct hx x;

	if (++tried > bound) {
		too_many = true;
		return;
	}
	describe(&x);
	for (int m = 0; m < HP_MODELS; m++) {
		if (!ha_allows((enum hp_model)m))
			continue;
		buffer[m] += cyclic;
		hx_add(cyclic ? &cyclic_found[m] : &found[m], &x);
	}
}

/* All orders of the writes from event i on, own ones in program order. */
static void order_writes(int i, int count[HP_PLACES])
{
	int place, after = 1;

	while (i < graph.n && graph.e[i].kind != HPE_WRITE)
		i++;
	if (too_many)
		return;
	if (i == graph.n) {
		judge();
		return;
	}
	place = graph.e[i].place;
	for (int j = 0; j < i; j++) /* in po before it, so in co */
		if (graph.e[j].kind == HPE_WRITE && graph.e[j].place == place &&
			graph.thread[j] == graph.thread[i] && graph.at[j] >= after)
			after = graph.at[j] + 1;
	count[place]++;
	for (int at = after; at <= count[place]; at++) {
		for (int j = 0; j < i; j++)
			if (graph.e[j].kind == HPE_WRITE && graph.e[j].place == place)
				graph.at[j] = (uint8_t)(graph.at[j] + (graph.at[j] >= at));
		graph.at[i] = (uint8_t)at;
		order_writes(i + 1, count);
		for (int j = 0; j < i; j++)
			if (graph.e[j].kind == HPE_WRITE && graph.e[j].place == place)
				graph.at[j] = (uint8_t)(graph.at[j] - (graph.at[j] > at));
	}
	count[place]--;
}

static void choose_sources(int i)
{
	int count[HP_PLACES] = {0};

	while (i < graph.n && graph.e[i].kind != HPE_READ)
		i++;
	if (too_many)
		return;
	if (i == graph.n) {
		order_writes(0, count);
		return;
	}
	for (int w = HA_INIT; w < graph.n; w++) {
		if (w == HA_INIT ? graph.e[i].value != 0
				 : graph.e[w].kind != HPE_WRITE ||
					   graph.e[w].place != graph.e[i].place ||
					   graph.e[w].value != graph.e[i].value ||
					   (graph.thread[w] == graph.thread[i] && w > i))
			continue;
		graph.rf[i] = (int8_t)w;
		choose_sources(i + 1);
	}
}

/* Each choice of a path for thread t and the following ones. */
static void choose_paths(const struct hprogram *p, int t)
{
	int n = graph.n;

	if (t == p->nthreads) {
		ha_begin(&graph);
		choose_sources(0);
		return;
	}
	for (int k = 0; k < npaths[t] && !too_many; k++) {
		for (int i = 0; i < path[t][k].n; i++) {
			graph.e[n + i] = path[t][k].event[i];
			graph.thread[n + i] = (uint8_t)t;
			graph.index[n + i] = (uint8_t)i;
		}
		graph.n = n + path[t][k].n;
		choose_paths(p, t + 1);
	}
	graph.n = n;
}

bool hx_enumerate(const struct hprogram *p, unsigned long most, struct hx_set set[HP_MODELS],
	struct hx_set cyclic[HP_MODELS], unsigned long buffering[HP_MODELS])
{
	cyclic_found = cyclic;
	tried = 0;
	bound = most;
	found = set;
	buffer = buffering;
	graph.n = 0;
	graph.llsc = p->llsc;
	graph.rcpc = p->rcpc;
	for (int m = 0; m < HP_MODELS; m++)
		set[m].n = cyclic[m].n = 0, buffering[m] = 0;
	find_paths(p);
	if (!too_many)
		choose_paths(p, 0);
	for (int m = 0; m < HP_MODELS; m++)
		hx_sort(&set[m]), hx_sort(&cyclic[m]);
	return !too_many;
}
