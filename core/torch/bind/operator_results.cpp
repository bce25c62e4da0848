// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/operator_results.h"

#include "core/python/types/sequences.h"

namespace fx {

/// "torch.return_types.max(", and a line for each field.
static Value resultText(Evaluator& evaluator, Values& args, NamedValues&) {
    requireArguments("__repr__", args, 1, 1);
    const auto* result = args[0].as<InstanceObject>();
    if (!result)
        raise("TypeError", "__repr__() of a result is not for a '" + fx::typeName(args[0]) + "' object");
    const ClassData& type = evaluator.classOf(result->type);
    std::string text = type.module + '.' + type.name + '(';
    std::string_view separator = "\n";
    for (const auto& [name, value, hash] : result->dict.as<DictObject>()->entries()) {
        text += std::string(separator) + name.text() + '=' + evaluator.repr(value);
        separator = ",\n";
    }
    return makeText(text + ')');
}

template <class Names>
static Value withFields(const Value& type, const Names& names, const Values& items) {
    Value out = makeInstance(type, makeTuple(items));
    for (size_t i = 0; i < names.size() && i < items.size(); ++i)
        out.as<InstanceObject>()->dict.as<DictObject>()->set(std::string(names[i]), items[i]);
    return out;
}

void unwrap(Values& args, NamedValues& kwargs) {
    for (Value& value : args)
        value = plainOf(value);
    for (auto& [name, value] : kwargs)
        value = plainOf(value);
}

/// Null for a tuple without names whose type cannot be made: that of a tensor whose sizes are symbols.
static std::shared_ptr<c10::TupleType> typeOf(const c10::ivalue::Tuple& tuple) {
    try {
        return tuple.type<c10::TupleType>();
    } catch (const c10::Error&) {
        return nullptr;
    }
}

Value OperatorResults::toPython(Evaluator& evaluator, Value value) {
    if (value.isTensor() && !value.data().toTensor().defined())
        return {}; // what an operator leaves out is None in Python
    if (!value.isData() || !(value.data().isTuple() || value.data().isList()))
        return value;
    Values items = *itemsOf(value);
    for (Value& item : items)
        item = toPython(evaluator, std::move(item));
    if (value.data().isList())
        return makeList(std::move(items));
    const auto shape = typeOf(value.data().toTupleRef());
    const auto names = shape ? shape->names() : std::nullopt;
    if (!names || !shape->name())
        return makeTuple(std::move(items));
    const std::string typeName = shape->name()->qualifiedName();
    const auto [type, isNew] = m_types.try_emplace(typeName);
    if (isNew) {
        ClassData& data = evaluator.types().add(typeName, "tuple");
        data.name = data.qualifiedName = shape->name()->name();
        data.module = shape->name()->prefix();
        data.add("__repr__", resultText);
        data.construct = [names = std::vector<std::string>(names->begin(), names->end())](
                             Evaluator& e, const Value& own, Values& args, NamedValues&) -> Value {
            requireArguments("structseq", args, 1, 1);
            return withFields(own, names, e.items(args[0]));
        };
        type->second = evaluator.type(typeName);
        evaluator.builtins().erase(typeName);
    }
    return withFields(type->second, *names, items);
}

} // namespace fx
