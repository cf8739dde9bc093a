/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A collective inside a node costs the same in estimates and in paradl collective, on every shipped machine whose library is known;
 * more bytes take longer, and an allreduce at least as long as what it contains.
 */
#include "oracle/setup.h"

#include <dirent.h>

#include "oracle/evaluation.h"
#include "paradl/network.h"

static const double sizes[] = {512, 65536, 1048576, 16777216, 67108864, 1e9};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const struct {
	enum paradl_operation operation;
	enum paradl_axis axis;
	enum traffic_kind kind;
} rows[] = {{PARADL_ALLREDUCE, PARADL_TENSOR, TRAFFIC_ALLREDUCE},
	{PARADL_ALLGATHER, PARADL_TENSOR, TRAFFIC_ALLGATHER},
	{PARADL_REDUCE_SCATTER, PARADL_TENSOR, TRAFFIC_REDUCE_SCATTER},
	{PARADL_ALL_TO_ALL, PARADL_EXPERT, TRAFFIC_ALL_TO_ALL}};

static const struct paradl_machine *machine_of(struct setup *setup, const char *path)
{
	const struct paradl_machine *machine =
		paradl_machine_load(setup->arena, &(struct paradl_source){.path = path}, &setup->error);
	if (!machine)
		fail_msg("%s: %s", path, setup->error.message);
	return machine;
}

static struct paradl_oracle *oracle_of(struct setup *setup, const struct paradl_machine *machine)
{
	const struct paradl_model *model = paradl_model_load(
		setup->arena, &(struct paradl_source){.path = "models/mixtral-8x7b.json"}, &setup->error);
	const struct paradl_framework *framework = paradl_framework_load(setup->arena,
		&(struct paradl_source){.path = "hw-profiles/frameworks/nccl.json"}, &setup->error);
	struct paradl_oracle *oracle = model && framework ? paradl_oracle_create(setup->arena, model, machine,
								    framework, NULL, &setup->error)
							  : NULL;
	if (!oracle)
		fail_msg("%s", setup->error.message);
	return oracle;
}

/* A program has its streams wait around a call: what its profile says of that is not the library's. */
static void compare(struct setup *setup, const struct paradl_machine *machine,
	const struct evaluation *evaluation, size_t row, unsigned ranks, double *allreduce_s)
{
	const struct paradl_collective_request request = {
		.operation = rows[row].operation, .ranks = ranks, .bytes = sizes, .count = SIZES};
	struct paradl_collective_table table;
	struct paradl_network *network = paradl_network_create(setup->arena, machine, &setup->error);
	if (!network || !paradl_collective(network, &request, setup->arena, &table, &setup->error))
		fail_msg("%s: %s", machine->name, setup->error.message);
	for (size_t k = 0; k < SIZES; ++k) {
		const double s = exchange_s(&evaluation->exchange[rows[row].axis][rows[row].kind], sizes[k]) -
				 evaluation->oracle->rules.collective_call_s;
		if (!(fabs(s / table.rows[k].time_s - 1) < 1e-9))
			fail_msg("%s, operation %zu of %u, %g bytes: %g s in estimates, %g s alone",
				machine->name, row, ranks, sizes[k], s, table.rows[k].time_s);
		if (row == 0)
			allreduce_s[k] = s;
		assert_true(s <= allreduce_s[k]);
		assert_true(k == 0 || s > table.rows[k - 1].time_s);
	}
}

static void one_machine(struct setup *setup, const char *path)
{
	const struct paradl_machine *machine = machine_of(setup, path);
	if (!machine->device.link.library)
		return;
	struct paradl_oracle *oracle = oracle_of(setup, machine);
	double allreduce_s[SIZES];
	for (unsigned ranks = 2; ranks <= machine->levels[0].devices && ranks <= 8; ranks *= 2)
		for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
			const char *text = rows[i].axis == PARADL_EXPERT
						   ? arena_printf(setup->arena, "expert=%u", ranks)
						   : arena_printf(setup->arena, "tensor=%u%s", ranks,
							     i ? ",sequence=on" : "");
			const struct paradl_plan plan = setup_plan(text, 8);
			struct evaluation evaluation;
			setup_estimate(oracle, &plan);
			if (!evaluation_begin(&evaluation, oracle, &plan, 0, &setup->error))
				fail_msg("%s: %s", text, setup->error.message);
			compare(setup, machine, &evaluation, i, ranks, allreduce_s);
		}
}

static void estimates_and_collective_agree(void **state)
{
	static const char folder[] = "hw-profiles";
	struct setup *setup = *state;
	DIR *files = opendir(folder);
	assert_non_null(files);
	for (const struct dirent *file; (file = readdir(files));)
		if (strstr(file->d_name, ".json"))
			one_machine(setup, arena_printf(setup->arena, "%s/%s", folder, file->d_name));
	closedir(files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {setup_test(estimates_and_collective_agree)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
