// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/change_module.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/passes/pass_options.h"
#include "core/passes/recorded_shapes.h"
#include "core/rewrite/made_module.h"
#include "core/torch/bind/call.h"
#include "core/torch/host/live_evaluator.h"

#include <ATen/ATen.h>

#include <map>
#include <tuple>

namespace fx {

namespace {

struct HeldTensor {
    std::string path; ///< below the module
    TensorId tensor;
    TensorRole role;
};

std::vector<HeldTensor> tensorsBelow(const Model& model, ModuleId module) {
    std::vector<HeldTensor> out;
    model.forEachModule(module, [&](ModuleId id, const std::string& path) {
        for (const NamedTensor& entry : model.module(id).tensors)
            if (entry.tensor)
                out.push_back(
                    {path.empty() ? entry.name : path + '.' + entry.name, entry.tensor, entry.role});
    });
    return out;
}

std::string shapeOf(const TensorMeta& meta) {
    return valueMetaText(ValueMeta{meta});
}

/// The old numbers as far as both reach, the new ones elsewhere.
at::Tensor resized(const at::Tensor& old, const at::Tensor& fresh) {
    const at::NoGradGuard noGrad;
    at::Tensor out = fresh.detach().clone(), from = old.detach(), to = out;
    for (int64_t axis = 0; axis < out.dim(); ++axis) {
        const int64_t size = std::min(from.size(axis), to.size(axis));
        from = from.narrow(axis, 0, size);
        to = to.narrow(axis, 0, size);
    }
    to.copy_(from);
    return out.set_requires_grad(fresh.requires_grad());
}

/// Nodes of the graph that call or read what lies at the path, in it, or around it.
std::vector<NodeId> readersOf(const Graph& graph, const std::string& path) {
    std::vector<NodeId> out;
    for (const Node& node : graph) {
        const std::string& target = node.target.name();
        const bool isPath = node.opcode == Opcode::CallModule || node.opcode == Opcode::GetAttr;
        if (isPath && (target == path || target.starts_with(path + '.') || path.starts_with(target + '.')))
            out.push_back(node.id);
    }
    return out;
}

class ModuleChanger {
public:
    ModuleChanger(Edit& edit, const PassOptions& options) : m_edit(edit), m_options(options) {}

    void run(PassContext& context) {
        const std::string& path = m_options.text("module");
        const Model& model = m_edit.model();
        const ModuleId old = model.resolve(m_edit.module(), path).module;
        if (!old)
            throw Error("--module", "there is no submodule '" + path + "'");
        if (model.module(old).graph)
            throw Error("--module", "'" + path + "' has a graph of its own, and is made by no constructor");
        const std::string constructor(trim(m_options.text("call")));
        const std::string type = constructedClass(constructor);
        if (type.empty())
            throw Error("--call", "'" + constructor + "' is no call of a class of torch.nn")
                .hint("write one, as in nn.Linear(8, 4)");
        const ModuleId fresh = makeModule(m_edit, constructor, type, model.module(old).isTraining);
        m_edit.addSubmodule(path, fresh);
        for (const HeldTensor& held : tensorsBelow(model, fresh))
            give(path, held, model.resolve(old, held.path).tensor);
        recordShapes(m_edit, readersOf(m_edit.graph(), path),
                     m_options.flag("unchecked") ? ShapeRule::Unchecked : ShapeRule::Checked);
        std::string line = path + ": " + constructor;
        for (const auto& [what, names] : m_done)
            line += "; " + what + ' ' + join(names, ", ");
        context.results.push_back(line);
    }

private:
    void give(const std::string& path, const HeldTensor& held, TensorId old) {
        const Model& model = m_edit.model();
        const TensorMeta meta = model.tensor(held.tensor).meta();
        TensorId given = held.tensor;
        std::string what = "new";
        if (const std::string& other = m_options.text("share"); !other.empty()) {
            given = model.resolve(m_edit.module(), other + '.' + held.path).tensor;
            if (!given || model.tensor(given).meta().shape != meta.shape)
                throw Error("--share", "'" + other + "' has no " + held.path + " of " + shapeOf(meta));
            what = "shared";
        } else if (m_options.text("weights") == "keep" && old) {
            const TensorMeta before = model.tensor(old).meta();
            if (before.shape == meta.shape) {
                given = old;
                what = "kept";
            } else if (before.shape.size() == meta.shape.size()) {
                given = m_edit.createTensor(
                    TensorSlot(resized(model.tensor(old).value(), model.tensor(held.tensor).value())));
                what = "resized";
            }
        }
        if (given != held.tensor)
            m_edit.setTensor(path + '.' + held.path, given, held.role);
        m_done[what].push_back(held.path);
    }

    Edit& m_edit;
    const PassOptions& m_options;
    std::map<std::string, std::vector<std::string>> m_done;
};

} // namespace

void runChangeModule(Edit& edit, const PassOptions& options, PassContext& context) {
    guarded([&] { ModuleChanger(edit, options).run(context); });
}

std::vector<PassOption> changeModuleOptions() {
    using enum OptionType;
    return {{.name = "module", .type = String, .help = "path of the submodule", .isRequired = true},
            {.name = "call",
             .type = Constructor,
             .help = "what makes it, as Python: nn.Linear(8, 4, bias=False)",
             .isRequired = true},
            {.name = "weights",
             .type = Choice,
             .help =
                 "keep: those that it has, of another shape as far as both reach; new: as its constructor "
                 "makes them",
             .byDefault = "keep",
             .choices = {"keep", "new"}},
            {"share", String, "path of a module whose tensors it shares from then on"},
            {"unchecked", Bool, "also where a call cannot take the shapes that are recorded"}};
}

void runSetTensor(Edit& edit, const PassOptions& options, PassContext& context) {
    const std::string& path = options.text("tensor");
    const Model& model = edit.model();
    const TensorId old = model.resolve(edit.module(), path).tensor;
    if (!old)
        throw Error("--tensor", "there is no tensor '" + path + "'");
    at::Tensor fresh;
    guarded([&] {
        const at::NoGradGuard noGrad;
        const Value before(c10::IValue(model.tensor(old).value().detach()));
        LiveEvaluator evaluator(
            [&](const std::string& name) { return name == "value" ? std::optional(before) : std::nullopt; });
        const Value value = evaluator.evaluate(options.text("value"), "--value");
        if (!value.isTensor() || !value.data().toTensor().defined())
            throw Error("--value", "gives a " + typeName(value) + ", and no tensor")
                .hint("torch.full_like(value, 3)");
        fresh = value.data().toTensor().detach().clone();
        const bool mayHaveGradient = fresh.is_floating_point() || fresh.is_complex();
        fresh.set_requires_grad(model.tensor(old).meta().requiresGrad && mayHaveGradient);
    });
    const ModuleId home = edit.module();
    const TensorId made = edit.createTensor(TensorSlot(fresh));
    std::vector<std::tuple<ModuleId, std::string, TensorRole>> holders;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        for (const NamedTensor& entry : model.module(id).tensors)
            if (entry.tensor == old)
                holders.emplace_back(id, entry.name, entry.role);
    });
    for (const auto& [module, name, role] : holders) {
        edit.enter(module);
        edit.setTensor(name, made, role);
    }
    edit.enter(home);
    const std::string before = shapeOf(model.tensor(old).meta()), now = shapeOf(model.tensor(made).meta());
    if (before != now)
        recordShapes(edit, readersOf(edit.graph(), path),
                     options.flag("unchecked") ? ShapeRule::Unchecked : ShapeRule::Checked);
    context.results.push_back(path + ": " + now + (before == now ? "" : ", was " + before) +
                              (holders.size() > 1 ? ", in " + plural(holders.size(), "place") : ""));
}

std::vector<PassOption> setTensorOptions() {
    using enum OptionType;
    return {{.name = "tensor", .type = String, .help = "path of the tensor", .isRequired = true},
            {.name = "value",
             .type = String,
             .help = "an expression over `value`, which it has now, and torch: value * 2, torch.zeros(3)",
             .isRequired = true},
            {"unchecked", Bool, "also where a call cannot take the shapes that are recorded"}};
}

} // namespace fx
