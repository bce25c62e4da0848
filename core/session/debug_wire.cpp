// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/debug_wire.h"

#include "core/session/value_wire.h"

#include <c10/util/Exception.h>

namespace fx {

// --- What is known of values

auto fields(Health& x) {
    return std::tie(x.hasNan, x.hasInf, x.largest);
}
auto fields(TensorStatistics& x) {
    return std::tie(x.minimum, x.maximum, x.mean, x.deviation, x.nanCount, x.infCount, x.zeroCount,
                    x.elementCount, x.histogram, x.readCount, x.minimumAt, x.maximumAt, x.nanAt);
}
auto fields(TensorSample& x) {
    return std::tie(x.rows, x.shape, x.isCapped);
}
template <>
inline constexpr AxisUse kLast<AxisUse> = AxisUse::Colour;
template <>
inline constexpr ComplexPart kLast<ComplexPart> = ComplexPart::Angle;
auto fields(TensorView& x) {
    return std::tie(x.axes, x.places, x.part);
}
auto fields(PictureAxis& x) {
    return std::tie(x.size, x.use, x.place, x.step);
}
auto fields(TensorPicture& x) {
    return std::tie(x.axes, x.rows, x.columns, x.gridRows, x.gridColumns, x.planes, x.cells, x.minimum,
                    x.maximum, x.isSampled, x.isWhole);
}

// --- What commands and events share

template <>
inline constexpr Breakpoint::Kind kLast<Breakpoint::Kind> = Breakpoint::Kind::NonFinite;
auto fields(Breakpoint& x) {
    return std::tie(x.id, x.kind, x.node, x.text, x.condition, x.ignoreCount, x.hits, x.isEnabled,
                    x.isTemporary);
}
auto fields(StorageUse& x) {
    return std::tie(x.id, x.bytes);
}
auto fields(NodeRecord& x) {
    return std::tie(x.node, x.value, x.health, x.milliseconds, x.setTo, x.startedAt, x.storages);
}
auto fields(DebugFrame& x) {
    return std::tie(x.node, x.graphPath);
}

// --- Commands

template <>
inline constexpr Resume::Mode kLast<Resume::Mode> = Resume::Mode::Until;
auto fields(Resume& x) {
    return std::tie(x.mode, x.node);
}
auto fields(Jump& x) {
    return std::tie(x.request, x.node);
}
auto fields(GoBack& x) {
    return std::tie(x.request, x.isToStop, x.watched);
}
auto fields(SetBreakpoints& x) {
    return std::tie(x.breakpoints);
}
auto fields(Evaluate& x) {
    return std::tie(x.request, x.expression, x.level, x.wantsContent);
}
auto fields(ValueView& x) {
    return std::tie(x.index, x.expression, x.other, x.picture);
}
auto fields(Inspect& x) {
    return std::tie(x.request, x.node, x.view, x.tensor, x.isGradient, x.beside);
}
auto fields(SetValue& x) {
    return std::tie(x.request, x.node, x.expression);
}
auto fields(FindOrigin& x) {
    return std::tie(x.request, x.node, x.trait, x.reference);
}
auto fields(Rename& x) {
    return std::tie(x.node, x.name);
}
auto fields(SaveValue& x) {
    return std::tie(x.request, x.node, x.path, x.isGradient, x.tensor);
}

namespace {

auto members(auto& x) {
    return std::tie(x.inputs, x.inputsFile, x.device, x.gradMode, x.seed, x.isOutsideAllowed, x.pausesAtEntry,
                    x.valueBudgetBytes, x.memoryLimitBytes, x.libraries, x.breakpoints, x.changed, x.loss);
}

} // namespace

void putWire(WireWriter& writer, const RunRequest& request) {
    writer.put(members(request));
}
void getWire(WireReader& reader, RunRequest& request) {
    auto of = members(request);
    reader.get(of);
}

// --- Events

template <>
inline constexpr Paused::Reason kLast<Paused::Reason> = Paused::Reason::Changed;
auto fields(Paused& x) {
    return std::tie(x.reason, x.breakpoint, x.frames, x.note, x.changed);
}
auto fields(Resumed&) {
    return std::tie();
}
auto fields(Executed& x) {
    return std::tie(x.records, x.isRecalled);
}
auto fields(Finished& x) {
    return std::tie(x.result, x.milliseconds, x.notes);
}
auto fields(Failed& x) {
    return std::tie(x.node, x.place, x.message, x.code, x.frames);
}
auto fields(Stopped&) {
    return std::tie();
}
auto fields(Answer& x) {
    return std::tie(x.request, x.text, x.isError, x.value, x.content, x.path);
}
auto fields(Thumbnail& x) {
    return std::tie(x.node, x.picture);
}
auto fields(Inspection& x) {
    return std::tie(x.request, x.node, x.absence, x.value, x.text, x.statistics, x.sample, x.picture, x.other,
                    x.difference, x.differenceStatistics, x.quantization, x.fault, x.changedBy, x.setTo,
                    x.tensor, x.beside);
}
auto fields(MemoryReport& x) {
    return std::tie(x.keptBytes, x.budgetBytes, x.droppedCount);
}
auto fields(GoesOn& x) {
    return std::tie(x.kept, x.whyAll);
}
auto fields(GradientRecord& x) {
    return std::tie(x.node, x.tensor, x.value, x.health, x.absence);
}
auto fields(Differentiated& x) {
    return std::tie(x.loss, x.records);
}
auto fields(ValuesGone& x) {
    return std::tie(x.why);
}
auto fields(BreakpointsChanged& x) {
    return std::tie(x.breakpoints);
}

std::string commandBytes(const DebugCommand& command) {
    return toWire(command);
}

std::string eventBytes(const std::vector<DebugEvent>& events) {
    return toWire(events);
}

std::string runBytes(const RunRequest& request) {
    return toWire(request);
}

DebugCommand commandFrom(std::string_view bytes) {
    return fromWire<DebugCommand>(bytes);
}

std::vector<DebugEvent> eventsFrom(std::string_view bytes) {
    return fromWire<std::vector<DebugEvent>>(bytes);
}

RunRequest runFrom(std::string_view bytes) {
    return fromWire<RunRequest>(bytes);
}

} // namespace fx
