// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/model_sources.h"

#include "core/python/evaluator.h"
#include "core/trace/recorded_hooks.h"

#include <algorithm>

namespace fx {

namespace {

bool isOwn(std::string_view name) {
    static constexpr std::string_view kOthers[] = {"torch.",    "operator.", "_operator.",  "math.",
                                                   "builtins.", "typing.",   "collections."};
    return name.find('.') != std::string_view::npos &&
           std::ranges::none_of(kOthers, [&](std::string_view other) { return name.starts_with(other); });
}

/// A value of a class that is not torch's, or a function.
bool holdsUserClass(const Argument& value) {
    if (const auto* member = value.as<EnumValue>())
        return isOwn(member->type.name());
    if (const auto* function = value.as<FunctionValue>())
        return isOwn(function->target.name());
    if (const auto* made = value.as<NamedTupleValue>(); made && isOwn(made->type.name()))
        return true;
    if (const Arguments* items = value.items())
        return std::ranges::any_of(*items, [](const Argument& item) { return holdsUserClass(item); });
    const auto* dict = value.as<DictValue>();
    return dict && std::ranges::any_of(dict->items, [](const auto& item) {
               return holdsUserClass(item.first) || holdsUserClass(item.second);
           });
}

bool holdsUserClass(const TreeSpec& spec) {
    return isOwn(spec.type) ||
           std::ranges::any_of(spec.children, [](const TreeSpec& child) { return holdsUserClass(child); });
}

bool isUsersModule(const Module& module) {
    return !module.type.starts_with("torch.") || hasUserHook(module.values) ||
           std::ranges::any_of(module.values,
                               [](const NamedValue& entry) { return holdsUserClass(entry.value); });
}

/// A call of a function that is not torch's, or of a module of a class that is not; a value or an annotation
/// of one.
bool namesUserCode(const Model& model, ModuleId id) {
    if (const std::optional<Signature>& signature = model.graph(id).signature())
        if (holdsUserClass(signature->inputs) || (signature->outputs && holdsUserClass(*signature->outputs)))
            return true;
    for (const Node& node : model.graph(id)) {
        if (node.opcode == Opcode::CallFunction && isOwn(node.target.name()))
            return true;
        if ((node.type && isOwn(*node.type)) ||
            std::ranges::any_of(node.args, [](const Argument& arg) { return holdsUserClass(arg); }) ||
            std::ranges::any_of(node.kwargs, [](const auto& item) { return holdsUserClass(item.second); }))
            return true;
        if (node.opcode != Opcode::CallModule && node.opcode != Opcode::GetAttr)
            continue;
        const ModuleId callee = model.resolve(id, node.target.name()).module;
        bool isUsers = false;
        if (callee && !model.module(callee).graph)
            model.forEachModule(callee, [&](ModuleId part, const std::string&) {
                isUsers |= isUsersModule(model.module(part));
            });
        if (isUsers)
            return true;
    }
    return false;
}

} // namespace

std::vector<SourceText> neededSources(const Evaluator& evaluator, const Model& model) {
    bool isNeeded = false;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        isNeeded |= model.module(id).graph && namesUserCode(model, id);
    });
    if (!isNeeded)
        return {};
    std::vector<SourceText> sources;
    for (const Modules::UserFile& file : evaluator.modules().userFiles())
        // Code that torch.fx generated is in the graph already.
        if (!file.module.starts_with("pickled_code_"))
            sources.push_back({file.module, file.file->path, file.file->text, file.isPackage});
    return sources;
}

void keepSources(const Evaluator& evaluator, Model& model) {
    if (std::vector<SourceText> sources = neededSources(evaluator, model); !sources.empty())
        model.setSources(std::move(sources));
}

} // namespace fx
