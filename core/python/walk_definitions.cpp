// SPDX-License-Identifier: GPL-3.0-or-later
// Functions and classes that a program defines, and their decorators.
#include "core/python/class_building.h"
#include "core/python/class_names.h"
#include "core/python/exceptions.h"
#include "core/python/walker.h"

namespace fx {

void Walker::defineFunction(const Statement& s) {
    Values decorators;
    for (const Expression& decorator : s.decorators)
        decorators.push_back(value(decorator));
    store(s.target[0], decorated(s, decorators, makeFunction(s.function)));
}

Value Walker::decorated(const Statement& s, const Values& decorators, Value made) {
    for (size_t i = decorators.size(); i > 0; --i) {
        at(s.decorators[i - 1].begin);
        try {
            made = m_evaluator.call(decorators[i - 1], {made});
        } catch (const Error& error) {
            const bool isLeftOut = isCatchable(error) || error.kind() == kUnsupportedKind;
            if (!m_evaluator.modules().areDecoratorsOptional() || !isLeftOut)
                throw;
            m_evaluator.frames().takeTrace();
        }
    }
    return made;
}

void Walker::defineClass(const Statement& s) {
    Values decorators;
    for (const Expression& decorator : s.decorators)
        decorators.push_back(value(decorator));
    Values bases;
    NamedValues kwargs;
    arguments(s.expressions, 0, m_evaluator.type("type"), bases, kwargs);
    at(s.begin);

    const FunctionTree& tree = *s.function;
    ClassPlan plan = planClass(m_evaluator, std::move(bases), std::move(kwargs));
    Frame frame;
    frame.file = m_frame.file;
    frame.tree = &tree;
    frame.module = m_frame.module;
    frame.globals = m_frame.globals;
    frame.names = preparedNames(m_evaluator, tree.name, plan);
    const auto set = [&](const char* name, const std::string& text) {
        setName(m_evaluator, frame.names, makeText(name), makeText(text));
    };
    set("__module__", m_frame.module);
    set("__qualname__", tree.qualifiedName);
    if (tree.hasDocstring)
        set("__doc__", tree.docstring);
    frame.locals.resize(tree.locals.size());
    for (size_t i = 0; i < tree.cells.size(); ++i)
        frame.cells.push_back(Object{CellObject{}});
    for (const int32_t source : tree.freeSources)
        frame.cells.push_back(m_frame.cells[static_cast<size_t>(source)]);
    frame.position = s.begin;
    {
        const FrameScope scope(m_evaluator.frames(), frame);
        m_evaluator.frames().guard(frame, [&] { Walker(m_evaluator, frame).run(tree.body); });
    }
    Value made = makeClass(m_evaluator, tree.name, std::move(plan), frame.names);
    if (tree.classCell >= 0)
        frame.cells[static_cast<size_t>(tree.classCell)].as<CellObject>()->value = made;
    store(s.target[0], decorated(s, decorators, std::move(made)));
}

} // namespace fx
