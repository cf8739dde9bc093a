/* SPDX-License-Identifier: BSD-3-Clause */
/* NVML's header is not part of every toolkit; its interface is stable, so what is used of it is declared here. */
#include "nvml.h"

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "loader.h"

typedef struct nvmlDevice_st *nvmlDevice_t;
typedef int nvmlReturn_t; /* 0: success */

enum { CLOCK_SM = 1, CLOCK_MEMORY = 2 };
/* nvmlClocksEventReason...: what slows a device down. Idle clocks and clocks set by users are no faults. */
enum {
	REASON_POWER_CAP = 0x4,
	REASON_HARDWARE_SLOWDOWN = 0x8,
	REASON_SOFTWARE_THERMAL = 0x20,
	REASON_HARDWARE_THERMAL = 0x40,
	REASON_POWER_BRAKE = 0x80
};
enum { SENSOR_GPU = 0 };

struct nvml {
	nvmlReturn_t (*init)(void);
	nvmlReturn_t (*shutdown)(void);
	nvmlReturn_t (*handle)(const char *bus_id, nvmlDevice_t *);
	nvmlReturn_t (*driver)(char *, unsigned length);
	nvmlReturn_t (*most_clock)(nvmlDevice_t, int type, unsigned *megahertz);
	nvmlReturn_t (*power_limit)(nvmlDevice_t, unsigned *milliwatts);
	nvmlReturn_t (*reasons)(nvmlDevice_t, unsigned long long *);
	nvmlReturn_t (*persistence)(nvmlDevice_t, int *);
	nvmlReturn_t (*mig)(nvmlDevice_t, unsigned *now, unsigned *pending);
	nvmlReturn_t (*clock)(nvmlDevice_t, int type, unsigned *megahertz);
	nvmlReturn_t (*power)(nvmlDevice_t, unsigned *milliwatts);
	nvmlReturn_t (*temperature)(nvmlDevice_t, int sensor, unsigned *celsius);
};

static const struct symbol symbols[] = {
	{"nvmlInit_v2", offsetof(struct nvml, init)},
	{"nvmlShutdown", offsetof(struct nvml, shutdown)},
	{"nvmlDeviceGetHandleByPciBusId_v2", offsetof(struct nvml, handle)},
	{"nvmlSystemGetDriverVersion", offsetof(struct nvml, driver)},
	{"nvmlDeviceGetMaxClockInfo", offsetof(struct nvml, most_clock)},
	{"nvmlDeviceGetEnforcedPowerLimit", offsetof(struct nvml, power_limit)},
	{"nvmlDeviceGetCurrentClocksThrottleReasons", offsetof(struct nvml, reasons)},
	{"nvmlDeviceGetPersistenceMode", offsetof(struct nvml, persistence)},
	{"nvmlDeviceGetMigMode", offsetof(struct nvml, mig)},
	{"nvmlDeviceGetClockInfo", offsetof(struct nvml, clock)},
	{"nvmlDeviceGetPowerUsage", offsetof(struct nvml, power)},
	{"nvmlDeviceGetTemperature", offsetof(struct nvml, temperature)},
	{NULL, 0},
};

static struct nvml nvml;    /* NULL where a driver lacks a function: then only what it says is not known */
static nvmlDevice_t handle; /* NULL: no NVML */
static double asked_s;

/* Only what stays: a launch that is continued must find the same. */
static void describe(void)
{
	unsigned most = 0, pending = 0;
	int on = 0;
	if (nvml.most_clock && nvml.most_clock(handle, CLOCK_SM, &most) == 0)
		environment_add("sm_clock_most", "%u MHz", most);
	if (nvml.most_clock && nvml.most_clock(handle, CLOCK_MEMORY, &most) == 0)
		environment_add("memory_clock_most", "%u MHz", most);
	if (nvml.power_limit && nvml.power_limit(handle, &most) == 0)
		environment_add("power_limit", "%.0f W", most * 1e-3);
	if (nvml.persistence && nvml.persistence(handle, &on) == 0)
		environment_add("persistence", "%s", on ? "on" : "off");
	if (nvml.mig && nvml.mig(handle, &most, &pending) == 0)
		environment_add("mig", "%s", most ? "on" : "off");
}

void nvml_begin(int ordinal)
{
	char bus_id[32], driver[96];
	struct library library = {"libnvidia-ml.so.1", 0, 0, NULL, NULL};
	const bool here = library_open(&library, &nvml, symbols) && nvml.init && nvml.shutdown && nvml.handle;
	if (!here || nvml.init() != 0) {
		environment_add("clocks", "unknown: no NVML");
		return;
	}
	if (nvml.driver && nvml.driver(driver, sizeof driver) == 0)
		environment_add("driver", "%s", driver);
	if (cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, ordinal) != cudaSuccess ||
		nvml.handle(bus_id, &handle) != 0) {
		handle = NULL;
		(void)nvml.shutdown();
		return;
	}
	describe();
}

void nvml_end(void)
{
	if (handle)
		(void)nvml.shutdown();
	handle = NULL;
}

static void note_state(struct run *run)
{
	unsigned megahertz = 0, milliwatts = 0, celsius = 0;
	if (!nvml.clock || nvml.clock(handle, CLOCK_SM, &megahertz) != 0)
		return;
	if (nvml.power)
		(void)nvml.power(handle, &milliwatts);
	if (nvml.temperature)
		(void)nvml.temperature(handle, SENSOR_GPU, &celsius);
	run->seen.clock_mhz += megahertz;
	run->seen.watt += milliwatts * 1e-3;
	run->seen.celsius += celsius;
	run->seen.count++;
}

/* A question takes some ten microseconds; twenty times a second is enough, and once for each point. */
void nvml_watch(struct run *run)
{
	unsigned long long reasons = 0;
	double now = clock_s();
	if (!handle || (now - asked_s < 0.05 && run->seen.count > 0))
		return;
	asked_s = now;
	note_state(run);
	if (!nvml.reasons || nvml.reasons(handle, &reasons) != 0)
		return;
	if (reasons & (REASON_HARDWARE_SLOWDOWN | REASON_SOFTWARE_THERMAL | REASON_HARDWARE_THERMAL |
			      REASON_POWER_BRAKE))
		run->flag = "throttled";
	else if ((reasons & REASON_POWER_CAP) && !run->flag)
		run->flag = "power-cap";
}
