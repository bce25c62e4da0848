// SPDX-License-Identifier: GPL-3.0-or-later
// Small graphs for the tests of core/passes/split, and passes applied to them.
#pragma once

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/open/backend_support.h"
#include "core/open/support_file.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "tests/support/model_state.h"

#include <ATen/ATen.h>
#include <QString>

namespace fx {

/// A graph of calls on values that are recorded as matrices.
class Calls {
public:
    Calls() : edit(model) {}

    NodeId input(const char* name) { return recorded(edit.placeholder(name)); }
    NodeId call(const char* name, Arguments args) {
        return recorded(edit.callFunction("torch." + std::string(name), std::move(args)));
    }
    NodeId module(const char* path, Arguments args) {
        if (!model.resolve(model.root(), path).module) {
            Module contents;
            contents.type = "torch.nn.modules.linear.Linear";
            contents.tensors.push_back(
                {"weight", edit.createTensor(TensorSlot(at::ones({2, 2}))), TensorRole::Parameter});
            const ModuleId made = edit.createModule({});
            edit.fillModule(made, std::move(contents));
            edit.addSubmodule(path, made);
        }
        return recorded(edit.callModule(path, std::move(args)));
    }
    NodeId weight(const char* path) {
        edit.setTensor(path, edit.createTensor(TensorSlot(at::ones({2, 2}))), TensorRole::Parameter);
        return recorded(edit.getAttr(path));
    }
    NodeId recorded(NodeId node, c10::Device device = c10::kCPU) {
        TensorMeta meta = describe(at::ones({2, 2}));
        meta.device = device;
        edit.setMeta(node, meta::kValue, ValueMeta{meta});
        return node;
    }
    NodeId plain(NodeId node) { // no tensor
        edit.setMeta(node, meta::kValue, ValueMeta{Argument(2)});
        return node;
    }
    Model& give(Argument result) {
        edit.output(std::move(result));
        edit.finish();
        return model;
    }

    Model model;
    Edit edit;
};

inline QString bodyOf(const Model& model, const char* path = "") {
    std::vector<std::string> lines;
    const std::string text = PythonCode(model, model.resolve(model.root(), path).module).text();
    for (const std::string_view line : split(text, '\n'))
        if (const std::string_view statement = trim(line.substr(0, line.find(";  ")));
            !statement.empty() && !statement.starts_with("import") && !statement.starts_with("from"))
            lines.emplace_back(statement);
    return QString::fromStdString(join(lines, " ; "));
}

using Texts = std::map<std::string, std::string>;

inline PassReport applied(Model& model, const char* name, const Texts& texts, const std::string& table = {}) {
    Progress progress;
    PassContext context{progress};
    context.refusals = refusalsBy;
    if (!table.empty())
        context.refusals = [&](const std::string&, const Model& of, ModuleId module) {
            return supportTableFrom(table, "table").refusals(of, module);
        };
    const Pass& pass = findPass(name);
    return runPass(model, model.root(), pass, PassOptions(pass, texts), context);
}

inline std::string faultOf(Model& model, const char* name, const Texts& texts,
                           const std::string& table = {}) {
    const std::string before = modelState(model);
    try {
        applied(model, name, texts, table);
    } catch (const Error& error) {
        return modelState(model) == before ? error.what() : "was not taken back";
    }
    return "none";
}

/// x -> a.one -> relu -> a.two -> b, with a weight between.
inline Model& blocks(Calls& c) {
    const NodeId x = c.input("x"), w = c.weight("a.w");
    const NodeId one = c.module("a.one", {x}), relu = c.call("relu", {one}), mul = c.call("mul", {relu, w});
    return c.give(c.module("b", {c.module("a.two", {mul})}));
}

} // namespace fx
