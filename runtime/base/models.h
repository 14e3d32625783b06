/* SPDX-License-Identifier: ISC */
/*
 * models.h - the memory models, a row each: the user's name, and NAME of MODEL_NAME.
 *
 * Everything else about a model is in runtime/model/NAME.c (model.h); tools/help/models.txt is
 * its page.
 */
#ifndef BASE_MODELS_H
#define BASE_MODELS_H

#define MODELS(ROW) \
	ROW(sc, SC)     \
	ROW(tso, TSO)   \
	ROW(pso, PSO)   \
	ROW(sra, SRA)   \
	ROW(ra, RA)     \
	ROW(rc11, RC11) \
	ROW(arm8, ARM8) \
	ROW(power, POWER) \
	ROW(riscv, RISCV) \
	ROW(imm, IMM)

enum model_id {
#define MODEL_ID(name, NAME) MODEL_##NAME,
	MODELS(MODEL_ID)
#undef MODEL_ID
	MODEL_AUTO
};

/* "sc, tso, ", and so on */
#define MODEL_COMMA(name, NAME) #name ", "
#define MODEL_NAMES		MODELS(MODEL_COMMA)

#endif
