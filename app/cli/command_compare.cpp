// SPDX-License-Identifier: GPL-3.0-or-later
// compare: two models, or two runs of one, node by node. diff: two models as they are, without a run.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/compare/compare_text.h"
#include "core/compare/html_report.h"
#include "core/compare/model_diff.h"
#include "core/compare/reference_file.h"
#include "core/compare/run_results.h"
#include "core/interpret/structure.h"
#include "core/io/output_file.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/devices.h"

#include <ATen/ATen.h>

#include <iostream>

namespace fx::cli {

namespace {

struct CompareCommand {
    ModelOptions model;
    RunOptions run;
    std::string otherPath, otherDevice, reference;
    CompareOptions options;
    std::vector<std::string> pairs;
    size_t worst = 10;
    std::string html;
    bool isJson = false;

    /// Gives the exit status.
    int operator()() const {
        const RunSettings settings = run.settings();
        RunSettings otherSettings = settings;
        if (!otherDevice.empty())
            otherSettings.device = parseDevice(otherDevice);
        const OpenedModel opened = model.open();
        if (!reference.empty()) {
            return compareWithFile(opened, settings);
        }
        ModelOptions other = model;
        other.path = otherPath.empty() ? model.path : otherPath;
        const OpenedModel second = otherPath.empty() ? opened : other.open();
        ReferenceOptions kept;
        kept.match = {otherPath.empty(), handPairs()};
        const GraphInputs inputs = run.inputsOf(opened);
        Progress progress;
        const ReferenceRun recorded =
            recordReference(opened.model, inputs, settings, second.model, kept, progress);
        const RunComparison comparison =
            compareWith(recorded, second.model, inputsFor(second, opened, inputs, otherSettings),
                        otherSettings, options, progress);
        if (!html.empty()) {
            const ModelDiff diff = diffModels(opened.model, second.model, kept.match);
            writeFile(html, htmlReport(comparison, &opened.model.graph(), second.model.graph(), &diff,
                                       {opened.path, second.path, inputsText(opened.model, inputs)}));
        }
        return tell(comparison, &opened.model.graph(), second.model.graph());
    }

private:
    int compareWithFile(const OpenedModel& opened, const RunSettings& settings) const {
        const ReferenceFile file = readReference(reference, opened.model);
        for (const std::string& name : file.unknown)
            std::cerr << "note: " << shownLine(reference + ": '" + name + "' is no node of the model")
                      << '\n';
        const bool hasOwnInputs = !run.inputs.empty() || !run.inputsFile.empty();
        const GraphInputs inputs = file.inputs && !hasOwnInputs ? *file.inputs : run.inputsOf(opened);
        Progress progress;
        const RunComparison comparison = compareWith(
            file.run, opened.model, onDevice(inputs, settings.device), settings, options, progress);
        const Graph& graph = opened.model.graph();
        if (!html.empty())
            writeFile(html, htmlReport(comparison, nullptr, graph, nullptr,
                                       {reference, opened.path, inputsText(opened.model, inputs)}));
        return tell(comparison, nullptr, graph);
    }

    /// What reads nested inputs out of flat ones may have become nodes.
    static GraphInputs inputsFor(const OpenedModel& second, const OpenedModel& first,
                                 const GraphInputs& inputs, const RunSettings& settings) {
        const std::optional<Signature>& nested = first.model.graph().signature();
        const bool isFlat = nested && !second.model.graph().signature();
        return onDevice(isFlat ? GraphInputs(callArguments(*nested, inputs.values)) : inputs,
                        settings.device);
    }

    std::vector<std::pair<std::string, std::string>> handPairs() const {
        std::vector<std::pair<std::string, std::string>> out;
        for (const std::string& pair : pairs) {
            const size_t equals = pair.find('=');
            if (equals == std::string::npos)
                throw Error("--pair " + pair, "is not of the form NAME=NAME");
            out.emplace_back(trim(pair.substr(0, equals)), trim(pair.substr(equals + 1)));
        }
        return out;
    }

    int tell(const RunComparison& comparison, const Graph* a, const Graph& b) const {
        if (isJson)
            std::cout << jsonText(comparisonJson(comparison, a, b), 1, true) << '\n';
        else
            std::cout << comparisonText(comparison, a, b, worst)
                      << "verdict: " << verdictText(comparison.verdict) << '\n';
        return comparison.verdict >= Verdict::Different ? 1 : 0;
    }
};

struct DiffCommand {
    ModelOptions model;
    std::string otherPath;
    DiffText text;
    bool isJson = false;

    int operator()() const {
        const OpenedModel first = model.open();
        ModelOptions other = model;
        other.path = otherPath;
        const OpenedModel second = other.open();
        const ModelDiff diff = diffModels(first.model, second.model);
        const Graph &a = first.model.graph(), &b = second.model.graph();
        if (isJson)
            std::cout << jsonText(diffJson(diff, a, b), 1, true) << '\n';
        else
            std::cout << diffText(diff, a, b, text);
        return diff.isSame() ? 0 : 1;
    }
};

/// What `command` gives is the exit status.
template <class Command>
void obeyWithStatus(const Command& command) {
    int status = 0;
    guarded([&] { status = command(); });
    if (status != 0)
        throw CLI::RuntimeError(status);
}

} // namespace

void addDiff(CLI::App& app) {
    auto command = std::make_shared<DiffCommand>();
    CLI::App* parser =
        app.add_subcommand("diff", "what differs between two models: nodes, weights, modules, code");
    command->model.addTo(*parser);
    parser->add_option("OTHER", command->otherPath, "what is held against it; as MODEL")->required();
    parser->add_flag("--side-by-side", command->text.isSideBySide, "both codes beside one another");
    parser->add_option("--width", command->text.width, "columns of a side")
        ->check(CLI::Range(20, 1000))
        ->capture_default_str();
    parser->add_flag("--json", command->isJson, "as JSON");
    parser->footer("Exit status: 0 nothing differs; 1 something does, or a model cannot be opened; 2 wrong "
                   "usage.\n\nExamples:\n"
                   "  fxscope diff model.pt2 smaller.fxg\n"
                   "  fxscope diff net.py:Net() 'net.py:Net(fused=True)' --side-by-side");
    parser->callback([command] { obeyWithStatus(*command); });
}

void addCompare(CLI::App& app) {
    auto command = std::make_shared<CompareCommand>();
    CLI::App* parser = app.add_subcommand("compare", "run two models and compare them node by node");
    command->model.addTo(*parser);
    CLI::Option* other = parser->add_option("OTHER", command->otherPath, "what is held against it; as MODEL");
    command->run.addTo(*parser, command->model);
    CLI::Option* device = command->model.asDevice(
        parser->add_option("--other-device", command->otherDevice,
                           "the device of the second run; without OTHER of the same model"));
    CLI::Option* reference =
        parser
            ->add_option("--reference", command->reference,
                         "a run that was kept in a file (fxscope run --save-reference, or a dict of tensors "
                         "by node of torch.save), with which MODEL is compared")
            ->type_name("FILE.pt")
            ->check(CLI::ExistingFile)
            ->excludes(other)
            ->excludes(device);
    parser
        ->add_option("--tolerance", command->options.tolerance,
                     "T: |a-b| <= T + T |a| is no difference; without it 1e-5 of float32, 1e-7 of float64, "
                     "1e-3 of float16, 1.6e-2 of bfloat16, 0 of whole numbers")
        ->check(CLI::NonNegativeNumber)
        ->type_name("T");
    parser->add_flag("--isolated", command->options.isIsolated,
                     "give each node what the reference has of its inputs, so that its own error alone is "
                     "seen; the verdict is then that of all nodes");
    parser->add_flag("--any-dtype", command->options.allowsOtherDtypes,
                     "values of different dtypes are compared by their numbers; without it they differ");
    parser
        ->add_option("--pair", command->pairs,
                     "nodes of MODEL and OTHER that are the same; 'NAME=' and '=NAME': it is none")
        ->type_name("NAME=NAME")
        ->excludes(reference)
        ->allow_extra_args(false);
    parser->add_option("--worst", command->worst, "so many of the nodes that differ most are listed")
        ->capture_default_str();
    parser->add_flag("--json", command->isJson, "all figures of all nodes as JSON");
    command->model.asOutput(parser
                                ->add_option("--html", command->html,
                                             "write a page with all of it, too, which needs nothing else")
                                ->type_name("FILE.html"));
    parser->footer(
        "Exit status: 0 the results are equal or within the tolerance; 1 they differ, or a model fails; 2 "
        "wrong usage.\n\nExamples:\n"
        "  fxscope compare model.pt2 smaller.fxg --seed 0\n"
        "  fxscope compare net.py:Net() net.py:Net(fused=True) --input 'x=randn(1,3,224,224)' --isolated\n"
        "  fxscope compare model.pt2 --other-device cuda --tolerance 1e-4\n"
        "  fxscope run model.pt2 --save-reference before.pt && fxscope compare model.pt2 --reference "
        "before.pt");
    parser->callback([command] {
        if (command->otherPath.empty() && command->otherDevice.empty() && command->reference.empty())
            throw CLI::RequiredError("OTHER, --reference or --other-device");
        obeyWithStatus(*command);
    });
}

} // namespace fx::cli
