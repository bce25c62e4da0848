// SPDX-License-Identifier: GPL-3.0-or-later
// Opening by the table of formats, and what to say to the owner of a file that has no graph to show.
#include "core/open/open.h"

#include "core/base/error.h"
#include "core/open/formats.h"
#include "core/torch/bind/operator_effects.h"

#include <algorithm>

namespace fx {

namespace {

[[noreturn]] void refuse(const Candidate& candidate) {
    if (const ForeignFormat& foreign = candidate.foreign; !foreign.what.empty())
        throw Error(candidate.path, foreign.what).hint(foreign.advice);
    if (candidate.isFolder)
        throw Error(candidate.path, "is a folder, and holds no module.py of GraphModule.to_folder")
            .hint("open the file of the model in it");
    if (candidate.zip)
        throw Error(candidate.path, "is a zip file, but no model that is known here")
            .hint("open a .pt2 or an .fxg");
    throw Error(candidate.path, "is no model that is known here")
        .hint("open a .pt2 (torch.export.save), an .fxg or a torch.save file");
}

enum class Evaluation { Allowed, Refused };

/// None if reading the file would evaluate code and that is refused.
std::optional<OpenedModel> readKnown(Candidate& candidate, const OpenOptions& options, Progress& progress,
                                     Evaluation evaluation) {
    try {
        if (const Format* format = findFormat(candidate)) {
            if (evaluation == Evaluation::Refused && format->evaluatesCode &&
                format->evaluatesCode(candidate))
                return std::nullopt;
            requireMeaning(*format, options);
            return format->read(candidate, options, progress);
        }
    } catch (Error& error) {
        // Of a record in an archive one wants to know in which.
        const bool isNamed = error.place().starts_with(candidate.path);
        if (!candidate.zip || isNamed || error.code() == ErrorCode::InOption)
            throw;
        throw error.within(candidate.path);
    }
    refuse(candidate);
}

/// The file is classified once, so that the decision about evaluation is about the content that is read.
std::optional<OpenedModel> read(const std::string& path, const OpenOptions& options, Progress& progress,
                                Evaluation evaluation) {
    const ReachScope reach(Reach::Opening);
    Candidate candidate = candidateFor(path, options.trace.packageFolders);
    const auto requireUnchanged = [&] {
        if (candidate.file)
            candidate.file->requireUnchanged();
    };
    try {
        std::optional<OpenedModel> out = readKnown(candidate, options, progress, evaluation);
        requireUnchanged();
        return out;
    } catch (const Error&) {
        // What is wrong with a file that is being written is not worth telling.
        requireUnchanged();
        throw;
    }
}

} // namespace

bool isSourceToChooseFrom(const std::string& path) {
    try {
        Candidate candidate = candidateFor(path, {});
        const Format* format = findFormat(candidate);
        return format && candidate.isSource && std::ranges::count(format->options, "--tracer") > 0;
    } catch (const std::exception&) {
        return false; // opening it says why
    }
}

OpenedModel openModel(const std::string& path, const OpenOptions& options, Progress& progress) {
    return *read(path, options, progress, Evaluation::Allowed);
}

std::optional<OpenedModel> openData(const std::string& path, const OpenOptions& options, Progress& progress) {
    // Expressions that the user gives may call what the file has.
    if (!options.trace.sourceFile.empty() || !options.trace.packageFolders.empty())
        return std::nullopt;
    return read(path, options, progress, Evaluation::Refused);
}

} // namespace fx
