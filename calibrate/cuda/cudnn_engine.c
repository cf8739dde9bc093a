/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine that runs a graph: those of heuristic A are tried in its order, those of the fallback after them, and the first is taken whose
 * arithmetic is no coarser than asked for and for which a plan can be made.
 */
#include <string.h>

#ifdef WITH_CUDNN
#include "cudnn_parts.h"

enum { CHOICES = 16, NOTES = 16 };

enum ready engine_graph(struct run *run, struct engine *engine, const part *operations, int64_t count)
{
	TRY(part_make(run, &engine->graph, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR));
	TRY(part_set(run, engine->graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, count,
		operations));
	TRY(part_set(
		run, engine->graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &dnn_handle));
	return part_final(run, engine->graph);
}

void engine_free(struct engine *engine)
{
	part *const parts[] = {
		&engine->plan, &engine->engine, &engine->choice, &engine->heuristic, &engine->graph};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		part_drop(parts[i]);
	if (engine->workspace)
		(void)cudaFree(engine->workspace);
	engine->workspace = NULL;
}

/* Returns whether an engine's arithmetic is no coarser than asked for: plain fp32 stays off tensor cores, tf32 may take them. */
static bool is_fine_enough(struct engine *engine, const struct precision *precision)
{
	cudnnBackendNumericalNote_t notes[NOTES];
	int64_t count = 0;
	const bool is_float = precision->item == ITEM_FP32, is_plain = strcmp(precision->name, "fp32") == 0;
	part_drop(&engine->engine);
	if (dnn.cudnnBackendCreateDescriptor(CUDNN_BACKEND_ENGINE_DESCRIPTOR, &engine->engine) !=
			CUDNN_STATUS_SUCCESS ||
		dnn.cudnnBackendGetAttribute(engine->choice, CUDNN_ATTR_ENGINECFG_ENGINE,
			CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count, &engine->engine) != CUDNN_STATUS_SUCCESS ||
		dnn.cudnnBackendGetAttribute(engine->engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
			CUDNN_TYPE_NUMERICAL_NOTE, NOTES, &count, notes) != CUDNN_STATUS_SUCCESS)
		return false;
	for (int64_t i = 0; i < count && i < NOTES; i++)
		if ((is_float && notes[i] == CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS) ||
			(is_plain && notes[i] == CUDNN_NUMERICAL_NOTE_TENSOR_CORE))
			return false;
	return true;
}

/* Makes a plan of engine->choice; false: it does not work here, or wants too large a workspace. */
static bool plan_make(struct engine *engine, size_t most_bytes)
{
	int64_t count = 0;
	part_drop(&engine->plan);
	return dnn.cudnnBackendCreateDescriptor(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, &engine->plan) ==
		       CUDNN_STATUS_SUCCESS &&
	       dnn.cudnnBackendSetAttribute(engine->plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE,
		       1, &dnn_handle) == CUDNN_STATUS_SUCCESS &&
	       dnn.cudnnBackendSetAttribute(engine->plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG,
		       CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &engine->choice) == CUDNN_STATUS_SUCCESS &&
	       dnn.cudnnBackendFinalize(engine->plan) == CUDNN_STATUS_SUCCESS &&
	       dnn.cudnnBackendGetAttribute(engine->plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
		       CUDNN_TYPE_INT64, 1, &count, &engine->workspace_bytes) == CUDNN_STATUS_SUCCESS &&
	       engine->workspace_bytes <= (int64_t)most_bytes;
}

/* Asks a heuristic for engines; engine->plan is of the first that works, NULL where none does. */
static enum ready plan_of_mode(struct run *run, struct engine *engine, const struct precision *precision,
	size_t most_bytes, cudnnBackendHeurMode_t mode)
{
	part choices[CHOICES] = {NULL};
	int64_t count = 0;
	part_drop(&engine->heuristic);
	TRY(part_make(run, &engine->heuristic, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR));
	TRY(part_set_part(run, engine->heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, engine->graph));
	TRY(part_set(run, engine->heuristic, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode));
	TRY(part_final(run, engine->heuristic));
	enum ready ready = READY;
	for (int i = 0; i < CHOICES && ready == READY; i++)
		ready = part_make(run, &choices[i], CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
	if (ready == READY)
		ready = DNN(run, cudnnBackendGetAttribute(engine->heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS,
					 CUDNN_TYPE_BACKEND_DESCRIPTOR, CHOICES, &count, choices));
	bool works = false;
	for (int i = 0; i < CHOICES; i++)
		if (ready == READY && !works && i < count) {
			part_drop(&engine->choice);
			engine->choice = choices[i];
			works = is_fine_enough(engine, precision) && plan_make(engine, most_bytes);
		} else {
			part_drop(&choices[i]);
		}
	if (!works)
		part_drop(&engine->plan);
	return ready;
}

enum ready engine_choose(
	struct run *run, struct engine *engine, const struct precision *precision, size_t most_bytes)
{
	static const cudnnBackendHeurMode_t modes[] = {CUDNN_HEUR_MODE_INSTANT, CUDNN_HEUR_MODE_FALLBACK};
	for (size_t i = 0; i < sizeof modes / sizeof *modes && !engine->plan; i++)
		TRY(plan_of_mode(run, engine, precision, most_bytes, modes[i]));
	if (!engine->plan)
		return run_say(run, ABSENT, "cuDNN has no engine for this, or no libnvrtc to compile one");
	if (engine->workspace_bytes > 0)
		TRY(CUDA(run, cudaMalloc(&engine->workspace, (size_t)engine->workspace_bytes)));
	return READY;
}

/* Each call has operands of its own, and so a pack of them. */
enum ready engine_enqueue(struct run *run, const struct engine *engine, int64_t count, const int64_t *ids,
	void *const *operands)
{
	part pack = NULL;
	TRY(part_make(run, &pack, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR));
	enum ready ready =
		part_set(run, pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, count, ids);
	if (ready == READY)
		ready = part_set(run, pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, count,
			operands);
	if (ready == READY)
		ready = part_set(run, pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1,
			&engine->workspace);
	if (ready == READY)
		ready = part_final(run, pack);
	if (ready == READY)
		ready = DNN(run, cudnnBackendExecute(dnn_handle, engine->plan, pack));
	part_drop(&pack);
	return ready;
}
#endif
