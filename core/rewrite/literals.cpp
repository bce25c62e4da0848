// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rewrite/literals.h"

#include "core/base/overloaded.h"

#include <cmath>
#include <type_traits>

namespace fx {

namespace {

/// A number as Python compares it: bool and int exactly, the rest by its parts.
struct Number {
    std::optional<int64_t> whole;
    std::complex<double> value;
};

std::optional<Number> asNumber(const Argument& value) {
    if (const bool* held = value.as<bool>())
        return Number{*held, double(*held)};
    if (const int64_t* held = value.as<int64_t>())
        return Number{*held, double(*held)};
    if (const double* held = value.as<double>()) {
        const bool isWhole = std::trunc(*held) == *held && std::abs(*held) < 0x1p63;
        return Number{isWhole ? std::optional(int64_t(*held)) : std::nullopt, *held};
    }
    if (const auto* held = value.as<std::complex<double>>())
        return Number{std::nullopt, *held};
    return std::nullopt;
}

bool areEqual(const Number& a, const Number& b) {
    return a.whole && b.whole ? *a.whole == *b.whole : a.value == b.value;
}

bool areEqual(const Arguments& a, const Arguments& b, NodesAre nodes) {
    if (a.size() != b.size())
        return false;
    for (size_t i = 0; i < a.size(); ++i)
        if (!isEqualInPython(a[i], b[i], nodes))
            return false;
    return true;
}

bool areEqual(const DictValue& a, const DictValue& b, NodesAre nodes) {
    if (a.items.size() != b.items.size())
        return false;
    for (const auto& [key, value] : a.items) {
        const Argument* other = nullptr;
        for (const auto& [otherKey, otherValue] : b.items)
            if (isEqualInPython(key, otherKey, nodes))
                other = &otherValue;
        if (!other || !isEqualInPython(value, *other, nodes))
            return false;
    }
    return true;
}

int64_t lengthOf(const RangeValue& range) {
    const __int128 distance =
        range.step > 0 ? __int128(range.stop) - range.start : __int128(range.start) - range.stop;
    const __int128 step = range.step > 0 ? __int128(range.step) : -__int128(range.step);
    return distance <= 0 || step == 0 ? 0 : int64_t((distance + step - 1) / step);
}

bool areEqual(const RangeValue& a, const RangeValue& b) {
    const int64_t length = lengthOf(a);
    return length == lengthOf(b) &&
           (length == 0 || (a.start == b.start && (length == 1 || a.step == b.step)));
}

/// Tuples and named tuples, which are tuples too.
const Arguments* tupleItems(const Argument& value) {
    return value.as<ListValue>() ? nullptr : value.items();
}

} // namespace

std::string pythonTypeName(const Argument& value) {
    return value.visit(Overloaded{
        [](const NoneValue&) -> std::string { return "NoneType"; },
        [](bool) -> std::string { return "bool"; },
        [](int64_t) -> std::string { return "int"; },
        [](double) -> std::string { return "float"; },
        [](const std::complex<double>&) -> std::string { return "complex"; },
        [](const std::string&) -> std::string { return "str"; },
        [](c10::ScalarType) -> std::string { return "torch.dtype"; },
        [](const c10::Device&) -> std::string { return "torch.device"; },
        [](c10::Layout) -> std::string { return "torch.layout"; },
        [](c10::MemoryFormat) -> std::string { return "torch.memory_format"; },
        [](const EllipsisValue&) -> std::string { return "ellipsis"; },
        [](NodeId) -> std::string { return "Node"; },
        [](const ListValue&) -> std::string { return "immutable_list"; },
        [](const TupleValue&) -> std::string { return "tuple"; },
        [](const DictValue&) -> std::string { return "immutable_dict"; },
        [](const SliceValue&) -> std::string { return "slice"; },
        [](const NamedTupleValue& held) { return std::string(held.type.functionName()); },
        [](const RangeValue&) -> std::string { return "range"; },
        [](const FunctionValue&) -> std::string { return "function"; },
        [](const EnumValue& held) { return std::string(held.type.functionName()); },
        [](const OpaqueValue&) -> std::string { return "object"; },
    });
}

bool isEqualInPython(const Argument& a, const Argument& b, NodesAre nodes) {
    if (a.node() || b.node())
        return nodes == NodesAre::OfOneGraph && a.node() == b.node();
    const std::optional<Number> left = asNumber(a), right = asNumber(b);
    if (left || right)
        return left && right && areEqual(*left, *right);
    if (a.as<ListValue>() && b.as<ListValue>())
        return areEqual(*a.items(), *b.items(), nodes);
    if (tupleItems(a) && tupleItems(b))
        return areEqual(*tupleItems(a), *tupleItems(b), nodes);
    if (a.as<DictValue>() && b.as<DictValue>())
        return areEqual(*a.as<DictValue>(), *b.as<DictValue>(), nodes);
    if (a.as<SliceValue>() && b.as<SliceValue>())
        return areEqual(a.as<SliceValue>()->parts, b.as<SliceValue>()->parts, nodes);
    if (a.as<RangeValue>() && b.as<RangeValue>())
        return areEqual(*a.as<RangeValue>(), *b.as<RangeValue>());
    return a == b;
}

bool isSameLiteral(const Argument& a, const Argument& b, NodesAre nodes) {
    const bool isSameKind =
        a.visit([&]<class T>(const T&) { return b.as<std::remove_cvref_t<T>>() != nullptr; });
    return isSameKind && isEqualInPython(a, b, nodes);
}

std::optional<Arguments> pythonItems(const Argument& value) {
    if (const Arguments* items = value.items())
        return *items;
    Arguments out;
    if (const auto* dict = value.as<DictValue>()) {
        for (const auto& [key, item] : dict->items)
            out.push_back(key);
        return out;
    }
    if (const auto* range = value.as<RangeValue>()) {
        const int64_t length = lengthOf(*range);
        for (int64_t i = 0; i < length; ++i)
            out.emplace_back(range->start + i * range->step);
        return out;
    }
    if (const auto* text = value.as<std::string>()) {
        for (char c : *text) {
            const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80 && !out.empty();
            if (continues)
                out.back() = *out.back().as<std::string>() + c;
            else
                out.emplace_back(std::string(1, c));
        }
        return out;
    }
    return std::nullopt;
}

} // namespace fx
