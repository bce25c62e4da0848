// SPDX-License-Identifier: GPL-3.0-or-later
// passes: what there is to know of them. It follows the rows of core/passes/registry.h.
#include "app/cli/commands.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/io/json.h"
#include "core/passes/registry.h"
#include "core/plugins/pass_folders.h"
#include "core/session/opening.h"
#include "core/userpasses/user_pass.h"

#include <algorithm>
#include <iostream>
#include <utility>

namespace fx::cli {

namespace {

std::string dialectsOf(const Pass& pass) {
    std::vector<std::string_view> names;
    for (const Dialect dialect : pass.dialects)
        names.push_back(dialectName(dialect));
    return join(names, ", ");
}

void printPass(const Pass& pass) {
    std::cout << pass.name << ": " << pass.summary << "\n  takes graphs that are: " << dialectsOf(pass)
              << '\n';
    for (const PassOption& option : pass.options) {
        const bool isFlag = option.type == OptionType::Bool;
        std::cout << "  " << flagOf(option) << "  " << typeName(option.type);
        if (!option.choices.empty())
            std::cout << " (" << join(option.choices, ", ") << ')';
        std::cout << (option.isRequired ? ", required" : "")
                  << (isFlag || option.byDefault.empty() ? "" : ", default " + option.byDefault) << '\n';
        if (!option.help.empty())
            std::cout << "      " << flagHelpOf(option) << '\n';
    }
}

void printLine(const std::string& name, const std::string& summary) {
    std::cout << name << std::string(name.size() < 22 ? 22 - name.size() : 1, ' ') << summary << '\n';
}

Json passJson(const Pass& pass) {
    Json options = Json::array(), dialects = Json::array();
    for (const Dialect dialect : pass.dialects)
        dialects.push_back(std::string(dialectName(dialect)));
    for (const PassOption& option : pass.options)
        options.push_back({{"name", option.name},
                           {"type", std::string(typeName(option.type))},
                           {"help", option.help},
                           {"default", option.byDefault.empty() ? Json() : Json(option.byDefault)},
                           {"choices", option.choices},
                           {"required", option.isRequired}});
    return {{"name", pass.name},
            {"title", pass.title},
            {"summary", pass.summary},
            {"dialects", std::move(dialects)},
            {"options", std::move(options)}};
}

Json passesJson(const std::vector<Pass>& passes) {
    Json out = Json::array();
    for (const Pass& pass : passes)
        out.push_back(passJson(pass));
    return out;
}

/// The pass of that name; all of a file or a module that is named alone.
std::vector<Pass> passesNamed(const std::string& word) {
    const std::optional<UserPassName> own = userPassName(word);
    if (!own)
        return {findPass(word)};
    std::vector<Pass> all = userPassRows(*own);
    if (all.empty())
        onlyPass({}, own->path); // which says why
    return all;
}

} // namespace

std::vector<Pass> userPassRows(const UserPassName& name) {
    std::vector<Pass> out = passesConfined(name.name.empty() ? name.path : name.path + ':' + name.name);
    for (Pass& pass : out)
        pass.name = pass.title;
    return out;
}

std::string wholePassName(const std::string& word) {
    const bool isRow = std::ranges::any_of(passes(), [&](const Pass& pass) { return pass.name == word; });
    return isRow || word.find_first_of("./") != std::string::npos
               ? word
               : findListedPass(passFiles(), word).value_or(word);
}

void addPasses(CLI::App& app) {
    struct Options {
        std::string name;
        bool isJson = false;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("passes", "list the passes, or tell all about one");
    command->add_option("NAME", options->name,
                        "the pass to tell about, or a file or module for all of its passes");
    command->add_flag("--json", options->isJson, "as JSON");
    command->footer("Examples:\n  fxscope passes\n  fxscope passes replace\n  fxscope passes --json\n"
                    "  fxscope passes torch.fx.experimental.normalize");
    command->callback([options] {
        if (!options->name.empty()) {
            const std::vector<Pass> found = passesNamed(wholePassName(options->name));
            if (!options->isJson)
                std::ranges::for_each(found, printPass);
            else
                std::cout << jsonText(found.size() == 1 ? passJson(found[0]) : passesJson(found), 1, true)
                          << '\n';
            return;
        }
        Json all = Json::array();
        std::string group;
        for (const Pass& pass : passes()) {
            if (options->isJson) {
                all.push_back(passJson(pass));
                continue;
            }
            if (const std::string before = std::exchange(group, pass.group); before != group)
                std::cout << '\n' << (group.empty() ? "Others" : group) << '\n';
            printLine(pass.name, pass.summary);
        }
        for (const PassFile& file : passFiles()) {
            if (!file.fault.empty()) {
                std::cerr << "note: " << shownLine(file.fault) << '\n';
                continue;
            }
            if (!options->isJson && !file.passes.empty())
                std::cout << '\n' << shownLine(file.path) << '\n';
            for (const ListedPass& pass : file.passes)
                if (options->isJson)
                    all.push_back({{"name", pass.name}, {"summary", pass.summary()}, {"file", file.path}});
                else
                    printLine(pass.name, shownLine(pass.summary()));
        }
        if (options->isJson)
            std::cout << jsonText(all, 1, true) << '\n';
    });
}

} // namespace fx::cli
