// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/graph_module_file.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/pickle/pickle_writer.h"
#include "core/io/pickle/pickled_entries.h"
#include "core/io/torch/loadable_names.h"
#include "core/io/torch/module_contents.h"
#include "core/io/torch/plain_call.h"
#include "core/io/torch/torch_archive.h"
#include "core/module/known_faults.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace fx {

namespace {

/// What torch.nn.Module keeps in each instance, all of them empty.
constexpr const char* kNoHooks[] = {"_backward_pre_hooks",
                                    "_backward_hooks",
                                    "_forward_hooks",
                                    "_forward_hooks_with_kwargs",
                                    "_forward_hooks_always_called",
                                    "_forward_pre_hooks",
                                    "_forward_pre_hooks_with_kwargs",
                                    "_state_dict_hooks",
                                    "_state_dict_pre_hooks",
                                    "_load_state_dict_pre_hooks",
                                    "_load_state_dict_post_hooks"};

/// The model as it is written.
Model writtenForm(const Model& model, std::vector<std::string>& notes) {
    Model out = withPlainCalls(model);
    notes = renameShadowingInputs(out);
    return out;
}

class ModuleFile {
public:
    explicit ModuleFile(const OpenedModel& opened)
        : m_model(writtenForm(opened.model, m_notes)), m_contents(m_model) {}

    const std::vector<std::string>& notes() const { return m_notes; }

    const ModuleContents& contents() const { return m_contents; }
    const Model& model() const { return m_model; }

    void write(PickleWriter& out) { addModule(out, m_model.root()); }

private:
    // --- Modules

    void addModule(PickleWriter& out, ModuleId id) {
        const Module& module = m_model.module(id);
        if (out.recall(&module))
            return;
        if (module.graph) {
            const PythonCode code(m_model, id);
            out.global("torch.fx.graph_module", "reduce_graph_module");
            out.beginTuple();
            addFields(out, id, &code);
            out.text(m_contents.importBlock(code));
            out.endTuple();
            out.reduce();
            out.remember(&module);
            return;
        }
        const auto [owner, name] = ownerAndName(m_contents.className(id));
        out.global(owner, name);
        out.beginTuple();
        out.endTuple();
        out.newObject();
        out.remember(&module);
        addFields(out, id, nullptr);
        out.build();
    }

    /// The instance's __dict__; of a graph with its code.
    void addFields(PickleWriter& out, ModuleId id, const PythonCode* code) {
        const Module& module = m_model.module(id);
        out.beginDict();
        out.text("training");
        out.boolean(m_contents.isTraining(id));
        addTensors(out, id, "_parameters", {TensorRole::Parameter});
        addTensors(out, id, "_buffers", {TensorRole::Buffer, TensorRole::TransientBuffer});
        out.text("_non_persistent_buffers_set");
        out.global("__builtin__", "set");
        out.beginTuple();
        out.beginList();
        for (const NamedTensor& entry : module.tensors)
            if (entry.role == TensorRole::TransientBuffer)
                out.text(entry.name);
        out.endList();
        out.endTuple();
        out.reduce();
        for (const char* hooks : kNoHooks) {
            out.text(hooks);
            out.emptyOrderedDict();
        }
        out.text("_is_full_backward_hook");
        out.none();
        out.text("_modules");
        out.beginDict();
        for (const NamedModule& child : module.children) {
            out.text(child.name);
            addModule(out, child.module);
        }
        out.endDict();
        for (const NamedTensor& entry : module.tensors)
            if (entry.role == TensorRole::Constant) {
                out.text(entry.name);
                addTensor(out, id, entry);
            }
        for (const NamedValue& entry : module.values)
            if (const Arguments* names = ModuleContents::flatWeights(module, entry)) {
                out.text(entry.name);
                addWeights(out, id, *names);
            } else if (m_contents.isKept(id, entry)) {
                out.text(entry.name);
                addValue(out, entry.value);
            }
        if (code)
            addCode(out, id, *code);
        out.endDict();
    }

    void addTensors(PickleWriter& out, ModuleId id, const char* field, const std::set<TensorRole>& roles) {
        out.text(field);
        out.beginDict();
        for (const NamedTensor& entry : m_model.module(id).tensors)
            if (roles.contains(entry.role)) {
                out.text(entry.name);
                addTensor(out, id, entry);
            }
        out.endDict();
    }

    void addTensor(PickleWriter& out, ModuleId id, const NamedTensor& entry) {
        if (!entry.tensor) {
            out.none();
            return;
        }
        const TensorSlot& slot = m_model.tensor(entry.tensor);
        // Handles of one tensor share its description.
        const void* key = &slot.meta();
        if (out.recall(key))
            return;
        const std::string& path = m_contents.path(id);
        const std::string place = "tensor '" + (path.empty() ? path : path + '.') + entry.name + "'";
        const at::Tensor value = slot.value();
        if (value.is_meta())
            throw Error(place, "has no data, so that it cannot be saved");
        try {
            if (entry.role == TensorRole::Parameter)
                out.parameter(value, slot.meta().requiresGrad);
            else
                out.tensor(value, slot.meta().requiresGrad);
        } catch (const Error& error) {
            throw Error(place, error.message());
        }
        out.remember(key);
    }

    void addWeights(PickleWriter& out, ModuleId id, const Arguments& names) {
        out.beginList();
        for (const Argument& name : names)
            addTensor(out, id, *m_model.module(id).tensor(*name.as<std::string>()));
        out.endList();
    }

    void addCode(PickleWriter& out, ModuleId id, const PythonCode& code) {
        out.text("_code");
        out.text(code.text());
        out.text("_tracer_cls");
        out.global("torch.fx._symbolic_trace", "Tracer");
        out.text("_tracer_extras");
        out.beginDict();
        out.endDict();
        out.text("meta");
        out.beginDict();
        out.endDict();
        out.text("_graphmodule_graph_node_meta_stack_trace");
        out.beginDict();
        for (const Node& node : m_model.graph(id))
            if (const auto* trace = node.meta.find<std::string>(meta::kStackTrace)) {
                out.text(node.name);
                out.text(*trace);
            }
        out.endDict();
    }

    void addValue(PickleWriter& out, const Argument& value) {
        if (const auto* function = value.as<FunctionValue>()) {
            const auto [owner, name] = ownerAndName(function->target.qualifiedName());
            out.global(owner.empty() ? "__builtin__" : owner, name);
        } else if (const auto* member = value.as<EnumValue>()) {
            out.global("torch", member->member);
        } else if (const auto* dict = value.as<DictValue>()) {
            out.beginDict();
            for (const auto& [key, item] : dict->items) {
                addValue(out, key);
                addValue(out, item);
            }
            out.endDict();
        } else if (const Arguments* items = value.items()) {
            const bool isList = value.as<ListValue>();
            isList ? out.beginList() : out.beginTuple();
            for (const Argument& item : *items)
                addValue(out, item);
            isList ? out.endList() : out.endTuple();
        } else {
            out.argument(value);
        }
    }

    std::vector<std::string> m_notes;
    const Model m_model;
    const ModuleContents m_contents;
};

// --- What was written, read again

class Comparison {
public:
    Comparison(const ModuleFile& file) : m_file(file), m_model(file.model()) {}

    void requireSame(ModuleId id, const PickledModule& read, const std::string& path) const {
        const Module& module = m_model.module(id);
        const std::string place = "module '" + path + "'";
        if (module.graph) {
            const PythonCode code(m_model, id);
            if (!read.graph || read.graph->code != code.text() ||
                read.graph->importBlock != m_file.contents().importBlock(code))
                throw Error(place, "has another graph in what was written");
        } else if (read.className != m_file.contents().className(id)) {
            throw Error(place, "has another class in what was written");
        }
        if (read.children.size() != module.children.size() ||
            read.isTraining != m_file.contents().isTraining(id))
            throw Error(place, "is another in what was written");
        for (const NamedTensor& entry : module.tensors) {
            const auto found = std::ranges::find(read.tensors, entry.name, &PickledModule::Tensor::name);
            const bool isThere = found != read.tensors.end() && found->role == entry.role &&
                                 found->slot.has_value() == bool(entry.tensor);
            if (!isThere ||
                (entry.tensor && !isSame(m_model.tensor(entry.tensor).value(), found->slot->value())))
                throw Error(place, "has another tensor " + pythonRepr(entry.name) + " in what was written");
        }
        for (size_t i = 0; i < module.children.size(); ++i) {
            const NamedModule& child = module.children[i];
            if (read.children[i].name != child.name || !read.children[i].module)
                throw Error(place, "has other modules in what was written");
            requireSame(child.module, *read.children[i].module,
                        path.empty() ? child.name : path + '.' + child.name);
        }
    }

private:
    static bool isSame(const at::Tensor& one, const at::Tensor& other) {
        if (one.scalar_type() != other.scalar_type() || one.sizes() != other.sizes() ||
            one.layout() != other.layout())
            return false;
        if (one.layout() != at::kStrided || one.is_quantized())
            return true;
        const auto bytes = [](const at::Tensor& tensor) {
            return tensor.detach().resolve_conj().resolve_neg().cpu().contiguous();
        };
        const at::Tensor mine = bytes(one), theirs = bytes(other);
        return mine.nbytes() == 0 || std::memcmp(mine.data_ptr(), theirs.data_ptr(), mine.nbytes()) == 0;
    }

    const ModuleFile& m_file;
    const Model& m_model;
};

} // namespace

void requirePicklable(const OpenedModel& model) {
    if (!model.whyNoGraph.reason.empty())
        throw Error("", "there is no graph: " + model.whyNoGraph.reason).hint(model.whyNoGraph.advice);
    std::vector<std::string> notes;
    const Model plain = writtenForm(model.model, notes);
    ModuleContents(plain).check();
}

std::vector<std::string> writeGraphModule(const OpenedModel& model, const std::string& path,
                                          Progress& progress, const LoadCheck& requireLoadable) {
    requirePicklable(model);
    progress.step(0, "writing " + path);
    ModuleFile file(model);
    PickleWriter pickle;
    file.write(pickle);
    progress.step(0.3, "tensors");
    writeTorchFile(path, pickle, [&](const std::string& written) {
        progress.step(0.8, "reading what was written");
        const auto container = std::make_shared<const TorchContainer>(TorchContainer::open(written));
        const std::optional<PickledModel> read = pickledModelIn(container);
        if (!read)
            throw Error(path, "was written as no module").hint("nothing was saved; report this");
        Comparison(file).requireSame(file.model().root(), *read->root, "");
        requireLoadable(file.model(), *read);
    });
    progress.step(1, "done");
    std::vector<std::string> notes = file.notes();
    for (const auto& graph : graphsOf(model.model))
        if (model.model.graph(graph).signature()) {
            notes.push_back(
                "the graph takes nested values as they are, as torch.load cannot trace code that flattens "
                "them");
            break;
        }
    return notes;
}

} // namespace fx
