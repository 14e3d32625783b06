/* SPDX-License-Identifier: ISC */
/*
 * hardware_rows.c - litmus tests with their verdicts under hardware's models.
 *
 * A thread is a list of accesses: R or W, the location, the value that is read or written, and an
 * order; u and x are RMWs that flip bit 0 or store 3; n is x without a result; c is a CAS that
 * fails, d one that stores 3. Between two of them: a fence; or addr, data, ctrl, by which the next
 * access depends on the last read before it.
 * Verdicts: Alglave, Maranget, Tautschnig, "Herding cats", and the models' own test suites; each
 * was found again by axioms alone. (.L is ARMv8's STLR: RISC-V's store with rl, which C does not
 * use, has no row.)
 */
#include "hardware_program.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *threads, *final, *verdict; /* ARMv8, POWER, RISC-V, IMM */
} rows[] = {
	{"LB", "Rx1 Wy1 | Ry1 Wx1", "", "AAAA"},
	{"LB+addrs", "Rx1 addr Wy1 | Ry1 addr Wx1", "", "FFFF"},
	{"LB+datas", "Rx1 data Wy1 | Ry1 data Wx1", "", "FFFF"},
	{"LB+ctrls", "Rx1 ctrl Wy1 | Ry1 ctrl Wx1", "", "FFFF"},
	{"LB+data+po", "Rx1 data Wy1 | Ry1 Wx1", "", "AAAA"},
	{"LB+addr+ctrl", "Rx1 addr Wy1 | Ry1 ctrl Wx1", "", "FFFF"},
	{"LB+dmbs", "Rx1 dmb Wy1 | Ry1 dmb Wx1", "", "F-F-"},
	{"LB+dmb.ld+data", "Rx1 dmb.ld Wy1 | Ry1 data Wx1", "", "F-F-"},
	{"LB+dmb.st+data", "Rx1 dmb.st Wy1 | Ry1 data Wx1", "", "A-A-"},
	{"LB+lwsyncs", "Rx1 lwsync Wy1 | Ry1 lwsync Wx1", "", "-F--"},
	{"LB+acqs", "Rx1.acq Wy1 | Ry1.acq Wx1", "", "FFFF"},
	{"LB+rels", "Rx1 Wy1.rel | Ry1 Wx1.rel", "", "FFFF"},
	{"LB+acq+po", "Rx1.acq Wy1 | Ry1 Wx1", "", "AAAA"},
	{"LB+data+acq", "Rx1 data Wy1 | Ry1.acq Wx1", "", "FFFF"},
	{"LB+addr-po+data", "Rx1 addr Rz0 Wy1 | Ry1 data Wx1", "", "FFFF"},
	{"LB+data-rfi-data+data", "Rx1 data Wz1 Rz1 data Wy1 | Ry1 data Wx1", "", "FFFF"},
	{"LB+ctrl-rfi-data+data", "Rx1 ctrl Wz1 Rz1 data Wy1 | Ry1 data Wx1", "", "FFFF"},
	{"LB+po-rfi-data+data", "Rx1 Wz1 Rz1 data Wy1 | Ry1 data Wx1", "", "AAAA"},
	{"LB+rel-rfi-data+data", "Rx1 Wz1.rel Rz1 data Wy1 | Ry1 data Wx1", "", "AFFA"},
	{"LB+L-rfi-data+data", "Rx1 Wz1.L Rz1 data Wy1 | Ry1 data Wx1", "", "A---"},
	{"LB+rel-rfi-acq+data", "Rx1 Wz1.rel Rz1.acq Wy1 | Ry1 data Wx1", "", "FFFA"},
	{"LB+poloc-rfi-data+data", "Rx1 Wx2 Rx2 data Wy1 | Ry1 data Wx1", "x=2", "AFAA"},
	{"3.LB+datas", "Rx1 data Wy1 | Ry1 data Wz1 | Rz1 data Wx1", "", "FFFF"},
	{"3.LB+data+data+po", "Rx1 data Wy1 | Ry1 data Wz1 | Rz1 Wx1", "", "AAAA"},
	{"LB+rmw+data", "xx1 data Wy1 | Ry1 data Wx1", "", "FFFF"},
	{"LB+rmw-po+data", "ux1 Wy1 | Ry1 data Wx1", "", "AAAF"},
	{"MP", "Wx1 Wy1 | Ry1 Rx0", "", "AAAA"},
	{"MP+dmbs", "Wx1 dmb Wy1 | Ry1 dmb Rx0", "", "FFF-"},
	{"MP+dmb+po", "Wx1 dmb Wy1 | Ry1 Rx0", "", "AAA-"},
	{"MP+po+addr", "Wx1 Wy1 | Ry1 addr Rx0", "", "AAAA"},
	{"MP+dmb+addr", "Wx1 dmb Wy1 | Ry1 addr Rx0", "", "FFF-"},
	{"MP+dmb+ctrl", "Wx1 dmb Wy1 | Ry1 ctrl Rx0", "", "AAA-"},
	{"MP+dmb+ctrlisb", "Wx1 dmb Wy1 | Ry1 ctrl isb Rx0", "", "FF--"},
	{"MP+dmb+isb", "Wx1 dmb Wy1 | Ry1 isb Rx0", "", "AA--"},
	{"MP+lwsync+addr", "Wx1 lwsync Wy1 | Ry1 addr Rx0", "", "-F--"},
	{"MP+dmb.st+addr", "Wx1 dmb.st Wy1 | Ry1 addr Rx0", "", "F-F-"},
	{"MP+dmb.st+dmb.ld", "Wx1 dmb.st Wy1 | Ry1 dmb.ld Rx0", "", "F-F-"},
	{"MP+dmb.ld+addr", "Wx1 dmb.ld Wy1 | Ry1 addr Rx0", "", "A-A-"},
	{"MP+rel+acq", "Wx1 Wy1.rel | Ry1.acq Rx0", "", "FFFF"},
	{"MP+rel+addr", "Wx1 Wy1.rel | Ry1 addr Rx0", "", "FFFA"},
	{"MP+rel+po", "Wx1 Wy1.rel | Ry1 Rx0", "", "AAAA"},
	{"MP+frel+facq", "Wx1 rel Wy1 | Ry1 acq Rx0", "", "FFFF"},
	{"MP+frel+addr", "Wx1 rel Wy1 | Ry1 addr Rx0", "", "FFFA"},
	{"MP+dmb+data-rfi-addr", "Wx1 dmb Wy1 | Ry1 data Wz1 Rz1 addr Rx0", "", "FFF-"},
	{"MP+dmb+addr-rfi-addr (PPOAA)", "Wx1 dmb Wy1 | Ry1 addr Wz1 Rz1 addr Rx0", "", "FFF-"},
	{"MP+dmb+ctrl-rfi-addr (PPOCA)", "Wx1 dmb Wy1 | Ry1 ctrl Wz1 Rz1 addr Rx0", "", "AAA-"},
	{"MP+dmb+addr-rr-addr (RSW)", "Wx1 dmb Wy1 | Ry1 addr Rz0 Rz0 addr Rx0", "", "AAA-"},
	{"MP+dmb+addr-fre-rfe-addr (RDW)",
		"Wx1 dmb Wy1 | Ry1 addr Rz0 Rz1 addr Rx0 | Wz1", "", "FFF-"},
	{"MP+dmb+pos-ctrlisb", "Wx1 dmb Wy1 | Ry1 Ry1 ctrl isb Rx0", "", "FF--"},
	{"MP+dmb+addr-po-ctrlisb", "Wx1 dmb Wy1 | Ry1 addr Rz0 Rw0 ctrl isb Rx0", "", "FF--"},
	{"MP+dmb+addr-po-addr", "Wx1 dmb Wy1 | Ry1 addr Rz0 Rw0 addr Rx0", "", "AAA-"},
	{"MP+dmb+data-cas", "Wx1 dmb Wy1 | Ry1 data cx0", "", "AAA-"},
	{"MP+dmb+rmw.noret-dmb.ld", "Wx1 dmb Wy1 | ny1 dmb.ld Rx0", "", "A-F-"},
	{"MP+rel+rmw.noret-acq", "Wx1 Wy1.rel | ny1 acq Rx0", "", "AFF-"},
	{"MP+dmb+rmw.noret-dmb", "Wx1 dmb Wy1 | ny1 dmb Rx0", "", "FFF-"},
	{"MP+dmb+cas-addr (amo)", "Wx1 dmb Wy1 | dy1 addr Rx0", "", "AFF-"},
	{"MP+dmb+cas-addr (llsc)", "Wx1 dmb Wy1 | dy1 addr Rx0", "", "FFF-"},
	{"S+dmb+cas-data (amo)", "Wx2 dmb Wy1 | dy1 data Wx1", "x=2", "FFF-"},
	{"MP+dmb+rmw-rfi-acq", "Wx1 dmb Wy1 | xy1 Ry3.acq Rx0", "", "FFF-"},
	{"MP+dmb+rmw-rfi-addr", "Wx1 dmb Wy1 | xy1 Ry3 addr Rx0", "", "AAF-"},
	{"MP+dmb+po-acq-po", "Wx1 dmb Wy1 | Ry1 Rz0.acq Rx0", "", "AAF-"},
	{"MP+dmb+po-sc-po", "Wx1 dmb Wy1 | Ry1 Rz0.sc Rx0", "", "AFF-"},
	{"S+po-rel-po+data", "Wx2 Wz1.rel Wy1 | Ry1 data Wx1", "x=2", "AFFA"},
	{"S+dmb+addr-po", "Wx2 dmb Wy1 | Ry1 addr Rz0 Wx1", "x=2", "FFF-"},
	{"SB", "Wx1 Ry0 | Wy1 Rx0", "", "AAAA"},
	{"SB+dmbs", "Wx1 dmb Ry0 | Wy1 dmb Rx0", "", "FFF-"},
	{"SB+lwsyncs", "Wx1 lwsync Ry0 | Wy1 lwsync Rx0", "", "-A--"},
	{"SB+rel+acq", "Wx1.rel Ry0.acq | Wy1.rel Rx0.acq", "", "FAAA"},
	{"SB+scs", "Wx1.sc Ry0.sc | Wy1.sc Rx0.sc", "", "FFFF"},
	{"SB+rel+Q", "Wx1.L Ry0.Q | Wy1.L Rx0.Q", "", "A---"},
	{"SB+rfi-addrs", "Wx1 Rx1 addr Ry0 | Wy1 Ry1 addr Rx0", "", "AAA-"},
	{"S", "Wx2 Wy1 | Ry1 Wx1", "x=2", "AAAA"},
	{"S+dmb+data", "Wx2 dmb Wy1 | Ry1 data Wx1", "x=2", "FFF-"},
	{"S+lwsync+data", "Wx2 lwsync Wy1 | Ry1 data Wx1", "x=2", "-F--"},
	{"S+dmb+ctrl", "Wx2 dmb Wy1 | Ry1 ctrl Wx1", "x=2", "FFF-"},
	{"S+dmb.st+po", "Wx2 dmb.st Wy1 | Ry1 Wx1", "x=2", "A-A-"},
	{"R", "Wx1 Wy1 | Wy2 Rx0", "y=2", "AAAA"},
	{"R+dmbs", "Wx1 dmb Wy1 | Wy2 dmb Rx0", "y=2", "FFF-"},
	{"R+lwsync+sync", "Wx1 lwsync Wy1 | Wy2 sync Rx0", "y=2", "-A--"},
	{"R+sync+lwsync", "Wx1 sync Wy1 | Wy2 lwsync Rx0", "y=2", "-A--"},
	{"2+2W", "Wx2 Wy1 | Wy2 Wx1", "x=2 y=2", "AAAA"},
	{"2+2W+dmbs", "Wx2 dmb Wy1 | Wy2 dmb Wx1", "x=2 y=2", "FFF-"},
	{"2+2W+lwsyncs", "Wx2 lwsync Wy1 | Wy2 lwsync Wx1", "x=2 y=2", "-F--"},
	{"2+2W+rels", "Wx2 Wy1.rel | Wy2 Wx1.rel", "x=2 y=2", "FFFA"},
	{"WRC+addrs", "Wx1 | Rx1 addr Wy1 | Ry1 addr Rx0", "", "FAF-"},
	{"WRC+data+addr", "Wx1 | Rx1 data Wy1 | Ry1 addr Rx0", "", "FAF-"},
	{"WRC+dmb+addr", "Wx1 | Rx1 dmb Wy1 | Ry1 addr Rx0", "", "FFF-"},
	{"WRC+lwsync+addr", "Wx1 | Rx1 lwsync Wy1 | Ry1 addr Rx0", "", "-F--"},
	{"WRC+po+addr", "Wx1 | Rx1 Wy1 | Ry1 addr Rx0", "", "AAA-"},
	{"WRC+rel+acq", "Wx1 | Rx1 Wy1.rel | Ry1.acq Rx0", "", "FFFF"},
	{"WWC+datas", "Wx2 | Rx2 data Wy1 | Ry1 data Wx1", "x=2", "FAFA"},
	{"ISA2+dmb+addrs", "Wx1 dmb Wy1 | Ry1 addr Wz1 | Rz1 addr Rx0", "", "FFF-"},
	{"ISA2+lwsync+data+addr", "Wx1 lwsync Wy1 | Ry1 data Wz1 | Rz1 addr Rx0", "", "-F--"},
	{"RWC+addr+dmb", "Wx1 | Rx1 addr Ry0 | Wy1 dmb Rx0", "", "FAF-"},
	{"RWC+dmbs", "Wx1 | Rx1 dmb Ry0 | Wy1 dmb Rx0", "", "FFF-"},
	{"RWC+lwsync+sync", "Wx1 | Rx1 lwsync Ry0 | Wy1 sync Rx0", "", "-A--"},
	{"W+RWC+dmb+addr+dmb", "Wx1 dmb Wy1 | Ry1 addr Rz0 | Wz1 dmb Rx0", "", "FFF-"},
	{"W+RWC+lwsync+addr+sync", "Wx1 lwsync Wy1 | Ry1 addr Rz0 | Wz1 sync Rx0", "", "-A--"},
	{"IRIW", "Wx1 | Rx1 Ry0 | Wy1 | Ry1 Rx0", "", "AAAA"},
	{"IRIW+addrs", "Wx1 | Rx1 addr Ry0 | Wy1 | Ry1 addr Rx0", "", "FAF-"},
	{"IRIW+dmbs", "Wx1 | Rx1 dmb Ry0 | Wy1 | Ry1 dmb Rx0", "", "FFF-"},
	{"IRIW+lwsyncs", "Wx1 | Rx1 lwsync Ry0 | Wy1 | Ry1 lwsync Rx0", "", "-A--"},
	{"IRIW+acqs", "Wx1 | Rx1.acq Ry0.acq | Wy1 | Ry1.acq Rx0.acq", "", "FAFA"},
	{"IRIW+scs", "Wx1.sc | Rx1.sc Ry0.sc | Wy1.sc | Ry1.sc Rx0.sc", "", "FFFF"},
	{"Z6.3+lwsync+sync+addr", "Wx1 lwsync Wy1 | Wy2 sync Wz1 | Rz1 addr Rx0", "y=2", "-A--"},
	{"Z6.3+dmb+dmb+addr", "Wx1 dmb Wy1 | Wy2 dmb Wz1 | Rz1 addr Rx0", "y=2", "FFF-"},
	{"Z6.0+sync+lwsync+sync", "Wx1 sync Wy1 | Ry1 lwsync Wz1 | Wz2 sync Rx0", "z=2", "-F--"},
	{"CoRR", "Wx1 | Rx1 Rx0", "", "FFFF"},
	{"CoRW2", "Rx1 Wx2 | Wx1", "x=1", "FFFF"},
	{"S+dmb+cas (amo)", "Wx2 dmb Wy1 | cy1 Wx1", "x=2", "AAA-"},
	{"S+dmb+cas (llsc)", "Wx2 dmb Wy1 | cy1 Wx1", "x=2", "FFF-"},
	{"LB+cas.rel-acq-po+data (amo)", "Wz2 | cz1.rel Ry0.acq Wx1 | Rx1 data Wz1", "", "AAFF"},
	{"LB+cas.rel-acq-po+data (llsc)", "Wz2 | cz1.rel Ry0.acq Wx1 | Rx1 data Wz1", "", "FFFF"},
	{"LB+cas-st-po+data (amo)", "Wz2 | cz1 dmb.st Wx1 | Rx1 data Wz1", "", "A-A-"},
	{"SB+rmws.al (amo)", "Wx1 ua0.ar Ry0 | Wy1 ub0.ar Rx0", "", "FAFA"},
	{"MP+rcu (publish rel, rcu_dereference)", "Wx1 Wy1.rel | Ry1 addr Rx0", "", "FFFA"},
};

/* --- parsing ---------------------------------------------------------------------------------- */

struct parser {
	struct hp_row *row;
	int thread, event;
	int read;	 /* the last one's register */
	const char *how; /* of the next access: "addr", "data"; NULL */
};

static const char *const places = "xyzwabc";

static struct hp_op *add_op(struct parser *s, int kind)
{
	struct hprogram *p = &s->row->program;
	struct hp_op *o = &p->op[s->thread][p->nops[s->thread]++];

	*o = (struct hp_op){
		.kind = (uint8_t)kind, .address = HP_NONE, .source = HP_NONE, .tested = HP_NONE};
	return o;
}

static uint8_t order_of(struct parser *s, const char *suffix)
{
	static const struct {
		const char *name;
		uint8_t order;
	} names[] = {{".acq", HP_ACQ}, {".rel", HP_REL}, {".ar", HP_AR}, {".sc", HP_SC},
		{".A", HP_ACQ}, {".L", HP_REL}, {".Q", HP_ACQ}};

	s->row->program.rcpc |= !strcmp(suffix, ".Q");
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(suffix, names[i].name))
			return names[i].order;
	return HP_RLX;
}

/* For example Wx1.rel; u, x, n and d: an RMW, which is two events; c: a CAS that fails. */
static void add_access(struct parser *s, const char *word)
{
	bool fails = word[0] == 'c';
	int kind = word[0] == 'R'	       ? HP_LOAD
		   : word[0] == 'W'	       ? HP_STORE
		   : word[0] == 'u'	       ? HP_XOR
		   : fails || word[0] == 'd' ? HP_CAS
					       : HP_XCHG;
	struct hp_op *o = add_op(s, kind);
	uint8_t value = (uint8_t)(word[2] - '0');

	o->place = (uint8_t)(strchr(places, word[1]) - places);
	o->order = order_of(s, word + 3);
	if (s->how && s->how[0] == 'a')
		o->address = (int8_t)s->read;
	else if (s->how)
		o->source = (int8_t)s->read;
	s->how = NULL;
	o->times_0 = o->source != HP_NONE;
	o->value = kind == HP_STORE ? value : kind == HP_XOR ? 1 : 3;
	if (kind != HP_STORE) {
		s->row->value[s->thread][s->event] = value;
		s->read = s->row->program.nops[s->thread] - 1;
	}
	o->no_result = word[0] == 'n';
	o->expected = fails ? 2 : value;
	s->event += 1 + (kind >= HP_XOR && !fails);
}

static void add_word(struct parser *s, const char *word)
{
	static const struct {
		const char *name;
		uint8_t fence, order;
	} fences[] = {{"dmb", HPF_DMB, 0}, {"dmb.ld", HPF_DMB_LD, 0}, {"dmb.st", HPF_DMB_ST, 0},
		{"sync", HPF_DMB, 0}, {"lwsync", HPF_LWSYNC, 0}, {"isb", HPF_ISB, 0},
		{"rel", HPF_C, HP_REL}, {"acq", HPF_C, HP_ACQ}};
	struct hp_op *o;

	if (!strcmp(word, "|")) {
		s->thread++;
		s->event = 0;
		return;
	}
	if (!strcmp(word, "addr") || !strcmp(word, "data")) {
		s->how = word[0] == 'a' ? "addr" : "data";
		return;
	}
	if (!strcmp(word, "ctrl")) {
		o = add_op(s, HP_BRANCH);
		o->tested = (int8_t)s->read;
		o->value = 9;
		return;
	}
	for (unsigned i = 0; i < sizeof fences / sizeof *fences; i++)
		if (!strcmp(word, fences[i].name)) {
			o = add_op(s, HP_FENCE);
			o->fence = fences[i].fence;
			o->order = fences[i].order;
			s->event++;
			return;
		}
	add_access(s, word);
}

bool hprogram_row(int i, struct hp_row *row)
{
	struct parser s = {.row = row};
	char text[160], *rest = text;

	if (i >= (int)(sizeof rows / sizeof *rows))
		return false;
	memset(row, 0, sizeof *row);
	memset(row->final, -1, sizeof row->final);
	snprintf(row->program.name, sizeof row->program.name, "%s", rows[i].name);
	snprintf(text, sizeof text, "%s", rows[i].threads);
	for (char *word; (word = strtok_r(rest, " ", &rest));)
		add_word(&s, word);
	row->program.llsc = strstr(rows[i].name, "llsc") != NULL;
	row->program.nthreads = s.thread + 1;
	for (const char *f = rows[i].final; *f; f += f[3] ? 4 : 3)
		row->final[strchr(places, f[0]) - places] = (int8_t)(f[2] - '0');
	memcpy(row->verdict, rows[i].verdict, HP_MODELS);
	return true;
}
