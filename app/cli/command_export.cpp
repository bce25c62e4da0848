// SPDX-License-Identifier: GPL-3.0-or-later
// export: the model as a Python package.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/export/export_folder.h"

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
    command->add_flag("--no-verify", options->isUnverified,
                      "do not open the folder again, run it and compare its outputs");
    options->run.addTo(*command);
    command->footer("The folder holds module.py, state.pt, __init__.py and what is needed of the model's "
                    "sources, and needs\n"
                    "nothing but torch. It is opened again and run on the same inputs as the model; the exit "
                    "status is 1\n"
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

} // namespace fx
