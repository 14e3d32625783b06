/* SPDX-License-Identifier: ISC */
/* files.h - the models in files, runtime/model/file/NAME.cat, for the graph explorer. */
#ifndef AGREE_FILES_H
#define AGREE_FILES_H

#include <stdbool.h>

struct cat_model;

/* From now on, explorations are by the models in this folder. */
void files_use(const char *folder);

/* The model of this name, with these variants; NULL: explorations are by those that are built in.
 * Exits if there is no such file, or it has a mistake. */
struct cat_model *files_model(const char *name, bool llsc, bool rcpc);

#endif
