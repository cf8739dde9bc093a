/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A driver of no device: it takes the kernels that cuDNN compiles, and has none of all else. So plans are made by the library itself where
 * there is no GPU.
 */
enum { TAKEN = 0, NOT_HERE = 34 /* CUDA_ERROR_STUB_LIBRARY */, DRIVER_VERSION = 13000 };

#define ABSENT(name)                                                                                         \
	int name(void)                                                                                       \
	{                                                                                                    \
		return NOT_HERE;                                                                             \
	}
ABSENT(cuInit)
ABSENT(cuGetProcAddress)
ABSENT(cuGetProcAddress_v2)
ABSENT(cuGetErrorName)
ABSENT(cuGetErrorString)
ABSENT(cuCtxGetCurrent)
ABSENT(cuCtxGetLimit)
ABSENT(cuCtxPopCurrent)
ABSENT(cuCtxPushCurrent)
ABSENT(cuStreamGetCtx)
ABSENT(cuLinkCreate)
ABSENT(cuLinkAddData)
ABSENT(cuLinkComplete)
ABSENT(cuLinkDestroy)
ABSENT(cuLaunchKernel)
ABSENT(cuLaunchKernelEx)
ABSENT(cuLaunchCooperativeKernel)
ABSENT(cuLibraryLoadFromFile)
ABSENT(cuLibraryUnload)
ABSENT(cuKernelSetAttribute)
ABSENT(cuKernelGetAttribute)
ABSENT(cuFuncGetName)
ABSENT(cuFuncSetAttribute)
ABSENT(cuFuncGetAttribute)
ABSENT(cuDeviceGet)
ABSENT(cuDeviceGetCount)
ABSENT(cuDeviceGetAttribute)
ABSENT(cuModuleLoadData)
ABSENT(cuModuleGetFunction)
ABSENT(cuModuleUnload)
ABSENT(cuOccupancyMaxActiveClusters)
ABSENT(cuOccupancyAvailableDynamicSMemPerBlock)
ABSENT(cuOccupancyMaxActiveBlocksPerMultiprocessor)
ABSENT(cuOccupancyMaxPotentialClusterSize)
ABSENT(cuGraphAddKernelNode_v2)
ABSENT(cuGraphKernelNodeGetParams)
ABSENT(cuGraphKernelNodeSetAttribute)
ABSENT(cuGraphKernelNodeSetParams_v2)
ABSENT(cuGraphAddDependencies)
ABSENT(cuGraphAddDependencies_v2)
ABSENT(cuGraphNodeGetDependentNodes)
ABSENT(cuGraphNodeGetDependentNodes_v2)
ABSENT(cuTensorMapEncodeTiled)
ABSENT(cuTensorMapEncodeIm2col)

int cuDriverGetVersion(int *version)
{
	*version = DRIVER_VERSION;
	return TAKEN;
}

static int kernel;

#define GIVEN(name)                                                                                          \
	int name(void **found)                                                                               \
	{                                                                                                    \
		*found = &kernel;                                                                            \
		return TAKEN;                                                                                \
	}
GIVEN(cuLibraryLoadData)
GIVEN(cuLibraryGetKernel)
GIVEN(cuLibraryGetModule)
GIVEN(cuKernelGetFunction)
