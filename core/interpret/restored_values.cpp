// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/restored_values.h"

#include "core/base/error.h"
#include "core/ir/torch_constants.h"
#include "core/python/library.h"
#include "core/torch/bind/call.h"

namespace fx {

namespace {

using FindName = std::function<std::optional<Value>(const std::string& name)>;

class Restorer {
public:
    Restorer(Evaluator& evaluator, const FindName& findName) : m_evaluator(evaluator), m_findName(findName) {}

    std::optional<Value> restore(const Argument& value) {
        if (value.as<OpaqueValue>())
            return std::nullopt;
        if (const auto* function = value.as<FunctionValue>())
            return named(function->target);
        if (isQScheme(value))
            return makeValue(value, nullptr);
        if (const auto* member = value.as<EnumValue>()) {
            const std::optional<Value> type = named(member->type);
            return type ? m_evaluator.findAttribute(*type, member->member) : std::nullopt;
        }
        if (const auto* made = value.as<NamedTupleValue>())
            return call(*made);
        if (const auto* dict = value.as<DictValue>()) {
            std::vector<std::pair<Value, Value>> items;
            for (const auto& [key, item] : dict->items) {
                const std::optional<Value> first = restore(key), second = restore(item);
                if (!first || !second)
                    return std::nullopt;
                items.emplace_back(*first, *second);
            }
            return makeDict(std::move(items));
        }
        const Arguments* items = value.items();
        if (!items)
            return makeValue(value, nullptr);
        std::optional<Values> values = all(*items);
        if (!values)
            return std::nullopt;
        return value.as<ListValue>() ? makeList(std::move(*values)) : makeTuple(std::move(*values));
    }

private:
    std::optional<Values> all(const Arguments& items) {
        Values out;
        for (const Argument& item : items) {
            std::optional<Value> value = restore(item);
            if (!value)
                return std::nullopt;
            out.push_back(std::move(*value));
        }
        return out;
    }

    std::optional<Value> named(Target target) {
        const std::string& name = target.name();
        if (target.isBuiltin())
            return m_evaluator.builtins().find(name) ? std::optional(*m_evaluator.builtins().find(name))
                                                     : std::nullopt;
        const size_t dot = name.rfind('.');
        const std::string home = name.substr(0, dot), last = name.substr(dot + 1);
        if (std::optional<Value> found = m_evaluator.modules().libraryClass(name);
            found && found->as<ClassObject>())
            return found;
        if (home == "torch" ||
            home == "torch.nn.functional") // the very function that torch's own text compares with
            if (std::optional<Value> found =
                    m_evaluator.findAttribute(m_evaluator.modules().importModule(home), last))
                return found;
        if (isKnownFunction(target) || target.isFromTorch())
            return Value(Object{FunctionObject{target}});
        if (!standardLibrary().find(home))
            if (std::optional<Value> found = m_findName(name))
                return found;
        try {
            return m_evaluator.findAttribute(m_evaluator.modules().importModule(home), last);
        } catch (const Error&) {
            return std::nullopt; // no such module here: what needs the attribute says so
        }
    }

    std::optional<Value> call(const NamedTupleValue& made) {
        const std::string& name = made.type.name();
        std::optional<Values> items = all(made.items);
        if (!items)
            return std::nullopt;
        if (name == "builtins.object" && items->size() == 2) {
            const auto* type = (*items)[0].as<ClassObject>();
            const auto* fields = (*items)[1].as<DictObject>();
            if (!type || type->data->isBuiltin || !fields)
                return std::nullopt;
            const Value instance = makeInstance((*items)[0]);
            for (const DictObject::Entry& field : fields->entries())
                instance.as<InstanceObject>()->dict.as<DictObject>()->set(field.key, field.value);
            return instance;
        }
        const std::optional<Value> type = name.starts_with("builtins.")
                                              ? std::optional(m_evaluator.type(name.substr(9)))
                                              : named(made.type);
        return type ? std::optional(m_evaluator.call(*type, std::move(*items))) : std::nullopt;
    }

    Evaluator& m_evaluator;
    const FindName& m_findName;
};

} // namespace

std::optional<Value> restoredValue(Evaluator& evaluator, const Argument& value, const FindName& findName) {
    return Restorer(evaluator, findName).restore(value);
}

} // namespace fx
