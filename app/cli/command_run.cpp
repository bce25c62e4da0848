// SPDX-License-Identifier: GPL-3.0-or-later
// run and shapes: executing the graph.
#include "app/cli/commands.h"
#include "app/cli/run_gradients.h"
#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/compare/reference_file.h"
#include "core/interpret/shape_prop.h"
#include "core/interpret/structure.h"
#include "core/io/tensor_files.h"
#include "core/io/torch/torch_archive.h"
#include "core/passes/registry.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <iostream>

namespace fx::cli {

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

void saveState(RunContext& context, const std::string& path) {
    std::vector<std::pair<Value, Value>> entries;
    for (const auto& [name, tensor] : context.stateDict())
        entries.emplace_back(makeText(name), Value(c10::IValue(tensor.detach())));
    writeTorchFile(path, makeDict(std::move(entries)));
}

/// By placeholder, as the run has left them.
void saveInputs(const OpenedModel& opened, const GraphInputs& given, const std::string& path) {
    std::vector<std::pair<Value, Value>> entries;
    InputReader reader(opened.model.graph(), given);
    for (const ModelInput& input : inputsOf(opened.model))
        if (std::optional<Value> value = reader.next(opened.model.graph().node(input.node), true))
            entries.emplace_back(makeText(input.name), std::move(*value));
    writeTorchFile(path, makeDict(std::move(entries)));
}

struct RunCommand {
    ModelOptions model;
    RunOptions run;
    LossOption gradients;
    std::string savePath, savedState, savedInputs, savedReference, savedGradients;
    int threads = 0;

    void operator()() const {
        const RunSettings settings = run.settings();
        const OpenedModel opened = model.open();
        if (threads > 0)
            at::set_num_threads(threads);
        const GraphInputs inputs = run.inputsOf(opened);
        if (!savedReference.empty()) {
            Progress progress;
            for (const std::string& name :
                 saveReference(opened.model, inputs, settings, savedReference, progress))
                std::cerr << "note: " << shownLine("a .pt cannot hold the value of '" + name + "'") << '\n';
            return;
        }
        if (gradients.loss) {
            differentiate(opened, inputs, settings);
            return;
        }
        Interpreter interpreter(opened.model, settings);
        const Value result = structured(opened.model.graph().signature(), interpreter.run(inputs));
        for (const std::string& note : interpreter.context().compiled.notes())
            std::cerr << "note: " << shownLine(note) << '\n';
        if (!savedState.empty())
            saveState(interpreter.context(), savedState);
        if (!savedInputs.empty())
            saveInputs(opened, inputs, savedInputs);
        if (savePath.empty())
            std::cout << shownLines(shownPart(valueText(result), kOutputLimits)) << '\n';
        else
            save(result, savePath);
    }

    void differentiate(const OpenedModel& opened, const GraphInputs& inputs,
                       const RunSettings& settings) const;
};

void RunCommand::differentiate(const OpenedModel& opened, const GraphInputs& inputs,
                               const RunSettings& settings) const {
    const RunGradients found = runWithGradients(opened, inputs, settings, *gradients.loss);
    if (!savePath.empty())
        save(mapTensors(found.result, [](const at::Tensor& each) { return each.detach(); }), savePath);
    if (savedGradients.empty())
        printGradients(found, opened.model, std::cout);
    else
        saveGradients(found, opened.model, savedGradients);
    requireFinite(found, opened.model);
}

struct ShapesCommand {
    ModelOptions model;
    RunOptions run;
    std::vector<std::string> symbolic;

    void operator()() const {
        run.settings(); // before anything is opened
        OpenedModel opened = model.open();
        const Pass& pass = findPass(symbolic.empty() ? "shape-prop" : "symbolic-shapes");
        const PassReport report =
            runPassHere(opened, opened.model.root(), pass, PassOptions(pass, options(opened)), run);
        opened.model.forEachModule(opened.model.root(), [&](ModuleId id, const std::string& path) {
            if (opened.model.module(id).graph)
                print(opened.model.graph(id), path);
        });
        for (size_t i = 0; i < report.results.size(); ++i)
            std::cout << (i == 0 ? "\n" : "") << shownLine(report.results[i]) << '\n';
    }

    std::map<std::string, std::string> options(const OpenedModel& opened) const {
        if (symbolic.empty())
            return {};
        std::vector<std::string> ranges;
        for (const auto& [symbol, range] : opened.symbols)
            ranges.push_back(symbol + ':' + (range.least ? std::to_string(*range.least) : "") + ':' +
                             (range.most ? std::to_string(*range.most) : ""));
        return {{"sizes", join(symbolic, ";")}, {"ranges", join(ranges, ";")}};
    }

    static void print(const Graph& graph, const std::string& path) {
        if (!path.empty())
            std::cout << "\ngraph " << shownLine(path) << '\n';
        size_t nameWidth = 4, shapeWidth = 5;
        const auto shapeOf = [](const Node& node) {
            const auto* value = node.meta.find<ValueMeta>(meta::kTensorMeta);
            return value ? shownLine(valueMetaText(*value)) : std::string("(did not run)");
        };
        for (const Node& node : graph) {
            nameWidth = std::max(nameWidth, shownLine(node.name).size());
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
            row(shownLine(node.name), shapeOf(node), bytes ? std::to_string(*bytes) : "");
        }
    }
};

} // namespace

void addRun(CLI::App& app) {
    auto command = std::make_shared<RunCommand>();
    CLI::App* parser = app.add_subcommand("run", "execute the graph and print or save its result");
    command->model.addTo(*parser);
    command->run.addTo(*parser, command->model);
    command->model.asOutput(parser->add_option(
        "--save", command->savePath, "write the result to a .pt (or one tensor to an .npy) instead"));
    command->model.asOutput(parser->add_option("--save-state", command->savedState,
                                               "write the state_dict as it is after the run to a .pt"));
    command->model.asOutput(
        parser->add_option("--save-inputs", command->savedInputs,
                           "write the inputs as they are after the run to a .pt, by name"));
    command->model.asOutput(parser->add_option(
        "--save-reference", command->savedReference,
        "write the value of each node and the inputs to a .pt instead, for fxscope compare"));
    command->gradients.addTo(*parser);
    command->model.asOutput(
        parser
            ->add_option("--save-gradients", command->savedGradients,
                         "with --grad: write them to a .pt instead, those of nodes and of parameters by name")
            ->needs("--grad"));
    parser->add_option("--threads", command->threads,
                       "threads to compute with; 0: as many as LibTorch likes");
    parser->footer(
        "Inputs without a spec take the example that was saved with the model, or one made from their "
        "shape.\n\nExamples:\n"
        "  fxscope run resnet50.pt2\n"
        "  fxscope run resnet50.pt2 --input 'x=randn(1,3,224,224)' --seed 0\n"
        "  fxscope run bert.pt2 --input ids=@ids.npy --save out.pt\n"
        "  fxscope run resnet50.pt2 --grad 'F.cross_entropy(output, tensor([7]))'");
    parser->callback([command] { guarded([&] { (*command)(); }); });
}

void addShapes(CLI::App& app) {
    auto command = std::make_shared<ShapesCommand>();
    CLI::App* parser =
        app.add_subcommand("shapes", "run, and print the shape, dtype and bytes of every value");
    command->model.addTo(*parser);
    command->run.addTo(*parser, command->model);
    parser
        ->add_option(
            "--symbolic", command->symbolic,
            "names for sizes of inputs: all sizes are then formulas of these; recorded: those of the "
            "file")
        ->type_name("NAME=[SIZE,...]")
        ->delimiter(';')
        ->allow_extra_args(false);
    parser->footer("Examples:\n  fxscope shapes resnet50.pt2 --input 'x=randn(8,3,224,224)'\n"
                   "  fxscope shapes net.py:Net() --symbolic 'x=[N,3,H,W]'");
    parser->callback([command] { guarded([&] { (*command)(); }); });
}

} // namespace fx::cli
