// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torchscript.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/pickle.h"
#include "core/io/zip_archive.h"
#include "core/torch/live_host.h"
#include "core/trace/trace_script.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/serialization/import.h>

namespace fx {

namespace {

/// LibTorch's parser calls itself for each bracket and each level of indentation; programs stay far below.
void checkCode(const std::string& text, const std::string& name) {
    constexpr int kDeepest = 256;
    constexpr size_t kWidestIndent = 400;
    int depth = 0;
    size_t operators = 0;
    char quote = 0;
    size_t indent = 0;
    bool isLineStart = true;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') {
            isLineStart = true;
            indent = 0;
            operators = 0;
            quote = 0;
            continue;
        }
        if (isLineStart && (c == ' ' || c == '\t')) {
            if (++indent > kWidestIndent)
                throw Error(name, "its code is nested too deeply");
            continue;
        }
        isLineStart = false;
        if (quote) {
            if (c == '\\')
                ++i;
            else if (c == quote)
                quote = 0;
            continue;
        }
        if (c == '"' || c == '\'')
            quote = c;
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        operators = c == '-' || c == '~' || c == '*' || c == '!' ? operators + 1 : c == ' ' ? operators : 0;
        if (depth > kDeepest || operators > kDeepest)
            throw Error(name, "its code is nested too deeply");
    }
    if (contains(text, "__setstate__"))
        throw Error(name, "runs code of the file while it is loaded (__setstate__), as quantized programs do")
            .hint("export the model with torch.export.save and open the .pt2");
}

/// All records are whole, and the code is no trap for LibTorch's parser.
void check(const ZipArchive& zip) {
    constexpr uint64_t kMostCode = 64u << 20;
    uint64_t code = 0;
    for (const std::string& name : zip.names()) {
        if (contains(name, "/code/") || name.ends_with(".pkl")) {
            code += zip.size(name);
            if (code > kMostCode)
                throw Error(zip.path(), "holds more than " + byteText(kMostCode) + " of code");
            const std::string text = zip.read(name);
            if (name.ends_with(".py"))
                checkCode(text, name);
            else if (name.ends_with("/data.pkl") || name.ends_with("/constants.pkl"))
                readPickle(text, name);
        } else if (zip.size(name) > 0) {
            try {
                zip.map(name).verify();
            } catch (const Error&) {
                zip.read(name); // compressed
            }
        }
    }
}

/// Names of torch are there with and without its prefix.
std::optional<Value> namesOfTorch(const std::string& name) {
    return name == "torch" ? std::optional<Value>(Object{NamespaceObject{"torch"}}) : std::nullopt;
}

Value evaluated(LiveEvaluator& evaluator, const std::string& text, const std::string& name) {
    return evaluator.evaluate(text, "--concrete" + (name.empty() ? std::string() : ' ' + name));
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
    check(zip);
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
        throw Error(zip.path(), "is a damaged TorchScript program: " + text.substr(0, text.find('\n')));
    } catch (const std::bad_alloc&) {
        throw Error(zip.path(), "not enough memory");
    } catch (const std::exception& error) {
        const std::string text = error.what();
        const size_t start = text.find_first_not_of('\n');
        throw Error(zip.path(),
                    "is a damaged TorchScript program: " +
                        text.substr(start == std::string::npos ? 0 : start, text.find('\n', start) - start));
    }
    Traced traced = traceScript(std::move(module), request);
    OpenedModel out;
    out.model = std::move(traced.model);
    out.path = zip.path();
    out.format = "TorchScript program (torch.jit.save), traced";
    out.notes = std::move(traced.notes);
    return out;
}

} // namespace fx
