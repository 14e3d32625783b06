/* SPDX-License-Identifier: ISC */
/* order.h - memory orders of C, by the values of __ATOMIC_RELAXED and so on. */
#ifndef EVENT_ORDER_H
#define EVENT_ORDER_H

#include "base/base.h"

static inline bool order_acquires(int order)
{
	return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

static inline bool order_releases(int order)
{
	return order >= __ATOMIC_RELEASE;
}

#endif
