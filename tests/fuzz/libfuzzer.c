/* SPDX-License-Identifier: ISC */
/* libfuzzer.c - the door of libFuzzer to one target, which the build names. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	fuzz_run(FUZZ_TARGET, data, size);
	return 0;
}
