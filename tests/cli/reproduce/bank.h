/* SPDX-License-Identifier: ISC */
/* bank.h - see bank.c. */
#include <pthread.h>

struct rate;

void transfer(int from, int to, long sum);
void audit(void);
void set_rate(struct rate *to);
long interest(long sum);
struct rate *new_rate(long percent);
void name_bank(void);
void rename_bank(void);
int name_length(void);
void deposit(void);
void settle(long expected);
void wait_for_opening(void);
void open_bank(void);
void close_bank(void);
void leave_bank(int night);
void guard_bank(int night);
void try_door(int me);
void check_doors(void);
