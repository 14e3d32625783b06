/* SPDX-License-Identifier: ISC */
/*
 * graph.c - heddle graph: the execution graph of a finding, as a picture.
 *
 * DOT and SVG are written here: with a column per thread no layout is needed, and Graphviz as a
 * library would depend on fonts, images and X11. It is run only for bitmaps.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/command.h"
#include "die.h"
#include "document/drawing.h"
#include "replay/read_replay.h"
#include "standard.h"

enum picture { PICTURE_DOT, PICTURE_SVG, PICTURE_PNG };

static enum picture picture_of(const char *path)
{
	const char *dot = path ? strrchr(path, '.') : NULL;

	if (!path || (dot && !strcmp(dot, ".dot")))
		return PICTURE_DOT;
	if (dot && !strcmp(dot, ".svg"))
		return PICTURE_SVG;
	if (dot && !strcmp(dot, ".png"))
		return PICTURE_PNG;
	die("graph: -o %s: its name should end in .dot, .svg or .png", path);
}

/* Graphviz reads DOT from a pipe and writes the picture. */
static void run_graphviz(const struct drawing *d, const char *path)
{
	int ends[2], status = 0;
	FILE *to;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0 || (child = fork()) < 0)
		die("graph: %s", strerror(errno));
	if (!child) {
		dup2(ends[0], 0);
		standard_restore();
		execlp("dot", "dot", "-Tpng", "-o", path, (char *)NULL);
		_exit(127);
	}
	close(ends[0]);
	to = fdopen(ends[1], "w");
	if (to) {
		drawing_dot(d, to);
		fclose(to);
	}
	if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status)) {
		if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
			die("graph: .png needs Graphviz (apt-get install graphviz); .svg and .dot "
			    "do not");
		die("graph: Graphviz (dot -Tpng) could not write %s", path);
	}
}

static void draw_picture(const struct drawing *d, const char *path)
{
	enum picture what = picture_of(path);
	FILE *out;

	if (what == PICTURE_PNG) {
		run_graphviz(d, path);
		return;
	}
	out = path ? fopen(path, "w") : stdout;
	if (!out)
		die("graph: %s: %s", path, strerror(errno));
	if (what == PICTURE_SVG)
		drawing_svg(d, out);
	else
		drawing_dot(d, out);
	if (fflush(out) != 0 || ferror(out) || (path && fclose(out) != 0))
		die("graph: cannot write %s", path ? path : "the graph");
}

static int run_graph(int argc, char **argv)
{
	struct settings s;
	int first = settings_read(&s, &command_graph, argc, argv);
	struct report *r;

	if (argc - first != 1)
		die("graph: name one replay file (NAME.heddle)");
	picture_of(s.picture);
	r = report_open(load_trace(argv[first]), argv[first]);
	if (!r->t->nevents)
		die("graph: %s has no events: the process was killed before they could be recorded",
			argv[first]);
	draw_picture(drawing_make(r, s.style.all), s.picture);
	return EXIT_CLEAN;
}

const struct command command_graph = {
	.name = "graph",
	.summary = "draw the execution of a replay file as a graph",
	.usage = "[OPTIONS] FILE",
	.text = "Draw the execution in a replay file: a column per thread, its events from top\n"
		"to bottom with their source lines, and as edges po (program order), rf (reads\n"
		"from), co (overwrites), fr (overwrites the value read) and the rest of\n"
		"happens-before. The cycle that sequential consistency forbids is red. Events\n"
		"that only one thread can see are omitted. Without -o: the graph in Graphviz's\n"
		"language on standard output.\n",
	.examples = "  heddle graph -o sb.svg sb.heddle\n"
		    "  heddle graph sb.heddle | dot -Tpdf -o sb.pdf\n",
	.groups = GROUP_DRAW,
	.run = run_graph,
};
