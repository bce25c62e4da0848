// SPDX-License-Identifier: GPL-3.0-or-later
// formats: what a model is opened from, and what it is saved as.
#include "app/cli/commands.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/io/json.h"
#include "core/open/formats.h"

#include <iostream>

namespace fx::cli {

namespace {

void printFormat(const Format& format) {
    const auto line = [](const char* what, const std::string& text) {
        if (!text.empty())
            std::cout << "  " << what << shownLine(text) << '\n';
    };
    std::cout << shownLine(format.name) << (format.about.empty() ? "" : " (" + shownLine(format.about) + ')')
              << '\n';
    line("read:     ", format.reads);
    line("written:  ", format.writes);
    line("endings:  ", join(format.endings, " "));
    line("options:  ", join(format.options, " "));
}

Json formatJson(const Format& format) {
    return {{"name", format.name},
            {"about", format.about},
            {"reads", format.reads},
            {"writes", format.writes},
            {"endings", format.endings},
            {"options", format.options},
            {"evaluates_code", bool(format.evaluatesCode)}};
}

/// What the model can be written as, and why not.
void printWritten(const OpenedModel& model, bool isJson) {
    Json rows = Json::array();
    for (const ExportForm& form : exportForms()) {
        const std::string reason = form.whyNot ? form.whyNot(model) : std::string();
        if (isJson)
            rows.push_back({{"format", form.word}, {"why_not", reason}});
        else
            std::cout << form.word << ": " << (reason.empty() ? "yes" : "no: " + shownLine(reason)) << '\n';
    }
    if (isJson)
        std::cout << jsonText(rows, 1, true) << '\n';
}

struct FormatsCommand {
    ModelOptions model;
    bool isJson = false;

    void operator()() const {
        if (!model.path.empty()) {
            printWritten(model.openAny(), isJson);
            return;
        }
        Json rows = Json::array();
        for (const Format& format : formats())
            if (isJson)
                rows.push_back(formatJson(format));
            else
                printFormat(format);
        if (isJson)
            std::cout << jsonText(rows, 1, true) << '\n';
    }
};

} // namespace

void addFormats(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("formats", "list the formats that a model is opened from, and saved as");
    const auto options = std::make_shared<FormatsCommand>();
    options->model.addTo(*command);
    command->get_option("MODEL")->required(false);
    command->add_flag("--json", options->isJson, "as JSON");
    command->footer(
        "A file is told by its content, not by the ending of its name. The options are those of opening "
        "that mean something for the format; any other is refused. With MODEL: what fxscope export can write "
        "it as, and why not.\n\n"
        "Examples:\n  fxscope formats\n  fxscope formats model.fxg");
    command->callback([options] { (*options)(); });
}

} // namespace fx::cli
