// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/state_dict.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/pickle/pickle_view.h"
#include "core/io/pickle/pickled_entries.h"
#include "core/io/pickle/pickled_tensors.h"
#include "core/module/edit.h"

#include <algorithm>
#include <map>
#include <set>

namespace fx {

namespace {

/// Where training programs put the weights among the rest of a checkpoint, the most telling name first.
constexpr std::string_view kUsualKeys[] = {
    "state_dict", "model_state_dict", "model_state", "model", "module",    "net",           "network",
    "weights",    "params",           "params_ema",  "ema",   "generator", "state_dict_ema"};
constexpr std::string_view kWrappers[] = {"module.", "_orig_mod."};

/// A tree deeper than this is nobody's model, and walking it would take the stack.
constexpr size_t kMostNameParts = 100;

struct StateDictReader {
    const TorchContainer& container;
    PickledTensors tensors{container, true};

    /// None unless all keys are texts and there is a tensor, or a mark that only state_dicts have.
    std::optional<StateDict> read(const PickleValue& value) {
        const std::optional<PickleItems> items = pickledDict(value);
        if (!items)
            return std::nullopt;
        StateDict out;
        out.modules = modulesOf(value);
        std::map<std::string, size_t, std::less<>> known;
        for (const auto& [key, item] : *items) {
            const std::optional<std::string> name = pickledText(*key);
            if (!name)
                return std::nullopt;
            if (std::optional<PickledTensor> tensor = tensors.find(*item)) {
                const auto [at, isNew] = known.try_emplace(*name, out.tensors.size());
                if (isNew)
                    out.tensors.emplace_back(*name, tensor->slot);
                else
                    out.tensors[at->second].second = tensor->slot;
            } else {
                out.others.push_back({*name, pickledArgument(*item)});
                if (auto group = groupOf(*item))
                    out.groups.emplace_back(*name, std::move(*group));
            }
        }
        if (out.tensors.empty() && (out.modules.empty() || !out.others.empty()))
            return std::nullopt;
        return out;
    }

    std::optional<std::vector<std::optional<TensorSlot>>> groupOf(const PickleValue& value) {
        const auto* tuple = value.as<PickleTuple>();
        if (!tuple)
            return std::nullopt;
        std::vector<std::optional<TensorSlot>> out;
        for (PickleRef item : tuple->items) {
            const std::optional<PickledTensor> tensor = tensors.find(*item);
            if (!tensor && !item->isNone())
                return std::nullopt;
            out.push_back(tensor ? std::optional(tensor->slot) : std::nullopt);
        }
        return out;
    }

    /// state_dict() notes the version of every module under its path.
    static std::vector<std::string> modulesOf(const PickleValue& value) {
        std::vector<std::string> out;
        const auto* call = value.as<PickleCall>();
        const PickleValue* metadata = call && call->state ? pickledEntry(*call->state, "_metadata") : nullptr;
        if (const auto items = metadata ? pickledDict(*metadata) : std::nullopt)
            for (const auto& [key, version] : *items)
                if (const std::optional<std::string> path = pickledText(*key))
                    out.push_back(*path);
        return out;
    }
};

std::string wrapperOf(const NamedTensors& tensors) {
    for (std::string_view prefix : kWrappers)
        if (!tensors.empty() && std::all_of(tensors.begin(), tensors.end(), [&](const auto& entry) {
                return entry.first.starts_with(prefix);
            }))
            return std::string(prefix);
    return {};
}

void noteWrapper(StateDict& state) {
    state.wrapperPrefix = wrapperOf(state.tensors);
    if (!state.wrapperPrefix.empty())
        state.notes.push_back(
            "all names begin with '" + state.wrapperPrefix + "', as " +
            (state.wrapperPrefix == "module." ? "DistributedDataParallel" : "torch.compile") +
            " writes them");
}

void noteOthers(StateDict& state) {
    if (state.others.empty())
        return;
    std::vector<std::string> names;
    for (const NamedValue& entry : state.others)
        if (names.size() < 5)
            names.push_back(entry.name);
    state.notes.push_back(plural(state.others.size(), "value") + " of the state_dict " +
                          (state.others.size() == 1 ? "is no tensor: " : "are no tensors: ") +
                          join(names, ", ") + (names.size() < state.others.size() ? ", ..." : ""));
}

bool isBufferName(std::string_view name, const TensorMeta& meta) {
    return name == "running_mean" || name == "running_var" || name == "num_batches_tracked" ||
           c10::isIntegralType(meta.dtype, true);
}

/// "layer1.0.weight" can be a path of modules and a name.
bool isSoundPath(std::string_view path) {
    const auto parts = split(path, '.');
    return parts.size() <= kMostNameParts &&
           std::none_of(parts.begin(), parts.end(), [](std::string_view part) { return part.empty(); });
}

std::string parentOf(const std::string& path) {
    const size_t dot = path.rfind('.');
    return dot == std::string::npos ? std::string() : path.substr(0, dot);
}

/// Whether something can be added below the path: each part that is there is a module, and none is crowded.
bool canHold(const Model& model, const std::string& path) {
    ModuleId at = model.root();
    const auto isCrowded = [&] {
        return std::max(model.module(at).children.size(), model.module(at).tensors.size()) >= kMostMembers;
    };
    for (std::string_view part : path.empty() ? std::vector<std::string_view>() : split(path, '.')) {
        const Module& module = model.module(at);
        const ModuleId child = module.child(part);
        if (!child)
            return !isCrowded() && !module.tensor(part) && !module.value(part);
        at = child;
    }
    return !isCrowded();
}

} // namespace

GivenState StateDict::given() const {
    GivenState out;
    for (const auto& [name, slot] : tensors)
        out.tensors.emplace_back(name, slot.value());
    for (const NamedValue& entry : others)
        if (!entry.value.as<OpaqueValue>())
            out.others.emplace_back(entry.name, makeValue(entry.value, nullptr));
    for (const auto& [name, group] : groups) {
        Values items;
        for (const std::optional<TensorSlot>& slot : group)
            items.push_back(slot ? Value(c10::IValue(slot->value())) : Value());
        out.others.emplace_back(name, makeTuple(std::move(items)));
    }
    out.wrapperPrefix = wrapperPrefix;
    return out;
}

std::optional<StateDict> stateDictIn(const TorchContainer& container) {
    return stateDictIn(container, container.root());
}

std::optional<StateDict> stateDictIn(const TorchContainer& container, const PickleValue& value) {
    StateDictReader reader{container};
    const auto finish = [&](StateDict state) {
        state.path = container.place();
        state.format = "torch.save state_dict (" + container.form() + ')';
        noteOthers(state);
        noteWrapper(state);
        return state;
    };
    const std::optional<PickleItems> items = pickledDict(value);
    if (!items)
        return std::nullopt;
    // A checkpoint may have tensors of its own beside the state_dict.
    std::vector<std::pair<std::string, StateDict>> found;
    for (const auto& [key, entry] : *items)
        if (const std::optional<std::string> name = pickledText(*key))
            if (std::optional<StateDict> state = reader.read(*entry))
                found.emplace_back(*name, std::move(*state));
    const auto rank = [](const std::string& name) {
        return std::find(std::begin(kUsualKeys), std::end(kUsualKeys), name) - std::begin(kUsualKeys);
    };
    std::stable_sort(found.begin(), found.end(),
                     [&](const auto& a, const auto& b) { return rank(a.first) < rank(b.first); });
    if (found.empty()) {
        std::optional<StateDict> state = reader.read(value);
        return state ? std::optional(finish(std::move(*state))) : std::nullopt;
    }
    StateDict out = finish(std::move(found[0].second));
    out.isEntry = true;
    std::vector<std::string> others;
    for (const auto& [key, entry] : *items)
        if (const std::optional<std::string> name = pickledText(*key); name && *name != found[0].first)
            others.push_back(*name);
    out.notes.insert(out.notes.begin(),
                     "a checkpoint: the state_dict is its entry " + pythonRepr(found[0].first) +
                         (others.empty() ? "" : "; beside it there are " + join(others, ", ")));
    return out;
}

StateDict stateDictOfSafetensors(const std::string& path) {
    StateDict out;
    out.path = path;
    out.format = "safetensors";
    out.tensors = readSafetensors(path);
    noteWrapper(out);
    return out;
}

namespace {

/// What state_dict() of a module gives.
class ModuleState {
public:
    explicit ModuleState(StateDict& out) : m_out(out) {}

    void add(const PickledModule& module, const std::string& prefix) {
        m_out.modules.push_back(prefix.empty() ? "" : prefix.substr(0, prefix.size() - 1));
        for (const PickledModule::Tensor& entry : module.tensors) {
            const bool isKept = entry.role == TensorRole::Parameter || entry.role == TensorRole::Buffer;
            if (entry.slot && isKept)
                m_out.tensors.emplace_back(prefix + entry.name, *entry.slot);
        }
        // Modules that hold the same module twice, and so on, are short in the file.
        constexpr size_t kMostNames = 1'000'000;
        if (m_out.tensors.size() + m_out.modules.size() > kMostNames)
            throw Error(m_out.path, "has more than " + std::to_string(kMostNames) + " weights");
        for (const PickledModule::Child& child : module.children)
            if (child.module)
                add(*child.module, prefix + child.name + '.');
    }

private:
    StateDict& m_out;
};

} // namespace

StateDict stateOfModule(const PickledModel& pickled) {
    StateDict out;
    out.path = pickled.container->place();
    out.format = "torch.save of a module (" + pickled.container->form() + ')';
    ModuleState(out).add(*pickled.root, "");
    out.notes.push_back("the file holds a whole module, of class " + pickled.root->className +
                        "; its weights are taken");
    noteWrapper(out);
    return out;
}

StateDict readStateDict(const std::string& path) {
    const auto file = MappedFile::open(path);
    if (isSafetensors(file->bytes()))
        return stateDictOfSafetensors(path);
    const auto container = std::make_shared<const TorchContainer>(TorchContainer::open(path));
    // Of a checkpoint with a state_dict and a module the state_dict is meant; tensors that lie beside a
    // module are none.
    std::optional<StateDict> state = stateDictIn(*container);
    if (state && state->isEntry)
        return std::move(*state);
    if (const std::optional<PickledModel> pickled = pickledModelIn(container))
        return stateOfModule(*pickled);
    if (state)
        return std::move(*state);
    throw Error(path, "holds no state_dict")
        .hint("save one in Python with torch.save(model.state_dict(), FILE)");
}

OpenedModel modelOfState(const StateDict& state) {
    OpenedModel out;
    out.path = state.path;
    out.format = state.format;
    out.notes = state.notes;
    out.whyNoGraph = {"a state_dict holds weights only",
                      "give the source: fxscope graph net.py:Net() --state " + state.path, true};
    out.model = Model(kPlainModule);
    Edit edit(out.model);
    for (const std::string& path : state.modules)
        if (!path.empty() && isSoundPath(path) && canHold(out.model, parentOf(path)) &&
            !out.model.resolve(out.model.root(), path))
            edit.addSubmodule(path, edit.createModule(kPlainModule));
    std::map<const TensorMeta*, TensorId> made; // tied tensors share their description
    size_t leftOut = 0;
    for (const auto& [name, slot] : state.tensors) {
        const std::string parent = parentOf(name), leaf = name.substr(parent.empty() ? 0 : parent.size() + 1);
        if (!isSoundPath(name) || !canHold(out.model, parent) || out.model.resolve(out.model.root(), name)) {
            ++leftOut;
            continue;
        }
        const auto [tied, isNew] = made.try_emplace(&slot.meta());
        if (isNew)
            tied->second = edit.createTensor(slot);
        edit.setTensor(name, tied->second,
                       isBufferName(leaf, slot.meta()) ? TensorRole::Buffer : TensorRole::Parameter);
    }
    edit.finish();
    if (leftOut > 0)
        out.notes.push_back(plural(leftOut, "tensor") +
                            " cannot be shown: names that are no path, or thousands in one module");
    return out;
}

} // namespace fx
