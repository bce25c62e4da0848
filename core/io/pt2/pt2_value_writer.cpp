// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pt2/pt2_value_writer.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/dtype.h"

#include <ATen/core/jit_type.h>

#include <algorithm>
#include <cmath>

namespace fx {

namespace {

/// {"as_int": 3}, or the formula with the number that it was.
Json formulaJson(const std::string& formula, const Json& hint, const Pt2Record& record,
                 const std::string& place) {
    const auto known = record.formulas.find(formula);
    if (known == record.formulas.end() || !isHarmlessFormula(known->second))
        throw Error(place, "has the size or number " + pythonRepr(formula) +
                               ", which is no formula that a .pt2 can hold");
    return {{"as_expr", {{"expr_str", known->second}, {"hint", hint}}}};
}

Json sizeJson(const Dimension& size, const Pt2Record& record, const std::string& place) {
    if (const auto* fixed = std::get_if<int64_t>(&size))
        return {{"as_int", *fixed}};
    const auto& formula = std::get<SymbolicInt>(size);
    return formulaJson(formula.formula, formula.hint ? Json{{"as_int", *formula.hint}} : Json(), record,
                       place);
}

int64_t dtypeCode(c10::ScalarType type, const std::string& place) {
    const DtypeInfo* info = dtypeInfo(type);
    if (!info || info->exportCode < 0)
        throw Error(place, "has the dtype " + dtypeText(type) + ", which a .pt2 has no place for");
    return info->exportCode;
}

int64_t layoutCode(c10::Layout layout, const std::string& place) {
    static constexpr c10::Layout kLayouts[] = {
        c10::Layout::Sparse,    c10::Layout::SparseCsr, c10::Layout::SparseCsc, c10::Layout::SparseBsr,
        c10::Layout::SparseBsc, c10::Layout::Mkldnn,    c10::Layout::Strided};
    for (int64_t code = 0; code < 7; ++code)
        if (kLayouts[code] == layout)
            return code + 1;
    throw Error(place, "has the layout " + layoutText(layout) + ", which a .pt2 has no place for");
}

int64_t memoryFormatCode(c10::MemoryFormat format) {
    switch (format) {
    case c10::MemoryFormat::Contiguous:
        return 1;
    case c10::MemoryFormat::ChannelsLast:
        return 2;
    case c10::MemoryFormat::ChannelsLast3d:
        return 3;
    default:
        return 4;
    }
}

/// Of sizes that are known; 1 before one that is not.
std::vector<Dimension> packedStrides(const std::vector<Dimension>& shape) {
    std::vector<Dimension> out(shape.size(), int64_t(1));
    for (size_t i = shape.size(); i-- > 1;) {
        const auto *size = std::get_if<int64_t>(&shape[i]), *stride = std::get_if<int64_t>(&out[i]);
        if (size && stride)
            out[i - 1] = *size * *stride;
    }
    return out;
}

} // namespace

Json pt2DeviceJson(c10::Device device) {
    return {{"type", c10::DeviceTypeName(device.type(), true)},
            {"index", device.has_index() ? Json(static_cast<int>(device.index())) : Json()}};
}

Json pt2Number(double value) {
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value > 0 ? "Infinity" : "-Infinity";
    return value;
}

Json pt2TensorJson(const TensorMeta& meta, int64_t offset, const Pt2Record& record,
                   const std::string& place) {
    Json sizes = Json::array(), strides = Json::array();
    for (const Dimension& size : meta.shape)
        sizes.push_back(sizeJson(size, record, place));
    // Readers ask for strides of every tensor, though one that oneDNN has laid out has none.
    const bool hasStrides = meta.stride.size() == meta.shape.size();
    for (const Dimension& stride : hasStrides ? meta.stride : packedStrides(meta.shape))
        strides.push_back(sizeJson(stride, record, place));
    return {{"dtype", dtypeCode(meta.dtype, place)},   {"sizes", std::move(sizes)},
            {"requires_grad", meta.requiresGrad},      {"device", pt2DeviceJson(meta.device)},
            {"strides", std::move(strides)},           {"storage_offset", {{"as_int", offset}}},
            {"layout", layoutCode(meta.layout, place)}};
}

// --- Values

Pt2Kind pt2KindOf(const ValueMeta* value) {
    if (!value || std::holds_alternative<NoneValue>(value->value))
        return Pt2Kind::None;
    if (std::holds_alternative<TensorMeta>(value->value))
        return Pt2Kind::Tensor;
    if (std::holds_alternative<std::vector<ValueMeta>>(value->value))
        return Pt2Kind::Several;
    if (const auto* number = std::get_if<SymbolicScalar>(&value->value))
        return number->kind == SymbolicScalar::Kind::Int     ? Pt2Kind::Int
               : number->kind == SymbolicScalar::Kind::Float ? Pt2Kind::Float
                                                             : Pt2Kind::Bool;
    const Argument& constant = std::get<Argument>(value->value);
    return constant.as<bool>()      ? Pt2Kind::Bool
           : constant.as<int64_t>() ? Pt2Kind::Int
           : constant.as<double>()  ? Pt2Kind::Float
                                    : Pt2Kind::None;
}

Json Pt2ValueTables::define(const std::string& name, const ValueMeta& value, const std::string& place) {
    if (const auto* tensor = std::get_if<TensorMeta>(&value.value)) {
        m_tensors[name] = pt2TensorJson(*tensor, 0, m_record, place);
        return {{"as_tensor", {{"name", name}}}};
    }
    const Pt2Kind kind = pt2KindOf(&value);
    if (kind == Pt2Kind::None)
        return {{"as_none", true}};
    if (kind == Pt2Kind::Several)
        throw Error(place, "gives values inside values, which a .pt2 has no place for");
    const char* of = kind == Pt2Kind::Int ? "int" : kind == Pt2Kind::Float ? "float" : "bool";
    Json& table = kind == Pt2Kind::Int ? m_ints : kind == Pt2Kind::Float ? m_floats : m_bools;
    const std::string constant = std::string("as_") + of;
    if (const auto* number = std::get_if<SymbolicScalar>(&value.value)) {
        Json hint;
        if (number->hint && kind == Pt2Kind::Int)
            hint = {{constant, static_cast<int64_t>(*number->hint)}};
        else if (number->hint && kind == Pt2Kind::Float)
            hint = {{constant, pt2Number(*number->hint)}};
        table[name] = formulaJson(number->formula, hint, m_record, place);
    } else {
        const Argument& given = std::get<Argument>(value.value);
        if (const auto* flag = given.as<bool>())
            table[name] = {{constant, *flag}};
        else if (const auto* integer = given.as<int64_t>())
            table[name] = {{constant, *integer}};
        else
            table[name] = {{constant, pt2Number(*given.as<double>())}};
    }
    return {{std::string("as_sym_") + of, {{"as_name", name}}}};
}

void Pt2ValueTables::addTo(Json& graph) const {
    graph["tensor_values"] = m_tensors;
    graph["sym_int_values"] = m_ints;
    graph["sym_bool_values"] = m_bools;
    graph["custom_obj_values"] = Json::object();
    graph["sym_float_values"] = m_floats;
}

// --- Arguments

Pt2Kind Pt2Arguments::kindOf(const Argument& argument) const {
    const NodeId id = argument.node();
    return id ? pt2KindOf(m_graph.node(id).meta.find<ValueMeta>(meta::kValue)) : Pt2Kind::None;
}

Json Pt2Arguments::named(NodeId id) const {
    return m_graph.node(id).name;
}

Json Pt2Arguments::node(NodeId id, const std::string& place) const {
    const Node& node = m_graph.node(id);
    if (node.opcode == Opcode::GetAttr)
        return {{"as_graph", {{"name", node.target.name()}, {"graph", m_nestedGraph(node)}}}};
    switch (kindOf(id)) {
    case Pt2Kind::None:
        return {{"as_none", true}};
    case Pt2Kind::Tensor:
        return {{"as_tensor", {{"name", named(id)}}}};
    case Pt2Kind::Int:
        return {{"as_sym_int", {{"as_name", named(id)}}}};
    case Pt2Kind::Float:
        return {{"as_sym_float", {{"as_name", named(id)}}}};
    case Pt2Kind::Bool:
        return {{"as_sym_bool", {{"as_name", named(id)}}}};
    case Pt2Kind::Several:
        break;
    }
    throw Error(place, "reads all values of '" + node.name + "' at once")
        .hint("read them one by one with operator.getitem");
}

namespace {

/// The key for an empty list of the schema's type.
const char* emptyListKey(const c10::Type* type) {
    const auto element = [](const c10::Type& of) -> const c10::Type* {
        return of.containedTypeSize() > 0 ? of.containedType(0).get() : nullptr;
    };
    if (type && type->kind() == c10::TypeKind::OptionalType)
        type = element(*type);
    const c10::Type* item = type ? element(*type) : nullptr;
    if (item && item->kind() == c10::TypeKind::OptionalType)
        item = element(*item);
    if (!item)
        return "as_tensors";
    switch (item->kind()) {
    case c10::TypeKind::BoolType:
        return "as_bools";
    case c10::TypeKind::FloatType:
        return "as_floats";
    case c10::TypeKind::StringType:
        return "as_strings";
    case c10::TypeKind::TensorType:
        return "as_tensors";
    default:
        return "as_ints";
    }
}

template <class T>
bool areAll(const Arguments& items) {
    return std::all_of(items.begin(), items.end(), [](const Argument& item) { return item.as<T>(); });
}

template <class T>
Json plainList(const Arguments& items) {
    Json out = Json::array();
    for (const Argument& item : items) {
        if constexpr (std::is_same_v<T, double>)
            out.push_back(pt2Number(*item.as<T>()));
        else
            out.push_back(*item.as<T>());
    }
    return out;
}

} // namespace

Json Pt2Arguments::list(const Arguments& items, const c10::Type* type, const std::string& place) const {
    const auto isAll = [&](const auto& test) { return std::all_of(items.begin(), items.end(), test); };
    if (items.empty())
        return {{emptyListKey(type), Json::array()}};
    if (areAll<bool>(items))
        return {{"as_bools", plainList<bool>(items)}};
    if (areAll<int64_t>(items))
        return {{"as_ints", plainList<int64_t>(items)}};
    if (areAll<double>(items))
        return {{"as_floats", plainList<double>(items)}};
    if (areAll<std::string>(items))
        return {{"as_strings", plainList<std::string>(items)}};
    Json out = Json::array();
    static constexpr std::pair<Pt2Kind, const char*> kNumbers[] = {
        {Pt2Kind::Int, "int"}, {Pt2Kind::Float, "float"}, {Pt2Kind::Bool, "bool"}};
    for (const auto& [kind, of] : kNumbers) {
        const auto isConstant = [kind = kind](const Argument& item) {
            return kind == Pt2Kind::Int     ? item.as<int64_t>() != nullptr
                   : kind == Pt2Kind::Float ? item.as<double>() != nullptr
                                            : item.as<bool>() != nullptr;
        };
        if (!isAll(
                [&, kind = kind](const Argument& item) { return isConstant(item) || kindOf(item) == kind; }))
            continue;
        const std::string constant = std::string("as_") + of;
        for (const Argument& item : items) {
            if (item.node())
                out.push_back({{"as_name", named(item.node())}});
            else if (const auto* flag = item.as<bool>())
                out.push_back({{constant, *flag}});
            else if (const auto* integer = item.as<int64_t>())
                out.push_back({{constant, *integer}});
            else
                out.push_back({{constant, pt2Number(*item.as<double>())}});
        }
        return {{std::string("as_sym_") + of + 's', std::move(out)}};
    }
    const auto isTensor = [&](const Argument& item) { return kindOf(item) == Pt2Kind::Tensor; };
    if (isAll(isTensor)) {
        for (const Argument& item : items)
            out.push_back({{"name", named(item.node())}});
        return {{"as_tensors", std::move(out)}};
    }
    if (isAll([&](const Argument& item) { return isTensor(item) || item.isNone(); })) {
        for (const Argument& item : items)
            out.push_back(item.isNone() ? Json{{"as_none", true}}
                                        : Json{{"as_tensor", {{"name", named(item.node())}}}});
        return {{"as_optional_tensors", std::move(out)}};
    }
    const auto isListOf = [&](const auto& test) {
        return isAll([&](const Argument& item) {
            const Arguments* inner = item.items();
            return inner && std::all_of(inner->begin(), inner->end(), test);
        });
    };
    if (isListOf(isTensor)) {
        for (const Argument& item : items) {
            Json inner = Json::array();
            for (const Argument& tensor : *item.items())
                inner.push_back({{"name", named(tensor.node())}});
            out.push_back(std::move(inner));
        }
        return {{"as_nested_tensors", std::move(out)}};
    }
    if (isAll([](const Argument& item) { return item.as<TupleValue>(); }) &&
        isListOf([](const Argument& item) { return item.as<int64_t>(); })) {
        for (const Argument& item : items)
            out.push_back(plainList<int64_t>(*item.items()));
        return {{"as_int_lists", std::move(out)}};
    }
    if (isListOf([](const Argument& item) { return item.as<double>(); })) {
        for (const Argument& item : items)
            out.push_back(plainList<double>(*item.items()));
        return {{"as_float_lists", std::move(out)}};
    }
    throw Error(place, "is given a list of several kinds of values, which a .pt2 has no place for");
}

Json Pt2Arguments::dict(const DictValue& value, const std::string& place) const {
    Json out = Json::object();
    for (const auto& [key, item] : value.items) {
        const auto* name = key.as<std::string>();
        if (!name)
            throw Error(place, "is given a dict with a key that is no text");
        out[*name] = write(item, nullptr, place);
    }
    return {{"as_string_to_argument", std::move(out)}};
}

Json Pt2Arguments::write(const Argument& argument, const c10::Type* type, const std::string& place) const {
    return argument.visit([&]<class T>(const T& value) -> Json {
        if constexpr (std::is_same_v<T, NoneValue>)
            return {{"as_none", true}};
        else if constexpr (std::is_same_v<T, NodeId>)
            return node(value, place);
        else if constexpr (std::is_same_v<T, bool>)
            return {{"as_bool", value}};
        else if constexpr (std::is_same_v<T, int64_t>)
            return {{"as_int", value}};
        else if constexpr (std::is_same_v<T, double>)
            return {{"as_float", pt2Number(value)}};
        else if constexpr (std::is_same_v<T, std::complex<double>>)
            return {{"as_complex", {{"real", pt2Number(value.real())}, {"imag", pt2Number(value.imag())}}}};
        else if constexpr (std::is_same_v<T, std::string>)
            return {{"as_string", value}};
        else if constexpr (std::is_same_v<T, c10::ScalarType>)
            return {{"as_scalar_type", dtypeCode(value, place)}};
        else if constexpr (std::is_same_v<T, c10::Device>)
            return {{"as_device", pt2DeviceJson(value)}};
        else if constexpr (std::is_same_v<T, c10::Layout>)
            return {{"as_layout", layoutCode(value, place)}};
        else if constexpr (std::is_same_v<T, c10::MemoryFormat>)
            return {{"as_memory_format", memoryFormatCode(value)}};
        else if constexpr (std::is_same_v<T, ListValue> || std::is_same_v<T, TupleValue>)
            return list(value.items, type, place);
        else if constexpr (std::is_same_v<T, FunctionValue>)
            return {{"as_operator", value.target.qualifiedName()}};
        else if constexpr (std::is_same_v<T, DictValue>)
            return dict(value, place);
        else
            throw Error(place, "is given a value that a .pt2 has no place for");
    });
}

} // namespace fx
