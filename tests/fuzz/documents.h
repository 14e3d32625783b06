/* SPDX-License-Identifier: ISC */
/* documents.h - checks that the documents of a result are valid. */
#ifndef FUZZ_DOCUMENTS_H
#define FUZZ_DOCUMENTS_H

#include "document/result.h"

/* JSON, JUnit, SARIF, annotations. */
void fuzz_documents(const struct results *all);

#endif
