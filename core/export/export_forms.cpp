// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/export_forms.h"

#include "core/base/error.h"
#include "core/codegen/python_code.h"
#include "core/io/harmless_names.h"
#include "core/io/output_file.h"
#include "core/open/formats.h"

namespace fx {

namespace {

void requireTraced(const OpenedModel& model) {
    if (!model.whyNoGraph.reason.empty())
        throw Error("", "there is no graph: " + model.whyNoGraph.reason).hint(model.whyNoGraph.advice);
}

void requireCode(const OpenedModel& model) {
    requireTraced(model);
    for (const Node& node : model.model.graph())
        requireHarmless(model.model, model.model.root(), node);
}

std::string reasonByGraph(const OpenedModel& model) {
    return reasonOf([&] { requireTraced(model); });
}

ExportForm codeForm() {
    ExportForm out{.word = "py",
                   .title = "Python file (the generated forward alone)",
                   .endings = {".py"},
                   .isCompared = false};
    out.whyNot = [](const OpenedModel& model) { return reasonOf([&] { requireCode(model); }); };
    out.write = [](const OpenedModel& model, const std::string& path, Progress&) {
        writeCode(model, path);
        return std::vector<std::string>();
    };
    return out;
}

} // namespace

std::vector<ExportForm> exportForms() {
    std::vector<ExportForm> out{{.word = "folder", .title = "Python folder", .whyNot = reasonByGraph},
                                codeForm()};
    for (const Format& format : formats()) {
        if (!format.write)
            continue;
        const std::string about = format.about.empty() ? "" : " (" + format.about + ')';
        out.push_back({wordFor(format), format.name + about, format.endings, format.keepsAll, true,
                       format.whyNot, format.write});
        if (format.writeFrozen)
            out.push_back({wordFor(format) + "-frozen",
                           format.name + ", frozen (weights and mode are constants)", format.endings,
                           format.keepsAll, true, format.whyNotFrozen, format.writeFrozen});
    }
    return out;
}

std::optional<ExportForm> exportForm(const std::string& word) {
    for (ExportForm& form : exportForms())
        if (form.word == word)
            return std::move(form);
    return std::nullopt;
}

std::string exportWordOf(const std::string& path) {
    const Format* format = formatWriting(path);
    return format ? wordFor(*format) : path.ends_with(".py") ? "py" : "folder";
}

void writeCode(const OpenedModel& model, const std::string& path) {
    requireCode(model);
    writeFile(path, PythonCode(model.model, model.model.root()).text());
}

} // namespace fx
