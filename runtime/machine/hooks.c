/* SPDX-License-Identifier: ISC */
/* hooks.c - callbacks of the machine into interception, a layer above. */
#include "machine/machine.h"

struct machine_hooks machine_hooks;
