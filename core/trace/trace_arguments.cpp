// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_arguments.h"

#include "core/python/set_attributes.h"
#include "core/python/types/support.h"

#include <algorithm>

namespace fx {

namespace {

using ParamKind = FunctionTree::Parameter::Kind;

/// The function that decorators with functools.wraps have gone around.
Value unwrapped(Evaluator& evaluator, Value function) {
    for (int i = 0; i < 100; ++i) {
        const std::optional<Value> inner = evaluator.findAttribute(function, "__wrapped__");
        if (!inner || !inner->as<DefinedObject>())
            break;
        function = *inner;
    }
    return function;
}

/// Python's name of the class of a container.
void nameClass(ProgramGraph& graph, const InstanceObject& instance, TreeSpec& spec) {
    const ClassData& data = *instance.type.as<ClassObject>()->data;
    spec.type = data.module + '.' + data.qualifiedName;
    graph.learn(Target(spec.type), instance.type); // which may be of a function, where no name leads to
}

/// How pytree names the container: by its kind, named tuples and subclasses of dict by their class.
void describe(ProgramGraph& graph, const Value& value, TreeSpec& spec) {
    const auto* sequence = plainOf(value).as<SequenceObject>();
    const auto* instance = value.as<InstanceObject>();
    spec.kind = !sequence          ? TreeSpec::Kind::Dict
                : sequence->isList ? TreeSpec::Kind::List
                                   : TreeSpec::Kind::Tuple;
    spec.type = !sequence ? "builtins.dict" : sequence->isList ? "builtins.list" : "builtins.tuple";
    if (!instance)
        return;
    if (instance->type.as<ClassObject>()->data->find("_fields"))
        spec.kind = TreeSpec::Kind::NamedTuple;
    nameClass(graph, *instance, spec);
}

/// The container with other items in it.
Value alike(const Value& container, Value items) {
    const auto* instance = container.as<InstanceObject>();
    if (!instance)
        return items;
    const Value type = instance->type, attributes = instance->dict;
    Value out = makeInstance(type, std::move(items));
    *out.as<InstanceObject>()->dict.as<DictObject>() = *attributes.as<DictObject>();
    return out;
}

/// Takes a result apart into leaves, and says its shape.
TreeSpec flatten(ProgramGraph& graph, const Value& value, Values& leaves) {
    const RecursionGuard guard; // a container may hold itself
    TreeSpec spec;
    const Value& plain = plainOf(value);
    if (const auto* sequence = plain.as<SequenceObject>()) {
        describe(graph, value, spec);
        for (const Value& item : sequence->items)
            spec.children.push_back(flatten(graph, item, leaves));
        return spec;
    }
    if (const auto* dict = plain.as<DictObject>()) {
        describe(graph, value, spec);
        for (const DictObject::Entry& entry : dict->entries()) {
            spec.keys.push_back(plainArgument(entry.key).value_or(Argument(OpaqueValue{"?"})));
            spec.children.push_back(flatten(graph, entry.value, leaves));
        }
        return spec;
    }
    leaves.push_back(value);
    return spec;
}

bool isPlaceholderMark(const Value& value) {
    const auto* instance = value.as<InstanceObject>();
    if (!instance)
        return false;
    const ClassData& data = *instance->type.as<ClassObject>()->data;
    const auto isMark = [](const ClassData& type) { return type.name == "PHBase"; };
    return isMark(data) || std::ranges::any_of(data.mro, [&](const Value& base) {
               return isMark(*base.as<ClassObject>()->data);
           });
}

} // namespace

Value TraceArguments::specialize(const std::string& name, const std::optional<Value>& defaultValue,
                                 const Value& concrete, TreeSpec& spec, int& count) {
    const RecursionGuard guard;
    const Value& plain = plainOf(concrete);
    if (const auto* sequence = plain.as<SequenceObject>()) {
        describe(m_tracer.program(), concrete, spec);
        Values items;
        for (const Value& item : sequence->items)
            items.push_back(specialize(name, defaultValue, item, spec.children.emplace_back(), count));
        return alike(concrete, sequence->isList ? makeList(std::move(items)) : makeTuple(std::move(items)));
    }
    if (const auto* dict = plain.as<DictObject>()) {
        describe(m_tracer.program(), concrete, spec);
        DictObject out;
        for (const DictObject::Entry& entry : dict->entries()) {
            spec.keys.push_back(plainArgument(entry.key).value_or(Argument(OpaqueValue{"?"})));
            out.set(entry.key,
                    specialize(name, defaultValue, entry.value, spec.children.emplace_back(), count));
        }
        return alike(concrete, Object{std::move(out)});
    }
    if (std::optional<Value> registered = specializeRegistered(name, defaultValue, concrete, spec, count))
        return *registered;
    const Values defaults = defaultValue ? Values{*defaultValue} : Values();
    const Value out =
        m_tracer.createProxy(Opcode::Placeholder, name + '_' + std::to_string(++count), defaults, {});
    if (isPlaceholderMark(concrete)) {
        // What the program has put on a mark of its own is its node's, unless that has such an attribute.
        const Value attributes = concrete.as<InstanceObject>()->dict,
                    node = m_evaluator.attribute(out, "node");
        for (const DictObject::Entry& entry : attributes.as<DictObject>()->entries())
            if (!m_evaluator.findAttribute(node, entry.key.text()))
                setAttribute(m_evaluator, node, entry.key.text(), entry.value);
        return out;
    }
    const bool isBase =
        concrete.isBool() || concrete.isInt() || concrete.isDouble() || concrete.isString() ||
        (concrete.isData() && (concrete.data().isComplexDouble() || concrete.data().isDevice())) ||
        concrete.as<Argument>();
    if (isBase) {
        const Value isSame = m_evaluator.operate(Operator::Eq, out, concrete);
        m_tracer.createProxy(Opcode::CallFunction, "torch._assert",
                             {isSame, makeText(name + " has been specialized to have value " +
                                               m_evaluator.str(concrete) + " but got another value")},
                             {}, "_assert");
    } else if (concrete.isNone()) {
        m_tracer.createProxy(
            Opcode::CallFunction, "torch.fx._symbolic_trace._assert_is_none",
            {out, makeText(name + " has been specialized to have value None but got another value")}, {});
    } else {
        m_evaluator.warnings().push_back(
            "UserWarning: Was not able to add assertion to guarantee correct input " + name +
            " to specialized function. It is up to the user to make sure that your inputs match the inputs "
            "you "
            "specialized the function with.");
    }
    return concrete;
}

std::optional<Value> TraceArguments::specializeRegistered(const std::string& name,
                                                          const std::optional<Value>& defaultValue,
                                                          const Value& concrete, TreeSpec& spec, int& count) {
    const auto* instance = concrete.as<InstanceObject>();
    if (!instance || isPlaceholderMark(concrete))
        return std::nullopt;
    const Value pytree = m_evaluator.modules().importModule("torch.utils._pytree");
    const Value parts = m_evaluator.call(m_evaluator.attribute(pytree, "_registered_parts"), {concrete});
    if (parts.isNone())
        return std::nullopt;
    const Values pair = m_evaluator.items(parts);
    spec.kind = TreeSpec::Kind::Other;
    nameClass(m_tracer.program(), *instance, spec);
    spec.keys = {m_tracer.program().argument(m_evaluator, pair.at(1))};
    Values items;
    for (const Value& item : m_evaluator.items(pair.at(0)))
        items.push_back(specialize(name, defaultValue, item, spec.children.emplace_back(), count));
    return m_evaluator.call(m_evaluator.attribute(pytree, "_registered_from"),
                            {instance->type, makeList(std::move(items)), pair.at(1)});
}

Values TraceArguments::create(const Value& function, const std::optional<Value>& self,
                              const Value& givenConcrete) {
    m_function = unwrapped(m_evaluator, function).as<DefinedObject>()->function;
    const auto& parameters = m_function->tree->parameters;
    Value concrete = givenConcrete;
    Values out;
    size_t named = 0;
    bool hasVariable = false;
    for (const auto& p : parameters) {
        const bool isVariable = p.kind == ParamKind::Args || p.kind == ParamKind::Kwargs;
        named += isVariable ? 0 : 1;
        hasVariable = hasVariable || isVariable;
    }
    if (self) {
        if (named == 0)
            raise("RuntimeError", "``self`` argument cannot be part of *args expansion!");
        out.push_back(*self);
    }
    const size_t skipped = self ? 1 : 0;

    const std::optional<Values> positional = concrete.as<DictObject>() ? std::nullopt : itemsOf(concrete);
    if (positional && !positional->empty() && hasVariable && named == 1) {
        Values inputs;
        for (size_t i = 0; i < positional->size(); ++i)
            inputs.push_back(m_tracer.createProxy(Opcode::Placeholder, "input_" + std::to_string(i), {}, {}));
        if (self)
            out.push_back(makeTuple(std::move(inputs)));
        else
            out = {makeTuple(std::move(inputs))};
        if (parameters.back().kind == ParamKind::Kwargs)
            out.push_back(Object{DictObject()});
        return out;
    }
    if (positional) {
        if (positional->size() != named - skipped)
            raise("RuntimeError", "Tracing expected " + std::to_string(named - skipped) +
                                      " arguments but got " + std::to_string(positional->size()) +
                                      " concrete arguments");
        DictObject byName;
        size_t next = 0, at = 0;
        for (const auto& p : parameters)
            if (p.kind != ParamKind::Args && p.kind != ParamKind::Kwargs)
                if (at++ >= skipped)
                    byName.set(p.name, (*positional)[next++]);
        concrete = Object{std::move(byName)};
    }
    const DictObject* fixed = concrete.as<DictObject>();

    // Positional parameters, then those by keyword, then the variable ones: the order of co_varnames.
    const auto rank = [](ParamKind kind) {
        return kind == ParamKind::Args          ? 2
               : kind == ParamKind::Kwargs      ? 3
               : kind == ParamKind::KeywordOnly ? 1
                                                : 0;
    };
    if (self) {
        m_names.push_back(parameters[0].name);
        m_inputs.children.emplace_back();
    }
    m_inputs.kind = TreeSpec::Kind::Tuple;
    m_inputs.type = "builtins.tuple";
    DictObject* annotations = m_function->annotations.as<DictObject>();
    size_t seen = 0;
    for (int pass = 0; pass < 4; ++pass)
        for (size_t i = 0; i < parameters.size(); ++i) {
            const auto& p = parameters[i];
            if (rank(p.kind) != pass || (pass < 2 && seen++ < skipped))
                continue;
            const std::string star = p.kind == ParamKind::Args     ? "*"
                                     : p.kind == ParamKind::Kwargs ? "**"
                                                                   : "";
            m_names.push_back(p.name);
            TreeSpec spec;
            const Value* given = star.empty() && fixed ? fixed->find(std::string_view(p.name)) : nullptr;
            if (given) {
                int count = 0;
                out.push_back(specialize(p.name, m_function->defaults[i], *given, spec, count));
                m_hasTree = m_hasTree || spec.kind != TreeSpec::Kind::Leaf;
            } else if (std::optional<Value> instead =
                           m_tracer.argumentInstead(star + p.name, m_function->defaults[i])) {
                out.push_back(std::move(*instead));
            } else {
                std::optional<std::string> type;
                if (const Value* annotation = annotations->find(star + p.name))
                    type = typeText(*annotation);
                const Values defaults =
                    star.empty() && m_function->defaults[i] ? Values{*m_function->defaults[i]} : Values();
                out.push_back(m_tracer.createProxy(Opcode::Placeholder, star + p.name, defaults, {},
                                                   std::nullopt, type));
            }
            m_inputs.children.push_back(std::move(spec));
        }
    return out;
}

Value TraceArguments::finish(Value result) {
    if (!m_hasTree)
        return result;
    Values leaves;
    TreeSpec outputs = flatten(m_tracer.program(), result, leaves);
    Signature signature;
    signature.argumentNames = m_names;
    signature.inputs = m_inputs;
    signature.outputs = std::move(outputs);
    m_tracer.edit().setSignature(std::move(signature));
    return makeList(std::move(leaves));
}

bool TraceArguments::isPatched() const {
    const auto& parameters = m_function->tree->parameters;
    return std::any_of(parameters.begin(), parameters.end(), [](const FunctionTree::Parameter& p) {
        return p.kind == ParamKind::Args || p.kind == ParamKind::Kwargs || p.kind == ParamKind::KeywordOnly;
    });
}

NamedValues TraceArguments::byName(const Values& values, size_t count) const {
    NamedValues out;
    for (size_t i = count; i < values.size() && i < m_names.size(); ++i) {
        const auto is = [&](const FunctionTree::Parameter& p) {
            return p.name == m_names[i] && p.kind != ParamKind::Args && p.kind != ParamKind::Kwargs;
        };
        if (std::any_of(m_function->tree->parameters.begin(), m_function->tree->parameters.end(), is))
            out.emplace_back(m_names[i], values[i]);
    }
    return out;
}

std::optional<std::string> TraceArguments::typeText(const Value& annotation) const {
    // One that is text in the source is printed as such.
    return annotation.isString() ? annotationText(m_evaluator, annotation)
                                 : m_tracer.program().typeText(m_evaluator, annotation);
}

bool TraceArguments::isDecorated(const Value& function) const {
    return function.as<DefinedObject>()->function != m_function;
}

std::optional<std::string> TraceArguments::returnType() const {
    // torch.fx traces a copy of such a function, without annotations.
    const Value* annotation =
        !m_function || isPatched() ? nullptr : m_function->annotations.as<DictObject>()->find("return");
    return annotation ? typeText(*annotation) : std::nullopt;
}

} // namespace fx
