# SPDX-License-Identifier: BSD-3-Clause
"""Clocks, power and temperature of a GPU, from the library of its driver. Needs no PyTorch."""
import ctypes


class Nvml:
    """What the driver says of a GPU: clock, power and temperature. Nothing where the library is not there, or old."""

    def __init__(self, bus_id):
        self.library = self.handle = None
        try:
            self.library = ctypes.CDLL("libnvidia-ml.so.1")
        except OSError:
            return
        handle = ctypes.c_void_p()
        if self.library.nvmlInit_v2() == 0 and self.library.nvmlDeviceGetHandleByPciBusId_v2(bus_id.encode(), ctypes.byref(handle)) == 0:
            self.handle = handle

    def number(self, function, *arguments):
        value = ctypes.c_uint()
        if self.handle is None or not hasattr(self.library, function):
            return None
        return value.value if getattr(self.library, function)(self.handle, *arguments, ctypes.byref(value)) == 0 else None

    def driver(self):
        text = ctypes.create_string_buffer(96)
        if self.library is None or self.library.nvmlSystemGetDriverVersion(text, 96) != 0:
            return None
        return text.value.decode()

    def most_clock(self):
        return self.number("nvmlDeviceGetMaxClockInfo", 1)

    def look(self):
        """Clock in MHz, power in watts, degrees: those that are known."""
        power = self.number("nvmlDeviceGetPowerUsage")
        seen = {"sm_clock_mhz": self.number("nvmlDeviceGetClockInfo", 1), "power_watt": None if power is None else power / 1000,
                "temperature_celsius": self.number("nvmlDeviceGetTemperature", 0)}
        return {key: value for key, value in seen.items() if value is not None}
