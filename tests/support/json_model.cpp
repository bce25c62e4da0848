// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/json_model.h"

#include "core/io/argument_json.h"
#include "core/module/edit.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

const std::vector<std::pair<TensorRole, std::string>> kRoles = {
    {TensorRole::Parameter, "parameter"}, {TensorRole::Buffer, "buffer"}, {TensorRole::Constant, "constant"}};

std::optional<std::string> textOrNone(const Json& value) {
    return value.is_null() ? std::nullopt : std::optional(value.get<std::string>());
}

} // namespace

Argument literalFromJson(const Json& value) {
    const JsonDocument document(value.dump(), "description");
    return argumentFromJson(document, document.root(), [](int64_t) { return NodeId(); });
}

Model modelFromJson(const Json& description) {
    Model model(description["class"].get<std::string>());
    Edit edit(model);
    for (const Json& entry : description["modules"])
        edit.addSubmodule(entry[0].get<std::string>(), edit.createModule(entry[1].get<std::string>()));
    for (const Json& entry : description["tensors"])
        for (const auto& [role, word] : kRoles)
            if (entry[1] == word)
                edit.setTensor(entry[0].get<std::string>(), edit.createTensor(TensorSlot(at::zeros({1}))),
                               role);
    for (const Json& entry : description["values"])
        edit.setValue(entry[0].get<std::string>(), literalFromJson(entry[1]));
    std::vector<NodeId> nodes;
    const auto argument = [&](const Json& value) {
        const JsonDocument document(value.dump(), "description");
        return argumentFromJson(document, document.root(),
                                [&](int64_t index) { return nodes.at(static_cast<size_t>(index)); });
    };
    for (const Json& node : description["nodes"]) {
        Arguments args;
        for (const Json& value : node["args"])
            args.push_back(argument(value));
        Keywords kwargs;
        for (const Json& entry : node["kwargs"])
            kwargs.emplace_back(entry[0].get<std::string>(), argument(entry[1]));
        const std::string name = node["name"];
        nodes.push_back(edit.createNode(*opcodeFromName(node["op"].get<std::string>()),
                                        node["target"].get<std::string>(), std::move(args), std::move(kwargs),
                                        name, textOrNone(node["type"])));
    }
    edit.finish();
    return model;
}

Json treeJson(const Model& model) {
    Json modules = Json::array(), tensors = Json::array(), values = Json::array();
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        const Module& module = model.module(id);
        if (!path.empty())
            modules.push_back({path, module.type});
        const std::string place = path.empty() ? "" : path + '.';
        for (const auto& [role, word] : kRoles)
            for (const NamedTensor& entry : module.tensors)
                if (entry.role == role && entry.tensor)
                    tensors.push_back({place + entry.name, word});
        for (const NamedValue& entry : module.values)
            values.push_back({place + entry.name, toJson(entry.value, nullptr)});
    });
    return {{"modules", std::move(modules)}, {"tensors", std::move(tensors)}, {"values", std::move(values)}};
}

} // namespace fx
