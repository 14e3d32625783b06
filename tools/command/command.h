/* SPDX-License-Identifier: ISC */
/* command.h - the commands; a file NAME.c each. */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include "option/opt.h"

extern const struct command command_run, command_replay, command_report, command_compare,
	command_doctor, command_merge, command_fences, command_relax, command_known, command_graph,
	command_explain, command_prove, command_help, command_version, command_model,
	command_reproduce, command_generate, command_flight, command_litmus,
	command_kater;

/* Explore the program of a job, and report: the exit code. */
struct job;
int run_and_report(struct job *j, char **argv);

/* The output of `heddle` without a command. */
void command_list(FILE *out);

#endif
