/* SPDX-License-Identifier: ISC */
/* gcc.c - linked by `heddle-cc --gcc`, which requires this symbol: every load is announced
 * (tsan_store.h). */
void __heddle_tsan_reads(void);
void __heddle_tsan_gcc(void);

__attribute__((constructor)) void __heddle_tsan_gcc(void)
{
	__heddle_tsan_reads();
}
