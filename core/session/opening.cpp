// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/opening.h"

#include "core/base/error.h"
#include "core/interpret/operator_libraries.h"
#include "core/process/confine.h"
#include "core/process/crash_report.h"
#include "core/process/fault_message.h"
#include "core/process/wire.h"
#include "core/rewrite/pattern_source.h"
#include "core/session/byte_limit.h"
#include "core/session/model_message.h"
#include "core/session/user_pass_rows.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/devices.h"

#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

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

/// What the child does. `data`: takes tensors.
Message answerTo(const OpeningRequest& request, std::shared_ptr<const Descriptor> data) {
    const auto names = [](const std::vector<std::string>& list) {
        return Message{MessageKind::Reply, 0, toWire(list)};
    };
    loadThem(request.libraries);
    // What a library or a driver does when it is loaded, it may do.
    if (request.wanted == Wanted::Operators)
        return names(loadAndListOperators(request.path));
    if (request.wanted == Wanted::Devices)
        return names(availableDevices());
    const TraceOptions& trace = request.options.trace;
    const uint64_t fileBytes =
        bytesAt(splitExpression(request.path, trace.packageFolders).first) + bytesAt(trace.stateFile);
    limitTensorBytes(trace.limits.bytes + fileBytes);
    confineThisProcess(trace.limits, fileBytes);
    if (request.wanted == Wanted::Names)
        return names(modelsIn(request.path, trace));
    if (request.wanted == Wanted::Passes)
        return names(userPassTexts(request.path));
    return modelMessage(modelOf(request), std::move(data));
}

Message answerOrFault(const OpeningRequest& request, std::shared_ptr<const Descriptor> data) {
    Message out;
    try {
        guarded([&] { out = answerTo(request, std::move(data)); });
    } catch (const Error& error) {
        out = faultMessage(0, error);
    } catch (const Cancelled&) {
        out = faultMessage(0, Error(request.path, "was not opened"));
    }
    return out;
}

/// Throws an Error where the process that opened ended before it had an answer.
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

} // namespace

Message openInChild(const OpeningRequest& request) {
    const auto answer = memoryFile("fxscope answer"), data = memoryFile("fxscope tensors");
    const auto work = [&] {
        // The child inherits the worker's socket as standard input. Replace it, so that the child cannot
        // write to it.
        const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
        if (::dup2(nothing.number(), STDIN_FILENO) < 0)
            throw Error(request.path, "the process that opens it cannot be separated");
        const Message message = answerOrFault(request, data);
        const auto kind = static_cast<char>(message.kind);
        writeAll(*answer, {&kind, 1});
        writeAll(*answer, message.body);
        return 0;
    };
    requireAnswer(request, runInChild(work, request.options.trace.limits.time));
    std::string body = contentOf(*answer);
    if (body.empty())
        throw Error(request.path, "was opened without an answer");
    const auto kind = static_cast<MessageKind>(body[0]);
    body.erase(0, 1);
    if (kind == MessageKind::Fault)
        throw placed(errorFrom(body), request.path);
    return {MessageKind::Reply, 0, std::move(body), data};
}

std::vector<std::string> namesFrom(const Message& reply) {
    return fromWire<std::vector<std::string>>(reply.body);
}

OpenedModel openConfined(const OpeningRequest& request, Progress& progress) {
    if (std::optional<OpenedModel> data = openData(request.path, request.options, progress))
        return std::move(*data);
    return modelFrom(openInChild(request), request.path);
}

std::vector<Pass> passesConfined(const std::string& word) {
    const OpeningRequest request{word, {}, knownOperatorLibraries(), OpeningRequest::Wanted::Passes};
    return userPassesFrom(namesFrom(openInChild(request)));
}

} // namespace fx
