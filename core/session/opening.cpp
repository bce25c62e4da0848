// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/opening.h"

#include "core/base/error.h"
#include "core/interpret/operator_libraries.h"
#include "core/session/confine.h"
#include "core/torch/bind/call.h"
#include "core/trace/trace_source.h"

#include <filesystem>

namespace fx {

namespace {

namespace fs = std::filesystem;

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

/// What the child does.
int openAndSend(const OpeningRequest& request, const MessageFiles& answer) {
    try {
        guarded([&] {
            loadThem(request.libraries);
            const TraceOptions& trace = request.options.trace;
            confineThisProcess(trace.limits,
                               bytesAt(splitExpression(request.path).first) + bytesAt(trace.stateFile));
            Progress progress;
            if (request.isListing)
                sendNames(modelsIn(request.path), answer);
            else
                sendModel(openModel(request.path, request.options, progress), answer);
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
    if (end.isLate)
        throw Error(request.path, "its code " + endText(end, request.options.trace.limits.time))
            .hint("give it longer with --time-limit SECONDS");
    if (end.signal != 0 || end.exitStatus != 0)
        throw Error(request.path, "its code " + endText(end))
            .hint("the operator does not stand the arguments that it was given");
}

OpenedModel openConfined(const OpeningRequest& request, Progress& progress) {
    if (!evaluatesCode(request.path, request.options))
        return openModel(request.path, request.options, progress);
    const MessageFiles answer;
    requireAnswer(request, openInChild(request, answer));
    return receiveModel(answer, request.path);
}

} // namespace fx
