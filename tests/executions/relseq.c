/* SPDX-License-Identifier: ISC */
/* Release sequences: which writes of y, read by an acquire, bring x = 1 along. The first thread
 * writes x = 1, y = 1 (release) and then y = 2 itself, relaxed; another changes y by an RMW.
 *
 * C++20 and RC11 (in the form used here) continue a release sequence by RMWs only: y = 2, though of
 * the same thread, begins none; so its readers may see x = 0. In the RA model every store releases.
 *
 * counts sc,tso,pso 16
 * counts rc11 20
 * counts -DNO_RMW sc,tso,pso 4
 * counts -DNO_RMW rc11 5
 * counts -DRMW_LAST sc,tso,pso,ra,rc11 9
 */
#include "counts.h"

atomic_int x, y;

THREAD(writer)
{
	store(&x, 1, RLX);
	store(&y, 1, REL);
#ifndef RMW_LAST
	store(&y, 2, RLX);
#endif
	return NULL;
}

#ifndef NO_RMW
THREAD(update)
{
	RETURN(add(&y, 4, RLX), 0, 0, 0);
}
#endif

THREAD(reader)
{
	int r0, r1;

	r0 = load(&y, ACQ);
	r1 = load(&x, RLX);
	RETURN(r0, r1, 0, 0);
}

int main(void)
{
	start(writer, 0);
#ifndef NO_RMW
	start(update, 0);
#endif
	start(reader, 0);
	join_all(NULL);
	return 0;
}
