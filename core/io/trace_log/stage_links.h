// SPDX-License-Identifier: GPL-3.0-or-later
// Which nodes of one stage of a compilation became which of the next.
#pragma once

#include "core/io/trace_log/compile_log.h"
#include "core/module/edit.h"

#include <optional>

namespace fx {

/// The stage that a stage was made from; none for the first.
std::optional<size_t> stageBefore(const std::vector<CompileStage>& stages, size_t stage);

/// A stage in the model that is made.
struct StageGraph {
    const CompileStage* stage;
    std::string path;
    ModuleId module;
};
/// Writes the counterparts into the metadata of the nodes (meta::kStages). Within Dynamo's stages, and within
/// those after AOT autograd, a node keeps its name; between the two, nodes have the place in the source in
/// common, or what PyTorch has noted.
void linkStages(Edit& edit, const FrameCompile& compile, const std::vector<StageGraph>& graphs);

} // namespace fx
