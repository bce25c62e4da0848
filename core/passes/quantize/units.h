// SPDX-License-Identifier: GPL-3.0-or-later
// What of a graph is quantized as one: a call that has an integer form, with the relu after it, as torch.ao's
// configuration of its native backend has them. Both dialects, modules, functions and methods alike.
#pragma once

#include "core/passes/clean/effects.h"
#include "core/passes/clean/left_alone.h"
#include "core/passes/fuse/layers.h"
#include "core/passes/quantize/selection.h"

namespace fx {

enum class UnitKind {
    Layer,    ///< has a weight, which becomes integers
    Computes, ///< its result has a range of its own
    Shares,   ///< moves or picks values: the result has the range of what it is given
    Fixed     ///< its result has a range that is known: sigmoid's is 0 to 1
};

struct QuantizableUnit {
    UnitKind kind = UnitKind::Computes;
    std::string call;  ///< "conv2d"
    NodeId node, last; ///< the call, and the relu after it, what takes the output of it, or the call itself
    std::vector<NodeId> inputs;
    std::optional<Layer> layer;
    std::vector<Layer> recurrent; ///< of an LSTM or GRU: its matrices, of which `layer` is the first
    std::string name;             ///< of the call: by it users mean it, and its node may not stay

    /// All that have a weight.
    std::vector<Layer> layers() const;
};

/// "relu" of nn.ReLU, F.relu, torch.relu_, x.relu() and torch.ops.aten.relu.default; "add" of an operator;
/// empty for what has no such name.
std::string quantizedCallName(const Model& model, ModuleId module, const Node& node);

/// Whether a call makes numbers of integers, or integers of numbers.
bool isRestoring(const Node& node);
bool isQuantizing(const Node& node);

/// In graph order. Calls that could have been one, by their name or because they have weights, are told in
/// `left` with the reason.
std::vector<QuantizableUnit> findUnits(const Model& model, ModuleId module, const LayerSelection& selection,
                                       LeftAlone& left);

/// Values that something writes into while others still read them: no copy may stand for those.
class SharedWrites {
public:
    SharedWrites(const Model& model, ModuleId module);
    bool concerns(NodeId value) const { return m_memory.contains(m_effects.memoryOf(value)); }
    bool isWritten(NodeId value) const { return m_effects.isWritten(value); }

private:
    Effects m_effects;
    std::unordered_set<int32_t> m_memory;
};

} // namespace fx
