// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is given, and what of that is remembered.
#include "widgets/document/graph_document.h"
#include "widgets/session/debug_service.h"
#include "widgets/support/qt_text.h"

namespace fx {

/// What is remembered for a file of another machine is kept apart from that for one of this name here.
QString DebugService::memoryPath() const {
    const QString path = qt(m_document.opened().path);
    return m_document.host().isEmpty() ? path : "//" + m_document.host() + '/' + path;
}

RunRequest requestOf(const DebugMemory& memory) {
    RunRequest out;
    for (auto input = memory.inputs.begin(); input != memory.inputs.end(); ++input)
        out.inputs[utf8(input.key())] = utf8(input.value());
    out.inputsFile = utf8(memory.inputsFile);
    out.device = utf8(memory.device);
    if (memory.gradMode == kOfLoss)
        out.loss = utf8(memory.loss);
    else
        out.gradMode = utf8(memory.gradMode);
    if (!memory.seed.isEmpty())
        out.seed = memory.seed.toULongLong();
    out.isOutsideAllowed = memory.isOutsideAllowed.value_or(false);
    out.memoryLimitBytes = Settings::workerMemoryLimit();
    for (const QString& library : memory.libraries)
        out.libraries.push_back(utf8(library));
    return out;
}

InputSpecs DebugService::inputSpecs() const {
    InputSpecs specs;
    for (auto input = m_inputs.inputs.begin(); input != m_inputs.inputs.end(); ++input)
        if (m_document.model().graph().find(utf8(input.key())))
            specs.byName[utf8(input.key())] = utf8(input.value());
    specs.file = utf8(m_inputs.inputsFile);
    return specs;
}

bool DebugService::hasInputs() const {
    return runState().isPaused() || fx::hasInputs(m_document.opened(), inputSpecs());
}

void DebugService::setDevice(const QString& device) {
    DebugMemory inputs = m_inputs;
    inputs.device = device == "cpu" ? QString() : device;
    setInputs(inputs);
}

void DebugService::addLibrary(const QString& path) {
    DebugMemory inputs = m_inputs;
    if (!inputs.libraries.contains(path))
        inputs.libraries << path;
    setInputs(inputs);
}

void DebugService::remember() {
    Settings::saveDebugMemory(memoryPath(), m_inputs);
}

void DebugService::setInputs(const DebugMemory& inputs) {
    const QStringList breakpoints = m_inputs.breakpoints, watches = m_inputs.watches;
    m_inputs = inputs;
    m_inputs.breakpoints = breakpoints;
    m_inputs.watches = watches;
    remember();
    Q_EMIT inputsChanged();
}

} // namespace fx
