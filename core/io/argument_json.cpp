// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/argument_json.h"

#include "core/base/overloaded.h"
#include "core/base/text.h"
#include "core/io/tree_spec_json.h"
#include "core/ir/dtype.h"

#include <algorithm>
#include <cmath>

namespace fx {

namespace {

using IndexOf = std::function<int64_t(NodeId)>;
using NodeAt = std::function<NodeId(int64_t)>;

Json tagged(const char* tag, Json value) {
    Json out = Json::object();
    out[tag] = std::move(value);
    return out;
}

Json numberJson(double value) {
    return std::isfinite(value) ? Json(value) : tagged("float", pythonFloat(value));
}

double numberFrom(const JsonDocument& json, const Json& value) {
    if (!value.is_object())
        return json.number(value);
    const std::string text = json.string(json.member(value, "float"));
    return text == "inf" ? INFINITY : text == "-inf" ? -INFINITY : NAN;
}

Json listJson(const Arguments& items, const IndexOf& indexOf) {
    Json out = Json::array();
    for (const Argument& item : items)
        out.push_back(toJson(item, indexOf));
    return out;
}

Arguments listFrom(const JsonDocument& json, const Json& value, const NodeAt& nodeAt) {
    Arguments out;
    for (const Json& item : json.array(value))
        out.push_back(argumentFromJson(json, item, nodeAt));
    return out;
}

/// A table entry that must be there: a dtype, a device, a layout by its name.
template <class Value>
Value required(const JsonDocument& json, const Json& at, const std::optional<Value>& value) {
    if (!value)
        json.fail(at, "is not known");
    return *value;
}

c10::Device deviceFrom(const JsonDocument& json, const Json& value) {
    try {
        return c10::Device(json.string(value));
    } catch (const c10::Error&) {
        json.fail(value, "is no device that is known");
    }
}

} // namespace

Json toJson(const Argument& argument, const IndexOf& indexOf) {
    return argument.visit(Overloaded{
        [](const NoneValue&) { return Json(); },
        [](bool value) { return Json(value); },
        [](int64_t value) { return Json(value); },
        [](double value) { return numberJson(value); },
        [](const std::complex<double>& value) {
            return tagged("complex", Json::array({numberJson(value.real()), numberJson(value.imag())}));
        },
        [](const std::string& value) { return Json(value); },
        [](c10::ScalarType value) { return tagged("dtype", dtypeText(value)); },
        [](c10::Device value) { return tagged("device", deviceText(value)); },
        [](c10::Layout value) { return tagged("layout", layoutText(value)); },
        [](c10::MemoryFormat value) { return tagged("memory_format", memoryFormatText(value)); },
        [](const EllipsisValue&) { return tagged("ellipsis", true); },
        [&](NodeId value) { return tagged("node", indexOf(value)); },
        [&](const ListValue& value) { return tagged("list", listJson(value.items, indexOf)); },
        [&](const TupleValue& value) { return tagged("tuple", listJson(value.items, indexOf)); },
        [&](const SliceValue& value) { return tagged("slice", listJson(value.parts, indexOf)); },
        [&](const NamedTupleValue& value) {
            return tagged("named_tuple", Json::array({value.type.name(), listJson(value.items, indexOf)}));
        },
        [&](const DictValue& value) {
            Json items = Json::array();
            for (const auto& [key, item] : value.items)
                items.push_back(Json::array({toJson(key, indexOf), toJson(item, indexOf)}));
            return tagged("dict", std::move(items));
        },
        [](const RangeValue& value) {
            return tagged("range", Json::array({value.start, value.stop, value.step}));
        },
        [](const FunctionValue& value) { return tagged("function", value.target.name()); },
        [](const EnumValue& value) {
            Json parts = Json::array({value.type.name(), value.member, value.text});
            if (!value.repr.empty())
                parts.push_back(value.repr);
            return tagged("enum", std::move(parts));
        },
        [](const OpaqueValue& value) {
            return value.attribute.empty()
                       ? tagged("object", value.text)
                       : tagged("tensor_argument", Json::array({value.text, value.attribute, value.written}));
        },
    });
}

Argument argumentFromJson(const JsonDocument& json, const Json& value, const NodeAt& nodeAt) {
    if (value.is_null())
        return {};
    if (value.is_boolean())
        return value.get<bool>();
    if (value.is_number_integer())
        return json.integer(value);
    if (value.is_number())
        return value.get<double>();
    if (value.is_string())
        return value.get<std::string>();
    const auto [tag, content] = json.variant(value);
    const auto list = [&, content = content] { return listFrom(json, *content, nodeAt); };
    const auto text = [&, content = content] { return json.string(*content); };
    const auto part = [&, content = content](size_t index) -> const Json& {
        if (json.array(*content).size() <= index)
            json.fail(*content, "has too few parts");
        return (*content)[index];
    };
    if (tag == "node")
        return nodeAt(json.integer(*content));
    if (tag == "float")
        return numberFrom(json, value);
    if (tag == "complex")
        return std::complex<double>(numberFrom(json, part(0)), numberFrom(json, part(1)));
    if (tag == "dtype")
        return required(json, *content, dtypeFromName(text()));
    if (tag == "device")
        return deviceFrom(json, *content);
    if (tag == "layout")
        return required(json, *content, layoutFromName(text()));
    if (tag == "memory_format")
        return required(json, *content, memoryFormatFromName(text()));
    if (tag == "ellipsis")
        return EllipsisValue();
    if (tag == "list")
        return ListValue{list()};
    if (tag == "tuple")
        return TupleValue{list()};
    if (tag == "slice") {
        part(2);
        return SliceValue{list()};
    }
    if (tag == "named_tuple")
        return NamedTupleValue{json.string(part(0)), listFrom(json, part(1), nodeAt)};
    if (tag == "dict") {
        DictValue dict;
        for (const Json& item : json.array(*content)) {
            if (!item.is_array() || item.size() != 2)
                json.fail(item, "should be a key and a value");
            dict.items.emplace_back(argumentFromJson(json, item[0], nodeAt),
                                    argumentFromJson(json, item[1], nodeAt));
        }
        return dict;
    }
    if (tag == "range")
        return RangeValue{json.integer(part(0)), json.integer(part(1)), json.integer(part(2))};
    if (tag == "function")
        return FunctionValue{text()};
    if (tag == "enum")
        return EnumValue{json.string(part(0)), json.string(part(1)), json.string(part(2)),
                         content->size() > 3 ? json.string(part(3)) : std::string()};
    if (tag == "object")
        return OpaqueValue{text()};
    if (tag == "tensor_argument")
        return OpaqueValue{json.string(part(0)), json.string(part(1)), json.string(part(2))};
    json.fail(value, "is a value of the unknown kind '" + tag + "'");
}

namespace {

Json dimensionJson(const Dimension& dimension) {
    if (const auto* size = std::get_if<int64_t>(&dimension))
        return *size;
    const auto& symbol = std::get<SymbolicInt>(dimension);
    return Json::array({symbol.formula, symbol.hint ? Json(*symbol.hint) : Json()});
}

Dimension dimensionFrom(const JsonDocument& json, const Json& value) {
    if (!value.is_array())
        return json.integer(value);
    if (value.size() != 2)
        json.fail(value, "should be a formula and a number");
    SymbolicInt symbol{json.string(value[0]), std::nullopt};
    if (!value[1].is_null())
        symbol.hint = json.integer(value[1]);
    return symbol;
}

Json tensorJson(const TensorMeta& tensor) {
    Json shape = Json::array(), stride = Json::array();
    for (const Dimension& dimension : tensor.shape)
        shape.push_back(dimensionJson(dimension));
    for (const Dimension& dimension : tensor.stride)
        stride.push_back(dimensionJson(dimension));
    return {{"dtype", dtypeText(tensor.dtype)},    {"shape", std::move(shape)},
            {"stride", std::move(stride)},         {"device", deviceText(tensor.device)},
            {"layout", layoutText(tensor.layout)}, {"requires_grad", tensor.requiresGrad}};
}

TensorMeta tensorFrom(const JsonDocument& json, const Json& value) {
    TensorMeta tensor;
    const auto name = [&](const char* key) -> const Json& { return json.member(value, key); };
    tensor.dtype = required(json, name("dtype"), dtypeFromName(json.string(name("dtype"))));
    for (const Json& dimension : json.array(name("shape")))
        tensor.shape.push_back(dimensionFrom(json, dimension));
    for (const Json& dimension : json.array(name("stride")))
        tensor.stride.push_back(dimensionFrom(json, dimension));
    tensor.device = deviceFrom(json, name("device"));
    tensor.layout = required(json, name("layout"), layoutFromName(json.string(name("layout"))));
    tensor.requiresGrad = json.boolean(name("requires_grad"));
    return tensor;
}

constexpr std::string_view kScalarKinds[] = {"int", "float", "bool"};

} // namespace

Json toJson(const ValueMeta& value) {
    return std::visit(Overloaded{
                          [](const NoneValue&) { return Json(); },
                          [](const TensorMeta& tensor) { return tagged("tensor", tensorJson(tensor)); },
                          [](const SymbolicScalar& scalar) {
                              return tagged(
                                  "symbol",
                                  Json::array({std::string(kScalarKinds[static_cast<size_t>(scalar.kind)]),
                                               scalar.formula, scalar.hint ? Json(*scalar.hint) : Json()}));
                          },
                          [](const Argument& constant) {
                              return tagged("constant", toJson(constant, [](NodeId) { return int64_t(-1); }));
                          },
                          [](const std::vector<ValueMeta>& items) {
                              Json out = Json::array();
                              for (const ValueMeta& item : items)
                                  out.push_back(toJson(item));
                              return tagged("items", std::move(out));
                          },
                      },
                      value.value);
}

ValueMeta valueMetaFromJson(const JsonDocument& json, const Json& value) {
    if (value.is_null())
        return {NoneValue()};
    const auto [tag, content] = json.variant(value);
    if (tag == "tensor")
        return {tensorFrom(json, *content)};
    if (tag == "constant")
        return {argumentFromJson(json, *content, [](int64_t) { return NodeId(); })};
    if (tag == "items") {
        std::vector<ValueMeta> items;
        for (const Json& item : json.array(*content))
            items.push_back(valueMetaFromJson(json, item));
        return {std::move(items)};
    }
    if (tag == "symbol" && json.array(*content).size() == 3) {
        const std::string kind = json.string((*content)[0]);
        SymbolicScalar scalar;
        for (size_t i = 0; i < std::size(kScalarKinds); ++i)
            if (kScalarKinds[i] == kind)
                scalar.kind = static_cast<SymbolicScalar::Kind>(i);
        scalar.formula = json.string((*content)[1]);
        if (!(*content)[2].is_null())
            scalar.hint = json.number((*content)[2]);
        return {std::move(scalar)};
    }
    json.fail(value, "describes a value of the unknown kind '" + tag + "'");
}

Json toJson(const MetaValue& value, const IndexOf& indexOf) {
    return std::visit(
        Overloaded{
            [](bool flag) { return Json(flag); },
            [](const std::string& text) { return Json(text); },
            [](const ValueMeta& meta) { return tagged("value", toJson(meta)); },
            [](const TensorMeta& tensor) { return tagged("tensor", tensorJson(tensor)); },
            [](const ModuleStack& stack) {
                Json out = Json::array();
                for (const ModuleFrame& frame : stack)
                    out.push_back(Json::array({frame.key, frame.path, frame.type}));
                return tagged("modules", std::move(out));
            },
            [&](const Argument& argument) { return tagged("argument", toJson(argument, indexOf)); },
        },
        value);
}

MetaValue metaFromJson(const JsonDocument& json, const Json& value, const NodeAt& nodeAt) {
    if (value.is_boolean())
        return value.get<bool>();
    if (value.is_string())
        return value.get<std::string>();
    const auto [tag, content] = json.variant(value);
    if (tag == "value")
        return valueMetaFromJson(json, *content);
    if (tag == "tensor")
        return tensorFrom(json, *content);
    if (tag == "argument")
        return argumentFromJson(json, *content, nodeAt);
    if (tag == "modules") {
        ModuleStack stack;
        for (const Json& frame : json.array(*content)) {
            if (!frame.is_array() || frame.size() != 3)
                json.fail(frame, "should be key, path and class");
            stack.push_back({json.string(frame[0]), json.string(frame[1]), json.string(frame[2])});
        }
        return stack;
    }
    json.fail(value, "is metadata of the unknown kind '" + tag + "'");
}

namespace {

constexpr std::string_view kKinds[] = {"leaf", "tuple", "list", "dict", "named_tuple", "other"};

/// As PyTorch wrote it; what was made otherwise has no such text, and is written part by part.
Json specJson(const TreeSpec& spec, const std::string& text) {
    if (!text.empty())
        return text;
    Json keys = Json::array(), children = Json::array();
    for (const Argument& key : spec.keys)
        keys.push_back(toJson(key, [](NodeId) { return int64_t(-1); }));
    for (const TreeSpec& child : spec.children)
        children.push_back(specJson(child, ""));
    return {{"kind", std::string(kKinds[static_cast<size_t>(spec.kind)])},
            {"type", spec.type},
            {"keys", std::move(keys)},
            {"children", std::move(children)}};
}

TreeSpec specFrom(const JsonDocument& json, const Json& value, const std::string& place) {
    if (value.is_string())
        return parseTreeSpec(json.string(value), place);
    TreeSpec out;
    const std::string kind = json.string(json.member(value, "kind"));
    const auto known = std::find(std::begin(kKinds), std::end(kKinds), kind);
    if (known == std::end(kKinds))
        json.fail(value, "is no kind of a tree");
    out.kind = static_cast<TreeSpec::Kind>(known - std::begin(kKinds));
    out.type = json.string(json.member(value, "type"));
    for (const Json& key : json.array(json.member(value, "keys")))
        out.keys.push_back(argumentFromJson(json, key, [](int64_t) { return NodeId(); }));
    for (const Json& child : json.array(json.member(value, "children")))
        out.children.push_back(specFrom(json, child, place));
    if (out.kind == TreeSpec::Kind::Dict && out.keys.size() != out.children.size())
        json.fail(value, "has not one key for each child");
    return out;
}

std::string specTextFrom(const Json& value) {
    return value.is_string() ? value.get<std::string>() : std::string();
}

} // namespace

Json toJson(const Signature& signature) {
    Json classes = Json::array();
    for (const NamedTupleClass& entry : signature.namedTuples)
        classes.push_back({{"name", entry.name}, {"fields", entry.fields}});
    return {{"arguments", signature.argumentNames},
            {"in_spec", specJson(signature.inputs, signature.inputsText)},
            {"out_spec", signature.outputs ? specJson(*signature.outputs, signature.outputsText) : Json()},
            {"named_tuples", std::move(classes)}};
}

Signature signatureFromJson(const JsonDocument& json, const Json& value) {
    Signature out;
    for (const Json& name : json.array(json.member(value, "arguments")))
        out.argumentNames.push_back(json.string(name));
    const Json& inputs = json.member(value, "in_spec");
    out.inputsText = specTextFrom(inputs);
    out.inputs = specFrom(json, inputs, "in_spec");
    if (const Json* spec = json.find(value, "out_spec")) {
        out.outputsText = specTextFrom(*spec);
        out.outputs = specFrom(json, *spec, "out_spec");
    }
    for (const Json& entry : json.array(json.member(value, "named_tuples"))) {
        NamedTupleClass& named = out.namedTuples.emplace_back();
        named.name = json.string(json.member(entry, "name"));
        for (const Json& field : json.array(json.member(entry, "fields")))
            named.fields.push_back(json.string(field));
    }
    return out;
}

} // namespace fx
