// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluates Python source. What everybody asks of an evaluator is here; the rest of Python are functions over
// it, in the headers of what they are about (exceptions.h, set_attributes.h, class_building.h ...). Its parts
// each know one thing: frames.h, modules.h, type_table.h, work_budget.h. What tensors and proxies mean comes
// from hosts (hosts.h), what torch is from sources of names (names.h). Nothing outside is touched: no file
// but the siblings that are imported, no clock, no process; work is counted.
#pragma once

#include "core/python/arguments.h"
#include "core/python/attributes.h"
#include "core/python/calls.h"
#include "core/python/defined_function.h"
#include "core/python/frames.h"
#include "core/python/hosts.h"
#include "core/python/items.h"
#include "core/python/iteration.h"
#include "core/python/modules.h"
#include "core/python/names.h"
#include "core/python/operators.h"
#include "core/python/type_table.h"
#include "core/python/types/repr.h"
#include "core/python/work_budget.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fx {

class Evaluator {
public:
    /// Knows Python alone, until hosts and names are added.
    explicit Evaluator(EvaluationLimits limits = {});
    ~Evaluator();
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;
    /// The one that is at work on this thread; builtin containers ask it to compare and hash instances. May
    /// be null.
    static Evaluator* current();

    // --- Running source. Errors carry "PATH:LINE:COLUMN", the source line and a caret.
    /// The value of an expression among these names.
    Value evaluate(const std::shared_ptr<const SourceFile>& expression, const Value& globals);
    /// Work that is asked for from outside: an error leaves with its place, the source line and a caret.
    Value runOutside(const std::function<Value()>& work);
    /// What was done so far does not count any more: each request to an evaluator that stays has all the
    /// steps and bytes for itself.
    void startRequest();
    /// What print() wrote.
    std::string& output() { return m_output; }
    /// What warnings.warn() said: "UserWarning: ...".
    std::vector<std::string>& warnings() { return m_warnings; }

    // --- Its parts.
    WorkBudget& budget() { return m_budget; }
    Frames& frames() { return m_frames; }
    const Frames& frames() const { return m_frames; }
    TypeTable& types() { return m_types; }
    Modules& modules() { return m_modules; }
    const Modules& modules() const { return m_modules; }
    Hosts& hosts() { return m_hosts; }
    NameSources& names() { return m_names; }

    // --- What programs do with values, by Python's protocols. They throw Python's errors.
    Value call(const Value& function, Values args = {}, NamedValues kwargs = {}) {
        return callValue(*this, function, std::move(args), std::move(kwargs));
    }
    Value callMethod(const Value& object, std::string_view name, Values args = {}, NamedValues kwargs = {}) {
        return call(attribute(object, std::string(name)), std::move(args), std::move(kwargs));
    }
    Value attribute(const Value& object, const std::string& name) { return attributeOf(*this, object, name); }
    std::optional<Value> findAttribute(const Value& object, const std::string& name) {
        return fx::findAttribute(*this, object, name);
    }
    Value subscript(const Value& object, const Value& index) { return fx::subscript(*this, object, index); }
    /// Binary and comparing operators, with the dunder methods of instances on either side.
    Value operate(Operator op, const Value& a, const Value& b) { return fx::operate(*this, op, a, b); }
    bool isTrue(const Value& value) { return fx::isTrue(*this, value); }
    /// int(value) by __index__: "'str' object cannot be interpreted as an integer".
    int64_t index(const Value& value) { return indexOf(*this, value); }

    Value iterator(const Value& iterable) { return iteratorOf(*this, iterable); }
    /// The next value of an iterator, or nothing at its end.
    std::optional<Value> next(const Value& iterator) { return nextOf(*this, iterator); }
    /// All items of an iterable.
    Values items(const Value& iterable) { return allItems(*this, iterable); }

    std::string repr(const Value& value) { return reprOf(*this, value); }
    std::string str(const Value& value) { return strOf(*this, value); }

    /// type(value): a ClassObject.
    Value typeOf(const Value& value) { return m_types.of(value); }
    ClassData& classOf(const Value& value) { return m_types.classOf(value); }
    bool isInstance(const Value& value, const Value& classOrTuple) {
        return fx::isInstance(*this, value, classOrTuple);
    }
    /// A builtin class by name: "int", "ValueError".
    Value type(std::string_view name) const { return m_types.named(name); }
    DictObject& builtins() { return m_types.builtins(); }
    /// Who serves the value; null where it is Python's own.
    ValueHost* hostOf(const Value& value) const { return m_hosts.of(value); }
    /// Counts one step; throws at the limit. That error cannot be caught by the program.
    void step() { m_budget.step(); }
    /// To be asked before so many bytes are taken at once.
    void reserve(uint64_t bytes) { m_budget.reserve(bytes); }

private:
    Hosts m_hosts;
    NameSources m_names;
    WorkBudget m_budget;
    Frames m_frames;
    TypeTable m_types;
    Modules m_modules;
    std::string m_output;
    std::vector<std::string> m_warnings;
};

// --- What the files of core/python/types add to an evaluator; each fills in the types and functions of its
// file.
void addObjectType(
    Evaluator& evaluator); // object, type, super, property, staticmethod, classmethod, function types
void addExceptionTypes(Evaluator& evaluator);
void addNumberTypes(Evaluator& evaluator);   // int, bool, float, complex
void addTextTypes(Evaluator& evaluator);     // str, bytes, bytearray
void addSequenceTypes(Evaluator& evaluator); // list, tuple, range, slice
void addMappingTypes(Evaluator& evaluator);  // dict, set, frozenset
void addGeneratorType(Evaluator& evaluator);
void addBuiltinFunctions(Evaluator& evaluator); // print, len, sorted, zip, ...
/// The native modules `math` and `operator`, and the natives that the library's own text uses.
std::optional<Value> nativeModule(Evaluator& evaluator, const std::string& name);

} // namespace fx
