// SPDX-License-Identifier: GPL-3.0-or-later
// The passes over gradual types.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/passes/pass.h"
#include "core/passes/pass_options.h"
#include "core/passes/symbolic/symbolic_shapes.h"
#include "core/passes/symbolic/tensor_types.h"

namespace fx {

std::vector<PassOption> declareSizesOptions() {
    using enum OptionType;
    return {
        {.name = "nodes", .type = Nodes, .help = "whose values have them", .isRequired = true},
        {"sizes", String,
         "numbers, names that stand for one size each, and Dyn for any: (N, Dyn, 4); without it nothing is "
         "declared any more"}};
}

std::vector<PassOption> checkTypesOptions() {
    return {
        {"sizes", OptionType::String,
         "inputs with names for the sizes that may differ: x=[N,3,H,W]; without it as they are declared"}};
}

void runDeclareSizes(Edit& edit, const PassOptions& options, PassContext&) {
    const std::string text = options.text("sizes");
    const std::optional<TensorType> type = readTensorType(text);
    if (!text.empty() && !type)
        throw Error("'" + text + "'", "is no list of sizes").hint("give numbers, names and Dyn: (N, Dyn, 4)");
    std::vector<std::string> parts;
    bool hasNames = false;
    if (type)
        for (const DeclaredSize& size : *type) {
            const auto* number = std::get_if<int64_t>(&size);
            parts.push_back(number ? std::to_string(*number) : "torch.fx.tensor_type._DynType");
            hasNames |= std::holds_alternative<std::string>(size);
        }
    for (const NodeId node : options.nodes("nodes", edit.graph())) {
        edit.setType(node, type ? std::optional("torch.fx.tensor_type.TensorType[" + join(parts, ", ") + ']')
                                : std::nullopt);
        edit.setMeta(node, meta::kDeclaredSizes,
                     hasNames ? SharedMeta(Argument(tensorTypeText(*type))) : SharedMeta());
    }
}

namespace {

/// The inputs as they are declared: "x=[N,x_1,4]"; empty where no size of theirs may differ.
std::string declaredInputs(const Graph& graph) {
    std::vector<std::string> out;
    bool mayDiffer = false;
    for (const Node& node : graph) {
        const std::optional<TensorType> type =
            node.opcode == Opcode::Placeholder ? declaredType(node) : std::nullopt;
        if (!type)
            continue;
        std::vector<std::string> sizes;
        for (size_t i = 0; i < type->size(); ++i) {
            mayDiffer |= !std::holds_alternative<int64_t>((*type)[i]);
            sizes.push_back(std::holds_alternative<Dyn>((*type)[i]) ? node.name + '_' + std::to_string(i)
                                                                    : sizeText((*type)[i]));
        }
        out.push_back(node.name + "=[" + join(sizes, ",") + ']');
    }
    return mayDiffer ? join(out, ";") : "";
}

} // namespace

void runCheckTypes(Edit& edit, const PassOptions& options, PassContext& context) {
    const std::string asked = options.text("sizes");
    const std::string sizes = asked.empty() ? declaredInputs(edit.graph()) : asked;
    SymbolicShapes found;
    if (!sizes.empty()) {
        const SymbolicInputs inputs = readSymbolicInputs(edit.model(), sizes);
        GraphInputs others;
        if (needsMore(edit.model(), inputs) && context.inputs)
            others = context.inputs(edit.model());
        found = findSymbolicShapes(edit.model(), inputs, others, {}, context.progress);
    }
    const auto valueOf = [&](NodeRef node) -> const ValueMeta* {
        const auto value = found.values.find({node.module, node.node});
        return value != found.values.end() ? &value->second
                                           : knownValue(edit.model().graph(node.module).node(node.node).meta);
    };
    const std::vector<TypeDisagreement> faults = typeDisagreements(edit.model(), edit.module(), valueOf);
    for (const SizeConstraint& constraint : found.constraints)
        context.results.push_back(
            constraint.text + ", for " +
            nodePlace(edit.model().graph(constraint.node.first), constraint.node.second));
    if (faults.empty())
        return;
    std::vector<std::string> lines;
    for (const TypeDisagreement& fault : faults)
        lines.push_back("'" + edit.graph().node(fault.node.node).name + "' is " + fault.reason);
    throw Error("types", join(lines, "\n"));
}

} // namespace fx
