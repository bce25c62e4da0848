// SPDX-License-Identifier: GPL-3.0-or-later
// Finding, counting and replacing parts of str and bytes.
#include "core/python/types/growing_text.h"
#include "core/python/types/text_methods.h"
#include "core/python/types/text_units.h"

#include <algorithm>

namespace fx {

namespace {

/// The part of the text that the arguments `start` and `stop` name, in bytes.
struct Span {
    size_t from = 0, to = 0;
    bool isEmptyRange = false; ///< start lies behind stop or behind the end: not even "" is found
};

Span spanOf(Evaluator& evaluator, const std::string& text, const Values& args, bool isBytes, size_t first) {
    const auto part = [&](size_t i, int64_t missing) {
        return i < args.size() && !args[i].isNone() ? clampedIndex(evaluator, args[i]) : missing;
    };
    if (args.size() <= first)
        return {0, text.size(), false};
    const bool isPlain = isBytes || isAscii(text);
    const auto length = static_cast<int64_t>(isPlain ? text.size() : textLength(text));
    int64_t start = part(first, 0), stop = part(first + 1, length);
    start = start < 0 ? std::max<int64_t>(start + length, 0) : start;
    stop = stop < 0 ? std::max<int64_t>(stop + length, 0) : std::min(stop, length);
    if (start > stop)
        return {0, 0, true};
    if (isPlain)
        return {static_cast<size_t>(start), static_cast<size_t>(stop), false};
    return {byteOffset(text, static_cast<size_t>(start)), byteOffset(text, static_cast<size_t>(stop)), false};
}

void addFinding(ClassData& type, const char* name, bool isBytes, bool isLast, bool mustExist) {
    addMethod(type, name, 1, 3, [=](Evaluator& evaluator, Values& args) {
        const std::string& text = contentOf(args[0], isBytes);
        std::string part;
        if (isBytes && isSmallInt(args[1]))
            part = static_cast<char>(smallInt(args[1]));
        else
            part = contentArgument(args[1], isBytes);
        const Span span = spanOf(evaluator, text, args, isBytes, 2);
        const std::string_view inside = std::string_view(text).substr(span.from, span.to - span.from);
        const size_t found = span.isEmptyRange ? std::string_view::npos
                             : isLast          ? inside.rfind(part)
                                               : inside.find(part);
        if (found != std::string_view::npos)
            return makeInt(
                static_cast<int64_t>(isBytes ? span.from + found : textIndex(text, span.from + found)));
        if (mustExist)
            raise("ValueError", isBytes ? "subsection not found" : "substring not found");
        return makeInt(-1);
    });
}

void addEdgeTest(ClassData& type, const char* name, bool isBytes, bool isStart) {
    addMethod(type, name, 1, 3, [=](Evaluator& evaluator, Values& args) {
        const std::string& text = contentOf(args[0], isBytes);
        const Span span = spanOf(evaluator, text, args, isBytes, 2);
        const std::string_view inside = std::string_view(text).substr(span.from, span.to - span.from);
        const auto matches = [&](const Value& part) {
            if (!isBytes && !plainOf(part).isString())
                raise("TypeError",
                      std::string("tuple for ") + name + " must only contain str, not " + typeName(part));
            const std::string& wanted = contentArgument(part, isBytes);
            return !span.isEmptyRange && (isStart ? inside.starts_with(wanted) : inside.ends_with(wanted));
        };
        if (isTupleValue(args[1])) {
            const Values options = *itemsOf(args[1]);
            return makeBool(std::any_of(options.begin(), options.end(), matches));
        }
        const Value& part = plainOf(args[1]);
        if (isBytes ? !part.as<BytesObject>() : !part.isString())
            raise("TypeError", std::string(name) + " first arg must be " + (isBytes ? "bytes" : "str") +
                                   " or a tuple of " + (isBytes ? "bytes" : "str") + ", not " +
                                   typeName(args[1]));
        return makeBool(matches(args[1]));
    });
}

std::string replaced(Evaluator& evaluator, const std::string& text, const std::string& old,
                     const std::string& fresh, int64_t most, bool isBytes) {
    std::string out;
    const auto add = [&](std::string_view part) {
        evaluator.step();
        appendPart(evaluator, out, part);
    };
    size_t at = 0;
    if (old.empty()) { // around each code point
        for (; most != 0; --most) {
            add(fresh);
            if (at >= text.size())
                return out;
            const size_t size = isBytes ? 1 : unitSize(text, at);
            add(std::string_view(text).substr(at, size));
            at += size;
        }
        return out + text.substr(at);
    }
    for (size_t found; most != 0 && (found = text.find(old, at)) != std::string::npos; --most) {
        add(std::string_view(text).substr(at, found - at));
        add(fresh);
        at = found + old.size();
    }
    return out + text.substr(at);
}

} // namespace

void addSearchMethods(ClassData& type, bool isBytes) {
    addFinding(type, "find", isBytes, false, false);
    addFinding(type, "rfind", isBytes, true, false);
    addFinding(type, "index", isBytes, false, true);
    addFinding(type, "rindex", isBytes, true, true);
    addEdgeTest(type, "startswith", isBytes, true);
    addEdgeTest(type, "endswith", isBytes, false);
    addMethod(type, "count", 1, 3, [isBytes](Evaluator& evaluator, Values& args) {
        const std::string& text = contentOf(args[0], isBytes);
        const std::string& part = contentArgument(args[1], isBytes);
        const Span span = spanOf(evaluator, text, args, isBytes, 2);
        if (span.isEmptyRange)
            return makeInt(0);
        const std::string_view inside = std::string_view(text).substr(span.from, span.to - span.from);
        if (part.empty())
            return makeInt(static_cast<int64_t>(isBytes ? inside.size() : textLength(inside)) + 1);
        int64_t count = 0;
        for (size_t at = 0; (at = inside.find(part, at)) != std::string_view::npos; at += part.size())
            ++count;
        return makeInt(count);
    });
    addMethod(type, "replace", 2, 3, [isBytes](Evaluator& evaluator, Values& args) {
        const int64_t most = args.size() > 3 ? indexArgument(evaluator, args[3]) : -1;
        const auto argument = [&](size_t i) -> const std::string& {
            if (!isBytes && !plainOf(args[i]).isString())
                raise("TypeError",
                      "replace() argument " + std::to_string(i) + " must be str, not " + typeName(args[i]));
            return contentArgument(args[i], isBytes);
        };
        return sameKind(args[0], replaced(evaluator, contentOf(args[0], isBytes), argument(1), argument(2),
                                          most, isBytes));
    });
    for (const bool isPrefix : {true, false})
        addMethod(type, isPrefix ? "removeprefix" : "removesuffix", 1, 1, [=](Evaluator&, Values& args) {
            std::string text = contentOf(args[0], isBytes);
            const std::string& part = contentArgument(args[1], isBytes);
            if (isPrefix && text.starts_with(part))
                text.erase(0, part.size());
            else if (!isPrefix && text.ends_with(part))
                text.resize(text.size() - part.size());
            return sameKind(args[0], std::move(text));
        });
}

} // namespace fx
