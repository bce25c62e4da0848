// SPDX-License-Identifier: GPL-3.0-or-later
// Annotations in generated code: names of typing as torch.fx writes them, which are those of the classes
// behind them.
#include "core/base/text.h"
#include "core/codegen/expression.h"
#include "core/codegen/written_names.h"

#include <algorithm>

namespace fx {

namespace {

/// The parts of "a, b[c, d]" between commas outside brackets.
std::vector<std::string_view> splitOutsideBrackets(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    int depth = 0;
    size_t start = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || (text[i] == separator && depth == 0)) {
            parts.push_back(trim(text.substr(start, i - start)));
            start = i + 1;
        } else if (text[i] == '[') {
            ++depth;
        } else if (text[i] == ']') {
            --depth;
        }
    }
    return parts;
}

/// The class that a name of typing stands for: "list" of "typing.List"; the name itself where there is none.
std::string originOf(std::string_view name) {
    static constexpr std::pair<std::string_view, std::string_view> kClasses[] = {
        {"List", "list"},
        {"Dict", "dict"},
        {"Tuple", "tuple"},
        {"Set", "set"},
        {"FrozenSet", "frozenset"},
        {"Type", "type"},
        {"Deque", "collections.deque"},
        {"DefaultDict", "collections.defaultdict"},
        {"OrderedDict", "collections.OrderedDict"},
        {"Counter", "collections.Counter"},
        {"ChainMap", "collections.ChainMap"},
        {"Pattern", "re.Pattern"},
        {"Match", "re.Match"},
        {"AbstractSet", "collections.abc.Set"}};
    static constexpr std::string_view kAbstract[] = {
        "AsyncGenerator",  "AsyncIterable", "AsyncIterator", "Awaitable", "ByteString",  "Callable",
        "Collection",      "Container",     "Coroutine",     "Generator", "Hashable",    "ItemsView",
        "Iterable",        "Iterator",      "KeysView",      "Mapping",   "MappingView", "MutableMapping",
        "MutableSequence", "MutableSet",    "Reversible",    "Sequence",  "Sized",       "ValuesView"};
    const std::string_view bare = name.starts_with("typing.") ? name.substr(7) : std::string_view();
    if (const auto found = std::ranges::find(kClasses, bare, [](const auto& row) { return row.first; });
        found != std::end(kClasses))
        return std::string(found->second);
    const bool isAbstract = std::ranges::find(kAbstract, bare) != std::end(kAbstract);
    return (isAbstract ? "collections.abc." : "") + std::string(isAbstract ? bare : name);
}

/// With arguments only these are written as typing's.
bool keepsTyping(std::string_view name) {
    return name == "typing.List" || name == "typing.Dict" || name == "typing.Tuple" || name == "typing.Set" ||
           name == "typing.FrozenSet";
}

/// A class that takes arguments, or none of them: Tuple[()].
std::string genericName(std::string_view name) {
    return keepsTyping(name) ? std::string(name) : originOf(name);
}

std::string className(const std::string& name, const CodeContext& context) {
    if (name == "torch.device")
        return "device"; // as all code knows it
    const Target target(name);
    return target.isFromTorch() ? torchExpression(target.name())
                                : context.global({target.name(), isWrittenBare(name)});
}

std::string typeExpressions(std::string_view types, const CodeContext& context) {
    std::vector<std::string> out;
    for (std::string_view type : splitOutsideBrackets(types, ','))
        out.push_back(typeExpression(type, context));
    return join(out, ",");
}

} // namespace

std::string typeExpression(std::string_view type, const CodeContext& context) {
    type = trim(type);
    if (type == "()")
        return "()";
    // A quoted annotation is a text, whatever it spells.
    const bool isText = type.starts_with('\'') || type.starts_with('"');
    if (const auto parts = splitOutsideBrackets(type, '|'); parts.size() > 1 && !isText) {
        std::vector<std::string> out;
        for (std::string_view part : parts)
            out.push_back(typeExpression(part == "None" ? "NoneType" : part, context));
        return join(out, "|");
    }
    if (type.starts_with('[') && type.ends_with(']')) { // the parameters of a Callable
        const std::string_view inner = trim(type.substr(1, type.size() - 2));
        return '[' + (inner.empty() ? std::string() : typeExpressions(inner, context)) + ']';
    }
    const size_t bracket = type.find('[');
    if (bracket != std::string_view::npos && type.ends_with(']')) {
        std::string_view origin = type.substr(0, bracket);
        const std::string_view arguments = type.substr(bracket + 1, type.size() - bracket - 2);
        if (trim(arguments) == "()") // none, as torch.fx sees it
            return className(genericName(origin), context);
        std::string parts = typeExpressions(arguments, context);
        if (origin == "typing.Optional") {
            origin = "typing.Union";
            parts += ',' + typeExpression("NoneType", context);
        }
        return className(genericName(origin), context) + '[' + parts + ']';
    }
    return className(originOf(type), context);
}

} // namespace fx
