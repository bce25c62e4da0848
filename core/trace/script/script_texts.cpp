// SPDX-License-Identifier: GPL-3.0-or-later
// Formats are taken apart: what is known goes into the constant text as TorchScript writes it, so that Python
// writes the values of the graph alone.
#include "core/trace/script/script_texts.h"

#include "core/trace/script/script_parameters.h"
#include "core/trace/script/script_values.h"
#include "core/trace/tracing_host.h"

#include <ATen/core/jit_type.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>

namespace fx {

namespace prim = c10::prim;
namespace aten = c10::aten;

namespace {

using JitNode = torch::jit::Node;

/// Whether the text is read by nothing but calls that raise, print or warn, and by makers of such texts.
bool isForMessages(const torch::jit::Value* value, int depth = 0) {
    constexpr int kDeepest = 20;
    static constexpr std::string_view kMakers[] = {"format", "percentFormat",  "str",          "join",
                                                   "add",    "TupleConstruct", "ListConstruct"};
    return depth <= kDeepest && std::ranges::all_of(value->uses(), [&](const torch::jit::Use& use) {
               const auto kind = use.user->kind();
               if (kind == prim::RaiseException || kind == prim::Print || kind == aten::warn)
                   return true;
               return std::ranges::find(kMakers, kind.toUnqualString()) != std::end(kMakers) &&
                      isForMessages(use.user->output(), depth + 1);
           });
}

/// Whether str() of Python gives the text that TorchScript gives. `isInside`: in a list, tuple or dict, where
/// Python puts quotes around a str.
bool isWrittenAlike(const c10::Type& type, bool isInside = false) {
    switch (type.kind()) {
    case c10::TypeKind::IntType:
    case c10::TypeKind::BoolType:
    case c10::TypeKind::NoneType:
        return true;
    case c10::TypeKind::StringType:
    case c10::TypeKind::DeviceObjType:
        return !isInside;
    case c10::TypeKind::TupleType:
        if (type.castRaw<c10::TupleType>()->schema()) // Python writes the names of a named tuple
            return false;
        [[fallthrough]];
    case c10::TypeKind::OptionalType:
    case c10::TypeKind::ListType:
    case c10::TypeKind::DictType:
        return std::ranges::all_of(type.containedTypes(), [&](const c10::TypePtr& inner) {
            return isWrittenAlike(*inner, isInside || type.kind() != c10::TypeKind::OptionalType);
        });
    default:
        return false;
    }
}

/// A text with places for values of the graph.
class Template {
public:
    /// `specials` are written twice in the text, as Python's format would read them.
    Template(ScriptState& state, std::string_view specials) : m_state(state), m_specials(specials) {}

    void add(std::string_view constant) {
        for (const char c : constant) {
            m_text += c;
            if (m_specials.find(c) != std::string_view::npos)
                m_text += c;
        }
    }

    /// Adds what `format`, "%d" or "%s", makes of the value; `place` is how the text names such a place.
    void add(const Value& value, const c10::TypePtr& type, const std::string& format,
             std::string_view place) {
        if (m_state.knowledge.isKnown(value))
            return add(knownText(value, type, format));
        if (!isWrittenAlike(*type) || (format != "%s" && type->kind() != c10::TypeKind::IntType))
            m_state.tracer.fail("",
                                "a text is made of a value of type " + type->annotation_str() +
                                    ", which TorchScript writes in another way than Python",
                                "return the value itself, or a text of an int, bool or str");
        m_text += place;
        m_values.push_back(asPlain(value, *type));
    }

    const std::string& text() const { return m_text; }
    const Values& values() const { return m_values; }

    /// A list of TorchScript may be a torch.Size in the graph, which Python writes with its name.
    Value asPlain(const Value& value, const c10::Type& type) {
        return isProxy(value) && type.kind() == c10::TypeKind::ListType
                   ? m_state.tracer.record(Opcode::CallFunction, "list", {value})
                   : value;
    }

private:
    std::string knownText(const Value& value, const c10::TypePtr& type, const std::string& format) {
        const std::optional<c10::IValue> known = toIValue(value, type);
        if (!known)
            m_state.tracer.fail("", "a text is made of a value that has no text in TorchScript");
        torch::jit::Stack stack{format};
        if (known->isTuple()) // whose items would be separate arguments
            stack.emplace_back(c10::ivalue::Tuple::create(*known));
        else
            stack.push_back(*known);
        stack.emplace_back(static_cast<int64_t>(2));
        torch::jit::findOperatorFor(c10::OperatorName("aten::percentFormat", ""))->getOperation()(stack);
        return stack.back().toStringRef();
    }

    ScriptState& m_state;
    std::string_view m_specials;
    std::string m_text;
    Values m_values;
};

/// "{}".format(...): TorchScript fills each "{}", and leaves other braces as they are.
Value recordFormat(ScriptState& state, const JitNode& node, const Values& args) {
    const std::string& format = args[0].text();
    Template out(state, "{}");
    size_t used = 1, begin = 0;
    for (size_t at; (at = format.find("{}", begin)) != std::string::npos; begin = at + 2) {
        if (used >= args.size())
            state.tracer.fail("RuntimeError", "Too few arguments for format string: " + format);
        out.add(std::string_view(format).substr(begin, at - begin));
        out.add(args[used], node.inputs()[used]->type(), "%s", "{}");
        ++used;
    }
    out.add(std::string_view(format).substr(begin));
    Values positional{makeText(out.text())};
    positional.insert(positional.end(), out.values().begin(), out.values().end());
    return state.tracer.record(Opcode::CallMethod, "format", positional);
}

/// The values of "..." % value, which may be a tuple of them.
std::vector<std::pair<Value, c10::TypePtr>> formatted(ScriptState& state, const JitNode& node,
                                                      const Values& args) {
    std::vector<std::pair<Value, c10::TypePtr>> out;
    for (size_t i = 1; i < args.size(); ++i) {
        const c10::TypePtr type = node.inputs()[i]->type();
        const auto tuple = args.size() == 2 ? type->cast<c10::TupleType>() : nullptr;
        const auto* items = args[i].as<SequenceObject>();
        for (size_t k = 0; tuple && k < tuple->elements().size(); ++k)
            out.emplace_back(items ? items->items.at(k)
                                   : state.tracer.record(Opcode::CallFunction, "operator.getitem",
                                                         {args[i], makeInt(static_cast<int64_t>(k))}),
                             tuple->elements()[k]);
        if (!tuple)
            out.emplace_back(args[i], type);
    }
    return out;
}

/// "..." % value, with the specifiers of TorchScript.
Value recordPercent(ScriptState& state, const JitNode& node, const Values& args) {
    const std::string& format = args[0].text();
    const auto given = formatted(state, node, args);
    Template out(state, "%");
    size_t used = 0, begin = 0;
    for (size_t at; (at = format.find('%', begin)) != std::string::npos; begin = at + 2) {
        out.add(std::string_view(format).substr(begin, at - begin));
        const char specifier = at + 1 < format.size() ? format[at + 1] : '\0';
        if (specifier == '%') {
            out.add("%");
            continue;
        }
        if (specifier == '\0')
            state.tracer.fail("RuntimeError", "Incomplete format specifier");
        if (used >= given.size())
            state.tracer.fail("RuntimeError", "Too few arguments for format string");
        const std::string spec = {'%', specifier};
        const auto& [value, type] = given[used++];
        const bool isTaken = specifier == 'd' || specifier == 'i' || specifier == 's';
        if (!isTaken && !state.knowledge.isKnown(value))
            state.tracer.fail("RuntimeError",
                              "the specifier " + spec +
                                  " of a value of the graph is not written as TorchScript writes it",
                              "use %d or %s of an int or str");
        out.add(value, type, spec, spec);
    }
    if (used < given.size())
        state.tracer.fail("RuntimeError", "Too many arguments for format string");
    out.add(std::string_view(format).substr(std::min(begin, format.size())));
    const Value values =
        out.values().size() == 1 && given.size() == 1 && given[0].second->kind() != c10::TypeKind::TupleType
            ? out.values()[0]
            : makeTuple(out.values());
    return state.tracer.record(Opcode::CallFunction, "operator.mod", {makeText(out.text()), values});
}

Value recordStr(ScriptState& state, const JitNode& node, const Values& args) {
    Template out(state, {});
    out.add(args[0], node.inputs()[0]->type(), "%s", "");
    return state.tracer.record(Opcode::CallFunction, "str", out.values());
}

constexpr std::string_view kTextMethods[] = {
    "upper",      "lower",       "title",       "capitalize", "swapcase",  "join",       "split",
    "rsplit",     "replace",     "find",        "rfind",      "index",     "rindex",     "count",
    "startswith", "endswith",    "center",      "ljust",      "rjust",     "zfill",      "strip",
    "lstrip",     "rstrip",      "expandtabs",  "partition",  "isspace",   "rpartition", "splitlines",
    "isalpha",    "isalnum",     "isdigit",     "isdecimal",  "isnumeric", "istitle",    "islower",
    "isupper",    "isprintable", "isidentifier"};

/// Methods of (self, text, start=0, end=-1). TorchScript counts a negative end from one past the last letter.
constexpr std::string_view kSearches[] = {"find",  "rfind",      "index",   "rindex",
                                          "count", "startswith", "endswith"};

/// Where the default of TorchScript is another one than Python's, it is written.
bool hasOtherDefault(std::string_view name) {
    return name == "strip" || name == "lstrip" || name == "rstrip" || name == "rsplit";
}

/// Gives the end of a search the value that Python needs, `args` being without defaults. Refuses searches
/// without an equivalent in Python.
void convertSearch(ScriptState& state, std::string_view name, Values& args) {
    const auto refuse = [&](const char* what, const char* remedy) {
        state.tracer.fail("", std::string(name) + "() of a text of the graph " + what, remedy);
    };
    if (args.size() > 2 && args[1].isString() && args[1].text().empty())
        refuse("searches for an empty text within bounds, which gives another result in Python",
               "leave out the bounds");
    if (args.size() < 4)
        return;
    if (!args[3].isInt())
        refuse(
            "has an end that depends on the input; TorchScript and Python count a negative end differently",
            "search in a slice of the text");
    const int64_t end = args[3].data().toInt();
    const std::optional<int64_t> start =
        args[2].isInt() ? std::optional(args[2].data().toInt()) : std::nullopt;
    const bool isRange = start == 0 || (start && *start > 0 && *start <= end);
    if (name.ends_with("with") && !isRange)
        refuse("may begin after its end, where TorchScript gives another result than Python",
               "test a slice of the text");
    if (end < 0)
        args[3] = makeInt(end + 1); // even -1, which is no default for Python
}

Value recordMethod(ScriptState& state, const JitNode& node, std::string_view name, const Values& args) {
    const auto& parameters = node.schema().arguments();
    Values given = args;
    if (name == "zfill") // TorchScript does not move a sign ahead of the zeros
        return state.tracer.record(Opcode::CallMethod, "rjust", {args[0], args[1], makeText("0")});
    while (given.size() > 1 && !hasOtherDefault(name) &&
           isDefault(given.back(), parameters[given.size() - 1]))
        given.pop_back();
    if (std::ranges::find(kSearches, name) != std::end(kSearches))
        convertSearch(state, name, given);
    if (name == "splitlines" || name == "isidentifier")
        state.tracer.fail("", std::string(name) + "() of a text of the graph gives another result in Python "
                                                  "than in TorchScript");
    return state.tracer.record(Opcode::CallMethod, std::string(name), given);
}

} // namespace

std::optional<Value> recordText(ScriptState& state, const JitNode& node, std::string_view name,
                                const Values& args) {
    const bool isFormat = name == "format" || name == "percentFormat", isStr = name == "str";
    const bool isMethod = node.inputs()[0]->type()->kind() == c10::TypeKind::StringType &&
                          std::ranges::find(kTextMethods, name) != std::end(kTextMethods) &&
                          node.maybeSchema();
    if ((!isFormat && !isStr && !isMethod) ||
        std::ranges::all_of(args, [&](const Value& arg) { return state.knowledge.isKnown(arg); }))
        return std::nullopt;
    if (state.knowledge.isShadow())
        return std::nullopt;
    if (!isMethod && isForMessages(node.output()))
        return isFormat && args[0].isString() ? args[0] : makeText("...");
    if (isFormat && !args[0].isString())
        state.tracer.fail("", "an input of the program is the format of a text");
    const Value out = name == "format"          ? recordFormat(state, node, args)
                      : name == "percentFormat" ? recordPercent(state, node, args)
                      : isStr                   ? recordStr(state, node, args)
                                                : recordMethod(state, node, name, args);
    state.tracer.setErasable(state.tracer.nodeOf(out));
    return out;
}

} // namespace fx
