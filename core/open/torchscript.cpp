// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/torchscript.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/torch/state_dict.h"
#include "core/io/torch/torchscript_checks.h"
#include "core/io/zip_archive.h"
#include "core/torch/host/live_evaluator.h"
#include "core/trace/script/trace_script.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/serialization/import.h>

namespace fx {

namespace {

/// Names of torch are there with and without its prefix.
std::optional<Value> namesOfTorch(const std::string& name) {
    return name == "torch" ? std::optional<Value>(Object{NamespaceObject{"torch"}}) : std::nullopt;
}

Value evaluated(LiveEvaluator& evaluator, const std::string& text, const std::string& name) {
    return inOption([&] {
        return evaluator.evaluate(text, "--concrete-args" + (name.empty() ? std::string() : ' ' + name));
    });
}

/// Throws if LibTorch has said so.
void refuseUnknownOperator(const std::string& path, const std::string& said) {
    const std::string words = "Unknown builtin op: ";
    const size_t at = said.find(words);
    if (at == std::string::npos)
        return;
    const size_t name = at + words.size();
    throw Error(path, "calls an operator that is not known here: " +
                          said.substr(name, said.find_first_of(".\n", name) - name))
        .hint("load the library that registers it")
        .code(ErrorCode::NeedsLibrary);
}

} // namespace

bool isTorchScript(const ZipArchive& zip) {
    bool hasConstants = false, hasCode = false;
    for (const std::string& name : zip.names()) {
        hasConstants |= name.ends_with("/constants.pkl");
        hasCode |= contains(name, "/code/");
    }
    return hasConstants && hasCode;
}

OpenedModel openTorchScript(const ZipArchive& zip, const TraceOptions& options) {
    checkTorchScript(zip);
    ScriptRequest request;
    request.leaves = options.leafTypes;
    request.areNoneLeaves = options.areNoneLeaves;
    request.isTraining = options.isTraining;
    if (!options.concrete.empty()) {
        LiveEvaluator evaluator(namesOfTorch);
        for (const auto& [name, text] : options.concrete)
            if (name.empty())
                request.concreteByPosition.push_back(evaluated(evaluator, text, name));
            else
                request.concrete.emplace_back(name, evaluated(evaluator, text, name));
    }
    torch::jit::Module module;
    try {
        module = torch::jit::load(zip.path(), at::kCPU);
    } catch (const c10::Error& error) {
        const std::string text = error.what_without_backtrace();
        refuseUnknownOperator(zip.path(), text);
        throw Error(zip.path(), "is a damaged TorchScript program: " + text.substr(0, text.find('\n')));
    } catch (const std::bad_alloc&) {
        throw Error(zip.path(), "not enough memory");
    } catch (const std::exception& error) {
        const std::string text = error.what();
        refuseUnknownOperator(zip.path(), text);
        const size_t start = text.find_first_not_of('\n');
        throw Error(zip.path(),
                    "is a damaged TorchScript program: " +
                        text.substr(start == std::string::npos ? 0 : start, text.find('\n', start) - start));
    }
    OpenedModel out;
    if (!options.stateFile.empty()) {
        const StateDict state = readStateDict(options.stateFile);
        request.state = state.given();
        out.notes = state.notes;
    }
    Traced traced = traceScript(std::move(module), request);
    out.model = std::move(traced.model);
    out.path = zip.path();
    out.format = "TorchScript program (torch.jit.save), traced";
    out.notes.insert(out.notes.end(), traced.notes.begin(), traced.notes.end());
    return out;
}

} // namespace fx
