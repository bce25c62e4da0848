// SPDX-License-Identifier: GPL-3.0-or-later
// export: the model as a Python package.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/export/export_folder.h"
#include "core/module/muted.h"
#include "core/open/run_inputs.h"
#include "core/rewrite/excerpt.h"

#include <iostream>

namespace fx::cli {

namespace {

struct ExportCommand {
    ModelOptions model;
    RunOptions run;
    std::string out, format, module, name = "FxModule";
    bool isUnverified = false, isFrozen = false;

    void operator()() const {
        const std::string word = format.empty() ? exportWordOf(out) : format;
        const RunSettings settings = run.settings();
        const std::optional<ExportForm> form = exportForm(isFrozen ? word + "-frozen" : word);
        if (!form)
            throw Error("--freeze", "means nothing for " + word)
                .hint("--format torchscript can be frozen")
                .code(ErrorCode::InOption);
        OpenedModel opened = model.open();
        if (!module.empty())
            takePart(opened);
        if (!form->keepsAll)
            takeOutMuted(opened.model);
        if (!form->isFolder()) {
            takeExample(opened);
            writeForm(*form, opened, out);
            std::cout << "written\n";
        } else if (!isUnverified) {
            exportAndVerify(opened, out, name, run.specs(), settings);
        } else {
            const ExportedFolder written = exportFolder(opened.model, out, name, opened.path);
            for (const std::string& note : written.notes)
                std::cerr << "note: " << shownLine(note) << '\n';
            std::cout << "written, " << plural(written.files.size(), "file") << '\n';
        }
    }

    /// Of the model one submodule.
    void takePart(OpenedModel& opened) const {
        opened.model = modelOf(opened.model, graphAt(opened.model, module));
        opened.examples = nullptr;
        opened.exportRecord.clear();
    }

    /// The inputs that were given are the model's example.
    void takeExample(OpenedModel& opened) const {
        const InputSpecs specs = run.specs();
        if (specs.byName.empty() && specs.file.empty())
            return;
        const GraphInputs inputs = makeInputs(opened, specs);
        const size_t count = opened.model.graph().findNodes(Opcode::Placeholder).size();
        if (inputs.keywords.empty() && inputs.values.size() == count)
            opened.examples = [values = inputs.values] { return values; };
    }

    static std::vector<std::string> words() {
        std::vector<std::string> out;
        for (const ExportForm& form : exportForms())
            out.push_back(form.word);
        return out;
    }
};

} // namespace

void addExport(CLI::App& app) {
    auto options = std::make_shared<ExportCommand>();
    CLI::App* command =
        app.add_subcommand("export", "write what Python imports or loads: a folder, a .pt2, a .pt, ...");
    options->model.addTo(*command);
    options->model.asOutput(
        command->add_option("OUT", options->out, "the file, or the folder; made if it is not there")
            ->required());
    command->add_option("--format", options->format, "what to write; without it the ending of OUT says it")
        ->check(CLI::IsMember(ExportCommand::words()));
    command->add_option("--module", options->module,
                        "of the model one submodule that has a graph, such as a part of a split: fused_0");
    command->add_option("--name", options->name, "of a folder: the name of the class")->capture_default_str();
    command->add_flag(
        "--freeze", options->isFrozen,
        "of torchscript: parameters and the mode become constants of the code, as torch.jit.freeze does");
    command->add_flag("--no-verify", options->isUnverified,
                      "of a folder: do not open it again, run it and compare its outputs");
    options->run.addTo(*command, options->model);
    command->footer(
        "A folder (from OUT import Foo) holds module.py, state.pt, __init__.py and what is needed of "
        "the model's\nsources, and needs nothing but torch. It is opened again and run on the same "
        "inputs as the model; the exit\nstatus is 1 where the outputs differ. A .pt2 and a TorchScript "
        "program are opened again, "
        "too, and compared. What a model can be written\nas, and why not: fxscope formats MODEL\n\n"
        "Examples:\n"
        "  fxscope export resnet50.pt2 resnet --name ResNet\n"
        "  python3 -c 'from resnet import ResNet; print(ResNet())'\n"
        "  fxscope export edited.fxg edited.pt2\n"
        "  fxscope export edited.fxg edited.pt --format torchscript --freeze\n"
        "  fxscope export parts.fxg part.pt --format torchscript --module fused_0\n"
        "  python3 -c 'import torch; print(torch.export.load(\"edited.pt2\"))'");
    command->callback([options] { (*options)(); });
}

} // namespace fx::cli
