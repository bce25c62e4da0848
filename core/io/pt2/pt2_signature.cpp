// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pt2/pt2_signature.h"

#include "core/base/text.h"
#include "core/io/tree_spec_json.h"

namespace fx {

namespace {

/// The name inside an argument such as {"as_tensor": {"name": "x"}}; empty for a constant.
std::string argumentName(const JsonDocument& json, const Json& argument) {
    const auto [kind, value] = json.variant(argument);
    if (!value->is_object())
        return {};
    if (const Json* name = json.find(*value, "name"))
        return json.string(*name);
    if (const Json* name = json.find(*value, "as_name"))
        return json.string(*name);
    return {};
}

std::string nameOf(const JsonDocument& json, const Json& spec) {
    return json.string(json.member(json.member(spec, "arg"), "name"));
}

Pt2Input readInput(const JsonDocument& json, const Json& value) {
    using Kind = Pt2Input::Kind;
    const auto [kind, spec] = json.variant(value);
    const auto target = [&, spec = spec](std::string_view key) {
        return json.string(json.member(*spec, key));
    };
    if (kind == "user_input")
        return {Kind::User, argumentName(json, json.member(*spec, "arg")), {}, true};
    if (kind == "parameter")
        return {Kind::Parameter, nameOf(json, *spec), target("parameter_name"), true};
    if (kind == "buffer")
        return {Kind::Buffer, nameOf(json, *spec), target("buffer_name"),
                json.boolean(json.member(*spec, "persistent"))};
    if (kind == "tensor_constant")
        return {Kind::Constant, nameOf(json, *spec), target("tensor_constant_name"), false};
    if (kind == "custom_obj")
        return {Kind::CustomObject, nameOf(json, *spec), target("custom_obj_name"), false};
    if (kind == "token")
        return {Kind::Token, nameOf(json, *spec), {}, false};
    if (kind == "constant_input")
        return {Kind::User, json.string(json.member(*spec, "name")), {}, true};
    json.fail(value, "is an input of the unknown kind '" + kind + "'");
}

Pt2Output readOutput(const JsonDocument& json, const Json& value) {
    using Kind = Pt2Output::Kind;
    const auto [kind, spec] = json.variant(value);
    const auto target = [&, spec = spec](std::string_view key) {
        return json.string(json.member(*spec, key));
    };
    if (kind == "user_output")
        return {Kind::User, argumentName(json, json.member(*spec, "arg")), {}};
    if (kind == "loss_output")
        return {Kind::Loss, nameOf(json, *spec), {}};
    if (kind == "buffer_mutation")
        return {Kind::BufferMutation, nameOf(json, *spec), target("buffer_name")};
    if (kind == "parameter_mutation")
        return {Kind::ParameterMutation, nameOf(json, *spec), target("parameter_name")};
    if (kind == "user_input_mutation")
        return {Kind::InputMutation, nameOf(json, *spec), target("user_input_name")};
    if (kind == "gradient_to_parameter")
        return {Kind::Gradient, nameOf(json, *spec), target("parameter_name")};
    if (kind == "gradient_to_user_input")
        return {Kind::Gradient, nameOf(json, *spec), target("user_input_name")};
    if (kind == "token")
        return {Kind::Token, nameOf(json, *spec), {}};
    json.fail(value, "is an output of the unknown kind '" + kind + "'");
}

/// The parameters of forward where the file does not name them.
std::vector<std::string> inventedNames(const Signature& signature) {
    const bool hasKeywords = signature.hasKeywords();
    const TreeSpec& positional = hasKeywords ? signature.inputs.children[0] : signature.inputs;
    std::vector<std::string> names;
    for (size_t i = 0; i < positional.children.size(); ++i)
        names.push_back("arg_" + std::to_string(i));
    if (hasKeywords)
        for (const Argument& key : signature.inputs.children[1].keys)
            if (const auto* name = key.as<std::string>())
                names.push_back(*name);
    return names;
}

} // namespace

Pt2Signature readPt2Signature(const JsonDocument& json, const Json& module) {
    Pt2Signature out;
    const Json& signature = json.member(module, "signature");
    for (const Json& spec : json.array(json.member(signature, "input_specs")))
        out.inputs.push_back(readInput(json, spec));
    for (const Json& spec : json.array(json.member(signature, "output_specs")))
        out.outputs.push_back(readOutput(json, spec));

    const Json& calls = json.array(json.member(module, "module_call_graph"));
    const Json* call = calls.empty() ? nullptr : json.find(calls[0], "signature");
    if (!call)
        return out;
    Signature& forward = out.call.emplace();
    forward.inputsText = json.string(json.member(*call, "in_spec"));
    forward.inputs = parseTreeSpec(forward.inputsText, "in_spec");
    if (const Json* spec = json.find(*call, "out_spec")) {
        forward.outputsText = json.string(*spec);
        forward.outputs = parseTreeSpec(forward.outputsText, "out_spec");
    }
    if (const Json* names = json.find(*call, "forward_arg_names"))
        for (const Json& name : json.array(*names))
            forward.argumentNames.push_back(json.string(name));
    if (const Json* classes = json.find(module, "treespec_namedtuple_fields"))
        for (const auto& [name, fields] : json.object(*classes).items()) {
            NamedTupleClass& entry = forward.namedTuples.emplace_back();
            entry.name = name;
            for (const Json& field : json.array(json.member(fields, "field_names")))
                entry.fields.push_back(json.string(field));
        }
    if (forward.argumentNames.empty())
        forward.argumentNames = inventedNames(forward);
    return out;
}

} // namespace fx
