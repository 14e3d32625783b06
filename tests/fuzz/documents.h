/* SPDX-License-Identifier: ISC */
/* documents.h - what a result becomes, and that it is what it claims to be. */
#ifndef FUZZ_DOCUMENTS_H
#define FUZZ_DOCUMENTS_H

#include "report/result.h"

/* JSON, JUnit, SARIF, annotations. */
void fuzz_documents(const struct results *all);

#endif
