/* SPDX-License-Identifier: ISC */
/* bank.h - see bank.c. */
#include <pthread.h>

struct rate;

void transfer(int from, int to, long sum);
void audit(void);
void set_rate(struct rate *to);
long interest(long sum);
struct rate *new_rate(long percent);
