// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/package_names.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/written_names.h"
#include "core/io/harmless_names.h"
#include "core/ir/names.h"

#include <algorithm>

namespace fx {

namespace {

/// Packages of PyTorch that `import torch` leaves out, or may.
bool needsImport(std::string_view module) {
    static constexpr std::string_view kPackages[] = {
        "torch.ao",       "torch.nn.quantized", "torch.nn.intrinsic", "torch.nn.qat",
        "torch.nn.utils", "torch.quantization", "torch._functorch"};
    return std::ranges::any_of(kPackages, [&](std::string_view package) {
        return module == package || module.starts_with(std::string(package) + '.');
    });
}

} // namespace

bool PackageNames::tryBind(const std::string& local, const std::string& qualifiedName) {
    const size_t dot = qualifiedName.rfind('.');
    const bool isHarmless = isHarmlessName(qualifiedName);
    if (dot == std::string::npos && !isHarmless)
        return false;
    if (dot == std::string::npos) {
        if (local != qualifiedName)
            add(local, local + " = " + qualifiedName, qualifiedName);
        return true;
    }
    const std::string owner = qualifiedName.substr(0, dot), name = qualifiedName.substr(dot + 1);
    if (owner == "torch" || owner.starts_with("torch.")) {
        if (!isHarmless)
            return false;
        if (owner.starts_with("torch.nn.utils.") && local != qualifiedName) {
            // torch.nn.utils.spectral_norm is a function, which hides the module of that name.
            add(local, "from " + owner + " import " + name + " as " + local, qualifiedName);
            return true;
        }
        if (needsImport(owner))
            importModule(owner);
        if (local != qualifiedName)
            add(local, local + " = " + qualifiedName, qualifiedName);
        return true;
    }
    if (isHarmless) {
        add(local, "from " + owner + " import " + name + " as " + local, qualifiedName);
        return true;
    }
    const std::optional<SourcePlace> place = m_sources.find(qualifiedName);
    if (!place || !(place->rest.empty() || isBarePath(place->rest.substr(1))))
        return false;
    m_sources.need(*place);
    const std::string head =
        "from ." + m_sources.exportedName(place->module) + " import " + place->name + " as ";
    if (place->rest.empty()) {
        add(local, head + local, qualifiedName);
    } else {
        const std::string outer = legalName(place->module + '.' + place->name);
        add(outer, head + outer, qualifiedName);
        add(local, local + " = " + outer + place->rest, qualifiedName);
    }
    return true;
}

void PackageNames::add(const std::string& local, std::string line, const std::string& place) {
    const auto [known, isNew] = m_bound.try_emplace(local, line);
    if (isNew)
        m_lines.push_back(std::move(line));
    else if (known->second != line)
        throw Error(place, "cannot be written: two different things are called " + local + " in the code")
            .hint("rename one of the nodes or functions");
}

void PackageNames::bind(const std::string& local, const std::string& qualifiedName,
                        const std::string& place) {
    const bool isOfPython =
        qualifiedName.starts_with("torch.") || !contains(qualifiedName, ".") || !isBarePath(qualifiedName);
    if (tryBind(local, qualifiedName))
        return;
    if (isOfPython)
        requireHarmless(qualifiedName, place);
    throw Error(place, "needs " + qualifiedName + ", whose source is not known")
        .hint("open the model with the file that defines it: --source FILE.py");
}

void PackageNames::bindAnnotation(const std::string& local, const std::string& qualifiedName) {
    if (!tryBind(local, qualifiedName))
        add(local, local + " = " + (qualifiedName == "..." ? qualifiedName : pythonRepr(qualifiedName)),
            qualifiedName);
}

std::string PackageNames::expression(const std::string& qualifiedName, const std::string& place) {
    const bool isPlain =
        (qualifiedName.starts_with("torch.") && !qualifiedName.starts_with("torch.nn.utils.")) ||
        !contains(qualifiedName, ".");
    const std::string local = isPlain ? qualifiedName : legalName(qualifiedName);
    bind(local, qualifiedName, place);
    return local;
}

std::string PackageNames::importLines() const {
    std::string out;
    for (const std::string& module : m_modules)
        out += "import " + module + '\n';
    for (const std::string& line : m_lines)
        out += line + '\n';
    return out;
}

} // namespace fx
