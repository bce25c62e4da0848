// SPDX-License-Identifier: GPL-3.0-or-later
// Telling formats apart, and what to say to the owner of a file that has no graph to show.
#include "core/open/open.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/fxg/fxg.h"
#include "core/io/pickle/pickle_view.h"
#include "core/io/torch/legacy_torch.h"
#include "core/io/torch/state_dict.h"
#include "core/open/added_formats.h"
#include "core/open/foreign_formats.h"
#include "core/open/reopen.h"
#include "core/open/torchscript.h"
#include "core/torch/bind/operator_effects.h"

#include <algorithm>
#include <filesystem>

namespace fx {

namespace {

[[noreturn]] void refuse(const std::string& path, const ForeignFormat& format) {
    throw Error(path, format.what.empty() ? "is no model that is known here" : format.what)
        .hint(format.advice.empty() ? "open a .pt2 (torch.export.save), an .fxg or a torch.save file"
                                    : format.advice);
}

/// Options of tracing that mean nothing for a format are refused, not ignored.
void requireNone(const char* format, std::initializer_list<std::pair<const char*, bool>> options) {
    for (const auto& [option, isGiven] : options)
        if (isGiven)
            throw Error(option, std::string("means nothing for ") + format)
                .hint(std::string("leave ") + option + " out");
}

void requireNoTracing(const char* format, const TraceOptions& options) {
    requireNone(format, {{"--source", !options.sourceFile.empty()},
                         {"--state", !options.stateFile.empty()},
                         {"--concrete-args", !options.concrete.empty()},
                         {"--leaf", !options.leafTypes.empty()},
                         {"--no-leaves", options.areNoneLeaves},
                         {"--wrap", !options.wrapped.empty()},
                         {"--param-shapes-constant", options.tracer.paramShapesConstant},
                         {"--proxy-buffer-attributes", options.tracer.proxyBufferAttributes},
                         {"--check-mutable-operations", options.tracer.checkMutableOperations},
                         {"--tracer", !options.tracerExpression.empty()}});
}

void requirePythonless(const char* format, const TraceOptions& options) {
    requireNone(format, {{"--source", !options.sourceFile.empty()},
                         {"--wrap", !options.wrapped.empty()},
                         {"--param-shapes-constant", options.tracer.paramShapesConstant},
                         {"--proxy-buffer-attributes", options.tracer.proxyBufferAttributes},
                         {"--check-mutable-operations", options.tracer.checkMutableOperations},
                         {"--tracer", !options.tracerExpression.empty()}});
}

/// What a file of torch.save holds, for who expected a model in it.
std::string contentText(const PickleValue& root) {
    if (pickledDict(root))
        return "a dict without tensors";
    if (root.as<PickleList>() || root.as<PickleTuple>())
        return "a list or tuple of values";
    const Argument shown = pickledArgument(root);
    const auto* opaque = shown.as<OpaqueValue>();
    return opaque ? "an object: " + opaque->text : "a plain value";
}

/// A torch.save file of either form.
OpenedModel openTorchFile(TorchContainer container, const TraceOptions& options) {
    const auto shared = std::make_shared<const TorchContainer>(std::move(container));
    if (const std::optional<PickledModel> pickled = pickledModelIn(shared))
        return reopenPickle(*pickled, options);
    if (const std::optional<StateDict> state = stateDictIn(*shared))
        return modelOfState(*state);
    throw Error(shared->place(),
                "was written by torch.save and holds " + contentText(shared->root()) + ", and no model")
        .hint(kExportAdvice);
}

OpenedModel openAdded(const AddedFormat& format, const std::string& path, const TraceOptions& options,
                      Progress& progress) {
    requireNoTracing(("a file that a plugin reads, " + format.name).c_str(), options);
    OpenedModel out = format.read(path, progress);
    out.path = path;
    if (out.format.empty())
        out.format = format.name;
    return out;
}

OpenedModel openZip(const MappedFile& file, const OpenOptions& options, Progress& progress) {
    const std::string& path = file.path();
    auto zip = std::make_shared<ZipArchive>(path);
    try {
        if (isPt2(*zip)) {
            requireNoTracing("a .pt2, which holds graph and weights", options.trace);
            return readPt2(zip, {options.isLifted}, progress);
        }
        if (isFxg(*zip)) {
            requireNoTracing("an .fxg, which holds graph and weights", options.trace);
            return readFxg(zip, progress);
        }
        if (const ForeignFormat foreign = foreignZip(*zip); !foreign.what.empty()) {
            if (const AddedFormat* added = findAddedFormat(file.bytes()))
                return openAdded(*added, path, options.trace, progress);
            refuse(path, foreign);
        }
        if (isTorchScript(*zip)) {
            requirePythonless("a TorchScript program, which holds its own code", options.trace);
            return openTorchScript(*zip, options.trace);
        }
        if (TorchContainer::isTorchZip(*zip))
            return openTorchFile(TorchContainer::ofZip(zip, path), options.trace);
        if (const AddedFormat* added = findAddedFormat(file.bytes()))
            return openAdded(*added, path, options.trace, progress);
    } catch (Error& error) {
        if (error.place().starts_with("--"))
            throw;
        throw error.place().starts_with(path) ? error : error.within(path);
    }
    throw Error(path, "is a zip file, but no model that is known here").hint("open a .pt2 or an .fxg");
}

OpenedModel openFolder(const std::string& path, const TraceOptions& options) {
    if (isModuleFolder(path))
        return reopenFolder(readModuleFolder(path), options);
    const ForeignFormat foreign = foreignFolder(path);
    if (!foreign.what.empty())
        refuse(path, foreign);
    throw Error(path, "is a folder, and holds no module.py of GraphModule.to_folder")
        .hint("open the file of the model in it");
}

OpenedModel openFile(const MappedFile& file, const OpenOptions& options, Progress& progress) {
    const std::string& path = file.path();
    if (ZipArchive::isZip(file.bytes()))
        return openZip(file, options, progress);
    if (isLegacyTorch(file.bytes()) || isTarTorch(file.bytes()))
        return openTorchFile(TorchContainer::open(path), options.trace);
    if (isSafetensors(file.bytes()))
        return modelOfState(stateDictOfSafetensors(path));
    if (const AddedFormat* added = findAddedFormat(file.bytes()))
        return openAdded(*added, path, options.trace, progress);
    if (const ForeignFormat foreign = foreignFormat(file.bytes()); !foreign.what.empty())
        refuse(path, foreign);
    refuse(path, {});
}

/// A zip file of none of the formats that are data alone.
bool isCodeInZip(const MappedFile& file) {
    const std::string& path = file.path();
    const auto zip = std::make_shared<ZipArchive>(path);
    if (isPt2(*zip) || isFxg(*zip))
        return false;
    if (findAddedFormat(file.bytes()))
        return true;
    if (!foreignZip(*zip).what.empty())
        return false;
    return isTorchScript(*zip) ||
           (TorchContainer::isTorchZip(*zip) &&
            pickledModelIn(std::make_shared<const TorchContainer>(TorchContainer::ofZip(zip, path))));
}

} // namespace

bool evaluatesCode(const std::string& given, const OpenOptions& options) {
    try {
        const auto [path, expression] = splitExpression(given);
        // Expressions that the user gives may call what the file has.
        if (!expression.empty() || path.ends_with(".py") || !options.trace.sourceFile.empty())
            return true;
        if (std::filesystem::is_directory(path))
            return isModuleFolder(path);
        const auto file = MappedFile::open(path);
        if (ZipArchive::isZip(file->bytes()))
            return isCodeInZip(*file);
        if (findAddedFormat(file->bytes()))
            return true;
        return (isLegacyTorch(file->bytes()) || isTarTorch(file->bytes())) &&
               pickledModelIn(std::make_shared<const TorchContainer>(TorchContainer::open(path)));
    } catch (const std::exception&) {
        return false; // opening it says why
    }
}

OpenedModel openModel(const std::string& given, const OpenOptions& options, Progress& progress) {
    const ReachScope reach(Reach::Opening);
    const auto [path, expression] = splitExpression(given);
    if (expression.empty() && path.ends_with(".py") && std::filesystem::is_regular_file(path) &&
        isGeneratedModule(readFile(path)))
        return reopenFolder(readModuleFolder(path), options.trace);
    if (!expression.empty() || path.ends_with(".py")) {
        TraceOptions trace = options.trace;
        if (!expression.empty())
            trace.expression = expression;
        return openPythonSource(path, trace);
    }
    if (std::filesystem::is_directory(path))
        return openFolder(path, options.trace);
    const auto file = MappedFile::open(path);
    try {
        OpenedModel out = openFile(*file, options, progress);
        file->requireUnchanged();
        return out;
    } catch (const Error&) {
        // What is wrong with a file that is being written is not worth telling.
        file->requireUnchanged();
        throw;
    }
}

} // namespace fx
