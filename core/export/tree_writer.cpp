// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/tree_writer.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/expression.h"
#include "core/codegen/written_names.h"
#include "core/interpret/restored_hooks.h"
#include "core/io/harmless_names.h"
#include "core/ir/torch_constants.h"
#include "core/module/model.h"
#include "core/module/scopes.h"
#include "core/torch/values/generators.h"
#include "core/torch/values/script_objects.h"
#include "core/trace/recorded_values.h"
#include "core/trace/tracer.h"

#include <algorithm>
#include <functional>

namespace fx {

namespace {

constexpr std::string_view kParametrized = "torch.nn.utils.parametrize.Parametrized";

constexpr std::string_view kPackedCache = "_made";

const DictObject& fieldsOf(const Value& instance) {
    return *instance.as<InstanceObject>()->dict.as<DictObject>();
}

bool isBookkeeping(std::string_view name) {
    return name == "training" || name == "_parameters" || name == "_buffers" || name == "_modules" ||
           name == "_non_persistent_buffers_set" || name == "_is_full_backward_hook" ||
           contains(name, "_hooks") || name == kPackedCache || name == kHeldWeight || name == kHeldBias;
}

std::string typeOf(const Value& instance) {
    const ClassData& data = *instance.as<InstanceObject>()->type.as<ClassObject>()->data;
    return data.module + '.' + data.qualifiedName;
}

} // namespace

TreeWriter::TreeWriter(const Model& model, PackageNames& names,
                       const std::map<ModuleId, std::string>& classNames)
    : m_model(model), m_names(names), m_classNames(classNames),
      m_constructors(model, names,
                     [this](const Argument& value) { return argumentText(value, "a module"); }) {
    m_model.forEachModule(m_model.root(), [&](ModuleId id, const std::string&) {
        if (!m_model.module(id).graph)
            return;
        for (const Node& node : m_model.graph(id))
            if (node.opcode == Opcode::CallModule ||
                node.opcode == Opcode::GetAttr) // a function may be given a module
                if (const ModuleId called = m_model.resolve(id, node.target.name()).module)
                    noteCalled(called);
    });
}

/// What stands below a module with a graph is called by its nodes alone.
void TreeWriter::noteCalled(ModuleId id) {
    if (m_model.module(id).graph || !m_called.insert(id).second)
        return;
    for (const NamedModule& child : m_model.module(id).children)
        noteCalled(child.module);
}

TreeWriter::Members TreeWriter::members(ModuleId graph, const std::string& path) {
    Members out;
    m_hasConstructors = m_needsMemory = false;
    for (const auto& [number, name] : std::exchange(m_shared, {}))
        m_sharedBefore.insert(number);
    writeMembers(graph, {"self", path}, out.lines);
    out.areOnMeta = m_hasConstructors && !m_needsMemory;
    return out;
}

void TreeWriter::goBackTo(Progress before) {
    m_state.resize(before.states);
    m_written = std::move(before.written);
    m_shared = std::move(before.shared);
}

/// Whether the module is written here, and was nowhere before.
bool TreeWriter::claim(ModuleId id, const TreePlace& at) {
    return m_written.try_emplace(id, at.path).second;
}

void TreeWriter::writeMembers(ModuleId id, const TreePlace& at, Lines& out) {
    const Module& module = m_model.module(id);
    for (const NamedModule& child : module.children) {
        const TreePlace place = at.below(child.name);
        if (!claim(child.module, place))
            continue; // one object in two places: ties()
        Lines after;
        const std::string expression = made(child.module, place, after);
        out.push_back(childAssignment(m_model, at, child, expression));
        out.insert(out.end(), after.begin(), after.end());
    }
    writeTensors(id, at, out);
    for (const NamedValue& entry : module.values)
        writeValue(entry, at, out);
    writeHooks(module, at, out);
}

void TreeWriter::writeTensors(ModuleId id, const TreePlace& at, Lines& out) {
    for (const NamedTensor& entry : m_model.module(id).tensors)
        writeTensor(entry, at, out);
}

void TreeWriter::writeTensor(const NamedTensor& entry, const TreePlace& at, Lines& out) {
    const bool isConstant = entry.role == TensorRole::Constant;
    const std::string value =
        entry.tensor ? stateExpression(entry.tensor, joinedPath(at.path, entry.name), isConstant) : "None";
    const std::string name = pythonRepr(entry.name);
    if (isConstant)
        out.push_back(assignment(at.object, entry.name, value));
    else if (entry.role != TensorRole::Parameter)
        out.push_back(at.object + ".register_buffer(" + name + ", " + value +
                      (entry.role == TensorRole::TransientBuffer ? ", persistent=False)" : ")"));
    else if (!entry.tensor)
        out.push_back(at.object + ".register_parameter(" + name + ", None)");
    else
        out.push_back(at.object + ".register_parameter(" + name + ", torch.nn.Parameter(" + value +
                      (m_model.tensor(entry.tensor).meta().requiresGrad ? "))" : ", requires_grad=False))"));
}

void TreeWriter::writeValue(const NamedValue& entry, const TreePlace& at, Lines& out) {
    if (!isRecordedHooks(entry.name) && entry.name != kPackedCache)
        out.push_back(
            assignment(at.object, entry.name, argumentText(entry.value, joinedPath(at.path, entry.name))));
}

/// functools.partial is not made from its fields, but by a call.
std::string TreeWriter::partialText(const NamedTupleValue& object, const std::string& path) {
    const auto* type = object.items[0].as<FunctionValue>();
    const Argument *function = dictEntry(object.items[1], "func"), *args = dictEntry(object.items[1], "args"),
                   *keywords = dictEntry(object.items[1], "keywords");
    if (!type || type->target.name() != "functools.partial" || !function || !args || !keywords)
        return {};
    return m_names.expression("functools.partial", path) + '(' + argumentText(*function, path) + ", *" +
           argumentText(*args, path) + ", **" + argumentText(*keywords, path) + ')';
}

/// An attribute as core/trace/recorded_values.h records it.
std::string TreeWriter::argumentText(const Argument& value, const std::string& path) {
    if (const auto* opaque = value.as<OpaqueValue>())
        throw Error(path, "is an object that Python code cannot make again: " + opaque->text)
            .hint("remove the nodes that use it");
    const auto texts = [&](const Arguments& items) {
        std::vector<std::string> out;
        for (const Argument& item : items)
            out.push_back(argumentText(item, path));
        return out;
    };
    if (const auto* function = value.as<FunctionValue>()) {
        requireHandedOn(function->target.name(), path);
        return m_names.expression(function->target.qualifiedName(), path);
    }
    if (const auto* member = value.as<EnumValue>()) {
        if (isQScheme(value))
            return "torch." + member->member;
        requireHarmlessAttribute(member->member, path);
        return attributeExpression(m_names.expression(member->type.name(), path), member->member);
    }
    if (const auto* made = value.as<NamedTupleValue>()) {
        if (made->type.name().starts_with("captured."))
            return capturedText(*made, path);
        requireHandedOn(made->type.name(), path);
        if (made->type.name() == "builtins.object" && made->items.size() == 2) {
            if (const std::string partial = partialText(*made, path); !partial.empty())
                return partial;
            m_helpers.object = true;
            return "_object(" + join(texts(made->items), ", ") + ')';
        }
        const std::string type =
            made->type.name().starts_with("builtins.") ? made->type.name().substr(9) : made->type.name();
        return m_names.expression(type, path) + '(' + join(texts(made->items), ", ") + ')';
    }
    if (const auto* dict = value.as<DictValue>()) {
        std::vector<std::string> pairs;
        for (const auto& [key, item] : dict->items)
            pairs.push_back(argumentText(key, path) + ": " + argumentText(item, path));
        return '{' + join(pairs, ", ") + '}';
    }
    if (const auto* list = value.as<ListValue>())
        return '[' + join(texts(list->items), ", ") + ']';
    if (const auto* tuple = value.as<TupleValue>())
        return '(' + join(texts(tuple->items), ", ") + (tuple->items.size() == 1 ? ",)" : ")");
    const CodeContext context{[](std::string& text, NodeId) { text += "None"; },
                              [](const GlobalName& global) { return global.hint; }};
    return argumentExpression(value, context);
}

std::string TreeWriter::made(ModuleId id, const TreePlace& at, Lines& after) {
    const Module& module = m_model.module(id);
    claim(id, at);
    if (isScriptClass(module.type))
        return scriptObject(id, at.path);
    if (module.graph)
        return m_classNames.at(id) + "(state)";
    if (module.type == "torch.nn.modules.container.Sequential" ||
        module.type == "torch.nn.modules.container.ModuleList" ||
        module.type == "torch.nn.modules.container.ModuleDict")
        return container(id, at, after);
    if (module.type.starts_with(kParametrized))
        return parametrized(id, at, after);
    if (module.type != kPlainModule && module.type != "torch.nn.Module") {
        if (const std::optional<Constructed> made = m_constructors.construct(id)) {
            Lines lines;
            Progress before = progress();
            if (mend(made->instance, id, at, lines)) {
                after.insert(after.end(), lines.begin(), lines.end());
                m_hasConstructors = true;
                m_needsMemory |= !isMadeOnMeta(module.type);
                return made->expression;
            }
            goBackTo(std::move(before));
        }
        if (m_called.contains(id))
            return restored(id, at, after);
    }
    writeMembers(id, at, after);
    return "torch.nn.Module()";
}

/// Sequential, ModuleList or ModuleDict with its children.
std::string TreeWriter::container(ModuleId id, const TreePlace& at, Lines& after) {
    const Module& module = m_model.module(id);
    std::vector<std::string> items, pairs;
    bool areCounted = true;
    for (const NamedModule& child : module.children) {
        areCounted &= child.name == std::to_string(items.size());
        const std::string item = m_written.contains(child.module)
                                     ? "torch.nn.Identity()" // ties()
                                     : made(child.module, at.below(child.name), after);
        items.push_back(item);
        pairs.push_back(pythonRepr(child.name) + ": " + item);
    }
    writeTensors(id, at, after);
    for (const NamedValue& entry : module.values)
        writeValue(entry, at, after);
    writeHooks(module, at, after);
    const std::string name = shortTypeName(module.type);
    if (name == "ModuleDict")
        return "torch.nn.ModuleDict({" + join(pairs, ", ") + "})";
    if (name == "ModuleList")
        return "torch.nn.ModuleList([" + join(items, ", ") + "])";
    if (areCounted)
        return "torch.nn.Sequential(" + join(items, ", ") + ')';
    return "torch.nn.Sequential(" + m_names.expression("collections.OrderedDict", at.path) + "({" +
           join(pairs, ", ") + "}))";
}

/// A module of which torch.nn.utils.parametrize has made some tensors computed.
std::string TreeWriter::parametrized(ModuleId id, const TreePlace& at, Lines& after) {
    const Module& module = m_model.module(id);
    const std::string base = "torch.nn." + module.type.substr(kParametrized.size());
    const std::optional<Constructed> made = m_constructors.constructAs(id, base);
    const ModuleId lists = module.child("parametrizations");
    if (!made || !lists)
        throw Error(at.path, "is a parametrized module that Python code cannot make again")
            .hint("remove the parametrization: torch.nn.utils.parametrize.remove_parametrizations");
    claim(lists, at.below("parametrizations"));
    m_names.importModule("torch.nn.utils.parametrize");
    for (const NamedModule& list : m_model.module(lists).children) {
        const TreePlace place = at.below("parametrizations").below(list.name);
        claim(list.module, place);
        for (const NamedModule& child : m_model.module(list.module).children) {
            Lines below;
            after.push_back("torch.nn.utils.parametrize.register_parametrization(" + at.object + ", " +
                            pythonRepr(list.name) + ", " +
                            this->made(child.module, place.below(child.name), below) + ", unsafe=True)");
            after.insert(after.end(), below.begin(), below.end());
        }
        keepTensors(list.module, place);
        const Argument* isUnsafe = m_model.module(list.module).value("unsafe");
        if (isUnsafe && *isUnsafe != Argument(true))
            after.push_back(assignment(place.object, "unsafe", argumentText(*isUnsafe, place.path)));
    }
    keepTensors(id, at);
    m_hasConstructors = true;
    return made->expression;
}

/// As unpickling makes it: without its constructor, from what it holds.
std::string TreeWriter::restored(ModuleId id, const TreePlace& at, Lines& after) {
    const Module& module = m_model.module(id);
    const std::optional<std::string> known = m_constructors.className(id);
    if (!known)
        throw Error(at.path, "is a module of class " + module.type + ", whose source is not known")
            .hint("open the model with the file that defines it (--source FILE.py), or trace through it "
                  "(--no-leaves)");
    const std::string type = m_names.expression(*known, at.path);
    m_helpers.restored = true;
    DictValue fields;
    for (const NamedValue& entry : module.values)
        if (!isRecordedHooks(entry.name) && entry.name != kPackedCache)
            fields.items.emplace_back(entry.name, entry.value);
    for (const NamedModule& child : module.children) {
        Lines below;
        const TreePlace place = at.below(child.name);
        after.push_back(childAssignment(m_model, at, child, made(child.module, place, below)));
        after.insert(after.end(), below.begin(), below.end());
    }
    writeTensors(id, at, after);
    if (m_constructors.overrides(id, "__setstate__"))
        after.push_back(at.object + ".__setstate__(dict(" + at.object + ".__dict__))");
    writeHooks(module, at, after);
    return "_restored(" + type + (fields.items.empty() ? "" : ", " + argumentText(fields, at.path)) + ')';
}

bool TreeWriter::mend(const Value& instance, ModuleId id, const TreePlace& at, Lines& after) {
    const Module& module = m_model.module(id);
    const DictObject& fields = fieldsOf(instance);
    if (typeOf(instance) != module.type || !mendTensors(instance, module, at, after))
        return false;
    for (const NamedValue& entry : module.values) {
        const Value* made = fields.find(entry.name);
        const bool isAlike = made && (entry.value.as<OpaqueValue>() ||
                                      recordedValue(m_constructors.evaluator(), *made) == entry.value);
        if (!isBookkeeping(entry.name) && !isAlike)
            writeValue(entry, at, after);
    }
    const DictObject* children = moduleTable(instance, kModuleTable);
    for (const DictObject::Entry& entry : children->entries())
        if (!entry.value.isNone() && !module.child(entry.key.text()))
            return false;
    for (const NamedModule& child : module.children) {
        const Value* made = children->find(child.name);
        const TreePlace place = at.below(child.name);
        const bool isNew = claim(child.module, place);
        if (made && isModuleInstance(*made) && !m_model.module(child.module).graph) {
            Lines below;
            Progress before = progress();
            if (!isNew || mend(*made, child.module, place, below)) {
                after.insert(after.end(), below.begin(), below.end());
                continue;
            }
            goBackTo(std::move(before));
        }
        if (!isNew)
            continue; // ties()
        Lines below;
        const std::string expression = this->made(child.module, place, below);
        after.push_back(childAssignment(m_model, at, child, expression));
        after.insert(after.end(), below.begin(), below.end());
    }
    writeHooks(module, at, after);
    return true;
}

bool TreeWriter::mendTensors(const Value& instance, const Module& module, const TreePlace& at, Lines& after) {
    const auto madeIn = [&](const TextKey& table, const std::string& name) {
        return moduleTable(instance, table)->find(name);
    };
    for (const TextKey& table : {kParameterTable, kBufferTable})
        for (const DictObject::Entry& entry : moduleTable(instance, table)->entries()) {
            const NamedTensor* own = module.tensor(entry.key.text());
            const bool isParameter = own && own->role == TensorRole::Parameter;
            if (!own || own->role == TensorRole::Constant ||
                isParameter != (table.text == kParameterTable.text))
                after.push_back(deletion(at.object, entry.key.text()));
        }
    if (const NamedTensor* weight = module.tensor(kHeldWeight)) {
        const NamedTensor* bias = module.tensor(kHeldBias);
        const auto taken = [&](const NamedTensor* entry) {
            return entry && entry->tensor
                       ? stateExpression(entry->tensor, joinedPath(at.path, entry->name), true)
                       : std::string("None");
        };
        const bool hasBias = shortTypeName(module.type) != "EmbeddingPackedParams";
        after.push_back(at.object + (hasBias ? ".set_weight_bias(" : ".set_weight(") + taken(weight) +
                        (hasBias ? ", " + taken(bias) : "") + ')');
    }
    const Value* transient = fieldsOf(instance).find("_non_persistent_buffers_set");
    for (const NamedTensor& entry : module.tensors) {
        if (entry.name == kHeldWeight || entry.name == kHeldBias)
            continue;
        const TextKey& table = entry.role == TensorRole::Parameter ? kParameterTable : kBufferTable;
        const Value* made = entry.role == TensorRole::Constant ? nullptr : madeIn(table, entry.name);
        const bool isTransient =
            made && transient && contains(m_constructors.evaluator(), *transient, makeText(entry.name));
        const bool isAlike = made && plainOf(*made).isTensor() == bool(entry.tensor) &&
                             (entry.role == TensorRole::Parameter ||
                              isTransient == (entry.role == TensorRole::TransientBuffer));
        if (!isAlike)
            writeTensor(entry, at, after);
        else if (entry.tensor)
            m_state.push_back({joinedPath(at.path, entry.name), entry.tensor});
    }
    return true;
}

/// Has state.pt hold the registered tensors of a module whose places are made.
void TreeWriter::keepTensors(ModuleId id, const TreePlace& at) {
    for (const NamedTensor& entry : m_model.module(id).tensors)
        if (entry.tensor)
            m_state.push_back({joinedPath(at.path, entry.name), entry.tensor});
}

std::string TreeWriter::stateExpression(TensorId id, const std::string& path, bool isTaken) {
    m_state.push_back({path, id});
    return isTaken ? "state.pop(" + pythonRepr(path) + ')' : "state[" + pythonRepr(path) + ']';
}

/// An object of torch.classes as unpickling makes it: without a constructor, from its state.
std::string TreeWriter::scriptObject(ModuleId id, const std::string& path) {
    const Module& module = m_model.module(id);
    if (module.type == kGeneratorType) {
        const NamedTensor* bytes = module.tensor("state");
        return bytes ? "torch.Generator().set_state(" +
                           stateExpression(bytes->tensor, joinedPath(path, "state"), true) + ')'
                     : "torch.default_generator";
    }
    const Argument* state = module.value("state");
    m_helpers.scriptObject = true;
    return "_script_object(" + pythonRepr("__torch__." + module.type) + ", " +
           (state ? stateOfObject(module, *state, path) : "None") + ')';
}

std::string TreeWriter::stateOfObject(const Module& module, const Argument& state, const std::string& path) {
    if (const Arguments* parts = state.items()) {
        std::vector<std::string> items;
        for (const Argument& item : *parts)
            items.push_back(stateOfObject(module, item, path));
        const std::string inside = join(items, ", ");
        return state.as<ListValue>() ? '[' + inside + ']' : '(' + inside + (items.size() == 1 ? ",)" : ")");
    }
    const auto* part = state.as<DictValue>();
    if (!part)
        return argumentText(state, path);
    const auto* name = part->items.at(0).second.as<std::string>();
    const NamedTensor* entry = name ? module.tensor(*name) : nullptr;
    if (entry && entry->tensor)
        return stateExpression(entry->tensor, joinedPath(path, *name), true);
    const ModuleId child = name ? module.child(*name) : ModuleId();
    return child ? scriptObject(child, joinedPath(path, *name)) : "None";
}

} // namespace fx
