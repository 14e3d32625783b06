/* SPDX-License-Identifier: ISC */
/*
 * models.h - the memory models, a row each: the user's name, NAME of MODEL_NAME, and whether it
 * is a model of hardware, of instructions and dependencies (model/hardware/hardware.h).
 *
 * Everything else about a model is in runtime/model/NAME.c or runtime/model/hardware/NAME.c
 * (model/model.h); tools/help/models.txt is its page. Outside of model/, code names only MODEL_SC,
 * the reference for reorderings, and the defaults below.
 */
#ifndef BASE_MODELS_H
#define BASE_MODELS_H

#include <stdbool.h>

#define MODELS(ROW)          \
	ROW(sc, SC, 0)       \
	ROW(tso, TSO, 0)     \
	ROW(pso, PSO, 0)     \
	ROW(sra, SRA, 0)     \
	ROW(ra, RA, 0)       \
	ROW(rc11, RC11, 0)   \
	ROW(arm8, ARM8, 1)   \
	ROW(power, POWER, 1) \
	ROW(riscv, RISCV, 1) \
	ROW(imm, IMM, 1)

enum model_id {
#define MODEL_ID(name, NAME, hardware) MODEL_##NAME,
	MODELS(MODEL_ID)
#undef MODEL_ID
	MODEL_CAT, /* in a file: the option cat */
	MODEL_AUTO
};

/* The models that auto stands for: of strategies of graphs, of strategies of schedules. */
#define MODEL_OF_GRAPHS	   MODEL_RC11
#define MODEL_OF_SCHEDULES MODEL_TSO

/* Does it have instructions and dependencies, or may it? Then plain accesses count as relaxed
 * ones. */
static inline bool model_is_hardware(enum model_id m)
{
#define MODEL_HARDWARE(name, NAME, hardware) | (hardware) << MODEL_##NAME
	return (1 << MODEL_CAT MODELS(MODEL_HARDWARE)) >> m & 1;
#undef MODEL_HARDWARE
}

/* "sc, tso, ", and so on */
#define MODEL_COMMA(name, NAME, hardware) #name ", "
#define MODEL_NAMES		MODELS(MODEL_COMMA)

#endif
