/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the host on the node (socket) that a GPU hangs on: copies from the other one are slower. */
#ifndef CALIBRATE_CUDA_NUMA_H
#define CALIBRATE_CUDA_NUMA_H

#include <stdbool.h>

/* The node of a PCI device ("0000:17:00.0"), as `folder` has it (NULL: the system's); negative: not known, as where there is one. */
int numa_node_of(const char *folder, const char *bus_id);
/* Takes pages that this thread touches from now on from a node, while it has some; false: the system does not let us. */
bool numa_prefer(int node);
/* From wherever the system likes, as at first. */
void numa_anywhere(void);

#endif
