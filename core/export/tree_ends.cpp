// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/tree_ends.h"

#include "core/codegen/written_names.h"
#include "core/torch/values/script_objects.h"

#include <functional>

namespace fx {

Lines ties(const Model& model, const std::map<ModuleId, std::string>& homes) {
    Lines out;
    std::map<std::pair<TensorId, bool>, std::string> tensors;
    const std::function<void(ModuleId, const TreePlace&)> walk = [&](ModuleId id, const TreePlace& at) {
        const Module& module = model.module(id);
        for (const NamedTensor& entry : module.tensors) {
            if (!entry.tensor || entry.name == kHeldWeight || entry.name == kHeldBias ||
                isScriptClass(module.type))
                continue;
            const auto [first, isNew] =
                tensors.try_emplace({entry.tensor, entry.role == TensorRole::Parameter},
                                    attributeExpression(at.object, entry.name));
            if (!isNew)
                out.push_back(assignment(at.object, entry.name, first->second));
        }
        for (const NamedModule& child : module.children) {
            const TreePlace place = at.below(child.name);
            const auto home = homes.find(child.module);
            if (home == homes.end() || home->second == place.path)
                walk(child.module, place);
            else
                out.push_back(childAssignment(model, at, child, pathExpression("self", home->second)));
        }
    };
    walk(model.root(), {"self", ""});
    return out;
}

Lines frozenParameters(const Model& model) {
    Lines out;
    std::set<ModuleId> seen;
    struct Count {
        size_t frozen = 0, all = 0;
    };
    const std::function<Count(ModuleId, const TreePlace&, Lines&)> walk =
        [&](ModuleId id, const TreePlace& at, Lines& lines) {
            Count count;
            Lines own;
            if (!seen.insert(id).second || isScriptClass(model.module(id).type))
                return count;
            for (const NamedTensor& entry : model.module(id).tensors)
                if (entry.role == TensorRole::Parameter && entry.tensor) {
                    ++count.all;
                    if (model.tensor(entry.tensor).meta().requiresGrad)
                        continue;
                    ++count.frozen;
                    own.push_back(at.below(entry.name).object + ".requires_grad_(False)");
                }
            for (const NamedModule& child : model.module(id).children) {
                const Count below = walk(child.module, at.below(child.name), own);
                count.frozen += below.frozen;
                count.all += below.all;
            }
            if (count.all > 0 && count.frozen == count.all)
                own = {at.object + ".requires_grad_(False)"};
            lines.insert(lines.end(), own.begin(), own.end());
            return count;
        };
    walk(model.root(), {"self", ""}, out);
    return out;
}

Lines trainingModes(const Model& model, const std::set<ModuleId>& called) {
    Lines out;
    std::set<ModuleId> seen;
    const std::function<void(ModuleId, const TreePlace&, bool)> walk = [&](ModuleId id, const TreePlace& at,
                                                                           bool isTraining) {
        const Module& module = model.module(id);
        if (!seen.insert(id).second || isScriptClass(module.type))
            return;
        // Containers that only give others their place have no mode of their own.
        const bool hasMode = module.graph || called.contains(id);
        if (hasMode && module.isTraining != isTraining) {
            isTraining = module.isTraining;
            out.push_back(at.object + (isTraining ? ".train()" : ".eval()"));
        }
        for (const NamedModule& child : module.children)
            walk(child.module, at.below(child.name), isTraining);
    };
    walk(model.root(), {"self", ""}, true);
    return out;
}

} // namespace fx
