// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of a tensor's picture as pixels, for whoever paints it large or small.
#pragma once

#include "core/torch/values/tensor_picture.h"
#include "widgets/panes/colour_scale.h"
#include "widgets/style/tokens.h"

#include <QImage>

namespace fx::ui {

/// A pixel for each cell. NaN has a colour of its own, and where the grid has no tile there is none.
QImage imageOf(const TensorPicture& picture, const ColourScale& scale, const Tokens& tokens);

} // namespace fx::ui
