/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NVML of devices that are not there: clocks of FAKE_SM_CLOCK (1980) of 1980 MHz, held down for FAKE_REASONS (0). It is an old one,
 * which has no nvmlDeviceGetMigMode: all else must be there without it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fake_device.h"

typedef struct nvmlDevice_st *nvmlDevice_t;
enum { MOST_MHZ = 1980, WATT = 640, CELSIUS = 61, HEATS_BY = 20 };

static unsigned long long setting(const char *name, unsigned long long otherwise)
{
	const char *text = getenv(name);
	return text ? strtoull(text, NULL, 10) : otherwise;
}

/* The runtime is not there for those who ask this library alone. */
static double clock_share(void)
{
	return fake_clock_share ? fake_clock_share() : 1;
}

int nvmlInit_v2(void)
{
	return 0;
}
int nvmlShutdown(void)
{
	return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus_id, nvmlDevice_t *handle)
{
	static char device;
	*handle = (nvmlDevice_t)(void *)&device;
	return bus_id ? 0 : 2;
}
int nvmlSystemGetDriverVersion(char *text, unsigned length)
{
	snprintf(text, length, "580.1");
	return 0;
}
int nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, int type, unsigned *megahertz)
{
	(void)type;
	*megahertz = MOST_MHZ;
	return device ? 0 : 2;
}
int nvmlDeviceGetClockInfo(nvmlDevice_t device, int type, unsigned *megahertz)
{
	(void)type;
	*megahertz = (unsigned)(clock_share() * (double)setting("FAKE_SM_CLOCK", MOST_MHZ));
	return device ? 0 : 2;
}
int nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned *milliwatts)
{
	*milliwatts = WATT * 1000;
	return device ? 0 : 2;
}
int nvmlDeviceGetTemperature(nvmlDevice_t device, int sensor, unsigned *celsius)
{
	(void)sensor;
	*celsius = CELSIUS + (clock_share() < 1 ? (unsigned)(HEATS_BY * fake_heat()) : 0);
	return device ? 0 : 2;
}
int nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned *milliwatts)
{
	*milliwatts = 700000;
	return device ? 0 : 2;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long *reasons)
{
	*reasons = setting("FAKE_REASONS", 0);
	return device ? 0 : 2;
}
int nvmlDeviceGetPersistenceMode(nvmlDevice_t device, int *on)
{
	*on = 1;
	return device ? 0 : 2;
}
