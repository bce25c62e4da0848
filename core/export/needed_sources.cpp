// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/needed_sources.h"

#include "core/base/text.h"
#include "core/export/statements.h"
#include "core/ir/names.h"

#include <algorithm>
#include <set>
#include <utility>

namespace fx {

namespace {

constexpr std::string_view kModuleFile = "module"; ///< the file of the generated class

/// True for code that may find any definition of its file without its name.
bool findsWithoutName(const std::vector<std::string>& chain) {
    static constexpr std::string_view kFunctions[] = {"globals", "eval", "exec"};
    return chain.back() == "__subclasses__" ||
           (chain.size() == 1 && std::ranges::find(kFunctions, chain[0]) != std::end(kFunctions));
}

} // namespace

struct NeededSources::File {
    struct Statement {
        uint32_t begin = 0, end = 0; ///< with the comment lines above it
        StatementNames names;
        bool isImport = false, isDefinition = false, isAlwaysKept = false;
        bool isKept = false;
    };

    explicit File(const SourceText& text) : source(&text), parsed(parseSource(text.text, text.module)) {
        uint32_t end = 0;
        for (const fx::Statement& statement : parsed->module->body) {
            add(statement, commentsAbove(statement.begin, end));
            end = statement.end;
        }
    }

    ptrdiff_t lineBreaks(uint32_t from, uint32_t to) const {
        return std::count(parsed->text.begin() + from, parsed->text.begin() + to, '\n');
    }

    /// Where the lines of comments begin that stand right above a place, none of them before `limit`.
    uint32_t commentsAbove(uint32_t begin, uint32_t limit) const {
        const int last = limit == 0 ? 0 : parsed->position(limit).line;
        uint32_t out = begin;
        for (int number = parsed->position(begin).line - 1; number > last; --number) {
            const std::string_view line = parsed->line(number);
            const size_t sign = line.find_first_not_of(" \t");
            if (sign == std::string_view::npos || line[sign] != '#')
                break;
            out = parsed->lineStarts[static_cast<size_t>(number) - 1] + static_cast<uint32_t>(sign);
        }
        return out;
    }

    void add(const fx::Statement& statement, uint32_t begin) {
        Statement& made = statements.emplace_back();
        made.begin = begin;
        made.end = statement.end;
        made.names = namesOf(statement);
        const std::optional<ImportSyntax> import = importOf(statement);
        made.isImport = import.has_value();
        made.isDefinition = statement.function != nullptr;
        const bool isFuture = statement.kind == fx::Statement::Kind::ImportFrom && !import;
        made.isAlwaysKept = isFuture || (parsed->module->hasDocstring && statements.size() == 1);
        const size_t index = statements.size() - 1;
        for (const std::string& name : made.names.binds)
            bound[name].push_back(index);
        for (const std::string& name : made.names.changes)
            changed[name].push_back(index);
        for (const ImportSyntax& each : made.names.imports)
            imports.push_back(each);
        if (import && import->isStar)
            stars.push_back(index);
    }

    std::string package() const {
        return source->isPackage ? source->module : std::string(parentPath(source->module));
    }

    /// The module that a `from` names, whole.
    std::string absolute(const ImportSyntax& import) const {
        if (import.level == 0)
            return import.module;
        std::string base = package();
        for (int i = 1; i < import.level; ++i)
            base = std::string(parentPath(base));
        return import.module.empty() ? base : joinedPath(base, import.module);
    }

    const SourceText* source;
    std::shared_ptr<const SourceFile> parsed;
    std::vector<Statement> statements;
    std::map<std::string, std::vector<size_t>> bound, changed; ///< statements by name
    std::vector<ImportSyntax> imports;                         ///< at any depth
    std::vector<size_t> stars;
    std::set<std::string> asked; ///< names that were needed
    bool isNeeded = false, isWhole = false;
};

NeededSources::NeededSources(const std::vector<SourceText>& sources) {
    std::set<std::string> taken{std::string(kModuleFile)};
    for (const SourceText& source : sources) {
        if (fileOf(source.module))
            continue;
        m_files.push_back(std::make_unique<File>(source));
        std::vector<std::string> parts;
        for (std::string_view part : split(source.module, '.'))
            parts.push_back(isIdentifier(part) && !isKeyword(part) && !part.starts_with("__")
                                ? std::string(part)
                                : legalName(part));
        std::string name = join(parts, ".");
        if (!taken.insert(name).second) {
            name += "_source";
            taken.insert(name);
        }
        m_exportedNames[source.module] = name;
    }
}

NeededSources::~NeededSources() = default;

NeededSources::File* NeededSources::fileOf(std::string_view module) const {
    const auto found =
        std::ranges::find_if(m_files, [&](const auto& file) { return file->source->module == module; });
    return found == m_files.end() ? nullptr : found->get();
}

std::string NeededSources::exportedName(std::string_view module) const {
    const auto known = m_exportedNames.find(module);
    return known == m_exportedNames.end() ? std::string(module) : known->second;
}

std::optional<SourcePlace> NeededSources::find(std::string_view qualifiedName) const {
    for (size_t dot = qualifiedName.rfind('.'); dot != std::string_view::npos && dot != 0;
         dot = qualifiedName.rfind('.', dot - 1)) {
        const File* file = fileOf(qualifiedName.substr(0, dot));
        if (!file)
            continue;
        const std::string_view rest = qualifiedName.substr(dot + 1);
        const std::string name(rest.substr(0, rest.find('.')));
        if (file->bound.contains(name))
            return SourcePlace{file->source->module, name, std::string(rest.substr(name.size()))};
        break; // the longest module of the name: "package.net.f" is no attribute of `package`
    }
    const std::string name(qualifiedName.substr(qualifiedName.rfind('.') + 1));
    for (const auto& file : m_files)
        if (file->bound.contains(name))
            return SourcePlace{file->source->module, name, {}};
    return std::nullopt;
}

void NeededSources::need(const SourcePlace& place) {
    if (File* file = fileOf(place.module))
        needName(*file, place.name);
}

void NeededSources::needAll(File& file) {
    file.isNeeded = true;
    if (std::exchange(file.isWhole, true))
        return;
    for (size_t i = 0; i < file.statements.size(); ++i)
        take(file, i);
    for (const auto& [name, statements] : file.bound)
        needName(file, name);
}

void NeededSources::needName(File& file, const std::string& name) {
    file.isNeeded = true;
    if (!file.asked.insert(name).second)
        return;
    if (const auto found = file.bound.find(name); found != file.bound.end())
        for (const size_t statement : found->second)
            take(file, statement);
    else
        for (const size_t star : file.stars) {
            File* target = fileOf(file.absolute(file.statements[star].names.imports[0]));
            take(file, star);
            if (target && target->bound.contains(name))
                needName(*target, name);
        }
    // `table.update(...)` belongs to a table of the file's own; a call of an imported module does not.
    const bool isImported = std::ranges::any_of(file.imports, [&](const ImportSyntax& import) {
        return std::ranges::any_of(import.names, [&](const auto& each) { return each.bound() == name; });
    });
    if (const auto found = file.changed.find(name); found != file.changed.end() && !isImported)
        for (const size_t statement : found->second)
            take(file, statement);
    takeChain(file, {name}, false);
}

void NeededSources::take(File& file, size_t index) {
    File::Statement& statement = file.statements[index];
    if (std::exchange(statement.isKept, true) || statement.isImport)
        return; // of an import the names are taken one by one
    for (const std::string& name : statement.names.binds)
        needName(file, name);
    for (const ImportSyntax& import : statement.names.imports)
        for (const ImportSyntax::Name& name : import.names)
            takeChain(file, {name.bound()}, false);
    for (const std::vector<std::string>& chain : statement.names.uses) {
        if (findsWithoutName(chain))
            needAll(file);
        if (file.bound.contains(chain[0]) || !file.stars.empty())
            needName(file, chain[0]);
        takeChain(file, chain, true);
    }
}

/// Follows a name that an import of the file binds into the module that it comes from. `isUsed`: not the
/// name alone is wanted, but what is used of it.
void NeededSources::takeChain(File& file, const std::vector<std::string>& parts, bool isUsed) {
    for (const ImportSyntax& import : file.imports)
        for (const ImportSyntax::Name& name : import.names) {
            if (name.bound() != parts[0])
                continue;
            std::string module = import.isFrom        ? file.absolute(import)
                                 : name.alias.empty() ? name.bound()
                                                      : name.name;
            size_t next = 1;
            if (import.isFrom) {
                File* target = fileOf(module);
                if (target && target->bound.contains(name.name)) {
                    needName(*target, name.name);
                    continue;
                }
                module = joinedPath(module, name.name);
            } else if (File* imported = fileOf(name.name)) {
                imported->isNeeded = true;
            }
            while (next < parts.size() && fileOf(joinedPath(module, parts[next])))
                module = joinedPath(module, parts[next++]);
            File* target = fileOf(module);
            if (!target)
                continue;
            target->isNeeded = true;
            if (next < parts.size())
                needName(*target, parts[next]);
            else if (isUsed)
                needAll(*target);
        }
}

std::map<std::string, std::string> NeededSources::files() const {
    std::map<std::string, std::string> out;
    for (const auto& file : m_files) {
        if (!file->isNeeded)
            continue;
        const std::string path = replaceAll(exportedName(file->source->module), ".", "/");
        out[path + (file->source->isPackage ? "/__init__.py" : ".py")] = textOf(*file);
        for (size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
            out.emplace(path.substr(0, slash) + "/__init__.py", "");
    }
    return out;
}

std::string NeededSources::textOf(const File& file) const {
    std::string out;
    const File::Statement* before = nullptr;
    const bool isEmpty = std::ranges::none_of(file.statements, &File::Statement::isKept);
    for (const File::Statement& statement : file.statements) {
        const bool isNext = before == &statement - 1;
        if (isEmpty || !(statement.isKept || statement.isAlwaysKept))
            continue;
        std::string text;
        if (statement.isImport) {
            text = importText(file, statement.names.imports[0], true);
        } else {
            uint32_t at = statement.begin;
            for (const ImportSyntax& import : statement.names.imports) {
                text += file.parsed->text.substr(at, import.begin - at) + importText(file, import, false);
                at = import.end;
            }
            text += file.parsed->text.substr(at, statement.end - at);
        }
        if (text.empty())
            continue;
        if (before)
            out += statement.isDefinition || before->isDefinition                ? "\n\n\n"
                   : isNext && file.lineBreaks(before->end, statement.begin) < 2 ? "\n"
                   : statement.isImport && before->isImport                      ? "\n"
                                                                                 : "\n\n";
        out += text;
        before = &statement;
    }
    return out.empty() ? out : out + '\n';
}

/// The statement with imports of other sources made relative to the folder of the package. `isReduced`:
/// without the names that nobody needs.
std::string NeededSources::importText(const File& file, const ImportSyntax& import, bool isReduced) const {
    const auto isOwn = [&](std::string_view module) {
        return std::ranges::any_of(m_files, [&](const auto& each) {
            return each->source->module == module ||
                   each->source->module.starts_with(std::string(module) + '.');
        });
    };
    const std::string package = exportedName(file.package());
    const std::string up(1 + (package.empty() ? 0 : 1 + std::ranges::count(package, '.')), '.');
    const auto item = [](const std::string& name, const std::string& as) {
        return as.empty() || as == name ? name : name + " as " + as;
    };
    const auto isWanted = [&](const ImportSyntax::Name& name) {
        return !isReduced || file.asked.contains(name.bound());
    };
    if (import.isFrom) {
        const std::string module = file.absolute(import);
        // A relative import stays as it is where no file is renamed.
        const bool isAsWritten =
            import.level > 0 && exportedName(module) == module && package == file.package();
        const std::string from = isAsWritten
                                     ? std::string(static_cast<size_t>(import.level), '.') + import.module
                                 : import.level > 0 || isOwn(module) ? up + exportedName(module)
                                                                     : import.module;
        const std::string head = "from " + from + " import ";
        std::vector<std::string> names;
        for (const ImportSyntax::Name& name : import.names)
            if (isWanted(name)) {
                const std::string below = exportedName(joinedPath(module, name.name));
                const bool isModule = fileOf(joinedPath(module, name.name)) != nullptr;
                names.push_back(item(isModule ? below.substr(below.rfind('.') + 1) : name.name,
                                     name.alias.empty() && isModule ? name.name : name.alias));
            }
        if (import.isStar)
            names.push_back("*");
        return names.empty() ? std::string() : head + join(names, ", ");
    }
    std::vector<std::string> statements;
    for (const ImportSyntax::Name& name : import.names) {
        if (!isWanted(name))
            continue;
        if (!isOwn(name.name.substr(0, name.name.find('.')))) {
            statements.push_back("import " + item(name.name, name.alias));
            continue;
        }
        const std::string exported = exportedName(name.name), above(parentPath(exported));
        const std::string last = exported.substr(above.empty() ? 0 : above.size() + 1);
        if (!name.alias.empty() || above.empty()) {
            statements.push_back("from " + up + above + " import " + item(last, name.bound()));
            continue;
        }
        // `import a.b` binds `a`, and has a.b loaded.
        statements.push_back("from " + up + " import " +
                             item(exported.substr(0, exported.find('.')), name.bound()));
        statements.push_back("from " + up + above + " import " +
                             item(last, '_' + replaceAll(exported, ".", "_")));
    }
    return join(statements, "; ");
}

} // namespace fx
