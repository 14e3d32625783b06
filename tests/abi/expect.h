/* SPDX-License-Identifier: ISC */
/* expect.h - for the tests in trace/: the expected lines of the recorder. */
#ifndef TESTS_ABI_EXPECT_H
#define TESTS_ABI_EXPECT_H

#ifdef __cplusplus
extern "C"
#endif
	__attribute__((format(printf, 1, 2))) void
	__heddle_expect(const char *format, ...);

#endif
