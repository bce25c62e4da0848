// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/recorded_values.h"

#include "core/torch/host/nn_modules.h"
#include "core/trace/trace_arguments.h"
#include "core/trace/tracer.h"

namespace fx {

namespace {

constexpr int kDeepestRecorded = 20;

class Recorder {
public:
    explicit Recorder(Evaluator& evaluator) : m_evaluator(evaluator) {}

    /// None where it holds anything that cannot be made again.
    std::optional<Argument> record(const Value& value, int depth = 0) {
        if (depth > kDeepestRecorded)
            return std::nullopt;
        if (value.as<FunctionObject>() || value.as<DefinedObject>() || value.as<ClassObject>())
            return named(targetOfFunction(m_evaluator, value, ""));
        if (const auto* sequence = value.as<SequenceObject>()) {
            std::optional<Arguments> items = all(sequence->items, depth);
            if (!items)
                return std::nullopt;
            return sequence->isList ? Argument(ListValue{std::move(*items)})
                                    : Argument(TupleValue{std::move(*items)});
        }
        if (const auto* dict = value.as<DictObject>())
            return entries(*dict, depth);
        if (const auto* set = value.as<SetObject>())
            return call(set->isFrozen ? "builtins.frozenset" : "builtins.set", m_evaluator.items(value),
                        depth);
        if (const auto* bytes = value.as<BytesObject>()) {
            ListValue numbers;
            for (const char byte : bytes->bytes)
                numbers.items.emplace_back(int64_t(static_cast<unsigned char>(byte)));
            return NamedTupleValue{bytes->isArray ? "builtins.bytearray" : "builtins.bytes",
                                   {std::move(numbers)}};
        }
        const auto* instance = value.as<InstanceObject>();
        return instance ? object(value, *instance, depth) : plainArgument(value);
    }

private:
    std::optional<Arguments> all(const Values& values, int depth) {
        Arguments out;
        for (const Value& value : values) {
            std::optional<Argument> item = record(value, depth + 1);
            if (!item)
                return std::nullopt;
            out.push_back(std::move(*item));
        }
        return out;
    }

    /// A call of the class with a list.
    std::optional<Argument> call(const char* type, const Values& values, int depth) {
        std::optional<Arguments> items = all(values, depth);
        return items ? std::optional(Argument(NamedTupleValue{type, {ListValue{std::move(*items)}}}))
                     : std::nullopt;
    }

    /// What a module defines at its top; nothing that is local to a function.
    static std::optional<Argument> named(std::string name) {
        // The library's text of torch.nn.functional lies in several files.
        if (name.starts_with("torch.nn._functional."))
            name = "torch.nn.functional" + name.substr(name.rfind('.'));
        return name.find('<') == std::string::npos ? std::optional(Argument(FunctionValue{name}))
                                                   : std::nullopt;
    }

    std::optional<Argument> entries(const DictObject& dict, int depth) {
        DictValue out;
        for (const DictObject::Entry& entry : dict.entries()) {
            std::optional<Argument> key = record(entry.key, depth + 1), item = record(entry.value, depth + 1);
            if (!key || !item)
                return std::nullopt;
            out.items.emplace_back(std::move(*key), std::move(*item));
        }
        return Argument(std::move(out));
    }

    std::optional<Argument> object(const Value& value, const InstanceObject& instance, int depth) {
        const ClassData& type = *instance.type.as<ClassObject>()->data;
        const std::string name = type.module + '.' + type.qualifiedName;
        if (isModuleInstance(value) || instance.payload.isTensor() || name.find('<') != std::string::npos)
            return std::nullopt;
        if (type.find("_member_map_")) {
            const std::optional<Value> member = m_evaluator.findAttribute(value, "name");
            return member && member->isString() ? std::optional(Argument(EnumValue{name, member->text()}))
                                                : std::nullopt;
        }
        const std::optional<Values> items = type.find("_fields") ? itemsOf(plainOf(value)) : std::nullopt;
        if (items) {
            std::optional<Arguments> fields = all(*items, depth);
            return fields ? std::optional(Argument(NamedTupleValue{name, std::move(*fields)})) : std::nullopt;
        }
        if (!instance.payload.isNone()) // a subclass of dict, list or str: what it wraps
            return record(instance.payload, depth + 1);
        std::optional<Argument> fields = entries(*instance.dict.as<DictObject>(), depth);
        return fields ? std::optional(Argument(
                            NamedTupleValue{"builtins.object", {FunctionValue{name}, std::move(*fields)}}))
                      : std::nullopt;
    }

    Evaluator& m_evaluator;
};

} // namespace

Argument recordedValue(Evaluator& evaluator, const Value& value) {
    if (std::optional<Argument> known = Recorder(evaluator).record(value))
        return std::move(*known);
    return OpaqueValue{'<' + typeName(value) + '>'};
}

} // namespace fx
