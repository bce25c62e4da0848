// SPDX-License-Identifier: GPL-3.0-or-later
// Options that commands share.
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/export/verify_export.h"
#include "core/interpret/operator_libraries.h"
#include "core/open/formats.h"
#include "core/process/confine.h"
#include "core/process/worker_process.h"
#include "core/session/opening.h"
#include "core/torch/values/devices.h"

#include <ATen/ATen.h>

#include <filesystem>
#include <iostream>

namespace fx::cli {

namespace {

/// "x" and "randn(2)" of "x = randn(2)"; the name is empty where there is no "=".
std::pair<std::string, std::string> nameAndValue(const std::string& text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos)
        return {"", text};
    return {std::string(trim(text.substr(0, equals))), text.substr(equals + 1)};
}

std::pair<std::string, std::string> nameAndValue(const std::string& option, const std::string& text,
                                                 const std::string& form) {
    if (text.find('=') == std::string::npos)
        throw Error(option + ' ' + text, "is not of the form " + form);
    return nameAndValue(text);
}

} // namespace

void ModelOptions::addTo(CLI::App& command) {
    command
        .add_option("MODEL", path,
                    formatNames() + ", which comes with what makes the model: net.py:Net(depth=3), or "
                                    "package:build(...). More: fxscope formats")
        ->required();
    command
        .add_option("--concrete-args", concrete,
                    "of source and TorchScript: fix an argument while tracing; of TorchScript a tensor fixes "
                    "its sizes")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command
        .add_option("--leaf", leaves,
                    "of source: a class whose calls are recorded, not traced through; of TorchScript: one of "
                    "torch.nn")
        ->type_name("TYPE")
        ->allow_extra_args(false);
    command
        .add_option(
            "--wrap", wrapped,
            "of source: a function, or a module of functions, whose calls with traced values are recorded "
            "as they stand (torch.fx.wrap): helper, ops.helper, len")
        ->type_name("NAME")
        ->allow_extra_args(false);
    command
        .add_option("--path", packageFolders,
                    "of source and saved modules: a folder of packages that are imported, or that MODEL "
                    "names; of source those that are "
                    "installed are found without it")
        ->type_name("DIR")
        ->check(CLI::ExistingDirectory)
        ->allow_extra_args(false);
    command.add_flag("--param-shapes-constant", paramShapesConstant,
                     "of source: shapes of parameters are numbers in the graph, not nodes");
    command.add_flag("--proxy-buffer-attributes", proxyBufferAttributes,
                     "of source: buffers are read by one get_attr node each, as parameters are");
    command
        .add_option("--tracer", tracer,
                    "of source: a subclass of torch.fx.Tracer in it, or MODULE:NAME for one of torch.fx or "
                    "of another file; "
                    "its methods say what is a leaf. Or meta, torch.fx's MetaTracer, which knows sizes and "
                    "dtypes while it traces")
        ->type_name("CLASS");
    command
        .add_option("--meta-args", metaArguments,
                    "of --tracer meta: an example of an argument, of which the size and the dtype count: "
                    "x=randn(1,3,224,224)")
        ->type_name("NAME=EXAMPLE")
        ->allow_extra_args(false);
    command.add_flag("--check-mutable-operations", checkMutableOperations,
                     "of source: refuse functions that write into their arguments");
    command.add_flag("--no-leaves", areNoneLeaves,
                     "of TorchScript: trace through the modules of torch.nn as well");
    command.add_option("--state", state, "a state_dict (.pt, .safetensors) to load into the model")
        ->type_name("FILE");
    command.add_option("--source", source, "the Python file that defines the classes of a pickled module")
        ->type_name("FILE.py");
    command.add_flag("--train", isTraining, "of source: put the model into training mode before tracing");
    command.add_flag("--eval", isEvaluating, "of source: put the model into evaluation mode before tracing")
        ->excludes("--train");
    command
        .add_option("--load-library", libraries,
                    "a library that registers operators, as torch.ops.load_library loads it")
        ->type_name("LIB.so")
        ->allow_extra_args(false);
    command
        .add_option("--time-limit", timeLimit, "seconds that the model's code may take while it is opened")
        ->type_name("SECONDS")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command
        .add_option("--memory-limit", memoryLimit, "what the tensors that its code makes meanwhile may take")
        ->type_name("BYTES")
        ->transform(CLI::AsSizeValue(true))
        ->default_str("2GB");
    command.add_flag("--lifted", isLifted, "of a .pt2: keep parameters and buffers as inputs of the graph");
}

CLI::Option* ModelOptions::asOutput(CLI::Option* option) const {
    return option->each(
        [permissions = permissions](const std::string& path) { permissions->outputs.push_back(path); });
}

CLI::Option* ModelOptions::asDevice(CLI::Option* option) const {
    return option->each(
        [permissions = permissions](const std::string& device) { permissions->addDevice(device); });
}

OpenOptions ModelOptions::openOptions() const {
    OpenOptions out;
    out.isLifted = isLifted;
    for (const std::string& text : concrete) {
        auto named = nameAndValue(text);
        out.trace.concrete.push_back(isIdentifier(named.first) ? std::move(named)
                                                               : std::pair(std::string(), text));
    }
    out.trace.leafTypes = leaves;
    out.trace.areNoneLeaves = areNoneLeaves;
    out.trace.wrapped = wrapped;
    for (const std::string& folder : packageFolders)
        out.trace.packageFolders.push_back(std::filesystem::absolute(folder).string());
    out.trace.tracer.paramShapesConstant = paramShapesConstant;
    out.trace.tracer.proxyBufferAttributes = proxyBufferAttributes;
    out.trace.tracer.checkMutableOperations = checkMutableOperations;
    out.trace.tracerExpression = tracer;
    for (const std::string& text : metaArguments)
        out.trace.metaArguments.push_back(nameAndValue("--meta-args", text, "NAME=EXAMPLE"));
    out.trace.stateFile = state;
    out.trace.sourceFile = source;
    out.trace.limits.time = std::chrono::seconds(timeLimit);
    out.trace.limits.bytes = memoryLimit;
    if (isTraining || isEvaluating)
        out.trace.isTraining = isTraining;
    return out;
}

/// Confines this process, and tells where nothing keeps it to its outputs.
static void confineHere(RunPermissions permissions) {
    permissions.opensModels = true;
    static bool isTold = false;
    if (!confineRuns(permissions) && !permissions.outputs.empty() && hasSeccomp() &&
        !std::exchange(isTold, true))
        std::cerr << "note: this system lets no process look at another one, so the graph is not kept from "
                     "files beside those that it is to write\n";
}

OpenedModel ModelOptions::openWith(const OpenOptions& options) const {
    for (const std::string& library : libraries)
        loadOperatorLibrary(library);
    if (runsHere)
        confineHere(*permissions);
    Progress progress;
    OpenedModel out = openConfined({path, options, {}}, progress);
    if (runsHere)
        limitOwnMemory(memoryLimitOf({})); // as for the window's workers
    return out;
}

OpenedModel ModelOptions::openAny() const {
    return openWith(openOptions());
}

OpenedModel ModelOptions::openSoFar() const {
    OpenOptions options = openOptions();
    options.trace.keepsPartial = true;
    return withGraph(openWith(options), path);
}

OpenedModel ModelOptions::open() const {
    return withGraph(openAny(), path);
}

OpenedModel withGraph(OpenedModel model, const std::string& path) {
    if (!model.whyNoGraph.reason.empty())
        throw Error(path, "has no graph: " + model.whyNoGraph.reason).hint(model.whyNoGraph.advice);
    for (const std::string& note : model.notes)
        std::cerr << "note: " << shownLine(note) << '\n';
    return model;
}

void RunOptions::addTo(CLI::App& command, const ModelOptions& model) {
    command
        .add_option("--input", inputs,
                    "NAME=SPEC, where NAME is an input or its parameter, and SPEC an expression "
                    "(randn(1,3,224,224), randint(0,100,(1,128))), @FILE "
                    "(.npy, .pt, .safetensors), or 'example' for the value saved with the model")
        ->type_name("NAME=SPEC")
        ->allow_extra_args(false);
    command.add_option(
        "--inputs", inputsFile,
        "a file with all inputs: .pt (tensor, list, tuple, or dict by name), .npz, .safetensors; *args takes "
        "the rest of a list, **kwargs the other names");
    model.asDevice(command.add_option(
        "--device", device,
        "cpu, cuda, cuda:N, or meta for shapes without data; without it everything stays where it is"));
    command.add_option("--autograd", grad, "what of autograd the run is in: inference, no_grad or grad")
        ->check(CLI::IsMember(gradModeNames()))
        ->capture_default_str();
    command.add_option(
        "--seed", seed,
        "seed of all random numbers, as torch.manual_seed takes it; set before the inputs are made, "
        "and again before the run");
    command
        .add_flag(
            "--allow-files", areFilesAllowed,
            "run operators that touch files or the terminal (aten::from_file), which are refused without "
            "it")
        ->each(
            [permissions = model.permissions](const std::string&) { permissions->areFilesAllowed = true; });
}

InputSpecs RunOptions::specs() const {
    const RunRequest given = request();
    return {given.inputs, given.inputsFile, settings().device};
}

RunRequest RunOptions::request() const {
    RunRequest out;
    out.inputsFile = inputsFile;
    out.device = device;
    out.gradMode = grad;
    out.seed = seed;
    out.isOutsideAllowed = areFilesAllowed;
    for (const std::string& input : inputs) {
        auto [name, spec] = nameAndValue("--input", input, "NAME=SPEC");
        out.inputs[std::move(name)] = std::move(spec);
    }
    return out;
}

RunSettings RunOptions::settings() const {
    RunSettings out;
    if (!device.empty())
        out.device = parseDevice(device);
    out.seed = seed;
    out.gradMode = parseGradMode(grad);
    out.isOutsideAllowed = areFilesAllowed;
    return out;
}

GraphInputs RunOptions::inputsOf(const OpenedModel& model) const {
    if (seed)
        at::manual_seed(*seed);
    return makeInputs(model, specs());
}

void LossOption::addTo(CLI::App& command) {
    command
        .add_option_function<std::vector<std::string>>(
            "--grad", [this](const std::vector<std::string>& given) { loss = given.empty() ? "" : given[0]; },
            "find the gradients of a loss for each value and parameter: an expression over the outputs and "
            "nodes (output[0].mean()), without one the first floating output; of more than one element their "
            "sum")
        ->type_name("[LOSS]")
        ->expected(0, 1)
        ->excludes("--autograd");
}

void exportAndVerify(const OpenedModel& model, const std::string& folder, const std::string& className,
                     const InputSpecs& specs, const RunSettings& settings) {
    const ExportedFolder written = exportFolder(model.model, folder, className, model.path);
    for (const std::string& note : written.notes)
        std::cerr << "note: " << shownLine(note) << '\n';
    const ExportVerdict verdict = verifyExport(model, folder, specs, settings);
    if (verdict.state == ExportState::Different)
        throw Error(folder, exportLine(written, verdict));
    std::cout << shownLine(exportLine(written, verdict)) << '\n';
}

void requireKnownEnding(const std::string& out) {
    if (!formatWriting(out) && !out.ends_with(".py") && !out.ends_with("/"))
        throw Error(out, "has no ending that says what to write").hint("end it in .pt2, .pt, .fxg, .py or /");
}

void writeForm(const ExportForm& form, const OpenedModel& model, const std::string& out) {
    Progress progress;
    for (const std::string& note : form.write(model, out, progress))
        std::cerr << "note: " << shownLine(note) << '\n';
}

void writeModel(const OpenedModel& model, const std::string& out, const std::string& className) {
    requireKnownEnding(out);
    const std::optional<ExportForm> form = exportForm(exportWordOf(out));
    if (form->isFolder())
        exportAndVerify(model, out, className, {}, {});
    else
        writeForm(*form, model, out);
}

} // namespace fx::cli
