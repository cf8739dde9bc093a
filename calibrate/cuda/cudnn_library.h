/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuDNN, loaded once, and its two interfaces for convolutions: that of operation graphs, which programs use of version 9, and the one
 * before it. Fused attention has only the first.
 */
#ifndef CALIBRATE_CUDA_CUDNN_LIBRARY_H
#define CALIBRATE_CUDA_CUDNN_LIBRARY_H

#include <cudnn.h>

#include "convolution.h"
#include "loader.h"

#define CUDNN_FUNCTIONS(X)                                                                                   \
	X(cudnnCreate)                                                                                       \
	X(cudnnDestroy)                                                                                      \
	X(cudnnSetStream)                                                                                    \
	X(cudnnGetVersion)                                                                                   \
	X(cudnnGetErrorString)                                                                               \
	X(cudnnCreateTensorDescriptor)                                                                       \
	X(cudnnDestroyTensorDescriptor)                                                                      \
	X(cudnnSetTensorNdDescriptorEx)                                                                      \
	X(cudnnCreateFilterDescriptor)                                                                       \
	X(cudnnDestroyFilterDescriptor)                                                                      \
	X(cudnnSetFilterNdDescriptor)                                                                        \
	X(cudnnCreateConvolutionDescriptor)                                                                  \
	X(cudnnDestroyConvolutionDescriptor)                                                                 \
	X(cudnnSetConvolutionNdDescriptor)                                                                   \
	X(cudnnSetConvolutionGroupCount)                                                                     \
	X(cudnnSetConvolutionMathType)                                                                       \
	X(cudnnGetConvolutionNdForwardOutputDim)                                                             \
	X(cudnnGetConvolutionForwardAlgorithm_v7)                                                            \
	X(cudnnGetConvolutionBackwardDataAlgorithm_v7)                                                       \
	X(cudnnGetConvolutionBackwardFilterAlgorithm_v7)                                                     \
	X(cudnnConvolutionForward)                                                                           \
	X(cudnnConvolutionBackwardData)                                                                      \
	X(cudnnConvolutionBackwardFilter)                                                                    \
	X(cudnnBackendCreateDescriptor)                                                                      \
	X(cudnnBackendDestroyDescriptor)                                                                     \
	X(cudnnBackendSetAttribute)                                                                          \
	X(cudnnBackendGetAttribute)                                                                          \
	X(cudnnBackendFinalize)                                                                              \
	X(cudnnBackendExecute)

struct cudnn {
#define X(function) MEMBER(function)
	CUDNN_FUNCTIONS(X)
#undef X
};
extern struct cudnn dnn;
extern cudnnHandle_t dnn_handle;

/* Opens the library and its handle; ABSENT where it is not here. */
enum ready dnn_load(struct run *run);
/* Of a library that is open: whether programs have no other interface than graphs of it, and "9.1.0". */
bool dnn_has_graphs(void);
const char *dnn_version(void);
/* READY, or why not: ABSENT where memory is short or the library does not support it. */
enum ready dnn_status(struct run *run, cudnnStatus_t status, const char *call, const char *file, int line);
#define DNN(run, call) dnn_status(run, dnn.call, #call, __FILE__, __LINE__)
cudnnDataType_t dnn_type(const struct precision *precision);

enum { EXTENTS_MAX = 5 };
/* Fills in the extents of a tensor: its first two, and those of space. */
void dnn_extents(int sizes[EXTENTS_MAX], int first, int second, const int *extents, int dimensions);

/* Workspaces above are passed over, as training programs do. */
extern const size_t dnn_workspace_most;

/* One interface: a convolution is described, the kernel chosen that the library expects to be fastest, and enqueued. */
struct cudnn_interface {
	enum ready (*make)(struct run *run, const struct convolution *convolution, void **made);
	enum ready (*choose)(struct run *run, void *made);
	enum ready (*enqueue)(struct run *run, const void *made, void *x, void *w, void *y);
	void (*free)(void *made);
};
extern const struct cudnn_interface cudnn_graph, cudnn_v7;

#endif
