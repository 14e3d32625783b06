/* SPDX-License-Identifier: ISC */
/* words.h - names of numbers, as in replay files; NULL when the number is out of range. */
#ifndef EVENT_WORDS_H
#define EVENT_WORDS_H

const char *order_name(unsigned order); /* C11 memory order, 0..5 */
const char *relation_name(unsigned relation);
const char *before_name(unsigned before);
const char *event_flag_name(unsigned bit); /* of enum event_flag's 1 << bit */

#endif
