// SPDX-License-Identifier: GPL-3.0-or-later
// export, apply and passes: changing a graph and writing it.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/export/export_folder.h"
#include "core/passes/registry.h"

#include <iostream>

namespace fx {

void addExport(CLI::App& app) {
    struct Options {
        ModelOptions model;
        RunOptions run;
        std::string folder, name = "FxModule";
        bool isUnverified = false;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("export", "write a folder that Python imports: from DIR import Foo");
    options->model.addTo(*command);
    command->add_option("DIR", options->folder, "the folder; made if it is not there")->required();
    command->add_option("--name", options->name, "the name of the class")->capture_default_str();
    command->add_flag("--no-verify", options->isUnverified, "do not open the folder again, run it and compare its outputs");
    options->run.addTo(*command);
    command->footer("The folder holds module.py, state.pt, __init__.py and what is needed of the model's sources, and needs\n"
                    "nothing but torch. It is opened again and run on the same inputs as the model; the exit status is 1\n"
                    "where the outputs differ.\n\n"
                    "Example:\n"
                    "  fxscope export resnet50.pt2 resnet --name ResNet\n"
                    "  python3 -c 'from resnet import ResNet; print(ResNet())'");
    command->callback([options] {
        const RunSettings settings = options->run.settings();
        const OpenedModel opened = options->model.open();
        if (!options->isUnverified) {
            exportAndVerify(opened, options->folder, options->name, options->run.specs(), settings);
            return;
        }
        const ExportedFolder written =
            exportFolder(opened.model, options->folder, options->name, opened.path);
        for (const std::string& note : written.notes)
            std::cerr << "note: " << oneLine(note) << '\n';
        std::cout << "written, " << plural(written.files.size(), "file") << '\n';
    });
}

void addApply(CLI::App& app) {
    struct Options {
        ModelOptions model;
        RunOptions run;
        std::vector<std::string> passes;
        std::string out, rules, name = "FxModule";
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("apply", "run passes over the graph");
    options->model.addTo(*command);
    command->add_option("PASS", options->passes, "the passes, in order; 'fxscope passes' lists them")
        ->required();
    command->add_option("-o,--out", options->out,
                        "where to write the result: .fxg, .py, or a folder ending in /");
    command->add_option("--name", options->name, "the name of the class, for a folder")
        ->capture_default_str();
    command->add_option("--rules", options->rules, "for decompose: a source with a dict from functions to functions")
        ->type_name("FILE.py");
    options->run.addTo(*command);
    command->footer("Examples:\n"
                    "  fxscope apply model.pt2 dead-code -o smaller.fxg\n"
                    "  fxscope apply model.pt2 lint\n"
                    "  fxscope apply model.pt2 shape-prop --input 'x=randn(8,3,224,224)' -o shaped.fxg");
    command->callback([options] {
        if (!options->out.empty())
            requireKnownEnding(options->out);
        OpenedModel opened = options->model.open();
        PassContext context;
        context.inputs = [&](const Model&) {
            return options->run.inputsOf(opened);
        };
        context.rulesFile = options->rules;
        for (const std::string& name : options->passes) {
            const Pass& pass = findPass(name);
            Edit edit(opened.model);
            const bool hasChanged = pass.run(edit, context);
            edit.finish();
            std::cerr << name << ": " << (hasChanged ? "changed" : "no change") << '\n';
        }
        if (!options->out.empty())
            writeModel(opened, options->out, options->name);
    });
}

void addPasses(CLI::App& app) {
    CLI::App* command = app.add_subcommand("passes", "list the passes");
    command->footer("Example:\n  fxscope passes");
    command->callback([] {
        for (const Pass& pass : passes())
            std::cout << pass.name << std::string(pass.name.size() < 14 ? 14 - pass.name.size() : 1, ' ')
                      << pass.help << '\n';
    });
}

} // namespace fx
