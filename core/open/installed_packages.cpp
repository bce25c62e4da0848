// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/installed_packages.h"

#include "core/base/text.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

namespace fx {

namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

void addFolder(std::vector<std::string>& out, const fs::path& folder) {
    std::error_code ignored;
    if (fs::is_directory(folder, ignored) && std::find(out.begin(), out.end(), folder.string()) == out.end())
        out.push_back(folder.string());
}

/// lib/python3.11/site-packages and the like.
void addPackagesOf(std::vector<std::string>& out, const fs::path& prefix) {
    std::error_code ignored;
    std::vector<fs::path> versions;
    for (const fs::directory_entry& entry : fs::directory_iterator(prefix / "lib", ignored))
        if (entry.path().filename().string().starts_with("python3"))
            versions.push_back(entry.path());
    std::sort(versions.begin(), versions.end());
    for (const fs::path& version : versions) {
        addFolder(out, version / "site-packages");
        addFolder(out, version / "dist-packages");
    }
}

} // namespace

std::vector<std::string> installedFolders() {
    std::vector<std::string> out;
    const std::string listed = environment("PYTHONPATH"), programs = environment("PATH");
    for (std::string_view folder : split(listed, ':'))
        if (!folder.empty())
            addFolder(out, folder);
    if (const std::string active = environment("VIRTUAL_ENV"); !active.empty())
        addPackagesOf(out, active);
    for (std::string_view folder : split(programs, ':')) {
        std::error_code fault;
        const fs::path python = fs::path(folder) / "python3";
        if (folder.empty() || !fs::exists(python, fault))
            continue;
        addPackagesOf(out, python.parent_path().parent_path()); // of an environment, whose python3 is a link
        if (const fs::path real = fs::canonical(python, fault); !fault)
            addPackagesOf(out, real.parent_path().parent_path());
    }
    if (const std::string home = environment("HOME"); !home.empty())
        addPackagesOf(out, fs::path(home) / ".local");
    addPackagesOf(out, "/usr/local");
    addPackagesOf(out, "/usr");
    return out;
}

bool isPackageName(const std::string& name) {
    const std::vector<std::string_view> parts = split(name, '.');
    return std::all_of(parts.begin(), parts.end(), isIdentifier);
}

std::optional<std::string> findPackage(const std::string& name, const std::vector<std::string>& folders) {
    const std::string path = replaceAll(name, ".", "/");
    for (const std::vector<std::string>& searched : {folders, installedFolders()})
        for (const std::string& folder : searched)
            for (const char* ending : {"/__init__.py", ".py"})
                if (const std::string file = folder + '/' + path + ending; fs::is_regular_file(file))
                    return file;
    return std::nullopt;
}

std::vector<std::string> packagesWithModels(const std::vector<std::string>& folders) {
    std::set<std::string> out;
    std::error_code ignored;
    for (const std::vector<std::string>& searched : {folders, installedFolders()})
        for (const std::string& folder : searched)
            for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
                if (const fs::path& path = entry.path(); fs::exists(path / "__init__.py", ignored) &&
                                                         (fs::exists(path / "models/__init__.py", ignored) ||
                                                          fs::exists(path / "models.py", ignored)))
                    out.insert(path.filename().string());
    return {out.begin(), out.end()};
}

} // namespace fx
