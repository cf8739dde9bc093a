/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads cuDNN, and plans convolutions by the interface that programs use of its version. */
#include "convolution.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_CUDNN
#include "cudnn_library.h"

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

static const struct symbol symbols[] = {
#define X(function) {#function, offsetof(struct cudnn, function)},
	CUDNN_FUNCTIONS(X)
#undef X
		{NULL, 0},
};

static struct library library = {"libcudnn.so.", CUDNN_MAJOR, 8, "cuDNN " TEXT(CUDNN_MAJOR), NULL};
struct cudnn dnn;
cudnnHandle_t dnn_handle;
const size_t dnn_workspace_most = (size_t)2 << 30;

/* From this version on, 9.0.0, PyTorch and others have no other interface than graphs. */
static const size_t first_of_graphs = 90000;

struct cudnn_plan {
	const struct cudnn_interface *by;
	void *made;
};

enum ready dnn_status(struct run *run, cudnnStatus_t status, const char *call, const char *file, int line)
{
	if (status == CUDNN_STATUS_SUCCESS)
		return READY;
	if (status == CUDNN_STATUS_ALLOC_FAILED) {
		(void)cudaGetLastError();
		return run_say(run, ABSENT, "out of memory");
	}
	/* 3000..3999: not supported; of versions before 9 one value. */
	if (status == CUDNN_STATUS_NOT_SUPPORTED || (status > 3000 && status < 4000))
		return run_say(run, ABSENT, "cuDNN has no kernel for this layer (%s)",
			dnn.cudnnGetErrorString(status));
	return library_status(run, false, dnn.cudnnGetErrorString(status), call, file, line);
}

enum ready dnn_load(struct run *run)
{
	if (!library_load(&library, &dnn, symbols))
		return run_say(run, ABSENT, "%s", library_hint());
	if (!dnn_handle) {
		TRY(DNN(run, cudnnCreate(&dnn_handle)));
		TRY(DNN(run, cudnnSetStream(dnn_handle, device.stream)));
	}
	return READY;
}

bool dnn_has_graphs(void)
{
	return dnn.cudnnGetVersion() >= first_of_graphs;
}

/* 90100 is 9.1.0; 8902, before version 9, is 8.9.2. */
const char *dnn_version(void)
{
	static char text[32];
	const size_t version = dnn.cudnnGetVersion(), major = version >= 10000 ? 10000 : 1000;
	snprintf(text, sizeof text, "%zu.%zu.%zu", version / major, version % major / 100, version % 100);
	return text;
}

void cudnn_begin(void)
{
	if (library_load(&library, &dnn, symbols))
		environment_add("cudnn", "%s", dnn_version());
}

void cudnn_end(void)
{
	if (dnn_handle && !device.lost)
		(void)dnn.cudnnDestroy(dnn_handle);
	dnn_handle = NULL;
}

cudnnDataType_t dnn_type(const struct precision *precision)
{
	return precision->item == ITEM_FP16   ? CUDNN_DATA_HALF
	       : precision->item == ITEM_BF16 ? CUDNN_DATA_BFLOAT16
					      : CUDNN_DATA_FLOAT;
}

void dnn_extents(int sizes[EXTENTS_MAX], int first, int second, const int *extents, int dimensions)
{
	sizes[0] = first;
	sizes[1] = second;
	for (int i = 0; i < dimensions; i++)
		sizes[2 + i] = extents[i];
}

enum ready cudnn_plan_make(struct run *run, const struct convolution *convolution, struct cudnn_plan **plan)
{
	if (10 * device.major + device.minor < convolution->precision->least_capability)
		return run_say(run, ABSENT, "no %s on compute capability %d.%d", convolution->precision->name,
			device.major, device.minor);
	TRY(dnn_load(run));
	*plan = calloc(1, sizeof **plan);
	if (!*plan)
		return run_say(run, FAILED, "no memory on the host");
	(*plan)->by = dnn_has_graphs() ? &cudnn_graph : &cudnn_v7;
	return (*plan)->by->make(run, convolution, &(*plan)->made);
}

enum ready cudnn_plan_choose(struct run *run, struct cudnn_plan *plan)
{
	return plan->by->choose(run, plan->made);
}

enum ready cudnn_plan_enqueue(struct run *run, const struct cudnn_plan *plan, void *x, void *w, void *y)
{
	return plan->by->enqueue(run, plan->made, x, w, y);
}

void cudnn_plan_free(struct cudnn_plan *plan)
{
	if (plan && plan->made)
		plan->by->free(plan->made);
	free(plan);
}

#else

enum ready cudnn_plan_make(struct run *run, const struct convolution *convolution, struct cudnn_plan **plan)
{
	(void)convolution;
	*plan = NULL;
	return run_say(run, ABSENT, "built without cuDNN: install its headers and build again");
}

enum ready cudnn_plan_choose(struct run *run, struct cudnn_plan *plan)
{
	return cudnn_plan_enqueue(run, plan, NULL, NULL, NULL);
}

enum ready cudnn_plan_enqueue(struct run *run, const struct cudnn_plan *plan, void *x, void *w, void *y)
{
	(void)plan, (void)x, (void)w, (void)y;
	return run_say(run, ABSENT, "built without cuDNN");
}

void cudnn_plan_free(struct cudnn_plan *plan)
{
	(void)plan;
}
void cudnn_begin(void)
{
}
void cudnn_end(void)
{
}
#endif
