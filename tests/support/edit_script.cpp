// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/edit_script.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/argument_json.h"
#include "core/ir/graph_text.h"
#include "core/module/lint.h"
#include "core/passes/dead_code.h"

#include <ATen/ATen.h>

namespace fx {

Model scriptModel() {
    Model model("GraphModule");
    Edit edit(model);
    edit.addSubmodule("sub.lin", edit.createModule("torch.nn.modules.linear.Linear"));
    edit.addSubmodule("relu", edit.createModule("torch.nn.modules.activation.ReLU"));
    edit.addSubmodule("layers.0", edit.createModule("torch.nn.modules.activation.Tanh"));
    for (const char* path : {"sub.lin.weight", "sub.lin.bias", "w"})
        edit.setTensor(path, edit.createTensor(TensorSlot(at::zeros({2}))), TensorRole::Parameter);
    edit.setTensor("b", edit.createTensor(TensorSlot(at::zeros({2}))), TensorRole::Buffer);
    edit.finish();
    return model;
}

ScriptRunner::Outcome ScriptRunner::perform(const Json& step) {
    Outcome outcome;
    Edit edit(m_model);
    try {
        perform(edit, step, outcome.result);
    } catch (const Error& error) {
        outcome.error = error.message();
    }
    outcome.changes = edit.finish();
    remember();
    return outcome;
}

std::string ScriptRunner::state() const {
    std::vector<std::string> users;
    for (const Node& node : m_model.graph()) {
        std::vector<std::string> indices;
        for (NodeId user : node.users)
            indices.push_back(std::to_string(m_index.at(user)));
        users.push_back(join(indices, " "));
    }
    return graphText(m_model.graph()) + '\n' + join(users, "|");
}

void ScriptRunner::remember() {
    for (const Node& node : m_model.graph())
        if (m_index.emplace(node.id, static_cast<int64_t>(m_nodes.size())).second)
            m_nodes.push_back(node.id);
}

NodeId ScriptRunner::at(const Json& index) const {
    return index.get<int64_t>() < 0 ? NodeId() : m_nodes.at(index.get<size_t>());
}

Argument ScriptRunner::argument(const Json& value) const {
    const JsonDocument document(value.dump(), "script");
    return argumentFromJson(document, document.root(),
                            [&](int64_t index) { return m_nodes.at(static_cast<size_t>(index)); });
}

Arguments ScriptRunner::arguments(const Json& values) const {
    Arguments out;
    for (const Json& value : values)
        out.push_back(argument(value));
    return out;
}

Keywords ScriptRunner::keywords(const Json& items) const {
    Keywords out;
    for (const Json& item : items)
        out.emplace_back(item[0].get<std::string>(), argument(item[1]));
    return out;
}

void ScriptRunner::create(Edit& edit, const Json& step) {
    const std::string verb = step["verb"];
    if (verb == "copy_node") {
        edit.nodeCopy(edit.node(at(step["node"])), [](NodeId input) { return input; });
        return;
    }
    const Opcode opcode = *opcodeFromName(step["op"].get<std::string>());
    const std::string target = step["target"];
    Arguments args = arguments(step["args"]);
    if (verb == "create") {
        const Json &name = step["name"], &type = step["type"];
        const std::string wish = name.is_null() ? "" : name.get<std::string>();
        edit.createNode(opcode, target, std::move(args), keywords(step["kwargs"]),
                        name.is_null() ? std::nullopt : std::optional<std::string_view>(wish),
                        type.is_null() ? std::nullopt : std::optional(type.get<std::string>()));
        return;
    }
    switch (opcode) {
    case Opcode::Placeholder:
        edit.placeholder(target, args.empty() ? std::nullopt : std::optional(args[0]));
        break;
    case Opcode::GetAttr:
        edit.getAttr(target);
        break;
    case Opcode::CallFunction:
        edit.callFunction(target, std::move(args));
        break;
    case Opcode::CallMethod:
        edit.callMethod(target, std::move(args));
        break;
    case Opcode::CallModule:
        edit.callModule(target, std::move(args));
        break;
    case Opcode::Output:
        edit.output(args[0]);
        break;
    }
}

void ScriptRunner::copyGraph(Edit& edit) {
    Model other("GraphModule");
    NodeMap there, back;
    {
        Edit copy(other);
        copy.graphCopy(edit.graph(), there);
        copy.finish();
    }
    edit.graphCopy(other.graph(), back);
}

void ScriptRunner::perform(Edit& edit, const Json& step, Json& result) {
    const std::string verb = step["verb"];
    const NodeId node = step.contains("node") ? at(step["node"]) : NodeId();
    const NodeId other = step.contains("other") ? at(step["other"]) : NodeId();
    const auto type = [&] {
        return step["type"].is_null() ? std::nullopt : std::optional(step["type"].get<std::string>());
    };
    if (verb == "create" || verb == "shorthand" || verb == "copy_node") {
        std::optional<Edit::InsertPoint> point;
        if (step.contains("before"))
            point.emplace(edit, at(step["before"]), false);
        if (step.contains("after"))
            point.emplace(edit, at(step["after"]), true);
        create(edit, step);
    } else if (verb == "erase") {
        edit.eraseNode(node);
    } else if (verb == "move_before") {
        edit.moveBefore(node, other);
    } else if (verb == "move_after") {
        edit.moveAfter(node, other);
    } else if (verb == "replace_uses") {
        edit.replaceAllUsesWith(node, other, [&](NodeId user) {
            const Json& kept = step["except"];
            return std::find(kept.begin(), kept.end(), Json(m_index.at(user))) == kept.end();
        });
    } else if (verb == "replace_input") {
        edit.replaceInputWith(node, at(step["old"]), other);
    } else if (verb == "set_args") {
        edit.setArgs(node, arguments(step["args"]));
    } else if (verb == "set_kwargs") {
        edit.setKwargs(node, keywords(step["kwargs"]));
    } else if (verb == "update_arg") {
        edit.updateArg(node, step["at"].get<size_t>(), argument(step["value"]));
    } else if (verb == "insert_arg") {
        edit.insertArg(node, step["at"].get<size_t>(), argument(step["value"]));
    } else if (verb == "update_kwarg") {
        edit.updateKwarg(node, step["key"].get<std::string>(), argument(step["value"]));
    } else if (verb == "rename") {
        edit.rename(node, step["name"].get<std::string>());
    } else if (verb == "set_name") {
        edit.setName(node, step["name"].get<std::string>());
    } else if (verb == "set_type") {
        edit.setType(node, type());
    } else if (verb == "wrap") {
        edit.setMeta(node, meta::kIsWrapped, MetaValue(true));
    } else if (verb == "copy_graph") {
        copyGraph(edit);
    } else if (verb == "lint") {
        requireSound(edit.model(), edit.module());
    } else if (verb == "dead_code") {
        result = removeDeadCode(edit);
    } else if (verb == "find") {
        result = Json::array();
        const std::optional<Target> target = step["target"].is_null()
                                                 ? std::nullopt
                                                 : std::optional(Target(step["target"].get<std::string>()));
        for (NodeId found : edit.graph().findNodes(*opcodeFromName(step["op"].get<std::string>()), target))
            result.push_back(m_index.at(found));
    } else {
        throw std::logic_error("the script has an unknown verb " + verb);
    }
}

} // namespace fx
