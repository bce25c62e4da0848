// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/opening.h"

#include "core/base/error.h"
#include "core/interpret/operator_libraries.h"
#include "core/rewrite/pattern_source.h"
#include "core/session/confine.h"
#include "core/session/user_pass_rows.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/devices.h"

#include <filesystem>

namespace fx {

namespace {

namespace fs = std::filesystem;
using Wanted = OpeningRequest::Wanted;

/// Of a file, or of the files in a folder: those of a model lie side by side, and what else is below may be
/// much.
uint64_t bytesAt(const std::string& path) {
    std::error_code fault;
    if (!fs::is_directory(path, fault)) {
        const uintmax_t size = path.empty() ? 0 : fs::file_size(path, fault);
        return fault ? 0 : size;
    }
    uint64_t sum = 0;
    for (fs::directory_iterator at(path, fault), end; !fault && at != end; at.increment(fault))
        if (std::error_code none; at->is_regular_file(none))
            sum += at->file_size(none);
    return sum;
}

/// What cannot be loaded is told by who asks; the model may be of use without it.
void loadThem(const std::vector<std::string>& libraries) {
    for (const std::string& library : libraries)
        try {
            loadOperatorLibrary(library);
        } catch (const Error&) {
        }
}

OpenedModel modelOf(const OpeningRequest& request) {
    Progress progress;
    if (request.wanted != Wanted::Pattern)
        return openModel(request.path, request.options, progress);
    OpenedModel out;
    out.model = tracePatternText(request.pattern, request.path);
    return out;
}

/// What the child does.
int openAndSend(const OpeningRequest& request, const MessageFiles& answer) {
    try {
        guarded([&] {
            loadThem(request.libraries);
            // What a library or a driver does when it is loaded, it may do.
            if (request.wanted == Wanted::Operators)
                return sendNames(loadAndListOperators(request.path), answer);
            if (request.wanted == Wanted::Devices)
                return sendNames(availableDevices(), answer);
            const TraceOptions& trace = request.options.trace;
            confineThisProcess(trace.limits,
                               bytesAt(splitExpression(request.path, trace.packageFolders).first) +
                                   bytesAt(trace.stateFile));
            if (request.wanted == Wanted::Names)
                sendNames(modelsIn(request.path, trace), answer);
            else if (request.wanted == Wanted::Passes)
                sendNames(userPassTexts(request.path), answer);
            else
                sendModel(modelOf(request), answer);
        });
        return 0;
    } catch (const Error& error) {
        sendError(error, answer);
    } catch (const Cancelled&) {
        sendError(Error(request.path, "was not opened"), answer);
    }
    return 0;
}

} // namespace

ProcessEnd openInChild(const OpeningRequest& request, const MessageFiles& answer) {
    return runInChild([&] { return openAndSend(request, answer); }, request.options.trace.limits.time);
}

void requireAnswer(const OpeningRequest& request, const ProcessEnd& end) {
    const bool isEnded = end.isLate || end.signal != 0 || end.exitStatus != 0;
    if (isEnded && request.wanted == Wanted::Operators)
        throw Error(request.path,
                    "the process that loaded it " + endText(end, request.options.trace.limits.time));
    if (end.isLate)
        throw Error(request.path, "its code " + endText(end, request.options.trace.limits.time))
            .hint("give it longer with --time-limit SECONDS");
    if (end.signal != 0 || end.exitStatus != 0)
        throw Error(request.path, "its code " + endText(end))
            .hint("the operator does not stand the arguments that it was given");
}

OpenedModel openConfined(const OpeningRequest& request, Progress& progress) {
    if (std::optional<OpenedModel> data = openData(request.path, request.options, progress))
        return std::move(*data);
    const MessageFiles answer;
    requireAnswer(request, openInChild(request, answer));
    return receiveModel(answer, request.path);
}

std::vector<Pass> passesConfined(const std::string& word) {
    const OpeningRequest request{word, {}, knownOperatorLibraries(), OpeningRequest::Wanted::Passes};
    const MessageFiles answer;
    requireAnswer(request, openInChild(request, answer));
    return userPassesFrom(receiveNames(answer, word));
}

} // namespace fx
