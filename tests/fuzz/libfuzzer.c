/* SPDX-License-Identifier: ISC */
/* libfuzzer.c - libFuzzer's entry point for one target, selected by the build. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	fuzz_run(FUZZ_TARGET, data, size);
	return 0;
}
