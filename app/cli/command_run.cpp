// SPDX-License-Identifier: GPL-3.0-or-later
// run and shapes: executing the graph.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/shape_prop.h"
#include "core/interpret/structure.h"
#include "core/io/tensor_files.h"
#include "core/io/torch_archive.h"
#include "core/torch/call.h"
#include "core/torch/value_text.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <iostream>

namespace fx {

namespace {

void save(const Value& result, const std::string& path) {
    if (path.ends_with(".pt")) {
        writeTorchFile(path, result);
        return;
    }
    const Values leaves = flattened(result);
    if (path.ends_with(".npy") && leaves.size() == 1 && leaves[0].isTensor()) {
        writeNpy(path, leaves[0].data().toTensor());
        return;
    }
    throw Error(path, "cannot hold this result").hint("save to .pt; .npy holds one tensor");
}

struct RunCommand {
    ModelOptions model;
    RunOptions run;
    std::string savePath;
    int threads = 0;

    void operator()() const {
        const std::optional<c10::Device> device = run.chosenDevice();
        const OpenedModel opened = model.open();
        if (threads > 0)
            at::set_num_threads(threads);
        // Inputs first, from the same stream of numbers as in Python.
        run.seedGenerators();
        Values inputs = makeInputs(opened, run.specs());
        if (device)
            for (Value& input : inputs)
                if (input.isTensor())
                    input = c10::IValue(input.data().toTensor().to(*device));
        Interpreter interpreter(opened.model, device);
        const Value result = structured(opened.model.graph().signature(), interpreter.run(std::move(inputs)));
        if (savePath.empty())
            std::cout << valueText(result) << '\n';
        else
            save(result, savePath);
    }
};

struct ShapesCommand {
    ModelOptions model;
    RunOptions run;

    void operator()() const {
        OpenedModel opened = model.open();
        run.seedGenerators();
        Values inputs = makeInputs(opened, run.specs());
        Edit edit(opened.model);
        propagateShapes(edit, std::move(inputs));
        edit.finish();
        opened.model.forEachModule(opened.model.root(), [&](ModuleId id, const std::string& path) {
            if (opened.model.module(id).graph)
                print(opened.model.graph(id), path);
        });
    }

    static void print(const Graph& graph, const std::string& path) {
        if (!path.empty())
            std::cout << "\ngraph " << path << '\n';
        size_t nameWidth = 4, shapeWidth = 5;
        const auto shapeOf = [](const Node& node) {
            const auto* value = node.meta.find<ValueMeta>(meta::kTensorMeta);
            return value ? valueMetaText(*value) : std::string("(did not run)");
        };
        for (const Node& node : graph) {
            nameWidth = std::max(nameWidth, node.name.size());
            shapeWidth = std::max(shapeWidth, shapeOf(node).size());
        }
        const auto row = [&](const std::string& name, const std::string& shape, const std::string& bytes) {
            std::cout << name << std::string(nameWidth - name.size() + 2, ' ') << shape
                      << std::string(shapeWidth - shape.size() + 2, ' ') << bytes << '\n';
        };
        row("node", "value", "bytes");
        for (const Node& node : graph) {
            const auto* value = node.meta.find<ValueMeta>(meta::kTensorMeta);
            const std::optional<uint64_t> bytes = value ? byteCount(*value) : std::nullopt;
            row(node.name, shapeOf(node), bytes ? std::to_string(*bytes) : "");
        }
    }
};

} // namespace

void addRun(CLI::App& app) {
    auto command = std::make_shared<RunCommand>();
    CLI::App* parser = app.add_subcommand("run", "execute the graph and print or save its result");
    command->model.addTo(*parser);
    command->run.addTo(*parser);
    parser->add_option("--save", command->savePath,
                       "write the result to a .pt (or one tensor to an .npy) instead");
    parser->add_option("--threads", command->threads,
                       "threads to compute with; 0: as many as LibTorch likes");
    parser->footer(
        "Inputs without a spec take the example that was saved with the model, or one made from their "
        "shape.\n\nExamples:\n"
        "  fxscope run resnet50.pt2\n"
        "  fxscope run resnet50.pt2 --input 'x=randn(1,3,224,224)' --seed 0\n"
        "  fxscope run bert.pt2 --input ids=@ids.npy --save out.pt");
    parser->callback([command] { guarded([&] { (*command)(); }); });
}

void addShapes(CLI::App& app) {
    auto command = std::make_shared<ShapesCommand>();
    CLI::App* parser =
        app.add_subcommand("shapes", "run, and print the shape, dtype and bytes of every value");
    command->model.addTo(*parser);
    command->run.addTo(*parser);
    parser->footer("Example:\n  fxscope shapes resnet50.pt2 --input 'x=randn(8,3,224,224)'");
    parser->callback([command] { guarded([&] { (*command)(); }); });
}

} // namespace fx
