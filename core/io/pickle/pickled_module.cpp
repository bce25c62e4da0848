// SPDX-License-Identifier: GPL-3.0-or-later
// From the pickle to the tree. How the tree becomes a Model is in pickled_module_model.cpp.
#include "core/io/pickle/pickled_module.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/pickle/pickle_view.h"
#include "core/io/pickle/pickled_tensors.h"

#include <algorithm>
#include <map>
#include <set>

namespace fx {

namespace {

constexpr int kDeepestModule = 100, kDeepestSpec = 50;
constexpr size_t kMostSpecs = 100'000;

/// What torch.nn.Module and GraphModule keep in __dict__ for themselves.
constexpr std::string_view kInner[] = {
    "training",
    "_parameters",
    "_buffers",
    "_non_persistent_buffers_set",
    "_modules",
    "_is_full_backward_hook",
    "_backend",
    "_compiled_call_impl",
    "_code",
    "code",
    "_lineno_map",
    "_prologue_start",
    "_tracer_cls",
    "_tracer_extras",
    "_replace_hooks",
    "_create_node_hooks",
    "_erase_node_hooks",
    "_deepcopy_hooks",
    "shape_env",
    "_in_spec",
    "_out_spec",
    "_graphmodule_cls_name",
    "_graphmodule_graph_node_meta_stack_trace",
    "_graph",
};

bool isInner(std::string_view name) {
    return std::find(std::begin(kInner), std::end(kInner), name) != std::end(kInner);
}

bool isHooks(std::string_view name) {
    return name.starts_with('_') && (contains(name, "_hooks") || name == "_forward_hooks_with_kwargs");
}

bool isFromTorch(std::string_view className) {
    constexpr std::string_view kHomes[] = {"torch.nn.modules.",   "torch.ao.",     "torch.nn.quantized.",
                                           "torch.nn.intrinsic.", "torch.nn.qat.", "torch.quantization."};
    return std::ranges::any_of(kHomes, [&](std::string_view home) { return className.starts_with(home); });
}

bool isEmpty(const PickleValue& value) {
    const std::optional<PickleItems> entries = pickledDict(value);
    const std::optional<std::vector<PickleRef>> items = pickledItems(value);
    return value.isNone() || (entries && entries->empty()) || (items && items->empty());
}

/// The __dict__ of a GraphModule and the imports of its code; null where the call is another.
const PickleValue* graphModuleBody(const PickleCall& call, std::string& importBlock) {
    const auto* arguments = call.arguments->as<PickleTuple>();
    if (call.callable->globalName() != "torch.fx.graph_module.reduce_graph_module" || !arguments ||
        arguments->items.empty() || !pickledDict(*arguments->items[0]))
        return nullptr;
    if (arguments->items.size() > 1)
        importBlock = pickledText(*arguments->items[1]).value_or("");
    return arguments->items[0];
}

/// Whether a __dict__ is one of a module.
bool isModuleState(const PickleValue* state) {
    return state && pickledDict(*state) && pickledEntry(*state, "_modules") &&
           pickledEntry(*state, "_parameters");
}

std::string withoutOldNames(std::string name) {
    return name.starts_with("__builtin__.") ? "builtins." + name.substr(12) : name;
}

/// A torch.utils._pytree.TreeSpec. None where it is nested too deeply, or is none.
class SpecReader {
public:
    std::optional<TreeSpec> read(const PickleValue& value) {
        try {
            return convert(value, 0);
        } catch (const Error&) {
            return std::nullopt;
        }
    }

private:
    TreeSpec convert(const PickleValue& value, int depth) {
        const std::optional<PickledInstance> spec = pickledInstance(value);
        if (!spec || !spec->state || !spec->className.starts_with("torch.utils._pytree.") ||
            depth > kDeepestSpec || ++m_count > kMostSpecs)
            throw Error("", "is no tree spec");
        TreeSpec out;
        if (spec->className.ends_with(".LeafSpec"))
            return out;
        // A list of the fields in order, or a dict of them before they became slots.
        const auto field = [&](size_t index, std::initializer_list<std::string_view> names) {
            if (const auto items = pickledItems(*spec->state); items && index < items->size())
                return static_cast<const PickleValue*>((*items)[index]);
            for (std::string_view name : names)
                if (const PickleValue* found = pickledEntry(*spec->state, name))
                    return found;
            throw Error("", "is no tree spec");
        };
        out.type = withoutOldNames(pickledClassName(*field(0, {"type"})));
        const PickleValue& context = *field(1, {"_context", "context"});
        static const std::map<std::string_view, TreeSpec::Kind> kKinds = {
            {"builtins.tuple", TreeSpec::Kind::Tuple},
            {"builtins.list", TreeSpec::Kind::List},
            {"builtins.dict", TreeSpec::Kind::Dict},
            {"collections.OrderedDict", TreeSpec::Kind::Dict},
            {"collections.namedtuple", TreeSpec::Kind::NamedTuple},
        };
        const auto kind = kKinds.find(out.type);
        out.kind = kind == kKinds.end() ? TreeSpec::Kind::Other : kind->second;
        if (out.kind == TreeSpec::Kind::Dict)
            for (PickleRef key : pickledItems(context).value_or(std::vector<PickleRef>()))
                out.keys.push_back(pickledArgument(*key));
        if (out.kind == TreeSpec::Kind::NamedTuple)
            out.type = pickledClassName(context);
        for (PickleRef child :
             pickledItems(*field(2, {"_children", "children_specs"})).value_or(std::vector<PickleRef>()))
            out.children.push_back(convert(*child, depth + 1));
        if (out.kind == TreeSpec::Kind::Dict && out.keys.size() != out.children.size())
            throw Error("", "is no tree spec");
        return out;
    }

    size_t m_count = 0;
};

PickledGraph graphOf(const PickleValue& body, std::string importBlock, const std::string& place) {
    PickledGraph out;
    out.importBlock = std::move(importBlock);
    const auto text = [&](std::string_view key) -> std::optional<std::string> {
        const PickleValue* entry = pickledEntry(body, key);
        return entry ? pickledText(*entry) : std::nullopt;
    };
    out.code = text("_code").value_or("");
    if (out.code.empty())
        out.code = text("code").value_or(""); // its name before 1.8
    if (out.code.empty())
        throw Error(place, "has a GraphModule without its code");
    out.className = text("_graphmodule_cls_name").value_or("GraphModule");
    if (const PickleValue* tracer = pickledEntry(body, "_tracer_cls"))
        out.tracer = pickledClassName(*tracer);
    if (const PickleValue* spec = pickledEntry(body, "_in_spec"))
        out.inputSpec = SpecReader().read(*spec);
    if (const PickleValue* spec = pickledEntry(body, "_out_spec"))
        out.outputSpec = SpecReader().read(*spec);
    return out;
}

class PickledModuleReader {
public:
    explicit PickledModuleReader(const TorchContainer& container)
        : m_container(container), m_tensors(container, false) {
        // Where a legacy file keeps the source of a class, it does so at the first use alone.
        for (const PickleValue& value : container.document().values)
            noteSource(value);
    }

    PickledModuleRef module(const PickleValue& value, int depth) {
        const auto [known, isNew] = m_known.try_emplace(&value);
        if (!isNew) {
            if (!known->second)
                throw Error(m_container.place(), "has a module that holds itself");
            return known->second;
        }
        if (depth > kDeepestModule)
            throw Error(m_container.place(), "has modules that are nested too deeply");
        auto made = std::make_shared<PickledModule>();
        made->record = &value;
        fill(*made, value, depth);
        return m_known[&value] = std::move(made);
    }

    std::vector<std::string> notes() {
        std::vector<std::string> out;
        if (!m_hooks.empty())
            out.push_back("hooks of " + join(m_hooks, ", ") +
                          " are lost: only functions and torch's own objects are kept");
        if (!m_odd.empty())
            out.push_back("objects that only their own code can make again: " + join(m_odd, ", "));
        return out;
    }

    std::vector<std::string> hookFunctions() { return std::move(m_hookFunctions); }

private:
    struct Source {
        std::string text, file;
    };

    static void addOnce(std::vector<std::string>& names, const std::string& name) {
        if (std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    }

    /// Of forward hooks some can be made again (core/trace/recorded_hooks.h); those of backward are not
    /// needed.
    void noteHooks(std::string_view table, const PickleValue& hooks, const std::string& className) {
        if (table != "_forward_pre_hooks" && table != "_forward_hooks")
            return;
        for (const auto& [key, hook] : pickledDict(hooks).value_or(PickleItems())) {
            const std::optional<PickledInstance> instance = pickledInstance(*hook);
            if (const std::string_view name = hook->globalName(); !name.empty())
                addOnce(m_hookFunctions, std::string(name));
            else if (!instance || !instance->className.starts_with("torch."))
                addOnce(m_hooks, className);
        }
    }

    void noteSource(const PickleValue& value) {
        const auto* persistent = value.as<PicklePersistent>();
        const auto* id = persistent ? persistent->id->as<PickleTuple>() : nullptr;
        const std::string name = id ? pickledClassName(value) : std::string();
        if (!name.empty())
            m_sources.try_emplace(name, Source{pickledText(*id->items[3]).value_or(""),
                                               pickledText(*id->items[2]).value_or("")});
    }

    void fill(PickledModule& out, const PickleValue& value, int depth) {
        const auto* call = value.as<PickleCall>();
        std::string importBlock;
        if (const PickleValue* body = call ? graphModuleBody(*call, importBlock) : nullptr) {
            out.graph = graphOf(*body, std::move(importBlock), m_container.place());
            out.className = out.graph->className;
            fillFromState(out, *body, depth);
            return;
        }
        if (const std::optional<PickledInstance> instance = pickledInstance(value)) {
            out.className = instance->className;
            if (const auto source = m_sources.find(out.className); source != m_sources.end()) {
                out.source = source->second.text;
                out.sourceFile = source->second.file;
            } else if (const std::string* text = m_container.sourceOf(out.className)) {
                out.source = *text;
            }
            if (isModuleState(instance->state)) {
                fillFromState(out, *instance->state, depth);
                return;
            }
            if (instance->state)
                out.attributes.push_back({"__state__", instance->state});
        } else if (call) {
            out.className = pickledClassName(*call->callable);
            out.attributes.push_back({"__arguments__", call->arguments});
            if (call->state)
                out.attributes.push_back({"__state__", call->state});
        }
        if (out.className.empty())
            out.className = "object";
        out.odd = out.className + "(...)";
        if (!isFromTorch(out.className))
            addOnce(m_odd, out.className);
    }

    void fillFromState(PickledModule& out, const PickleValue& state, int depth) {
        std::set<std::string> transient;
        if (const PickleValue* names = pickledEntry(state, "_non_persistent_buffers_set"))
            for (PickleRef item : pickledItems(*names).value_or(std::vector<PickleRef>()))
                transient.insert(pickledText(*item).value_or(""));
        if (const PickleValue* training = pickledEntry(state, "training"); training && training->as<bool>())
            out.isTraining = *training->as<bool>();
        addTensors(out, pickledEntry(state, "_parameters"),
                   [](const auto&) { return TensorRole::Parameter; });
        addTensors(out, pickledEntry(state, "_buffers"), [&](const std::string& name) {
            return transient.contains(name) ? TensorRole::TransientBuffer : TensorRole::Buffer;
        });
        const PickleValue* children = pickledEntry(state, "_modules");
        for (const auto& [key, child] : entriesOf(children))
            out.children.push_back({key, child->isNone() ? nullptr : module(*child, depth + 1)});
        for (const auto& [name, value] : entriesOf(&state)) {
            if (isHooks(name)) {
                if (!isStateHooks(name))
                    noteHooks(name, *value, out.className);
                continue;
            }
            if (isInner(name) || (out.graph && name == "meta" && isEmpty(*value)))
                continue;
            if (const std::optional<PickledTensor> tensor = m_tensors.find(*value))
                out.tensors.push_back({name, tensor->slot, TensorRole::Constant});
            else
                out.attributes.push_back({name, value});
        }
    }

    /// The entries of a dict whose keys are texts; where one comes twice, the last stays.
    std::vector<std::pair<std::string, const PickleValue*>> entriesOf(const PickleValue* dict) {
        std::vector<std::pair<std::string, const PickleValue*>> out;
        std::map<std::string, size_t> known;
        const std::optional<PickleItems> items = dict ? pickledDict(*dict) : std::nullopt;
        for (const auto& [key, value] : items.value_or(PickleItems())) {
            const std::optional<std::string> name = pickledText(*key);
            if (!name)
                continue;
            const auto [at, isNew] = known.try_emplace(*name, out.size());
            if (isNew)
                out.emplace_back(*name, value);
            else
                out[at->second].second = value;
        }
        return out;
    }

    template <class RoleOf>
    void addTensors(PickledModule& out, const PickleValue* dict, const RoleOf& roleOf) {
        for (const auto& [name, value] : entriesOf(dict)) {
            if (value->isNone()) {
                out.tensors.push_back({name, std::nullopt, roleOf(name)});
                continue;
            }
            const std::optional<PickledTensor> tensor = m_tensors.find(*value);
            if (tensor)
                out.tensors.push_back({name, tensor->slot, roleOf(name)});
            else
                out.attributes.push_back({name, value}); // of a class of tensors that is not known
        }
    }

    const TorchContainer& m_container;
    PickledTensors m_tensors;
    std::map<const PickleValue*, PickledModuleRef> m_known; ///< null while it is being read
    std::map<std::string, Source> m_sources;
    std::vector<std::string> m_hooks, m_odd, m_hookFunctions;
};

} // namespace

bool isStateHooks(std::string_view name) {
    return isHooks(name) && contains(name, "state_dict_");
}

std::optional<PickledGraph> pickledGraph(const PickleValue& value, const std::string& place) {
    const auto* call = value.as<PickleCall>();
    std::string importBlock;
    const PickleValue* body = call ? graphModuleBody(*call, importBlock) : nullptr;
    return body ? std::optional(graphOf(*body, std::move(importBlock), place)) : std::nullopt;
}

bool isPickledModule(const PickleValue& value) {
    const auto* call = value.as<PickleCall>();
    std::string importBlock;
    if (call && graphModuleBody(*call, importBlock))
        return true;
    const std::optional<PickledInstance> instance = pickledInstance(value);
    return instance && isModuleState(instance->state);
}

PickledModel readPickledModel(std::shared_ptr<const TorchContainer> container, const PickleValue& value) {
    PickledModuleReader reader(*container);
    PickledModel out;
    out.root = reader.module(value, 0);
    out.notes = reader.notes();
    out.hookFunctions = reader.hookFunctions();
    out.container = std::move(container);
    return out;
}

std::vector<std::string> foreignClasses(const PickledModule& root) {
    std::vector<std::string> out;
    std::set<const PickledModule*> seen;
    const std::function<void(const PickledModule&)> walk = [&](const PickledModule& module) {
        if (!seen.insert(&module).second)
            return;
        const bool isForeign = !module.graph && !isFromTorch(module.className);
        if (isForeign && std::find(out.begin(), out.end(), module.className) == out.end())
            out.push_back(module.className);
        for (const PickledModule::Child& child : module.children)
            if (child.module)
                walk(*child.module);
    };
    walk(root);
    return out;
}

} // namespace fx
