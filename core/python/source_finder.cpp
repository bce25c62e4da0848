// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing is read but sources in these folders, and below them.
#include "core/python/source_finder.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/python/evaluator.h"
#include "core/python/library.h"
#include "core/python/notebook.h"
#include "core/python/source_encoding.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace fx {

namespace fs = std::filesystem;

static constexpr uintmax_t kLargestSource = 16u << 20, kLargestNotebook = 128u << 20;

std::string readSource(const std::string& path) {
    std::error_code fault;
    const uintmax_t size = fs::file_size(path, fault);
    if (fault)
        throw Error(path, "cannot be read");
    const bool isNotebook = path.ends_with(".ipynb"); // which holds pictures
    if (size > (isNotebook ? kLargestNotebook : kLargestSource))
        throw Error(path, "is too large to be Python source");
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw Error(path, "cannot be read");
    std::stringstream text;
    text << in.rdbuf();
    return isNotebook ? notebookSource(text.view(), path) : decodedSource(std::move(text).str(), path);
}

static bool isOfPackages(const fs::path& folder) {
    return folder.filename() == "site-packages" || folder.filename() == "dist-packages";
}

static void addOnce(std::vector<std::string>& folders, const std::string& folder) {
    if (std::find(folders.begin(), folders.end(), folder) == folders.end())
        folders.push_back(folder);
}

void SourceFinder::addRoot(const std::string& folder) {
    if (isOfPackages(folder) || isInstalled(folder + "/x"))
        addInstalled(folder);
    else
        addOnce(m_roots, folder);
}

void SourceFinder::addInstalled(const std::string& folder) {
    addOnce(m_installed, folder);
}

bool SourceFinder::isInstalled(const std::string& path) const {
    return std::any_of(m_installed.begin(), m_installed.end(),
                       [&](const std::string& root) { return path.starts_with(root + '/'); });
}

std::optional<FoundSource> SourceFinder::findBelow(const std::string& root, const std::string& module) const {
    const std::string base = root + '/' + modulePath(module);
    for (const bool isPackage : {true, false}) {
        const std::string path = isPackage ? base + "/__init__.py" : base + ".py";
        if (fs::is_regular_file(path))
            return FoundSource{parseSource(readSource(path), path), isPackage, isInstalled(path), base};
    }
    return std::nullopt;
}

std::optional<FoundSource> SourceFinder::find(const std::string& module) {
    const std::vector<std::string_view> parts = split(module, '.');
    if (!std::all_of(parts.begin(), parts.end(), isIdentifier))
        return std::nullopt;
    for (const std::string& root : m_roots)
        if (std::optional<FoundSource> found = findBelow(root, module))
            return found;
    const LibraryModule* text = m_evaluator.names().libraryModule(module);
    if (!text)
        text = standardLibrary().find(module);
    if (text)
        return FoundSource{text->file, text->isPackage, false, {}};
    // PyTorch and numpy are what the evaluator knows of them, wherever they are installed.
    if (parts[0] == "torch" || parts[0] == "functorch" || parts[0] == "numpy")
        return std::nullopt;
    if (m_laterFolders)
        for (const std::string& folder : std::exchange(m_laterFolders, nullptr)())
            addInstalled(folder);
    for (const std::string& root : m_installed)
        if (std::optional<FoundSource> found = findBelow(root, module))
            return found;
    for (const std::vector<std::string>* roots : {&m_roots, &m_installed})
        for (const std::string& root : *roots)
            if (const std::string folder = root + '/' + modulePath(module); fs::is_directory(folder))
                return FoundSource{nullptr, true, roots == &m_installed, folder};
    return std::nullopt;
}

bool SourceFinder::isCompiled(const std::string& module) const {
    for (const std::vector<std::string>* roots : {&m_roots, &m_installed})
        for (const std::string& root : *roots) {
            const fs::path path = root + '/' + modulePath(module);
            std::error_code ignored;
            for (const fs::directory_entry& entry : fs::directory_iterator(path.parent_path(), ignored)) {
                const std::string name = entry.path().filename().string();
                if (name.starts_with(path.filename().string() + '.') &&
                    (name.ends_with(".so") || name.ends_with(".pyd")))
                    return true;
            }
        }
    return false;
}

} // namespace fx
