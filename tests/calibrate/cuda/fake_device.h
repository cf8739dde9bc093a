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
/* How warm the device is, from 0 to 1, and what that leaves of its clock; absent where NVML alone is asked. */
double fake_heat(void) __attribute__((weak));
double fake_clock_share(void) __attribute__((weak));
/* What is in flight does not end, or does again. */
void fake_stall(bool is);

#endif
