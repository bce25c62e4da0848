// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/box_text.h"

#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/torch/bind/call_facts.h"

#include <algorithm>
#include <set>

namespace fx {

namespace {

/// Numbers and switches that a module has unless it says otherwise.
bool isUsual(const std::string& name, const std::string& text) {
    static const std::set<std::string> kUsual = {"None",      "False",   "1",     "(1,)", "(1, 1)",
                                                 "(1, 1, 1)", "'zeros'", "1e-05", "2.0",  "()"};
    static const std::set<std::string> kNone = {"0", "(0,)", "(0, 0)", "(0, 0, 0)", "'zeros'"};
    return name.find("padding") != std::string::npos ? kNone.contains(text) : kUsual.contains(text);
}

/// What comes first in the call of the class, and needs no name there.
bool isSize(std::string_view name) {
    static constexpr std::string_view kSizes[] = {
        "in_features",      "out_features",   "in_channels",   "out_channels",
        "num_features",     "num_embeddings", "input_size",    "hidden_size",
        "normalized_shape", "num_groups",     "num_channels",  "embed_dim",
        "num_heads",        "output_size",    "embedding_dim", "p"};
    return std::find(std::begin(kSizes), std::end(kSizes), name) != std::end(kSizes);
}

/// Its class with the attributes that tell it from others of the class; batch norm's "momentum=0.1" would
/// not.
std::string moduleText(const Module& module) {
    const NodeNames none = [](NodeId) { return std::string(); };
    const std::string type = shortTypeName(module.type);
    const CallKind kind = factsOf(module).kind;
    const bool isNorm =
        kind == CallKind::BatchNorm || kind == CallKind::InstanceNorm || kind == CallKind::OtherNorm;
    std::vector<std::string> sizes, others;
    for (const NamedValue& value : module.values) {
        if (value.name.starts_with('_') || (isNorm && !isSize(value.name)))
            continue;
        const std::string text = reprText(value.value, none);
        if (isSize(value.name))
            sizes.push_back(text);
        else if (!isUsual(value.name, text) && text.size() < 40)
            others.push_back(value.name + '=' + text);
    }
    sizes.insert(sizes.end(), others.begin(), others.end());
    return sizes.empty() ? type : type + '(' + join(sizes, ", ") + ')';
}

} // namespace

ModuleCalls moduleCalls(const Model& model, ModuleId owner) {
    ModuleCalls out;
    for (const Node& node : model.graph(owner))
        if (node.opcode == Opcode::CallModule)
            if (const ModuleId called = model.resolve(owner, node.target.name()).module)
                out.try_emplace(node.target.name(), moduleText(model.module(called)));
    return out;
}

BoxTexts::BoxTexts(const Graph& graph, const ScopeTree& scopes, ModuleCalls modules)
    : m_graph(graph), m_scopes(scopes), m_equal(equalScopes(graph, scopes, modules)),
      m_modules(std::move(modules)) {}

std::string BoxTexts::scopeTitle(int index) const {
    const Scope& scope = m_scopes.scope(index);
    const int around = m_scopes.around(scope.parent, [](const Scope& each) { return !each.isGroup; });
    const std::string& parent = m_scopes.scope(std::max(around, 0)).path;
    const bool isBelow = !parent.empty() && scope.path.starts_with(parent + '.');
    return isBelow ? scope.path.substr(parent.size() + 1) : scope.path;
}

BoxText BoxTexts::text(const DiagramBox& box) const {
    BoxText out = wholeText(box);
    for (std::string* text : {&out.title, &out.detail, &out.value, &out.badge})
        *text = shownPart(*text, kLabelLimits);
    return out;
}

BoxText BoxTexts::wholeText(const DiagramBox& box) const {
    if (box.kind == DiagramBox::Kind::Node || box.kind == DiagramBox::Kind::Stub) {
        const Node& node = m_graph.node(box.node);
        const auto module =
            node.opcode == Opcode::CallModule ? m_modules.find(node.target.name()) : m_modules.end();
        BoxText out{box.standsFor < 0 ? node.name : scopeTitle(box.standsFor),
                    module == m_modules.end() ? m_calls.text(m_graph, node) : module->second,
                    {},
                    {}};
        if (const ValueMeta* value = knownValue(node.meta); value && node.opcode != Opcode::Output)
            out.value = valueMetaText(*value);
        return out;
    }
    BoxText out{scopeTitle(box.scope), shortTypeName(m_scopes.scope(box.scope).type), {}, {}};
    out.value = plural(box.seen, "node");
    const Scope& scope = m_scopes.scope(box.scope);
    const std::string& equal = m_equal[static_cast<size_t>(box.scope)];
    if (!equal.empty())
        out.badge = "same as " + equal;
    else if (scope.repeats > 0 && !scope.isGroup)
        out.badge = blockName(m_scopes.scope(scope.children[0])) + " x " + std::to_string(scope.repeats);
    return out;
}

} // namespace fx
