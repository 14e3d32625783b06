/* SPDX-License-Identifier: ISC */
/* compiled.c - explores all programs that render.c has printed: compiled [MODEL [OPTIONS]]; see
 * judge.h. */
#include "compiled.h"

#include "counted.h"
#include "judge.h"

extern const struct compiled *const __start_compiled[], *const __stop_compiled[];

int main(int argc, char **argv)
{
	int model = 0;

	if (!judge_begin(argc, argv))
		return 2;
	while (strcmp(judge_model(), gp_model_names[model]))
		model++;
	for (const struct compiled *const *c = __start_compiled;
		c < __stop_compiled && judge_goes_on(); c++)
		judge((*c)->name, (*c)->run, (*c)->verdict[model]);
	return judge_end();
}
