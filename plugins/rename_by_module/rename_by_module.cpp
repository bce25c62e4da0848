// SPDX-License-Identifier: GPL-3.0-or-later
// A pass that names nodes after the modules that they come from: conv2d_7 of layer1.0.conv1 becomes
// layer1_0_conv1. A module that makes several nodes gives them numbers, as torch.fx does with names that are
// taken.
#include "core/base/text.h"
#include "core/ir/names.h"
#include "core/passes/pass_options.h"
#include "core/plugins/plugin.h"

#include <algorithm>

namespace {

using namespace fx;

/// "layer1.0.conv1" with two parts: "0_conv1"; no identifier begins with a digit, so "_0_conv1".
std::string nameOf(const std::string& path, size_t parts) {
    std::vector<std::string_view> atoms = split(path, '.');
    if (parts > 0 && atoms.size() > parts)
        atoms.erase(atoms.begin(), atoms.end() - static_cast<std::ptrdiff_t>(parts));
    const std::string name = join(atoms, "_");
    return !name.empty() && name[0] >= '0' && name[0] <= '9' ? '_' + name : name;
}

void renameByModule(Edit& edit, const PassOptions& options, PassContext& context) {
    const std::vector<NodeId> only = options.nodes("only", edit.graph());
    const auto parts = static_cast<size_t>(std::max<int64_t>(0, options.integer("parts")));
    std::vector<NodeId> nodes;
    for (const Node& node : edit.graph())
        if (only.empty() || std::find(only.begin(), only.end(), node.id) != only.end())
            nodes.push_back(node.id);
    size_t count = 0;
    for (const NodeId id : nodes) {
        const Node& node = edit.node(id);
        const auto* stack = node.meta.find<ModuleStack>(meta::kModuleStack);
        if (!stack || stack->empty() || node.opcode == Opcode::Output || node.opcode == Opcode::Placeholder)
            continue;
        std::string name = nameOf(stack->back().path, parts);
        // A number at the end would be taken for one that tells nodes of a name apart: layers_1 for the
        // second of layers.0.
        if (!name.empty() && name.back() >= '0' && name.back() <= '9')
            name += '_' + std::string(split(node.target.functionName(), '.').front());
        const bool isNamedSo = node.name == name || node.name.starts_with(name + '_');
        if (!isLegalName(name) || isReservedName(name) || isNamedSo)
            continue;
        edit.rename(id, name);
        context.progress.step(static_cast<double>(++count) / static_cast<double>(nodes.size()), name);
    }
}

} // namespace

FXSCOPE_PLUGIN(registry) {
    using enum OptionType;
    registry.passes.push_back(
        {"rename-by-module",
         "Name nodes after modules",
         "name each node after the module that it comes from",
         kAnyDialect,
         {{"parts", Int, "how many parts of the module's path the name has, counted from its end; 0: all",
           "0"},
          {"only", Nodes, "the nodes that get names; without it all"}},
         renameByModule});
}
