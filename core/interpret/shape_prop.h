// SPDX-License-Identifier: GPL-3.0-or-later
// Records the shape and dtype of every value of a run (torch.fx's ShapeProp).
#pragma once

#include "core/interpret/interpreter.h"
#include "core/module/edit.h"

#include <map>

namespace fx {

class ShapeObserver : public Observer {
public:
    void afterNode(const Interpreter& interpreter, const Node& node, const Value& value) override;

    /// The last value that each node had, by graph.
    const std::map<std::pair<ModuleId, NodeId>, ValueMeta>& shapes() const { return m_shapes; }

private:
    std::map<std::pair<ModuleId, NodeId>, ValueMeta> m_shapes;
};

/// Runs the model with these inputs and writes what it saw into the nodes' metadata under "tensor_meta".
/// Gives the result of the run, at which `watcher` looks too.
Value propagateShapes(Edit& edit, GraphInputs inputs, RunSettings settings = {}, Observer* watcher = nullptr);

/// Bytes of all tensors in a value with known sizes; none where a size is symbolic.
std::optional<uint64_t> byteCount(const ValueMeta& value);

} // namespace fx
