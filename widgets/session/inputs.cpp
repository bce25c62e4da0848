// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/inputs.h"

#include "widgets/document/graph_document.h"
#include "widgets/support/qt_text.h"

namespace fx::ui {

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

Inputs::Inputs(const GraphDocument& document, bool isRemote)
    : m_document(document), m_isRemote(isRemote), m_memory(Settings::debugMemory(path())) {}

/// Key of a file in the settings. A file of another machine has one of its own, even if its path is the same.
QString Inputs::path() const {
    const QString path = qt(m_document.opened().path);
    return m_document.host().isEmpty() ? path : "//" + m_document.host() + '/' + path;
}

void Inputs::save() {
    Settings::saveDebugMemory(path(), m_memory);
}

void Inputs::set(const DebugMemory& memory) {
    const QStringList breakpoints = m_memory.breakpoints, watches = m_memory.watches;
    m_memory = memory;
    m_memory.breakpoints = breakpoints;
    m_memory.watches = watches;
    save();
    Q_EMIT changed();
}

void Inputs::setDevice(const QString& device) {
    DebugMemory memory = m_memory;
    memory.device = device == "cpu" ? QString() : device;
    set(memory);
}

void Inputs::addLibrary(const QString& path) {
    DebugMemory memory = m_memory;
    if (!memory.libraries.contains(path))
        memory.libraries << path;
    set(memory);
}

void Inputs::setBreakpoints(const QStringList& breakpoints) {
    if (std::exchange(m_memory.breakpoints, breakpoints) != breakpoints)
        save();
}

void Inputs::setWatches(const QStringList& watches) {
    if (std::exchange(m_memory.watches, watches) != watches)
        save();
}

InputSpecs Inputs::specs() const {
    InputSpecs specs;
    for (auto input = m_memory.inputs.begin(); input != m_memory.inputs.end(); ++input)
        if (m_document.model().graph().find(utf8(input.key())))
            specs.byName[utf8(input.key())] = utf8(input.value());
    specs.file = utf8(m_memory.inputsFile);
    return specs;
}

bool Inputs::areGiven() const {
    return hasInputs(m_document.opened(), specs());
}

RunRequest Inputs::requestFor(const DebugMemory& memory, bool pausesAtEntry) const {
    RunRequest request = requestOf(memory);
    request.pausesAtEntry = pausesAtEntry;
    if (m_isRemote)
        request.memoryLimitBytes = 0; // the setting is the limit of this machine
    return request;
}

RunRequest Inputs::request(bool pausesAtEntry) const {
    return requestFor(m_memory, pausesAtEntry);
}

RunRequest Inputs::requestForGradients() const {
    DebugMemory memory = m_memory;
    memory.gradMode = kOfLoss;
    return requestFor(memory, false);
}

RunRequest Inputs::requestHere() const {
    if (!m_isRemote)
        return requestOf(m_memory);
    DebugMemory memory = m_memory;
    memory.inputs.removeIf(
        [](QMap<QString, QString>::iterator input) { return input.value().startsWith('@'); });
    memory.inputsFile.clear();
    memory.libraries.clear();
    memory.device.clear();
    return requestOf(memory);
}

} // namespace fx::ui
