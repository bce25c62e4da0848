// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/frames.h"

#include "core/python/frame.h"
#include "core/python/generator.h"
#include "core/python/stack.h"

#include <algorithm>
#include <pthread.h>

namespace fx {

/// The lowest address of this thread's stack that calls may reach.
static const char* threadStackEnd() {
    const auto ask = []() -> const char* {
        pthread_attr_t attributes;
        if (pthread_getattr_np(pthread_self(), &attributes) != 0) // reads a file on the main thread
            return nullptr;
        void* base = nullptr;
        size_t size = 0;
        pthread_attr_getstack(&attributes, &base, &size);
        pthread_attr_destroy(&attributes);
        constexpr size_t kReserve = 256 * 1024;
        return static_cast<const char*>(base) + kReserve;
    };
    thread_local const char* const end = ask();
    return end;
}

Frames::Frames(int mostDepth, WorkBudget& budget)
    : m_budget(budget), m_mostDepth(mostDepth), m_generatorStacks(std::make_shared<GeneratorStacks>()) {}

void Frames::failDepth() const {
    raise("RecursionError", "maximum recursion depth exceeded");
}

FrameScope::FrameScope(Frames& all, Frame& frame) : frames(all), previous(all.m_innermost) {
    if (frames.m_depth >= frames.m_mostDepth)
        frames.failDepth();
    frames.checkStack();
    ++frames.m_depth;
    frame.back = previous;
    frames.m_innermost = &frame;
}

FrameScope::~FrameScope() {
    --frames.m_depth;
    frames.m_innermost = previous;
}

Frames::Border::Border(Frames& frames) : m_frames(frames), m_previousEnd(frames.m_stackEnd) {
    if (++frames.m_borders == 1)
        frames.m_stackEnd = threadStackEnd();
}

Frames::Border::~Border() {
    --m_frames.m_borders;
    m_frames.m_stackEnd = m_previousEnd;
}

Frames::Position Frames::moveTo(Position position) {
    return {std::exchange(m_innermost, position.frame), std::exchange(m_stackEnd, position.stackEnd)};
}

void Frames::abandonGenerators() {
    m_generatorStacks->isOver = true;
    while (!m_generatorStacks->suspended.empty())
        (*m_generatorStacks->suspended.begin())->abandon();
}

CurrentLine Frames::currentLine(const void* frames) {
    const Frame* frame = static_cast<const Frames*>(frames)->m_innermost;
    while (frame && (!frame->file || frame->file->isLibrary()))
        frame = frame->back;
    if (!frame)
        return {};
    return {frame->file->path.c_str(), frame->file->position(frame->position).line};
}

CallSite Frames::callSite() const {
    return m_innermost ? siteOf(*m_innermost) : CallSite();
}

CallSite Frames::siteOf(const Frame& frame) const {
    const SourceFile::Position position = frame.file->position(frame.position);
    return {frame.file, position.line, position.column, frame.tree->qualifiedName};
}

std::vector<CallSite> Frames::callStack() const {
    std::vector<CallSite> out;
    for (const Frame* frame = m_innermost; frame; frame = frame->back)
        out.push_back(siteOf(*frame));
    return out;
}

void Frames::findPlaces(Places& out, size_t most) const {
    out.clear();
    for (const Frame* frame = m_innermost; frame && out.size() < most; frame = frame->back)
        if (!frame->file->isLibrary())
            out.emplace_back(frame->tree, frame->position);
}

CallSite Frames::userSite(size_t level) const {
    const Frame* frame = m_innermost;
    while (frame->file->isLibrary() || level-- > 0)
        frame = frame->back;
    return siteOf(*frame);
}

std::optional<Value> Frames::callerModuleGlobals(size_t outer) const {
    const Frame* frame = m_innermost;
    for (; frame && outer > 0; --outer)
        frame = frame->back;
    if (!frame || frame->tree->kind != FunctionTree::Kind::Module)
        return std::nullopt;
    return frame->globals;
}

Value Frames::globalNames() const {
    return m_innermost ? m_innermost->globals : Value(Object{DictObject()});
}

Value Frames::localNames() const {
    if (!m_innermost)
        return Object{DictObject()};
    const FunctionTree& tree = *m_innermost->tree;
    if (tree.kind == FunctionTree::Kind::Module || tree.kind == FunctionTree::Kind::Class)
        return m_innermost->names;
    DictObject out; // a copy, as a function's names are slots
    const auto add = [&](const std::string& name, const std::optional<Value>& value) {
        if (value)
            out.set(name, *value);
    };
    const auto cell = [&](size_t at) { return m_innermost->cells[at].as<CellObject>()->value; };
    for (const bool isRest : {false, true}) // *args and **kwargs stand behind the others
        for (const FunctionTree::Parameter& p : tree.parameters)
            if (isRest == (p.kind >= FunctionTree::Parameter::Kind::Args))
                add(p.name, p.isCell ? cell(static_cast<size_t>(p.slot))
                                     : m_innermost->locals[static_cast<size_t>(p.slot)]);
    for (size_t i = 0; i < tree.locals.size(); ++i)
        add(tree.locals[i], m_innermost->locals[i]);
    for (size_t i = 0; i < tree.cells.size() + tree.freeNames.size(); ++i)
        add(i < tree.cells.size() ? tree.cells[i] : tree.freeNames[i - tree.cells.size()], cell(i));
    return Object{std::move(out)};
}

void Frames::note(const Frame& frame) {
    constexpr uint64_t kSteps = 20; // leaving a frame by a C++ exception costs more than a call
    m_budget.charge(kSteps);
    // Of a deep recursion the innermost frames are enough, and the innermost one of the user's own source.
    constexpr size_t kKept = 64;
    const auto isUsers = [](const CallSite& site) { return site.file && !site.file->isLibrary(); };
    if (m_trace.size() < kKept)
        m_trace.push_back(siteOf(frame));
    else if (const CallSite site = siteOf(frame);
             m_trace.size() == kKept && isUsers(site) && std::ranges::none_of(m_trace, isUsers))
        m_trace.push_back(site);
}

/// The place is the innermost line of the user's own source.
void Frames::locate(const Error& error) {
    const Trace trace = takeTrace();
    if (trace.empty() || !error.place().empty())
        throw;
    const CallSite* at = &trace.front();
    for (const CallSite& site : trace)
        if (!site.file->isLibrary()) {
            at = &site;
            break;
        }
    const std::string place =
        at->file->path + ':' + std::to_string(at->line) + ':' + std::to_string(at->column);
    const std::string line(at->file->line(at->line));
    const size_t indent = line.find_first_not_of(" \t");
    const size_t skipped = indent == std::string::npos ? 0 : indent;
    const size_t column = static_cast<size_t>(at->column) - 1;
    std::string message = error.message() + "\n    " + line.substr(std::min(skipped, line.size())) +
                          "\n    " + std::string(column > skipped ? column - skipped : 0, ' ') + '^';
    throw Error(place, message).hint(error.advice()).kind(error.kind()).code(error.code());
}

} // namespace fx
