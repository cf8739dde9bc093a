/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recognises files that the user may not have meant to import: transformers, and networks whose norms were folded on
 * export.
 */
#include <string.h>

#include "base/error.h"
#include "import/onnx/onnx_network.h"

enum { FEW_CONVOLUTIONS = 10, MANY_SOFTMAXES = 4 };

bool network_remarks(struct onnx_network *network)
{
	if (network->embeddings > 0 && network->softmaxes >= MANY_SOFTMAXES) {
		graph_error(network->graph,
			"looks like a transformer: it has %u embeddings and %u softmaxes of attention",
			network->embeddings, network->softmaxes);
		error_hint(network->graph->error,
			"its config.json says what it is, and 'paradl import' reads that; "
			"an ONNX file has only its arithmetic");
		return false;
	}
	if (network->softmaxes >= MANY_SOFTMAXES)
		warn(network->warnings,
			"%u softmaxes: if these are attention, they are custom layers here, which no axis "
			"cuts but samples; "
			"its config.json would tell more",
			network->softmaxes);
	if (network->norms == 0 && network->convolutions > FEW_CONVOLUTIONS &&
		network->folded >= network->convolutions - 1) {
		warn(network->warnings,
			"%u convolutions with bias and no norm: batch norms may have been folded into them "
			"on export, "
			"which training does not do. In PyTorch: torch.onnx.export(model, x, \"model.onnx\", "
			"training=torch.onnx.TrainingMode.TRAINING, do_constant_folding=False)",
			network->convolutions);
	}
	return !network->warnings->out_of_memory || out_of_memory(network->graph->error);
}
