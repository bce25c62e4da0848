// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugins/pass_folders.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/plugins/plugin_host.h"
#include "core/python/source_finder.h"
#include "core/python/tree.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

namespace fx {

namespace {

namespace fs = std::filesystem;

/// As core/torch/library/torch/fx/_apply.py knows a pass.
constexpr std::array<std::string_view, 11> kGraphNames = {
    "gm", "graph_module", "graph", "g", "m", "mod", "module", "model", "traced", "ep", "exported_program"};
constexpr std::array<std::string_view, 4> kGraphTypes = {"GraphModule", "Graph", "Module", "ExportedProgram"};
/// With how many parameters of their constructors are no options: self, and the module.
constexpr std::array<std::pair<std::string_view, size_t>, 3> kPassBases = {
    {{"Transformer", 2}, {"Interpreter", 2}, {"PassBase", 1}}};

/// "GraphModule" of `torch.fx.GraphModule`, and of the same as a string.
std::string lastName(const Expression& expression) {
    if (expression.kind == Expression::Kind::Constant)
        return expression.constant.isString() ? std::string(split(expression.constant.text(), '.').back())
                                              : std::string();
    return expression.text;
}

template <class List>
bool isAmong(const List& list, const std::string& name) {
    return std::ranges::find(list, name) != std::end(list);
}

bool takesGraphFirst(const FunctionTree& function) {
    if (function.parameters.empty())
        return false;
    const FunctionTree::Parameter& first = function.parameters[0];
    return first.annotation.empty() ? isAmong(kGraphNames, first.name)
                                    : isAmong(kGraphTypes, lastName(first.annotation[0]));
}

std::string documentationOf(const FunctionTree& tree) {
    std::vector<std::string> lines;
    for (const std::string_view line : split(trim(tree.docstring), '\n'))
        lines.emplace_back(trim(line));
    return join(lines, "\n");
}

/// How many parameters a call of the class takes; that of its base where it has no constructor of its own.
size_t parametersOf(const FunctionTree& tree, size_t ofBase) {
    for (const Statement& statement : tree.body)
        if (statement.kind == Statement::Kind::FunctionDef && statement.function->name == "__init__")
            return statement.function->parameters.size();
    return ofBase;
}

struct PassClass {
    size_t fixed;      ///< parameters of the constructor that are no options
    size_t parameters; ///< of the constructor
};

std::vector<ListedPass> passesOf(const SourceFile& file) {
    std::vector<ListedPass> out;
    std::map<std::string, PassClass> classes; // a class may be derived from one of the file
    for (const auto& [name, fixed] : kPassBases)
        classes[std::string(name)] = {fixed, fixed};
    for (const Statement& statement : file.module->body) {
        const FunctionTree* tree = statement.function.get();
        bool takesOptions = false;
        if (statement.kind == Statement::Kind::FunctionDef && takesGraphFirst(*tree)) {
            takesOptions = tree->parameters.size() > 1;
        } else if (statement.kind == Statement::Kind::ClassDef) {
            const auto base = std::ranges::find_if(statement.expressions, [&](const Expression& each) {
                return classes.contains(lastName(each));
            });
            if (base == statement.expressions.end())
                continue;
            PassClass known = classes.at(lastName(*base));
            known.parameters = parametersOf(*tree, known.parameters);
            takesOptions = known.parameters > known.fixed;
            classes[tree->name] = known;
        } else {
            continue;
        }
        if (!tree->name.starts_with('_'))
            out.push_back({tree->name, documentationOf(*tree), takesOptions});
    }
    return out;
}

std::string userPassFolder() {
    const std::string data = userDataFolder();
    return data.empty() ? data : data + "/passes";
}

} // namespace

std::vector<std::string> passFolders() {
    std::vector<std::string> out;
    if (const std::string users = userPassFolder(); !users.empty())
        out.push_back(users);
    for (const std::string& folder : pluginFolders())
        out.push_back(folder + "/passes");
    return out;
}

std::vector<PassFile> passFiles() {
    std::vector<PassFile> out;
    const std::string users = userPassFolder();
    for (const std::string& folder : passFolders()) {
        std::vector<fs::path> paths;
        std::error_code fault;
        for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault))
            if (at->path().extension() == ".py" && !at->path().filename().string().starts_with('_'))
                paths.push_back(at->path());
        std::ranges::sort(paths);
        for (const fs::path& path : paths) {
            if (std::ranges::find(out, path.stem().string(), &PassFile::name) != out.end())
                continue;
            PassFile& file = out.emplace_back();
            file.path = path.string();
            file.name = path.stem().string();
            file.isUsers = folder == users;
            try {
                file.passes = passesOf(*parseSource(readSource(file.path), file.path));
            } catch (const Error& error) {
                file.fault = error.what();
            }
        }
    }
    return out;
}

std::optional<std::string> findListedPass(const std::vector<PassFile>& files, const std::string& name) {
    for (const PassFile& file : files)
        if (std::ranges::find(file.passes, name, &ListedPass::name) != file.passes.end())
            return file.path + ':' + name;
    return std::nullopt;
}

} // namespace fx
