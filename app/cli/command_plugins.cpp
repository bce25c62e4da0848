// SPDX-License-Identifier: GPL-3.0-or-later
// plugins: what was found where, what it brings, and why it was left out.
#include "app/cli/commands.h"
#include "core/base/shown_text.h"
#include "core/io/json.h"

#include <filesystem>
#include <iostream>

namespace fx::cli {

namespace {

void printAdded(const char* what, const std::vector<std::string>& names) {
    for (const std::string& name : names)
        std::cout << "  " << what << ' ' << shownLine(name) << '\n';
}

void printPlugins(const std::vector<FoundPlugin>& found) {
    std::cout << "looked for in\n";
    for (const std::string& folder : pluginFolders())
        std::cout << "  " << shownLine(folder)
                  << (std::filesystem::is_directory(folder) ? "" : " (no such folder)") << '\n';
    for (const FoundPlugin& plugin : found) {
        std::cout << shownLine(plugin.path) << (plugin.kind == PluginKind::Window ? " (for the window)" : "")
                  << '\n';
        if (!plugin.fault.empty())
            std::cout << "  left out: " << shownLine(plugin.fault) << '\n';
        printAdded("pass", plugin.passes);
        printAdded("format", plugin.formats);
        printAdded("function", plugin.functions);
        printAdded("pane", plugin.panes);
    }
}

Json pluginsJson(const std::vector<FoundPlugin>& found) {
    Json folders = Json::array(), plugins = Json::array();
    for (const std::string& folder : pluginFolders())
        folders.push_back({{"path", folder}, {"exists", std::filesystem::is_directory(folder)}});
    for (const FoundPlugin& plugin : found)
        plugins.push_back({{"path", plugin.path},
                           {"window", plugin.kind == PluginKind::Window},
                           {"fault", plugin.fault.empty() ? Json() : Json(plugin.fault)},
                           {"passes", plugin.passes},
                           {"formats", plugin.formats},
                           {"functions", plugin.functions},
                           {"panes", plugin.panes}});
    return {{"version", kPluginVersion}, {"folders", std::move(folders)}, {"plugins", std::move(plugins)}};
}

} // namespace

void addPlugins(CLI::App& app, const std::vector<FoundPlugin>& found) {
    CLI::App* command =
        app.add_subcommand("plugins", "list the plugins: what they bring, and why one is left out");
    const auto isJson = std::make_shared<bool>(false);
    command->add_flag("--json", *isJson, "as JSON");
    command->footer("Plugins are loaded when a program starts, and from nowhere else than these folders.\n\n"
                    "Example:\n  fxscope plugins");
    command->callback([isJson, &found] {
        if (*isJson)
            std::cout << jsonText(pluginsJson(found), 1, true) << '\n';
        else
            printPlugins(found);
    });
}

} // namespace fx::cli
