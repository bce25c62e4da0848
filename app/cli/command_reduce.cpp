// SPDX-License-Identifier: GPL-3.0-or-later
// reduce: the smallest graph that still fails.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/compare/reduce.h"
#include "core/ir/graph_text.h"
#include "core/torch/bind/call.h"

#include <iostream>

namespace fx::cli {

namespace {

struct ReduceCommand {
    ModelOptions model;
    RunOptions run;
    std::string condition, passing, className = "FxModule";
    std::vector<std::string> out;

    void operator()() const {
        for (const std::string& each : out)
            requireKnownEnding(each);
        if (!passing.empty())
            requireKnownEnding(passing);
        const RunSettings settings = run.settings();
        const OpenedModel opened = model.open();
        Progress progress;
        const Reduction found =
            reduceModel(opened.model, run.inputsOf(opened), settings, condition, progress);
        std::cerr << "reduced from " << plural(found.calls, "call") << " to " << found.failingCalls
                  << (found.end.empty() ? "" : ", to the value of '" + shownLine(found.end) + "'") << ", "
                  << plural(found.tries, "graph") << " tried\n";
        if (out.empty())
            std::cout << shownLines(graphText(found.failing.graph())) << '\n';
        for (const std::string& each : out)
            write(opened, found.failing, each);
        if (passing.empty())
            return;
        if (!found.passing)
            throw Error(passing, "is not written: each graph that was tried fails");
        write(opened, *found.passing, passing);
    }

private:
    void write(const OpenedModel& whole, const Model& part, const std::string& path) const {
        OpenedModel opened;
        opened.model = part;
        opened.path = whole.path;
        opened.format = whole.format;
        writeModel(opened, path, className);
    }
};

} // namespace

void addReduce(CLI::App& app) {
    auto command = std::make_shared<ReduceCommand>();
    CLI::App* parser =
        app.add_subcommand("reduce", "cut a model down to the smallest graph that still fails");
    command->model.addTo(*parser);
    command->run.addTo(*parser, command->model);
    parser
        ->add_option("--failing", command->condition,
                     "an expression over out, what a graph gives, and error, the message of its failure or "
                     "''; the first node whose value meets it becomes the result")
        ->type_name("EXPR")
        ->required();
    command->model.asOutput(
        parser
            ->add_option(
                "-o,--out", command->out,
                "where to write it, several times if need be: .fxg, .py, or a folder ending in /; "
                "without it the graph is printed. What the rest of the model gave is in it as buffers")
            ->allow_extra_args(false));
    command->model.asOutput(parser->add_option(
        "--passing", command->passing, "where to write the largest graph that was tried and does not fail"));
    parser->add_option("--name", command->className, "the name of the class, for a folder")
        ->capture_default_str();
    parser->footer("Examples:\n"
                   "  fxscope reduce model.pt2 --failing 'out.isnan().any()' -o small.fxg -o small.py\n"
                   "  fxscope reduce model.pt2 --failing '\"size mismatch\" in error' --passing good.fxg\n"
                   "  fxscope reduce model.pt2 --failing 'out.abs().max() > 1e4'");
    parser->callback([command] { guarded([&] { (*command)(); }); });
}

} // namespace fx::cli
