// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pt2/pt2_meta.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/dtype.h"

namespace fx {

c10::ScalarType pt2Dtype(const JsonDocument& json, const Json& code) {
    const int64_t number = json.integer(code);
    for (const DtypeInfo& row : dtypes())
        if (row.exportCode == number && number >= 0)
            return row.type;
    json.fail(code, "is the dtype code " + std::to_string(number) + ", which is not known");
}

c10::Layout pt2Layout(const JsonDocument& json, const Json& code) {
    static constexpr c10::Layout kLayouts[] = {
        c10::Layout::Sparse,    c10::Layout::SparseCsr, c10::Layout::SparseCsc, c10::Layout::SparseBsr,
        c10::Layout::SparseBsc, c10::Layout::Mkldnn,    c10::Layout::Strided};
    const int64_t number = json.integer(code);
    if (number < 1 || number > 7)
        json.fail(code, "is the layout code " + std::to_string(number) + ", which is not known");
    return kLayouts[number - 1];
}

c10::MemoryFormat pt2MemoryFormat(const JsonDocument& json, const Json& code) {
    static constexpr c10::MemoryFormat kFormats[] = {
        c10::MemoryFormat::Contiguous, c10::MemoryFormat::ChannelsLast, c10::MemoryFormat::ChannelsLast3d,
        c10::MemoryFormat::Preserve};
    const int64_t number = json.integer(code);
    if (number < 1 || number > 4)
        json.fail(code, "is the memory format code " + std::to_string(number) + ", which is not known");
    return kFormats[number - 1];
}

c10::Device pt2Device(const JsonDocument& json, const Json& device) {
    std::string text = json.string(json.member(device, "type"));
    if (const Json* index = json.find(device, "index"))
        text += ':' + std::to_string(json.integer(*index));
    try {
        return c10::Device(text);
    } catch (const c10::Error&) {
        json.fail(device, "is the device " + pythonRepr(text) + ", which is not known");
    }
}

StridedShape pt2Shape(const JsonDocument& json, const Json& tensorMeta) {
    const auto fixed = [&](const Json& size) {
        const auto [kind, value] = json.variant(size);
        if (kind != "as_int")
            json.fail(size, "should be a fixed size");
        return json.integer(*value);
    };
    StridedShape shape{};
    shape.dtype = pt2Dtype(json, json.member(tensorMeta, "dtype"));
    for (const Json& size : json.array(json.member(tensorMeta, "sizes")))
        shape.sizes.push_back(fixed(size));
    for (const Json& stride : json.array(json.member(tensorMeta, "strides")))
        shape.strides.push_back(fixed(stride));
    shape.offset = fixed(json.member(tensorMeta, "storage_offset"));
    return shape;
}

Pt2Values::Pt2Values(const JsonDocument& json, const Json& graph, SymbolicText& symbols)
    : m_json(json), m_symbols(symbols) {
    const auto add = [&](std::string_view table, Kind kind) {
        if (const Json* values = json.find(graph, table))
            for (const auto& [name, value] : json.object(*values).items())
                m_values.emplace(name, std::pair(kind, &value));
    };
    add("tensor_values", Kind::Tensor);
    add("sym_int_values", Kind::Int);
    add("sym_float_values", Kind::Float);
    add("sym_bool_values", Kind::Bool);
    add("custom_obj_values", Kind::Object);
}

namespace {

/// A formula with the number it stood for while exporting, or none for a fixed value.
struct Symbolic {
    std::string formula;
    std::optional<double> hint;
};

std::optional<Symbolic> symbolic(const JsonDocument& json, const Json& value, SymbolicText& symbols) {
    const auto [kind, content] = json.variant(value);
    if (kind != "as_expr")
        return std::nullopt;
    Symbolic out{symbols.formula(json.string(json.member(*content, "expr_str"))), std::nullopt};
    if (const Json* hint = json.find(*content, "hint")) {
        const auto [hintKind, number] = json.variant(*hint);
        out.hint = hintKind == "as_bool" ? double(json.boolean(*number)) : json.number(*number);
    }
    return out;
}

Dimension dimension(const JsonDocument& json, const Json& size, SymbolicText& symbols) {
    if (const auto formula = symbolic(json, size, symbols)) {
        SymbolicInt out{formula->formula, std::nullopt};
        if (formula->hint)
            out.hint = static_cast<int64_t>(*formula->hint);
        return out;
    }
    return json.integer(*json.variant(size).second);
}

} // namespace

ValueMeta Pt2Values::meta(const std::string& name) const {
    const auto found = m_values.find(name);
    if (found == m_values.end())
        return {NoneValue()};
    const auto& [kind, value] = found->second;
    if (kind == Kind::Object)
        return {
            Argument(OpaqueValue{"<object of " + m_json.string(m_json.member(*value, "class_fqn")) + '>'})};
    if (kind == Kind::Tensor) {
        TensorMeta meta;
        meta.dtype = pt2Dtype(m_json, m_json.member(*value, "dtype"));
        for (const Json& size : m_json.array(m_json.member(*value, "sizes")))
            meta.shape.push_back(dimension(m_json, size, m_symbols));
        for (const Json& stride : m_json.array(m_json.member(*value, "strides")))
            meta.stride.push_back(dimension(m_json, stride, m_symbols));
        meta.device = pt2Device(m_json, m_json.member(*value, "device"));
        meta.layout = pt2Layout(m_json, m_json.member(*value, "layout"));
        if (meta.layout == c10::Layout::Mkldnn) // which has none
            meta.stride.clear();
        meta.requiresGrad = m_json.boolean(m_json.member(*value, "requires_grad"));
        return {std::move(meta)};
    }
    using Scalar = SymbolicScalar::Kind;
    if (const auto formula = symbolic(m_json, *value, m_symbols))
        return {SymbolicScalar{kind == Kind::Int     ? Scalar::Int
                               : kind == Kind::Float ? Scalar::Float
                                                     : Scalar::Bool,
                               formula->formula, formula->hint}};
    const Json& constant = *m_json.variant(*value).second;
    if (constant.is_boolean())
        return {Argument(constant.get<bool>())};
    if (constant.is_number_integer())
        return {Argument(m_json.integer(constant))};
    return {Argument(m_json.number(constant))};
}

namespace {

/// Three parts between commas outside brackets: class names may hold commas inside them.
std::vector<std::string> splitFrame(std::string_view text) {
    std::vector<std::string> parts;
    int depth = 0;
    size_t start = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '[' || text[i] == '(')
            ++depth;
        else if (text[i] == ']' || text[i] == ')')
            --depth;
        else if (text[i] == ',' && depth == 0) {
            parts.emplace_back(text.substr(start, i - start));
            start = i + 1;
        }
    }
    parts.emplace_back(text.substr(start));
    return parts;
}

/// "L['self'].layer1._modules['0']" and "layer1.0" both become "layer1.0".
std::string stackPath(std::string path) {
    for (std::string_view root : {"L['self'].", "L['self']", "getattr(L['self'], '", "L__self__."})
        if (path.starts_with(root))
            path.erase(0, root.size());
    path = replaceAll(replaceAll(path, "._modules['", "."), "']", "");
    return path;
}

} // namespace

void forEachPt2Meta(const JsonDocument& json, const Json& metadata,
                    const std::function<void(std::string_view key, MetaValue value)>& set) {
    for (const auto& [key, value] : json.object(metadata).items()) {
        std::string text = json.string(value);
        if (text.empty())
            continue;
        if (key == meta::kModuleStack) {
            ModuleStack stack;
            for (std::string_view frame : split(text, ';')) {
                std::vector<std::string> parts = splitFrame(frame);
                if (parts.size() != 3)
                    json.fail(value, "has a module without key, path and class");
                stack.push_back({std::move(parts[0]), stackPath(std::move(parts[1])), std::move(parts[2])});
            }
            set(key, std::move(stack));
        } else if (key == meta::kStackTrace || key == meta::kSourceFunction || key == meta::kTorchFunction ||
                   key == meta::kCustom || key == meta::kFromNode) {
            set(key, std::move(text));
        }
    }
}

} // namespace fx
