// SPDX-License-Identifier: GPL-3.0-or-later
// A pickled tree of modules as a Model.
#include "core/base/text.h"
#include "core/io/pickle/pickle_view.h"
#include "core/io/pickle/pickled_module.h"
#include "core/module/edit.h"

#include <map>

namespace fx {

namespace {

class Builder {
public:
    explicit Builder(Edit& edit) : m_edit(edit) {}

    ModuleId add(const PickledModule& module) {
        if (const auto known = m_modules.find(&module); known != m_modules.end())
            return known->second;
        const ModuleId id = m_edit.createModule(module.className);
        m_modules.emplace(&module, id);
        fill(id, module);
        return id;
    }

    void fill(ModuleId id, const PickledModule& module) {
        const Model& model = m_edit.model();
        const auto canTake = [&](const std::string& name, size_t count) {
            return !name.empty() && !contains(name, ".") && count < kMostMembers;
        };
        m_edit.enter(id);
        m_edit.setTraining(module.isTraining);
        for (const PickledModule::Tensor& entry : module.tensors)
            if (canTake(entry.name, model.module(id).tensors.size()))
                m_edit.setTensor(entry.name, entry.slot ? tensor(*entry.slot) : TensorId(), entry.role);
        for (const PickledModule::Attribute& entry : module.attributes)
            if (canTake(entry.name, model.module(id).values.size()))
                m_edit.setValue(entry.name, pickledArgument(*entry.value));
        for (const PickledModule::Child& entry : module.children) {
            if (!canTake(entry.name, model.module(id).children.size()))
                continue;
            if (!entry.module) {
                m_edit.setValue(entry.name, Argument());
                continue;
            }
            const ModuleId child = add(*entry.module);
            m_edit.enter(id);
            m_edit.addSubmodule(entry.name, child);
        }
    }

private:
    TensorId tensor(const TensorSlot& slot) {
        const auto [known, isNew] = m_tensors.try_emplace(&slot.meta());
        if (isNew)
            known->second = m_edit.createTensor(slot);
        return known->second;
    }

    Edit& m_edit;
    std::map<const PickledModule*, ModuleId> m_modules;
    std::map<const TensorMeta*, TensorId> m_tensors; ///< handles of one tensor share its description
};

NoGraph whyNoGraph(const PickledModel& pickled) {
    if (pickled.root->graph)
        return {"the code of a pickled GraphModule cannot be traced yet",
                "export the model with torch.export.save and open the .pt2"};
    const std::vector<std::string> foreign = foreignClasses(*pickled.root);
    if (foreign.empty())
        return {"a pickled module holds no graph", "export it with torch.export.save and open the .pt2"};
    return {"a pickled module names its classes and does not hold their code: " + foreign[0],
            "give the source: fxscope graph " + pickled.container->place() + " --source FILE.py"};
}

} // namespace

ModuleId addPickledModule(Edit& edit, const PickledModule& module) {
    return Builder(edit).add(module);
}

OpenedModel modelOfPickle(const PickledModel& pickled) {
    OpenedModel out;
    out.path = pickled.container->place();
    out.format = (pickled.root->graph ? "torch.save of a GraphModule (" : "torch.save of a module (") +
                 pickled.container->form() + ')';
    out.notes = pickled.notes;
    out.whyNoGraph = whyNoGraph(pickled);
    out.model = Model(pickled.root->className);
    Edit edit(out.model);
    Builder(edit).fill(out.model.root(), *pickled.root);
    edit.finish();
    return out;
}

} // namespace fx
