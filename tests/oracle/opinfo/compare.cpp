// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/oracle/opinfo/compare.h"

#include "core/ir/argument_text.h"
#include "core/ir/dtype.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>

#include <cstring>
#include <sstream>

namespace fx {

namespace {

/// The parts that a sparse tensor is made of; a strided one is its own.
std::vector<at::Tensor> partsOf(const at::Tensor& tensor) {
    switch (tensor.layout()) {
    case c10::kSparse:
        return {tensor._indices(), tensor._values()};
    case c10::kSparseCsr:
    case c10::kSparseBsr:
        return {tensor.crow_indices(), tensor.col_indices(), tensor.values()};
    case c10::kSparseCsc:
    case c10::kSparseBsc:
        return {tensor.ccol_indices(), tensor.row_indices(), tensor.values()};
    default:
        return {tensor};
    }
}

at::Tensor plain(const at::Tensor& tensor) {
    return tensor.resolve_conj().resolve_neg().contiguous().reshape({-1});
}

/// True where both are the same bits, or both are NaN.
at::Tensor sameElements(const at::Tensor& a, const at::Tensor& b) {
    if (a.is_complex())
        return sameElements(at::view_as_real(a), at::view_as_real(b)).all(-1);
    at::Tensor same = a == b;
    if (!a.is_floating_point())
        return same;
    same &= at::signbit(a) == at::signbit(b); // tells zeros apart
    return same | (at::isnan(a) & at::isnan(b));
}

std::string dataDifference(const at::Tensor& ours, const at::Tensor& expected) {
    const at::Tensor a = plain(ours), b = plain(expected);
    if (a.numel() == 0 || std::memcmp(a.data_ptr(), b.data_ptr(), a.nbytes()) == 0)
        return {};
    const at::Tensor different = sameElements(a, b).logical_not();
    const at::Tensor where = different.nonzero().reshape({-1});
    if (where.numel() == 0)
        return {};
    const int64_t first = where[0].item<int64_t>();
    std::ostringstream out;
    out << where.numel() << " of " << a.numel() << " elements differ, first at " << first << ": "
        << valueText(c10::IValue(a[first])) << " for " << valueText(c10::IValue(b[first]));
    return out.str();
}

/// Of a dimension with one element, and of no elements, the stride says nothing.
bool haveSameStrides(const at::Tensor& a, const at::Tensor& b) {
    if (a.layout() != c10::kStrided || a.numel() == 0)
        return true;
    for (int64_t i = 0; i < a.dim(); ++i)
        if (a.size(i) != 1 && a.stride(i) != b.stride(i))
            return false;
    return true;
}

} // namespace

std::string difference(const at::Tensor& ours, const at::Tensor& expected, Closeness closeness) {
    if (!ours.defined())
        return "an undefined tensor";
    if (ours.scalar_type() != expected.scalar_type())
        return dtypeText(ours.scalar_type()) + " for " + dtypeText(expected.scalar_type());
    if (ours.sizes() != expected.sizes()) {
        std::ostringstream out;
        out << "shape " << ours.sizes() << " for " << expected.sizes();
        return out.str();
    }
    if (ours.layout() != expected.layout())
        return layoutText(ours.layout()) + " for " + layoutText(expected.layout());
    if (ours.device() != expected.device())
        return deviceText(ours.device()) + " for " + deviceText(expected.device());
    if (!haveSameStrides(ours, expected)) {
        std::ostringstream out;
        out << "strides " << ours.strides() << " for " << expected.strides() << " of " << ours.sizes();
        return out.str();
    }
    if (closeness == Closeness::Shape || ours.is_meta())
        return {};
    if (closeness == Closeness::About && at::allclose(ours, expected, 1e-2, 1e-3, true))
        return {};
    if (ours.layout() == c10::kStrided)
        return dataDifference(ours, expected);
    const std::vector<at::Tensor> a = partsOf(ours), b = partsOf(expected);
    for (size_t i = 0; i < a.size(); ++i)
        if (const std::string found = difference(a[i], b[i]); !found.empty())
            return "part " + std::to_string(i) + " of the sparse tensor: " + found;
    return {};
}

namespace {

bool isList(const Value& value) {
    if (const auto* sequence = value.as<SequenceObject>())
        return sequence->isList;
    if (const auto* instance = value.as<InstanceObject>())
        return isList(instance->payload);
    return value.isData() && value.data().isList();
}

/// The name of a named tuple's class; empty for others.
std::string namedTupleType(const Value& value) {
    if (value.as<InstanceObject>())
        return typeName(value);
    if (!value.isData() || !value.data().isTuple())
        return {};
    const auto name = value.data().toTupleRef().type()->name();
    return name ? name->name() : std::string();
}

class Comparison {
public:
    explicit Comparison(const ExpectedResult& expected) : m_expected(expected) {}

    std::string of(const Value& ours, const Argument& expected) const {
        if (const NodeId index = expected.node())
            return tensor(ours, static_cast<size_t>(index.value));
        if (expected.items())
            return sequence(ours, expected);
        if (const auto* dict = expected.as<DictValue>())
            return items(ours, *dict);
        return leaf(ours, expected);
    }

private:
    static std::string other(const Value& ours, const std::string& expected) {
        return "a " + typeName(ours) + " for " + expected;
    }

    std::string tensor(const Value& ours, size_t index) const {
        if (!ours.isTensor())
            return other(ours, "a Tensor");
        const at::Tensor& own = ours.data().toTensor();
        const std::string found = difference(own, m_expected.tensors.at(index), m_expected.closeness);
        return found.empty() ? aliasDifference(own, index) : found;
    }

    std::string aliasDifference(const at::Tensor& ours, size_t index) const {
        if (ours.layout() != c10::kStrided || ours.is_meta() || ours.storage().nbytes() == 0)
            return {};
        const auto wanted = m_expected.aliases.find(index);
        if (wanted != m_expected.aliases.end())
            return ours.is_alias_of(m_expected.inputs.at(wanted->second))
                       ? ""
                       : "memory of its own, not that of input " + std::to_string(wanted->second);
        for (size_t i = 0; i < m_expected.inputs.size(); ++i)
            if (m_expected.inputs[i].layout() == c10::kStrided && ours.is_alias_of(m_expected.inputs[i]))
                return "the memory of input " + std::to_string(i);
        return {};
    }

    std::string sequence(const Value& ours, const Argument& expected) const {
        const std::optional<Values> values = itemsOf(ours);
        const bool wantsList = expected.as<ListValue>() != nullptr;
        if (!values || isList(ours) != wantsList)
            return other(ours, wantsList ? "a list" : "a tuple");
        if (const auto* named = expected.as<NamedTupleValue>()) {
            const std::string type = namedTupleType(ours);
            if (type != named->type.functionName())
                return "a " + (type.empty() ? std::string("tuple") : type) + " for a " + named->type.name();
        }
        const Arguments& wanted = *expected.items();
        if (values->size() != wanted.size())
            return std::to_string(values->size()) + " items for " + std::to_string(wanted.size());
        for (size_t i = 0; i < wanted.size(); ++i)
            if (const std::string found = of((*values)[i], wanted[i]); !found.empty())
                return "item " + std::to_string(i) + ": " + found;
        return {};
    }

    std::string items(const Value& ours, const DictValue& expected) const {
        const auto* dict = ours.as<DictObject>();
        if (!dict || dict->size() != expected.items.size())
            return other(ours, "a dict of " + std::to_string(expected.items.size()));
        size_t at = 0;
        for (const auto& entry : dict->entries()) {
            const auto& [key, value] = expected.items[at++];
            std::string found = of(entry.key, key);
            if (found.empty())
                found = of(entry.value, value);
            if (!found.empty())
                return "entry " + std::to_string(at - 1) + ": " + found;
        }
        return {};
    }

    std::string leaf(const Value& ours, const Argument& expected) const {
        const Value value = makeValue(expected, nullptr);
        const bool isSame =
            typeName(ours) == typeName(value) && (areEqual(ours, value) || (isNan(ours) && isNan(value)));
        return isSame ? "" : other(ours, reprText(expected, nullptr) + ", it is " + valueText(ours));
    }

    static bool isNan(const Value& value) { return value.isDouble() && std::isnan(value.data().toDouble()); }

    const ExpectedResult& m_expected;
};

} // namespace

std::string difference(const Value& ours, const ExpectedResult& expected) {
    return Comparison(expected).of(ours, expected.tree);
}

} // namespace fx
