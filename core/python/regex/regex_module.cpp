// SPDX-License-Identifier: GPL-3.0-or-later
// A match is a tuple: where all of it begins and ends, where each group does (-1: it has no part), and last
// the number of the group that ended last, or 0. What these are to a program is said in library/re.py.
#include "core/python/regex/regex_module.h"

#include "core/python/exceptions.h"
#include "core/python/regex/regex_error.h"
#include "core/python/regex/regex_pattern.h"
#include "core/python/types/native_modules.h"

#include <algorithm>
#include <memory>

namespace fx {

namespace {

constexpr const char* kPatternType = "_regex.Pattern";
constexpr const char* kTextType = "_regex.Text";

/// A text with what it is a view of.
struct HeldText {
    HeldText(Value owner, std::string_view text, bool isBytes)
        : owner(std::move(owner)), text(text, isBytes) {}
    HeldText(const HeldText&) = delete;
    HeldText& operator=(const HeldText&) = delete;

    const Value owner;
    const RegexText text;
};

/// What such a handle holds; the library alone makes them.
template <class T>
std::shared_ptr<T> handleContent(const Value& value, const char* type) {
    const auto* handle = value.as<HandleObject>();
    if (!handle || handle->typeName != type)
        raise("TypeError", std::string("expected ") + type + ", got '" + typeName(value) + '\'');
    return std::static_pointer_cast<T>(handle->content);
}
std::shared_ptr<RegexPattern> patternOf(const Value& value) {
    return handleContent<RegexPattern>(value, kPatternType);
}
std::shared_ptr<HeldText> heldTextOf(const Value& value) {
    return handleContent<HeldText>(value, kTextType);
}

[[noreturn]] void raiseFault(const RegexError& error) {
    switch (error.fault()) {
    case RegexFault::TooLong:
        throw Error("", std::string("evaluation was stopped: ") + error.what())
            .hint("write the pattern so that it has fewer ways to match the same text")
            .kind(kLimitKind);
    case RegexFault::Value:
        raise("ValueError", error.what());
    case RegexFault::Overflow:
        raise("OverflowError", error.what());
    case RegexFault::TooDeep:
        raise("RecursionError", error.what());
    case RegexFault::Syntax:
    case RegexFault::Unsupported:
        break;
    }
    raise("NotImplementedError", std::string("not supported: ") + error.what());
}

/// The content of a str or of bytes; null for others.
const std::string* stringContent(const Value& value) {
    const Value& plain = plainOf(value);
    const auto* bytes = plain.as<BytesObject>();
    return bytes ? &bytes->bytes : plain.isString() ? &plain.text() : nullptr;
}

/// (pattern, flags, groups, numbers by name), or (message, place) for a fault of the pattern.
Value compilePattern(Evaluator& evaluator, Values& args) {
    const std::string* content = stringContent(args[0]);
    if (!content)
        raise("TypeError", "first argument must be string or compiled pattern");
    const int64_t flags = evaluator.index(args[1]);
    evaluator.reserve(content->size() * 64);
    evaluator.budget().charge(content->size());
    try {
        auto pattern =
            std::make_shared<RegexPattern>(*content, static_cast<int>(flags), !plainOf(args[0]).isString());
        const int64_t allFlags = pattern->flags() | (flags & ~int64_t(0x7FFFFFFF));
        std::vector<std::pair<Value, Value>> names;
        for (const auto& [name, group] : pattern->names())
            names.emplace_back(makeText(name), makeInt(group));
        const Value groups = makeInt(pattern->groups());
        return makeTuple({Object{HandleObject{nullptr, kPatternType, std::move(pattern)}}, makeInt(allFlags),
                          groups, makeDict(std::move(names))});
    } catch (const RegexError& error) {
        if (error.fault() != RegexFault::Syntax)
            raiseFault(error);
        const std::optional<size_t> place = error.position();
        return makeTuple({makeText(error.what()), place ? makeInt(static_cast<int64_t>(*place)) : Value()});
    }
}

/// A text as matching wants it, for that pattern.
Value makeHeldText(Evaluator& evaluator, Values& args) {
    const bool isBytesPattern = patternOf(args[0])->isBytes();
    const std::string* content = stringContent(args[1]);
    if (!content)
        raise("TypeError", "expected string or bytes-like object, got '" + typeName(args[1]) + '\'');
    Value plain = plainOf(args[1]);
    const bool isBytes = !plain.isString();
    if (isBytes != isBytesPattern)
        raise("TypeError", isBytes ? "cannot use a string pattern on a bytes-like object"
                                   : "cannot use a bytes pattern on a string-like object");
    if (isBytes && plain.as<BytesObject>()->isArray) // which may change
        plain = makeBytes(*content);
    evaluator.budget().charge(content->size() / 256);
    try {
        return Object{HandleObject{nullptr, kTextType,
                                   std::make_shared<HeldText>(plain, *stringContent(plain), isBytes)}};
    } catch (const RegexError& error) {
        raiseFault(error);
    }
}

/// A search with what it looks at.
struct HeldSearch {
    std::shared_ptr<RegexPattern> pattern;
    std::shared_ptr<HeldText> text;
    std::unique_ptr<RegexSearch> search;
};

/// (pattern, text, pos, endpos)
std::shared_ptr<HeldSearch> makeSearch(Evaluator& evaluator, const Values& args) {
    auto out = std::make_shared<HeldSearch>(HeldSearch{patternOf(args[0]), heldTextOf(args[1]), nullptr});
    const RegexText& text = out->text->text;
    if (text.isBytes() != out->pattern->isBytes())
        raise("TypeError", "the text is not one for this pattern");
    const auto byte = [&](const Value& index) {
        const int64_t given = clampedIndex(evaluator, index);
        return text.byteOf(given < 0 ? 0 : static_cast<size_t>(given));
    };
    out->search = std::make_unique<RegexSearch>(*out->pattern, text, byte(args[2]), byte(args[3]));
    return out;
}

std::optional<Value> nextMatch(Evaluator& evaluator, HeldSearch& held, RegexAnchor anchor) {
    try {
        const std::optional<RegexMatch> match = held.search->next(anchor);
        evaluator.budget().charge(held.search->takeWork());
        evaluator.step();
        if (!match)
            return std::nullopt;
        Values out;
        const auto add = [&](size_t byte) {
            out.push_back(makeInt(
                byte == RegexMatch::kUnset ? -1 : static_cast<int64_t>(held.text->text.indexOf(byte))));
        };
        for (const auto& [begin, end] : match->spans)
            add(begin), add(end);
        out.push_back(makeInt(match->lastGroup));
        return makeTuple(std::move(out));
    } catch (const RegexError& error) {
        raiseFault(error);
    }
}

/// Code points [begin, end) of a text.
Value partOf(Evaluator& evaluator, Values& args) {
    const auto held = heldTextOf(args[0]);
    const int64_t begin = evaluator.index(args[1]), end = std::max(evaluator.index(args[2]), begin);
    if (begin < 0)
        raise("ValueError", "a part begins in its text");
    std::string out(held->text.part(static_cast<size_t>(begin), static_cast<size_t>(end)));
    return held->text.isBytes() ? makeBytes(std::move(out)) : makeText(std::move(out));
}

} // namespace

Value makeRegexModule(Evaluator&) {
    NativeModule module("_regex");
    module.add("compile", 2, 2, compilePattern);
    module.add("text", 2, 2, makeHeldText);
    module.add("length", 1, 1, [](Evaluator&, Values& args) {
        return makeInt(static_cast<int64_t>(heldTextOf(args[0])->text.length()));
    });
    module.add("part", 3, 3, partOf);
    static constexpr std::pair<const char*, RegexAnchor> kAnchors[] = {
        {"search", RegexAnchor::Anywhere}, {"match", RegexAnchor::Start}, {"fullmatch", RegexAnchor::Both}};
    for (const auto& [name, anchor] : kAnchors)
        module.add(name, 4, 4, [anchor = anchor](Evaluator& e, Values& args) {
            return nextMatch(e, *makeSearch(e, args), anchor).value_or(Value());
        });
    module.add("scan", 4, 4, [](Evaluator& e, Values& args) {
        return makeIterator("callable_iterator", [&e, held = makeSearch(e, args)] {
            return nextMatch(e, *held, RegexAnchor::Anywhere);
        });
    });
    return module.value();
}

} // namespace fx
