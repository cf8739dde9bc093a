/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of devices that are not there; libraries in fake_*.c ask about it. */
#ifndef TESTS_CALIBRATE_CUDA_FAKE_DEVICE_H
#define TESTS_CALIBRATE_CUDA_FAKE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

/* True: `bytes` from `address` on lie in one allocation of a device. */
bool fake_holds(const void *address, size_t bytes);
/* The same, and if not says what on standard error. */
bool fake_check(const char *what, const void *address, size_t bytes);
/* Work of so many seconds enqueued to the current device. */
void fake_work(double seconds);
/* What is in flight does not end, or does again. */
void fake_stall(bool is);

#endif
