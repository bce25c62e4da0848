// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/definition_index.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/python/source_finder.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace fx {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMostFiles = 20'000;
constexpr uintmax_t kMostBytes = 256u << 20;
constexpr int kDeepestFolder = 32; ///< folders in folders

bool isNamePart(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The identifier that the text begins with.
std::string_view nameAt(std::string_view text) {
    return text.substr(0, static_cast<size_t>(std::ranges::find_if_not(text, isNamePart) - text.begin()));
}

/// "nn.Module" -> "Module".
std::string lastName(std::string_view text) {
    const size_t dot = text.rfind('.');
    return std::string(trim(dot == std::string_view::npos ? text : text.substr(dot + 1)));
}

/// What stands in quotes, as the names of an `__all__`.
void addQuoted(std::set<std::string, std::less<>>& names, std::string_view line) {
    while (true) {
        const size_t begin = line.find_first_of("'\"");
        const size_t end = begin == std::string_view::npos ? begin : line.find(line[begin], begin + 1);
        if (end == std::string_view::npos)
            return;
        names.emplace(line.substr(begin + 1, end - begin - 1));
        line.remove_prefix(end + 1);
    }
}

/// From "nn.Module, Mixin, metaclass=Meta):"; nothing while its end is not there.
void takeBases(std::string_view header, std::vector<std::string>& bases) {
    const size_t end = header.find(')');
    if (end == std::string_view::npos)
        return;
    for (std::string_view base : split(header.substr(0, end), ','))
        if (base.find('=') == std::string_view::npos && !trim(base).empty())
            bases.push_back(lastName(base));
}

/// Empty for what cannot be read: it defines nothing.
std::string textOf(const fs::path& path) {
    try {
        return readSource(path.string());
    } catch (const Error&) {
        return {};
    }
}

} // namespace

DefinitionIndex::DefinitionIndex(const std::string& folder, const std::string& package) {
    std::vector<std::pair<std::string, std::string>> sources; // by module
    uintmax_t bytes = 0;
    std::error_code fault;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, fault);
    for (; !fault && at != fs::recursive_directory_iterator(); at.increment(fault)) {
        const fs::path& path = at->path();
        std::error_code ignored;
        if (at->is_directory(ignored) &&
            (at.depth() >= kDeepestFolder || !isIdentifier(path.filename().string())))
            at.disable_recursion_pending();
        if (path.extension() != ".py" || !at->is_regular_file(ignored) || path.filename() == "__init__.py")
            continue;
        bytes += at->file_size(ignored);
        if (sources.size() == kMostFiles || bytes > kMostBytes)
            break;
        std::string module = fs::path(path).replace_extension().lexically_relative(folder).string();
        std::ranges::replace(module, '/', '.');
        sources.emplace_back(package + '.' + module, path.string());
    }
    std::ranges::sort(sources);
    fs::path known; // the folder that `init` is of
    std::string init;
    for (const auto& [module, path] : sources) {
        const fs::path file = path;
        if (file.parent_path() != known) {
            known = file.parent_path();
            init = textOf(known / "__init__.py");
        }
        read(path, module, contains(init, '.' + file.stem().string() + " import"));
    }
}

void DefinitionIndex::read(const std::string& path, const std::string& module, bool isImported) {
    const std::string text = textOf(path);
    std::set<std::string, std::less<>> listed;
    std::vector<std::pair<std::string, Definition>> found;
    bool isInAll = false, isInClass = false, isInInit = false;
    std::string parameters;
    std::string header = ")"; // of the class, after its first bracket
    for (std::string_view line : split(text, '\n')) {
        if (line.starts_with("__all__"))
            isInAll = true;
        if (isInAll) {
            addQuoted(listed, line);
            isInAll = line.find(']') == std::string_view::npos && line.find(')') == std::string_view::npos;
            continue;
        }
        const bool isClass = line.starts_with("class ");
        if (isClass || line.starts_with("def ")) {
            line.remove_prefix(isClass ? 6 : 4);
            Definition definition{.module = module};
            const std::string_view name = nameAt(line);
            std::string_view rest = line.substr(name.size());
            isInClass = isClass;
            isInInit = false;
            header = isClass && rest.starts_with('(') ? std::string(rest.substr(1)) : ")";
            found.emplace_back(name, std::move(definition));
            takeBases(header, found.back().second.bases);
            continue;
        }
        if (header.find(')') == std::string::npos) { // bases on lines of their own
            header += trim(line);
            takeBases(header, found.back().second.bases);
            continue;
        }
        if (!line.empty() && line[0] != ' ' && line[0] != ')' && line[0] != '#')
            isInClass = isInInit = false;
        if (!isInClass)
            continue;
        Definition& definition = found.back().second;
        if (line.starts_with("    config: "))
            definition.config = nameAt(line.substr(12));
        if (line.starts_with("    def __init__(")) {
            definition.hasOwnInit = isInInit = true;
            parameters.clear();
            line.remove_prefix(17);
        }
        if (!isInInit)
            continue;
        parameters += trim(line);
        if (!parameters.ends_with(':'))
            continue;
        // "self, config: BertConfig, add_pooling_layer=True):"
        isInInit = false;
        const std::string_view inside = std::string_view(parameters).substr(0, parameters.rfind(')'));
        std::vector<std::string_view> parts = split(inside, ',');
        std::erase_if(parts, [](std::string_view part) { return trim(part).empty(); });
        const auto isOptional = [](std::string_view part) {
            return part.find('=') != std::string_view::npos || trim(part).starts_with('*');
        };
        if (parts.size() < 2 || nameAt(trim(parts[1])) != "config")
            continue;
        definition.takesConfigAlone = std::all_of(parts.begin() + 2, parts.end(), isOptional);
        if (const size_t colon = parts[1].find(':'); colon != std::string_view::npos)
            definition.config = nameAt(trim(parts[1].substr(colon + 1)));
    }
    for (auto& [name, definition] : found) {
        definition.isOffered = isImported && listed.contains(name);
        m_names.push_back(name);
        m_definitions[name].push_back(std::move(definition));
    }
}

const DefinitionIndex::Definition* DefinitionIndex::chosen(const std::string& name) const {
    const auto found = m_definitions.find(name);
    if (found == m_definitions.end())
        return nullptr;
    if (found->second.size() == 1)
        return &found->second.front();
    const auto isOffered = [](const Definition& definition) { return definition.isOffered; };
    const auto first = std::ranges::find_if(found->second, isOffered);
    return std::ranges::count_if(found->second, isOffered) == 1 ? &*first : nullptr;
}

std::string DefinitionIndex::moduleOf(const std::string& name) const {
    const Definition* definition = chosen(name);
    return definition ? definition->module : std::string();
}

bool DefinitionIndex::isModel(const std::string& name, Seen& seen) const {
    if (name == "Module")
        return true;
    const auto found = m_definitions.find(name);
    if (found == m_definitions.end() || !seen.insert(name).second)
        return false;
    // Of several with this name a base may be any.
    return std::ranges::any_of(found->second, [&](const Definition& definition) {
        return std::ranges::any_of(definition.bases,
                                   [&](const std::string& base) { return isModel(base, seen); });
    });
}

std::string DefinitionIndex::configOf(const Definition& definition, Seen& seen) const {
    if (!definition.config.empty())
        return definition.config;
    for (const std::string& base : definition.bases)
        if (const Definition* parent = seen.insert(base).second ? chosen(base) : nullptr)
            if (std::string config = configOf(*parent, seen); !config.empty())
                return config;
    return {};
}

bool DefinitionIndex::takesConfig(const Definition& definition, Seen& seen) const {
    if (definition.hasOwnInit)
        return definition.takesConfigAlone;
    return std::ranges::any_of(definition.bases, [&](const std::string& base) {
        const Definition* parent = seen.insert(base).second ? chosen(base) : nullptr;
        return parent && takesConfig(*parent, seen);
    });
}

std::vector<std::string> DefinitionIndex::configuredModels() const {
    std::vector<std::string> out;
    Seen listed;
    for (const std::string& name : m_names) {
        const Definition* definition = listed.insert(name).second ? chosen(name) : nullptr;
        Seen models, makers, configs;
        if (!definition || !definition->isOffered || !isModel(name, models) ||
            !takesConfig(*definition, makers))
            continue;
        const std::string config = configOf(*definition, configs);
        const Definition* made = chosen(config);
        if (made && made->isOffered)
            out.push_back(name + '(' + config + "())");
    }
    return out;
}

} // namespace fx
