/* SPDX-License-Identifier: BSD-3-Clause */
/* The BLAS that a program was built with. */
#ifndef CALIBRATE_BLAS_H
#define CALIBRATE_BLAS_H

/*
 * One thread from now on: a process is one processing element. NULL, or why it cannot be told from inside the program
 * (then OMP_NUM_THREADS=1 and the like have to say it).
 */
const char *blas_single_thread(void);

/* "OpenBLAS 0.3.21 DYNAMIC_ARCH ... SkylakeX"; "cblas" where the library does not say. */
const char *blas_description(void);

/*
 * NULL, or why products are slower than this processor can make them: a BLAS that does not know it falls back to what every
 * processor of its kind has.
 */
const char *blas_warning(void);

#endif
