// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/debuggee.h"

#include "core/base/error.h"
#include "core/base/memory_use.h"
#include "core/compare/first_difference.h"
#include "core/compare/reference_file.h"
#include "core/interpret/operator_libraries.h"
#include "core/interpret/value_look.h"
#include "core/io/tensor_files.h"
#include "core/torch/bind/call.h"
#include "core/torch/values/devices.h"

#include <ATen/ATen.h>

namespace fx {

namespace {

DebugOptions optionsOf(const RunRequest& request) {
    DebugOptions out;
    out.valueBudgetBytes = request.valueBudgetBytes;
    out.pausesAtEntry = request.pausesAtEntry;
    out.run = settingsOf(request);
    out.loss = request.loss;
    out.saveTensor = [](const at::Tensor& tensor, const std::string& path) { writeNpy(path, tensor); };
    out.readValue = [](const std::string& path, const std::string& name) {
        const Value value = readValueFile(path, name);
        return valueInReference(value, name).value_or(value);
    };
    out.findDifference = firstDifference;
    return out;
}

} // namespace

RunSettings settingsOf(const RunRequest& request) {
    RunSettings out;
    out.seed = request.seed;
    out.isOutsideAllowed = request.isOutsideAllowed;
    if (!request.device.empty())
        out.device = parseDevice(request.device);
    if (!request.gradMode.empty())
        out.gradMode = parseGradMode(request.gradMode);
    return out;
}

InputSpecs specsOf(const RunRequest& request, const RunSettings& settings) {
    return {request.inputs, request.inputsFile, settings.device};
}

GraphInputs inputsOf(const OpenedModel& opened, const RunRequest& request, const RunSettings& settings) {
    GraphInputs out;
    guarded([&] { out = makeInputs(opened, specsOf(request, settings)); });
    return out;
}

void loadLibraries(const RunRequest& request) {
    for (const std::string& library : request.libraries)
        loadOperatorLibrary(library);
}

uint64_t memoryLimitOf(const RunRequest& request) {
    return request.memoryLimitBytes ? request.memoryLimitBytes : machineBytes() / 5 * 4;
}

LocalDebuggee::~LocalDebuggee() = default;

std::shared_ptr<const OpenedModel> followed(const OpenedModel& opened, const ModelUpdate& update) {
    auto out = std::make_shared<OpenedModel>(opened);
    follow(out->model, update);
    return out;
}

void LocalDebuggee::follow(const ModelUpdate& update) {
    m_opened = followed(*m_opened, update);
}

void LocalDebuggee::start(int run, const RunRequest& request) {
    std::optional<EarlierRun> earlier;
    if (m_session && request.changed)
        earlier = m_session->end();
    m_session.reset();
    m_run = run;
    try {
        loadLibraries(request);
        DebugOptions options = optionsOf(request);
        options.position = m_position;
        const InputSpecs specs = specsOf(request, options.run);
        std::set<NodeRef> changed;
        if (request.changed)
            changed.insert(request.changed->begin(), request.changed->end());
        m_session = std::make_unique<DebugSession>(
            m_opened->model, [opened = m_opened, specs](const Model&) { return makeInputs(*opened, specs); },
            std::move(options), request.breakpoints,
            [this, run](const DebugEvent& event) { m_listener(run, event); }, std::move(earlier),
            std::move(changed));
    } catch (const Error& error) {
        m_listener(run, failureOf(error));
    }
}

namespace {

Answer savedTensor(const Model& model, const SaveValue& request) {
    try {
        if (static_cast<size_t>(request.tensor.value) >= model.tensorCount())
            throw Error("", "it is not in the model");
        guarded([&] { writeNpy(request.path, model.tensor(request.tensor).value()); });
        return {request.request, "saved " + request.path};
    } catch (const Error& error) {
        return {request.request, error.explanation(), true};
    }
}

} // namespace

void LocalDebuggee::send(DebugCommand command) {
    if (needsNoRun(command)) {
        const auto* save = std::get_if<SaveValue>(&command);
        if (!m_opened)
            m_listener(m_run, *refusalOf(command, "there is no model"));
        else if (save)
            m_listener(m_run, savedTensor(m_opened->model, *save));
        else
            m_listener(m_run, inspectTensor(m_opened->model, std::get<Inspect>(command)));
        return;
    }
    if (m_session)
        m_session->send(std::move(command));
}

void LocalDebuggee::pause() {
    if (m_session)
        m_session->pause();
}

void LocalDebuggee::stop() {
    if (m_session)
        m_session->stop();
}

} // namespace fx
