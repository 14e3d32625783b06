/* SPDX-License-Identifier: ISC */
/* model_file.h - .cat files: read with their includes; mistakes with a caret. */
#ifndef OPTION_MODEL_FILE_H
#define OPTION_MODEL_FILE_H

#include "cat/cat.h"

/* The model in this file. Dies with the mistake, its line, and a caret. */
struct cat *model_file_read(const char *path);

/* "FILE:LINE:COLUMN: message", the line, and a caret below it. */
char *model_file_mistake(const struct cat_error *err);

/* For a name that is no model's of heddle's own, the path of the installed file NAME.cat, if there
 * is one; else the name. */
const char *model_file_named(const char *name);

/* The folder of the models that are installed with heddle; NULL: there is none. */
const char *model_file_folder(void);

#endif
