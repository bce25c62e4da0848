// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_values.h"

#include "core/base/error.h"

#include <ATen/ATen.h>
#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/class_type.h>

namespace fx {

std::string demangled(std::string name) {
    if (name.starts_with("__torch__."))
        name.erase(0, 10);
    for (size_t at; (at = name.find("___torch_mangle_")) != std::string::npos;) {
        const size_t dot = name.find('.', at);
        name.erase(at, dot == std::string::npos ? dot : dot + 1 - at);
    }
    return name;
}

Value fromIValue(const c10::IValue& value, const InstanceReader& instance) {
    constexpr int kDeepest = 200;
    static thread_local int depth = 0;
    struct Depth {
        Depth() {
            if (++depth > kDeepest)
                throw Error("", "a value nests more than " + std::to_string(kDeepest) + " levels deep");
        }
        ~Depth() { --depth; }
    };
    if (value.isList()) {
        const Depth guard;
        Values items;
        for (const c10::IValue& item : value.toListRef())
            items.push_back(fromIValue(item, instance));
        return makeList(std::move(items));
    }
    if (value.isTuple()) {
        const Depth guard;
        Values items;
        for (const c10::IValue& item : value.toTupleRef().elements())
            items.push_back(fromIValue(item, instance));
        return makeTuple(std::move(items));
    }
    if (value.isGenericDict()) {
        const Depth guard;
        DictObject out;
        for (const auto& entry : value.toGenericDict())
            out.set(fromIValue(entry.key(), instance), fromIValue(entry.value(), instance));
        return Object{std::move(out)};
    }
    if (value.isObject() && instance && !value.isCustomClass() && !value.toObjectRef().type()->is_module())
        return instance(value);
    return value;
}

std::optional<c10::IValue> toIValue(const Value& value, const c10::TypePtr& type) {
    if (value.isData())
        return value.data();
    if (const auto optional = type->cast<c10::OptionalType>())
        return toIValue(value, optional->getElementType());
    if (const auto* leaf = value.as<Argument>()) {
        if (const auto* dtype = leaf->as<c10::ScalarType>())
            return c10::IValue(static_cast<int64_t>(*dtype));
        return std::nullopt;
    }
    if (const auto* sequence = value.as<SequenceObject>()) {
        if (!sequence->isList) {
            const auto tuple = type->cast<c10::TupleType>();
            std::vector<c10::IValue> items;
            for (size_t i = 0; i < sequence->items.size(); ++i) {
                const c10::TypePtr item =
                    tuple && i < tuple->elements().size() ? tuple->elements()[i] : c10::AnyType::get();
                std::optional<c10::IValue> converted = toIValue(sequence->items[i], item);
                if (!converted)
                    return std::nullopt;
                items.push_back(std::move(*converted));
            }
            return c10::IValue(c10::ivalue::Tuple::create(std::move(items)));
        }
        const auto list = type->cast<c10::ListType>();
        c10::TypePtr element = list ? list->getElementType() : c10::TypePtr(c10::AnyType::get());
        if (!list && !sequence->items.empty() && sequence->items[0].isData())
            element = sequence->items[0].data().type();
        c10::impl::GenericList out(element);
        for (const Value& item : sequence->items) {
            std::optional<c10::IValue> converted = toIValue(item, element);
            if (!converted)
                return std::nullopt;
            out.push_back(std::move(*converted));
        }
        return c10::IValue(out);
    }
    if (const auto* dict = value.as<DictObject>()) {
        const auto known = type->cast<c10::DictType>();
        if (!known)
            return std::nullopt;
        c10::impl::GenericDict out(known->getKeyType(), known->getValueType());
        for (const DictObject::Entry& entry : dict->entries()) {
            std::optional<c10::IValue> key = toIValue(entry.key, known->getKeyType());
            std::optional<c10::IValue> item = toIValue(entry.value, known->getValueType());
            if (!key || !item)
                return std::nullopt;
            out.insert(std::move(*key), std::move(*item));
        }
        return c10::IValue(out);
    }
    return std::nullopt;
}

void forEachTensor(const Value& value, const std::function<void(const at::Tensor&)>& visit) {
    if (value.isTensor())
        visit(value.data().toTensor());
    else if (const auto* sequence = value.as<SequenceObject>())
        for (const Value& item : sequence->items)
            forEachTensor(item, visit);
    else if (const auto* dict = value.as<DictObject>())
        for (const DictObject::Entry& entry : dict->entries())
            forEachTensor(entry.value, visit);
}

bool holdsTensor(const Value& value) {
    bool found = false;
    forEachTensor(value, [&](const at::Tensor&) { found = true; });
    return found;
}

bool holdsInstance(const Value& value) {
    if (value.as<InstanceObject>())
        return true;
    if (const auto* sequence = value.as<SequenceObject>())
        return std::any_of(sequence->items.begin(), sequence->items.end(), holdsInstance);
    if (const auto* dict = value.as<DictObject>())
        return std::any_of(dict->entries().begin(), dict->entries().end(),
                           [](const DictObject::Entry& entry) { return holdsInstance(entry.value); });
    return false;
}

} // namespace fx
