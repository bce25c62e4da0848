// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/formats.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/fxg/fxg.h"
#include "core/io/printed/printed.h"
#include "core/io/pt2/pt2.h"
#include "core/io/torch/graph_module_file.h"
#include "core/io/torch/state_dict.h"
#include "core/io/trace_log/compile_model.h"
#include "core/io/trace_log/trace_records.h"
#include "core/open/added_formats.h"
#include "core/open/load_check.h"
#include "core/open/reopen.h"
#include "core/open/saved_torch.h"
#include "core/open/torchscript.h"
#include "core/open/torchscript_writer.h"
#include "core/python/notebook.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace fx {

namespace {

struct OpenOption {
    const char* name;
    bool (*isGiven)(const OpenOptions& given);
};

constexpr OpenOption kOpenOptions[] = {
    {"--source", [](const OpenOptions& given) { return !given.trace.sourceFile.empty(); }},
    {"--state", [](const OpenOptions& given) { return !given.trace.stateFile.empty(); }},
    {"--concrete-args", [](const OpenOptions& given) { return !given.trace.concrete.empty(); }},
    {"--leaf", [](const OpenOptions& given) { return !given.trace.leafTypes.empty(); }},
    {"--no-leaves", [](const OpenOptions& given) { return given.trace.areNoneLeaves; }},
    {"--wrap", [](const OpenOptions& given) { return !given.trace.wrapped.empty(); }},
    {"--param-shapes-constant",
     [](const OpenOptions& given) { return given.trace.tracer.paramShapesConstant; }},
    {"--proxy-buffer-attributes",
     [](const OpenOptions& given) { return given.trace.tracer.proxyBufferAttributes; }},
    {"--check-mutable-operations",
     [](const OpenOptions& given) { return given.trace.tracer.checkMutableOperations; }},
    {"--path", [](const OpenOptions& given) { return !given.trace.packageFolders.empty(); }},
    {"--tracer", [](const OpenOptions& given) { return !given.trace.tracerExpression.empty(); }},
    {"--meta-args", [](const OpenOptions& given) { return !given.trace.metaArguments.empty(); }},
    {"--lifted", [](const OpenOptions& given) { return given.isLifted; }},
};

/// The options, but for some.
std::vector<std::string> optionsWithout(const std::vector<std::string>& left) {
    std::vector<std::string> out = openOptionNames();
    std::erase_if(out, [&](const std::string& name) {
        return std::find(left.begin(), left.end(), name) != left.end();
    });
    return out;
}

bool always(const Candidate&) {
    return true;
}

// --- Python

bool isGeneratedCode(const Candidate& candidate) {
    if (candidate.isFolder)
        return isModuleFolder(candidate.path);
    return candidate.isSource && candidate.expression.empty() &&
           std::filesystem::is_regular_file(candidate.path) && isGeneratedModule(readFile(candidate.path));
}

OpenedModel readSource(const Candidate& candidate, const OpenOptions& options, Progress&) {
    TraceOptions trace = options.trace;
    if (!candidate.expression.empty())
        trace.expression = candidate.expression;
    return openPythonSource(candidate.path, trace);
}

// --- Printed graphs

/// The text that may hold one.
std::string printedText(const Candidate& candidate) {
    if (!candidate.file) // a notebook may show the text of a graph, and is none
        return candidate.isSource && !candidate.path.ends_with(".ipynb") &&
                       std::filesystem::is_regular_file(candidate.path)
                   ? readFile(candidate.path)
                   : std::string();
    const std::span<const std::byte> bytes = candidate.file->bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A class of a Python file is called with "(...)", and a graph named without.
bool isPrintedGraph(const Candidate& candidate) {
    const bool isCall = candidate.expression.find('(') != std::string::npos;
    return !candidate.zip && !(candidate.isSource && isCall) &&
           holdsPrintedGraph(printedText(candidate), candidate.isSource);
}

// --- Logs of torch.compile

bool isTraceLogs(const Candidate& candidate) {
    if (candidate.isFolder)
        return !traceLogsIn(candidate.path).empty();
    return candidate.file && candidate.expression.empty() && isTraceLog(printedText(candidate));
}

OpenedModel readLogs(const Candidate& candidate, const OpenOptions&, Progress& progress) {
    if (candidate.isFolder)
        return readTraceFolder(candidate.path, progress);
    const std::string text = printedText(candidate);
    OpenedModel out = readTraceLogs({text}, candidate.path, progress);
    if (std::string note = printedGraphsNote(text, candidate.path); !note.empty())
        out.notes.push_back(std::move(note));
    return out;
}

// --- The table

std::deque<Format> ourFormats() {
    // That a file holds weights alone is said to whoever gives a source for them, too.
    const std::vector<std::string> ofSaved =
        optionsWithout({"--no-leaves", "--tracer", "--meta-args", "--lifted"});
    return {
        {.name = ".pt2",
         .about = "torch.export.save, PyTorch 2.13's schema",
         .inWords = "a .pt2, which holds graph and weights",
         .endings = {".pt2"},
         .reads = "whole, without Python; weights are read when needed",
         .writes = "whole, where all calls are operators of torch.ops: of a .pt2, or after the pass capture",
         .options = {"--lifted"},
         .recognises = [](const Candidate& candidate) { return candidate.zip && isPt2(*candidate.zip); },
         .evaluatesCode = nullptr,
         .read = [](const Candidate& candidate, const OpenOptions& options,
                    Progress& progress) { return readPt2(candidate.zip, {options.isLifted}, progress); },
         .write = writePt2,
         .document = "torch.export archive (.pt2)",
         .holdsOperatorsAlone = true,
         .whyNot = [](const OpenedModel& model) { return reasonOf([&] { requireWritable(model); }); }},
        {.name = ".fxg",
         .about = "fxscope's own: a zip of graph, modules, generated Python, safetensors, layout",
         .inWords = "an .fxg, which holds graph and weights",
         .endings = {".fxg"},
         .reads = "whole",
         .writes = "whole",
         .options = {},
         .recognises = [](const Candidate& candidate) { return candidate.zip && isFxg(*candidate.zip); },
         .evaluatesCode = nullptr,
         .read = [](const Candidate& candidate, const OpenOptions&,
                    Progress& progress) { return readFxg(candidate.zip, progress); },
         .write =
             [](const OpenedModel& model, const std::string& path, Progress& progress) {
                 writeFxg(model, path, progress);
                 return std::vector<std::string>();
             },
         .keepsAll = true,
         .document = "fxscope graph (.fxg)",
         .whyNot = nullptr},
        {.name = "TorchScript",
         .about = "torch.jit.save: scripted, traced and frozen",
         .inWords = "a TorchScript program, which holds its own code",
         .endings = {".pt", ".pth"},
         .reads = "traced: methods inlined, static control flow resolved, what data decides as cond "
                  "and while_loop",
         .writes = "by --format torchscript: modules with their parameters, graphs as methods; --freeze",
         .options = {"--state", "--concrete-args", "--leaf", "--no-leaves"},
         .recognises =
             [](const Candidate& candidate) {
                 return isModelZip(candidate) && isTorchScript(*candidate.zip);
             },
         .evaluatesCode = always,
         .read = [](const Candidate& candidate, const OpenOptions& options,
                    Progress&) { return openTorchScript(*candidate.zip, options.trace); },
         .write = writeTorchScript,
         .writeFrozen = writeFrozenTorchScript,
         .whyNotFrozen = [](const OpenedModel& model) { return reasonOf([&] { requireFreezable(model); }); },
         .isWrittenByWord = true,
         .whyNot = [](const OpenedModel& model) { return reasonOf([&] { requireScriptable(model); }); }},
        {.name = "torch.save",
         .about = "modules, GraphModules and state_dicts, in checkpoints and torch.package too: FILE:ENTRY",
         .inWords = "a saved module",
         .endings = {".pt", ".pth"},
         .reads =
             "a GraphModule's code is traced anew by our own evaluator; of a module the tree and weights, "
             "and the graph where all classes are known, or with --source FILE.py; of a state_dict tree and "
             "sizes",
         .writes =
             "as a GraphModule: modules by class and attributes, the graph as code that torch.load traces",
         .options = ofSaved,
         .recognises = isTorchFile,
         .evaluatesCode = holdsPickledModule,
         .read = readTorchModel,
         .write = writeLoadableModule,
         .whyNot = [](const OpenedModel& model) { return reasonOf([&] { requirePicklable(model); }); }},
        {.name = "safetensors",
         .about = "",
         .inWords = "a file of weights",
         .endings = {".safetensors"},
         .reads = "tree and sizes; with --state the weights of a model",
         .writes = "",
         .options = ofSaved,
         .recognises =
             [](const Candidate& candidate) {
                 return candidate.file && !candidate.zip && isSafetensors(candidate.file->bytes());
             },
         .evaluatesCode = nullptr,
         .read = [](const Candidate& candidate, const OpenOptions&,
                    Progress&) { return modelOfState(stateDictOfSafetensors(candidate.path)); },
         .write = nullptr,
         .whyNot = nullptr},
        {.name = "torch.compile log",
         .about = "a folder that TORCH_TRACE has written, or one log of it; trace.log:2 is a printed graph",
         .inWords = "a log of torch.compile",
         .endings = {".log"},
         .reads =
             "frames, graphs of all stages, breaks, guards, recompilations; no weights, so that it cannot "
             "run",
         .writes = "",
         .options = {},
         .recognises = isTraceLogs,
         .evaluatesCode = nullptr,
         .read = readLogs,
         .write = nullptr,
         .whyNot = nullptr},
        {.name = "printed graph",
         .about = "print_readable(), str(graph), .code, logs of TORCH_LOGS and TORCH_TRACE; graphs.log:2",
         .inWords = "the text of a graph",
         .endings = {".txt", ".log", ".py"},
         .reads = "read as it stands, with names, shapes and places; no weights, so that it cannot run",
         .writes = "",
         .options = {},
         .recognises = isPrintedGraph,
         .evaluatesCode = nullptr,
         .read =
             [](const Candidate& candidate, const OpenOptions&, Progress& progress) {
                 return readPrintedGraph(printedText(candidate), candidate.path, candidate.expression,
                                         progress);
             },
         .write = nullptr,
         .whyNot = nullptr},
        {.name = "module.py",
         .about = "alone or by its folder, as to_folder and fxscope export write it with what it needs",
         .inWords = "a saved module",
         .endings = {".py"},
         .reads = "its code is traced anew by our own evaluator",
         .writes = "by fxscope export, or as apply's -o FOLDER/",
         .options = ofSaved,
         .recognises = isGeneratedCode,
         .evaluatesCode = always,
         .read = [](const Candidate& candidate, const OpenOptions& options,
                    Progress&) { return reopenFolder(readModuleFolder(candidate.path), options.trace); },
         .write = nullptr,
         .whyNot = nullptr},
        {.name = "Python source",
         .about = "net.py:Net(depth=3), net.py:function, notebook.ipynb:Net(), package:function(...)",
         .inWords = "Python source",
         .endings = {".py", ".ipynb"},
         .reads = "traced by our own evaluator of Python and tracer",
         .writes = "",
         .options = optionsWithout({"--source", "--no-leaves", "--lifted"}),
         .recognises = [](const Candidate& candidate) { return candidate.isSource; },
         .evaluatesCode = always,
         .read = readSource,
         .write = nullptr,
         .whyNot = nullptr},
    };
}

/// Rows of it stay where they are.
std::deque<Format>& table() {
    static std::deque<Format> kFormats = ourFormats();
    return kFormats;
}

} // namespace

const std::deque<Format>& formats() {
    return table();
}

void requireUsable(const AddedFormat& format) {
    if (format.name.empty() || !format.recognises || !format.read)
        throw Error("format '" + format.name + "'", "lacks its name, its recogniser or its reader");
}

void addFormat(AddedFormat added) {
    requireUsable(added);
    table().push_back({.name = added.name,
                       .about = "",
                       .inWords = "a file that a plugin reads, " + added.name,
                       .endings = added.endings,
                       .reads = "by a plugin",
                       .writes = "",
                       .options = {},
                       .recognises =
                           [recognises = added.recognises](const Candidate& candidate) {
                               return candidate.file && recognises(candidate.file->bytes());
                           },
                       .evaluatesCode = always,
                       .read =
                           [added](const Candidate& candidate, const OpenOptions&, Progress& progress) {
                               OpenedModel out = added.read(candidate.path, progress);
                               out.path = candidate.path;
                               if (out.format.empty())
                                   out.format = added.name;
                               return out;
                           },
                       .write = nullptr,
                       .whyNot = nullptr});
}

Candidate candidateFor(const std::string& given, const std::vector<std::string>& packageFolders) {
    Candidate out;
    std::tie(out.path, out.expression) = splitExpression(given, packageFolders);
    // "graphs.log:2" is one of the graphs in a text.
    out.isSource =
        isSourcePath(out.path) || (!out.expression.empty() && !std::filesystem::is_regular_file(out.path));
    out.isFolder = !out.isSource && std::filesystem::is_directory(out.path);
    if (!out.isSource && !out.isFolder)
        out.file = MappedFile::open(out.path);
    return out;
}

const Format* findFormat(Candidate& candidate) {
    if (candidate.isFolder) {
        candidate.foreign = foreignFolder(candidate.path);
    } else if (candidate.file && ZipArchive::isZip(candidate.file->bytes())) {
        candidate.zip = std::make_shared<ZipArchive>(candidate.path);
        candidate.foreign = foreignZip(*candidate.zip);
    } else if (candidate.file) {
        candidate.foreign = foreignFormat(candidate.file->bytes());
    }
    for (const Format& format : formats())
        if (format.recognises(candidate))
            return &format;
    return nullptr;
}

std::vector<std::string> openOptionNames() {
    std::vector<std::string> out;
    for (const OpenOption& option : kOpenOptions)
        out.emplace_back(option.name);
    return out;
}

void requireMeaning(const Format& format, const OpenOptions& options) {
    for (const auto& [name, isGiven] : kOpenOptions)
        if (isGiven(options) &&
            std::find(format.options.begin(), format.options.end(), name) == format.options.end())
            throw Error(name, "means nothing for " + format.inWords)
                .hint(std::string("leave ") + name + " out")
                .code(ErrorCode::InOption);
}

} // namespace fx
