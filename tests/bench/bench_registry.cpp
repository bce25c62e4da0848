// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the registry's passes on graphs of 100,000 nodes, of either dialect, with lint and all that is
// around them; and on graphs of half the size, as none may take more than its share longer.
#include "core/module/edit.h"
#include "core/passes/pass_options.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"

#include <ATen/ATen.h>

#include <benchmark/benchmark.h>

namespace {

using namespace fx;

/// A layer, its normalisation, an activation and dropout, again and again, 100 in a block.
Model layers(int calls) {
    Model model;
    Edit edit(model);
    const at::Tensor weight = at::ones({2, 2, 1, 1}), row = at::ones({2});
    NodeId value = edit.placeholder("x");
    const auto add = [&](const std::string& path, const char* type,
                         std::vector<std::pair<const char*, at::Tensor>> tensors,
                         std::vector<NamedValue> values) {
        Module contents;
        contents.type = std::string("torch.nn.modules.") + type;
        for (const auto& [name, tensor] : tensors)
            contents.tensors.push_back({name,
                                        tensor.defined() ? edit.createTensor(TensorSlot(tensor)) : TensorId(),
                                        TensorRole::Parameter});
        contents.values = std::move(values);
        const ModuleId made = edit.createModule({});
        edit.fillModule(made, std::move(contents));
        edit.addSubmodule(path, made);
        value = edit.createNode(Opcode::CallModule, Target(path), {value});
    };
    for (int i = 0; i < calls / 4; ++i) {
        const std::string block = "b" + std::to_string(i / 1000) + ".c" + std::to_string(i / 25 % 40) + ".d" +
                                  std::to_string(i % 25);
        add(block + ".conv", "conv.Conv2d", {{"weight", weight}, {"bias", at::Tensor()}},
            {{"groups", Argument(1)},
             {"padding_mode", Argument("zeros")},
             {"stride", Argument(1)},
             {"padding", Argument(0)},
             {"dilation", Argument(1)}});
        add(block + ".bn", "batchnorm.BatchNorm2d",
            {{"weight", row}, {"bias", row}, {"running_mean", row}, {"running_var", row}},
            {{"eps", Argument(1e-5)}, {"momentum", Argument(0.1)}, {"track_running_stats", Argument(true)}});
        add(block + ".act", "activation.ReLU", {}, {{"inplace", Argument(false)}});
        add(block + ".drop", "dropout.Dropout", {}, {{"p", Argument(0.5)}, {"inplace", Argument(false)}});
    }
    edit.output(value);
    edit.finish();
    return model;
}

/// Weights, what depends on them alone, products, what is computed twice; ten nodes each time.
Model operators(int nodes) {
    Model model;
    Edit edit(model);
    const auto call = [&](const char* name, Arguments args) {
        const NodeId made = edit.callFunction(std::string("torch.ops.aten.") + name, std::move(args));
        edit.setMeta(made, meta::kValue, ValueMeta{describe(at::ones({2, 2}))});
        return made;
    };
    NodeId value = edit.placeholder("x");
    edit.setMeta(value, meta::kValue, ValueMeta{describe(at::ones({2, 2}))});
    for (int i = 0; i < 100; ++i)
        edit.setTensor("w" + std::to_string(i), edit.createTensor(TensorSlot(at::ones({2, 2}))),
                       TensorRole::Parameter);
    for (int i = 0; i < nodes / 10; ++i) {
        const NodeId weight = edit.getAttr("w" + std::to_string(i % 100));
        edit.setMeta(weight, meta::kValue, ValueMeta{describe(at::ones({2, 2}))});
        const NodeId factor = call("exp.default", {weight}), product = call("mm.default", {value, weight});
        const NodeId again = call("mm.default", {value, weight}), sum = call("add.Tensor", {product, again});
        const NodeId kept = call("mul.Tensor", {sum, factor}),
                     dropped = call("dropout.default", {kept, 0.5, true});
        const NodeId soft = call("softmax.int", {dropped, 1});
        value = call("relu.default", {call("view.default", {soft, ListValue{{2, 2}}})});
    }
    edit.output(value);
    edit.finish();
    return model;
}

const std::map<std::string, std::string> kTwentyParts = {{"by", "size"}, {"parts", "20"}};
const std::map<std::string, std::string> kSupported = {
    {"by", "support"}, {"support", "onednn"}, {"allows-single-node-partition", "true"}};

void applyRow(benchmark::State& state, const std::string& name, const Model& before,
              const std::map<std::string, std::string>& texts = {}) {
    const Pass& pass = findPass(name);
    const PassOptions options(pass, texts);
    for (auto _ : state) {
        state.PauseTiming();
        Model model = before;
        Progress progress;
        PassContext context{progress};
        context.inputs = [](const Model&) { return GraphInputs{Value(c10::IValue(at::ones({1, 2, 2, 2})))}; };
        state.ResumeTiming();
        runPass(model, model.root(), pass, options, context);
        state.PauseTiming();
        model = Model();
        state.ResumeTiming();
    }
}

void add(const std::string& title, const std::string& pass, const std::map<std::string, std::string>& texts,
         bool isAten) {
    for (const int count : {50'000, 100'000})
        benchmark::RegisterBenchmark((title + (count == 50'000 ? ", 50,000 " : ", 100,000 ") +
                                      (isAten ? "nodes of aten" : "calls of modules"))
                                         .c_str(),
                                     [=](benchmark::State& state) {
                                         applyRow(state, pass, isAten ? operators(count) : layers(count),
                                                  texts);
                                     })
            ->Unit(benchmark::kMillisecond)
            ->Iterations(1);
}

const bool kRegistered = [] {
    const std::map<std::string, std::string> byDefault;
    for (const char* name : {"fuse", "const-fold", "cse", "dead-code", "remove-dropout", "eval-mode",
                             "normalize", "merge-matmul", "reinplace", "annotate-types", "channels-last"})
        for (const bool isAten : {false, true})
            add(name, name, byDefault, isAten);
    add("inline-modules", "inline-modules", byDefault, false);
    add("to-aten", "to-aten", byDefault, false);
    add("cast", "cast", byDefault, true); // without recorded dtypes it would run them
    for (const bool isAten : {false, true}) {
        add("split", "split", kTwentyParts, isAten);
        add("split by support", "split", kSupported, isAten);
    }
    return true;
}();

} // namespace
