/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches and memory of known rates, starts of kernels, copies between host and device, what updates take. */
#include "fit/samples_file.h"

#include "oracle/setup.h"

static const double rates[] = {80e9, 35e9, 14e9, 9e9}, ends[] = {40e3, 1.2e6, 30e6};

static double rate_at(double footprint)
{
	unsigned i = 0;
	while (i < 3 && footprint > ends[i])
		++i;
	return rates[i];
}

static void memory_add(struct samples_file *samples, double busy)
{
	static const char *const kinds[] = {"copy", "scale", "add", "triad", "read", "write"};
	for (double footprint = 16384; footprint < 6e8; footprint *= 2)
		for (unsigned k = 0; k < 6; ++k) {
			/* Reading alone is faster: no pass does it. */
			const double rate = rate_at(footprint) * (k > 3 ? 3 : 1) / (busy > 1 ? 1.5 : 1);
			samples_point(samples, "memory", footprint / rate, 0, footprint,
				"\"kind\":\"%s\",\"footprint\":%.0f,\"busy\":%.0f", kinds[k], footprint,
				busy);
		}
}

static void made(struct samples_file *samples, unsigned launches, bool busy)
{
	samples_begin(samples, "cpu", 0.05, 21);
	for (unsigned l = 0; l < launches; ++l) {
		samples_launch(samples, l);
		memory_add(samples, 1);
		if (busy)
			memory_add(samples, 2);
	}
}

static void caches_come_back(void **state)
{
	(void)state;
	struct samples_file samples;
	made(&samples, 5, false);
	samples_fit(&samples, NULL);
	char path[40];
	for (unsigned i = 0; i < 3; ++i) {
		snprintf(path, sizeof path, "memory_rates/%u/rate", i);
		assert_number(&samples, path, rates[i], 0.02);
		snprintf(path, sizeof path, "memory_rates/%u/up_to", i);
		const struct paradl_fitted_number number = number_of(&samples, path);
		assert_string_equal(number.unit, "B");
		assert_true(number.low <= ends[i] && ends[i] <= number.high && number.high <= 2 * number.low);
		assert_true(number.low < number.value && number.value < number.high);
	}
	assert_null(number_find(&samples, "memory_rates/3/rate"));
	assert_number(&samples, "memory_rate", rates[3], 0.02);
	assert_true(number_of(&samples, "memory_rate").residual < 0.02);
	samples_end(&samples);
}

static void what_counts_is_measured_with_all_at_work(void **state)
{
	(void)state;
	struct samples_file samples;
	made(&samples, 2, true);
	samples_fit(&samples, NULL);
	assert_number(&samples, "memory_rate", rates[3] / 1.5, 0.02);
	assert_number(&samples, "memory_rates/0/rate", rates[0] / 1.5, 0.02);
	assert_true(number_of(&samples, "memory_rate").is_range);
	samples_end(&samples);
}

static void devices_with_units_have_no_caches(void **state)
{
	const struct paradl_machine *machine = setup_machine(*state,
		"\"memory\": \"8 GB\", \"memory_rate\": \"3 GB/s\", \"peak\": {\"fp32\": \"45 Gflop/s\"}, "
		"\"contraction\": {\"efficiency\": 0.5}, \"product\": {\"units\": 100}",
		"{\"name\": \"all\", \"devices\": 8, \"latency\": \"1 us\", \"bandwidth\": \"10 GB/s\"}");
	struct samples_file samples;
	made(&samples, 1, false);
	samples_fit(&samples, machine);
	assert_null(number_find(&samples, "memory_rates/0/rate"));
	assert_number(&samples, "memory_rate", rates[3], 0.02);
	samples_end(&samples);
}

static void kernels_start_and_copies_flow(void **state)
{
	const struct paradl_machine *machine = setup_machine(*state,
		"\"memory\": \"8 GB\", \"memory_rate\": \"3 TB/s\", \"peak\": {\"fp32\": \"45 Gflop/s\"}, "
		"\"contraction\": {\"efficiency\": 0.5}, \"link\": {\"rate\": \"450 GB/s\"}",
		"{\"name\": \"all\", \"devices\": 8, \"latency\": \"1 us\", \"bandwidth\": \"10 GB/s\"}");
	struct samples_file samples;
	samples_begin(&samples, "cuda", 0.05, 4);
	for (unsigned l = 0; l < 5; ++l) {
		samples_launch(&samples, l);
		samples_point(&samples, "launch", 2.4e-6, 0, 0, "\"kind\":\"stream\"");
		samples_point(&samples, "launch", 7e-6, 0, 0, "\"kind\":\"sync\"");
		for (double size = 1024; size < 2e9; size *= 32)
			for (unsigned pinned = 0; pinned < 2; ++pinned)
				for (unsigned groups = 1; groups < 3; ++groups) {
					const double start = 10e-6, share = pinned ? 1.0 / groups : 0.3;
					samples_point(&samples, "transfer", start + size / (50e9 * share), 0,
						size,
						"\"kind\":\"to-device\",\"pinned\":%u,\"size\":%.0f,"
						"\"groups\":%u",
						pinned, size, groups);
					samples_point(&samples, "transfer", start + size / (40e9 * share), 0,
						size,
						"\"kind\":\"to-host\",\"pinned\":%u,\"size\":%.0f,\"groups\":"
						"%u",
						pinned, size, groups);
				}
	}
	samples_fit(&samples, machine);
	assert_number(&samples, "contraction/launch", 2.4e-6, 0.02);
	assert_number(&samples, "product/launch", 2.4e-6, 0.02);
	assert_number(&samples, "link/host_rate", 2 / (1 / 25e9 + 1 / 20e9), 0.02);
	assert_null(number_find(&samples, "link/rate"));
	samples_end(&samples);
}

static const char *note_of(const struct samples_file *samples, const char *judge)
{
	for (size_t i = 0; i < samples->fit.verdict_count; ++i)
		if (strcmp(samples->fit.verdicts[i].judge, judge) == 0)
			return samples->fit.verdicts[i].text;
	return "";
}

static void updates_are_held_against_their_bytes(void **state)
{
	(void)state;
	struct samples_file samples;
	samples_begin(&samples, "cpu", 0, 4);
	samples_launch(&samples, 0);
	memory_add(&samples, 1);
	for (double weights = 1e7; weights < 1e8; weights *= 3)
		samples_point(&samples, "update", 1.2 * 20 * weights / rates[3], 0, 20 * weights,
			"\"optimizer\":\"momentum\",\"parameters\":%.0f,\"precision\":\"fp32\"", weights);
	samples_point(&samples, "elementwise", 0.8 * 8e8 / rates[3], 0, 8e8,
		"\"kind\":\"relu\",\"pass\":\"forward\",\"items\":1e8,\"precision\":\"fp32\"");
	samples_fit(&samples, NULL);
	assert_non_null(strstr(note_of(&samples, "update"), "momentum takes 1.2 times"));
	assert_non_null(strstr(note_of(&samples, "update"), "3 points"));
	assert_non_null(strstr(note_of(&samples, "elementwise"), "relu takes 0.8 times"));
	samples_end(&samples);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(caches_come_back),
		cmocka_unit_test(what_counts_is_measured_with_all_at_work),
		setup_test(devices_with_units_have_no_caches),
		setup_test(kernels_start_and_copies_flow),
		cmocka_unit_test(updates_are_held_against_their_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
