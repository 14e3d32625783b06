/* SPDX-License-Identifier: ISC */
/* model_show.h - heddle model show: the computations of a model in a file, with their times. */
#ifndef COMMAND_MODEL_SHOW_H
#define COMMAND_MODEL_SHOW_H

/* Prints it; dies with the mistake of the file. Returns the exit status. */
int model_show(const char *path);

#endif
