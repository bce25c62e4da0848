// SPDX-License-Identifier: GPL-3.0-or-later
// The text is searched line by line for the few statements that to_folder writes; what they do is left to the
// evaluator.
#include "core/open/module_folder.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/mapped_file.h"

#include <filesystem>

namespace fx {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLongestCode = uint64_t(64) << 20;

/// "NAME" of "class NAME(torch.nn.Module):"; empty for another line.
std::string moduleClassOf(std::string_view line) {
    constexpr std::string_view kClass = "class ";
    if (!line.starts_with(kClass))
        return {};
    line.remove_prefix(kClass.size());
    const size_t open = line.find('(');
    if (open == std::string_view::npos)
        return {};
    const std::string name(trim(line.substr(0, open)));
    const std::string_view bases = line.substr(open + 1, line.find(')') - open - 1);
    const bool isModule = bases == "torch.nn.Module" || bases == "nn.Module" || bases == "Module";
    return isModule && isIdentifier(name) ? name : std::string();
}

/// The text of the first string literal after `call`, plain or raw; none where there is none.
std::optional<std::string> literalAfter(std::string_view line, std::string_view call) {
    const size_t found = line.find(call);
    if (found == std::string_view::npos)
        return std::nullopt;
    std::string_view rest = line.substr(found + call.size());
    if (rest.starts_with('r'))
        rest.remove_prefix(1);
    if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
        return std::nullopt;
    const size_t end = rest.find(rest[0], 1);
    return end == std::string_view::npos ? std::nullopt : std::optional(std::string(rest.substr(1, end - 1)));
}

} // namespace

bool isModuleFolder(const std::string& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored) && fs::is_regular_file(fs::path(path) / "module.py", ignored);
}

bool isGeneratedModule(const std::string& code) {
    return contains(code, "\nfrom torch.nn import *\nclass ") && contains(code, "(torch.nn.Module):\n");
}

std::optional<std::string> fileInFolder(const std::string& folder, const std::string& named) {
    // Windows writes its own slashes.
    const std::string name = named.substr(named.find_last_of("/\\") + 1);
    if (name.empty() || name == "." || name == ".." || contains(name, std::string_view("\0", 1)))
        return std::nullopt;
    std::error_code fault;
    const fs::path path = fs::path(folder) / name;
    const fs::path real = fs::canonical(path, fault);
    if (fault || real.parent_path() != fs::canonical(folder, fault) || fault)
        return std::nullopt;
    return fs::is_regular_file(real, fault) ? std::optional(path.string()) : std::nullopt;
}

ModuleFolder readModuleFolder(const std::string& path) {
    ModuleFolder out;
    const bool isFolder = fs::is_directory(path);
    out.codePath = isFolder ? (fs::path(path) / "module.py").string() : path;
    const fs::path parent = fs::path(out.codePath).parent_path();
    out.folder = ((parent.empty() ? fs::path(".") : parent) / "").string();
    std::error_code fault;
    if (fs::file_size(out.codePath, fault) > kLongestCode && !fault)
        throw Error(out.codePath, "is too long to be the code of a module");
    out.code = readFile(out.codePath);
    for (std::string_view line : split(out.code, '\n')) {
        if (const std::string name = moduleClassOf(line); !name.empty())
            out.className = name; // nested graphs come before the module that uses them
        const std::optional<std::string> named = literalAfter(line, "torch.load(");
        if (!named)
            continue;
        const std::optional<std::string> file = fileInFolder(out.folder, *named);
        if (!file) {
            out.notes.push_back(pythonRepr(*named) + " is not in the folder");
            continue;
        }
        out.files[*named] = *file;
        if (contains(line, "load_state_dict("))
            out.stateFile = *file;
    }
    if (out.className.empty())
        throw Error(out.codePath, "defines no class of torch.nn.Module")
            .hint("a folder of GraphModule.to_folder has one");
    return out;
}

} // namespace fx
