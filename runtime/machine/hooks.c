/* SPDX-License-Identifier: ISC */
/* hooks.c - where interception, a layer above, hangs in what the machine has to call. */
#include "machine/machine.h"

struct machine_hooks machine_hooks;
