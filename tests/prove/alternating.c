/* SPDX-License-Identifier: ISC */
/* The alternating bit protocol: each thread repeats its store until it sees the answer, without a fence, so its buffer
 * has no bound.
 *
 * prove sc proved
 * prove tso proved
 * prove pso proved
 */
#include "endless.h"

VAR message = 2, acknowledged = 2;

static void *sender(void *arg)
{
	for (int bit = 0;; bit = !bit)
		do
			W(message, bit);
		while (R(acknowledged) != bit);
}

static void *receiver(void *arg)
{
	for (int bit = 0;; bit = !bit) {
		do
			W(acknowledged, !bit);
		while (R(message) != bit);
		heddle_assert(R(message) == bit);
	}
}

MAIN(sender, receiver)
