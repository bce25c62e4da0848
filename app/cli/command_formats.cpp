// SPDX-License-Identifier: GPL-3.0-or-later
// formats: what a model is opened from, and what it is saved as.
#include "app/cli/commands.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/io/json.h"
#include "core/open/formats.h"

#include <iostream>

namespace fx {

namespace {

void printFormat(const Format& format) {
    const auto line = [](const char* what, const std::string& text) {
        if (!text.empty())
            std::cout << "  " << what << oneLine(text) << '\n';
    };
    std::cout << oneLine(format.name) << (format.about.empty() ? "" : " (" + oneLine(format.about) + ')')
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

} // namespace

void addFormats(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("formats", "list the formats that a model is opened from, and saved as");
    const auto isJson = std::make_shared<bool>(false);
    command->add_flag("--json", *isJson, "as JSON");
    command->footer(
        "A file is told by its content, not by the ending of its name. The options are those of opening "
        "that mean something for the format; any other is refused.\n\n"
        "Example:\n  fxscope formats");
    command->callback([isJson] {
        Json rows = Json::array();
        for (const Format& format : formats())
            if (*isJson)
                rows.push_back(formatJson(format));
            else
                printFormat(format);
        if (*isJson)
            std::cout << jsonText(rows, 1, true) << '\n';
    });
}

} // namespace fx
