// SPDX-License-Identifier: GPL-3.0-or-later
// Small graphs for the tests of the pass quantize, and what it makes of them.
#pragma once

#include "core/base/text.h"
#include "core/codegen/python_code.h"
#include "core/interpret/interpreter.h"
#include "core/passes/pass_runner.h"
#include "core/passes/quantize/quantize_pass.h"
#include "core/passes/registry.h"

#include <ATen/ATen.h>
#include <QString>

#include <cmath>

namespace fx {

using Texts = std::map<std::string, std::string>;

/// A graph as it is written down, one call a line.
class QuantizedGraphs {
public:
    QuantizedGraphs() : edit(model) { at::manual_seed(3); }

    NodeId input(const char* name, at::Tensor value = {}) {
        inputs.values.push_back(Value(c10::IValue(value.defined() ? value : at::randn({4, 4}))));
        return edit.placeholder(name);
    }
    NodeId weight(const char* path, const at::Tensor& value = at::randn({4, 4})) {
        edit.setTensor(path, edit.createTensor(TensorSlot(value)), TensorRole::Parameter);
        return edit.getAttr(path);
    }
    NodeId call(const char* target, Arguments args, Keywords kwargs = {}) {
        return edit.callFunction(target, std::move(args), std::move(kwargs));
    }
    NodeId linear(NodeId x, NodeId weight) { return call("torch._C._nn.linear", {x, weight}); }
    void give(Argument result) {
        edit.output(std::move(result));
        edit.finish();
    }
    PassReport quantize(const Texts& texts = {},
                        std::function<double(const std::string&, const Model&)> metric = nullptr) {
        return apply("quantize", texts, std::move(metric));
    }
    PassReport apply(const char* name, const Texts& texts = {},
                     std::function<double(const std::string&, const Model&)> metric = nullptr) {
        Progress progress;
        PassContext context{progress};
        context.metric = std::move(metric);
        context.inputs = [this](const Model&) { return inputs; };
        context.examples = [this](const Model&, const std::string&, const auto& visit) { visit(inputs); };
        const Pass& pass = findPass(name);
        return runPass(model, model.root(), pass, PassOptions(pass, texts), context);
    }
    std::string code() const { return PythonCode(model, model.root()).text(); }
    /// What the pass has noted of a call: "sqnr", "clipped".
    double figure(const char* node, std::string_view name) const {
        const auto* note =
            model.graph().node(model.graph().find(node)).meta.find<Argument>(meta::kQuantization);
        if (const auto* entries = note ? note->as<DictValue>() : nullptr)
            for (const auto& [key, value] : entries->items)
                if (key == Argument(std::string(name)) && value.as<double>())
                    return *value.as<double>();
        return std::nan("");
    }
    at::Tensor run() const { return Interpreter(model).run(inputs).data().toTensor(); }

    Model model;
    Edit edit;
    GraphInputs inputs;
};

inline size_t countOf(const std::string& text, const std::string& part) {
    return split(replaceAll(text, part, "\x01"), '\x01').size() - 1;
}

inline QString linesOf(const PassReport& report) {
    return QString::fromStdString(join(report.results, "\n"));
}

} // namespace fx
