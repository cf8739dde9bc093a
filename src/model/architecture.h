/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_ARCHITECTURE_H
#define MODEL_ARCHITECTURE_H

#include "model/description.h"

/* What programs that train transformers ask for, of a network that has been expanded; all 0 of others. */
struct paradl_dimensions model_dimensions(const struct paradl_model *model, const struct item_list *layers);

#endif
