/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A wide residual network on laptops: what tests of federated rounds ask about. */
#ifndef TESTS_JOB_FEDERATE_SETTING_H
#define TESTS_JOB_FEDERATE_SETTING_H

#include "test.h"

#include "study/job/federated.h"

enum { CLIENTS = 20 };

static inline void expect(double got, double want, double relative)
{
	assert_close(got, want, relative);
}

struct setting {
	struct paradl_arena *arena;
	const struct paradl_model *model;
	const struct paradl_machine *machine;
	struct paradl_oracle *oracle;
	struct paradl_client_group groups[4];
	struct paradl_federation federation;
};

static inline struct setting setting_make(const char *model)
{
	struct paradl_error error = {0};
	const struct paradl_options options = {.input = &(struct paradl_input_options){.off = true}};
	struct setting setting = {.arena = paradl_arena_create()};
	char path[64];
	snprintf(path, sizeof path, "models/%s.json", model);
	setting.model = paradl_model_load(setting.arena, &(struct paradl_source){.path = path}, &error);
	setting.machine = paradl_machine_load(
		setting.arena, &(struct paradl_source){.path = "hw-profiles/laptop.json"}, &error);
	if (!setting.model || !setting.machine)
		fail_msg("%s: %s", error.path, error.message);
	setting.oracle =
		paradl_oracle_create(setting.arena, setting.model, setting.machine, NULL, &options, &error);
	assert_non_null(setting.oracle);
	setting.groups[0] = (struct paradl_client_group){.name = "all",
		.count = CLIENTS,
		.up_bytes_per_s = 2.5e6,
		.down_bytes_per_s = 12.5e6,
		.lan_bytes_per_s = 125e6};
	setting.federation = (struct paradl_federation){.batch = 50, .epochs = 1};
	setting.federation.clients = (struct paradl_clients){.name = "", .count = 1};
	return setting;
}

static inline struct paradl_federated ask(struct setting *setting, const char *schemes)
{
	struct paradl_error error = {0};
	struct paradl_federated answer;
	setting->federation.clients.groups = setting->groups;
	if (!paradl_federate(setting->oracle, &setting->federation, schemes, setting->arena, &answer, &error))
		fail_msg("%s", error.message);
	return answer;
}

/* 16 w, 32 w, 64 w in three groups of two blocks. */
static inline double wide_parameters(double w)
{
	const double widths[] = {16, 16 * w, 32 * w, 64 * w};
	double sum = 9 * 3 * 16 + 2 * widths[3] + (widths[3] + 1) * 10;
	for (unsigned i = 1; i < 4; i++) {
		const double in = widths[i - 1], out = widths[i];
		sum += 9 * in * out + 3 * 9 * out * out + in * out; /* convolutions, shortcut */
		sum += 2 * in + 3 * 2 * out;                        /* normalisation */
	}
	return sum;
}

#endif
