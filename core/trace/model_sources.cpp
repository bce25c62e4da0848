// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/model_sources.h"

#include "core/python/evaluator.h"
#include "core/trace/recorded_hooks.h"

namespace fx {

namespace {

bool isOwn(std::string_view name) {
    return !name.starts_with("torch.") && name.find('.') != std::string_view::npos;
}

/// A call of a function that is not torch's, or of a module of a class that is not.
bool callsUserCode(const Model& model, ModuleId id) {
    for (const Node& node : model.graph(id)) {
        if (node.opcode == Opcode::CallFunction && isOwn(node.target.name()) &&
            !node.target.name().starts_with("operator.") && !node.target.name().starts_with("math."))
            return true;
        if (node.opcode != Opcode::CallModule)
            continue;
        const ModuleId callee = model.resolve(id, node.target.name()).module;
        bool isUsers = false;
        if (callee && !model.module(callee).graph)
            model.forEachModule(callee, [&](ModuleId part, const std::string&) {
                isUsers |=
                    !model.module(part).type.starts_with("torch.") || hasUserHook(model.module(part).values);
            });
        if (isUsers)
            return true;
    }
    return false;
}

} // namespace

void keepSources(const Evaluator& evaluator, Model& model) {
    bool isNeeded = false;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        isNeeded |= model.module(id).graph && callsUserCode(model, id);
    });
    if (!isNeeded)
        return;
    std::vector<SourceText> sources;
    for (const Evaluator::UserFile& file : evaluator.userFiles())
        // Code that torch.fx generated is in the graph already.
        if (!file.module.starts_with("pickled_code_"))
            sources.push_back({file.module, file.file->path, file.file->text, file.isPackage});
    model.setSources(std::move(sources));
}

} // namespace fx
