/* SPDX-License-Identifier: ISC */
/* place_words.h - source lines for the MODULE+0xOFFSET in a message of the runtime. */
#ifndef PROGRAM_PLACE_WORDS_H
#define PROGRAM_PLACE_WORDS_H

/* The text with FILE:LINE for each of them that is known. */
const char *place_words(const char *text);

#endif
