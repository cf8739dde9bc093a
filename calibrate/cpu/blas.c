/* SPDX-License-Identifier: BSD-3-Clause */
#include "blas.h"

#include <cblas.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#if BLAS_IS_OPENBLAS

const char *blas_single_thread(void)
{
	openblas_set_num_threads(1);
	return openblas_get_num_threads() == 1 ? NULL : "OpenBLAS keeps several threads";
}

const char *blas_description(void)
{
	return openblas_get_config();
}

/* Kernels without AVX2, by the names of DYNAMIC_ARCH. */
static bool is_old(const char *kernels)
{
	static const char *const old[] = {"Katmai", "Coppermine", "Northwood", "Prescott", "Banias", "Atom",
		"Core2", "Penryn", "Dunnington", "Nehalem", "Athlon", "Opteron", "Opteron_SSE3", "Barcelona",
		"Bobcat", "Nano", "Sandybridge", "Bulldozer", "Piledriver", "Steamroller"};
	for (size_t i = 0; i < sizeof old / sizeof *old; i++)
		if (strcmp(old[i], kernels) == 0)
			return true;
	return false;
}

const char *blas_warning(void)
{
	static char warning[300];
	const char *kernels = openblas_get_corename();
	const char *better = NULL;
#if defined(__x86_64__) && defined(__GNUC__)
	better = __builtin_cpu_supports("avx512bw") ? "SKYLAKEX"
		 : __builtin_cpu_supports("avx2")   ? "HASWELL"
						    : NULL;
#endif
	/* cppcheck-suppress knownConditionTrueFalse */
	if (!better || !is_old(kernels))
		return NULL;
	snprintf(warning, sizeof warning,
		"OpenBLAS does not know this processor and uses kernels for %s; with OPENBLAS_CORETYPE=%s in "
		"the "
		"environment, here and where the models run, products are several times faster",
		kernels, better);
	return warning;
}

#else

const char *blas_warning(void)
{
	return NULL;
}

const char *blas_single_thread(void)
{
	return "this BLAS has no call that sets its threads";
}

const char *blas_description(void)
{
	return "CBLAS of unknown make";
}

#endif
