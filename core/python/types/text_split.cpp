// SPDX-License-Identifier: GPL-3.0-or-later
// Splitting, joining, stripping and padding of str and bytes.
#include "core/python/types/growing_text.h"
#include "core/python/types/sequences.h"
#include "core/python/types/text_methods.h"
#include "core/python/types/text_units.h"

#include <algorithm>

namespace fx {

namespace {

/// Whether white space starts at `at`, and its size in bytes.
size_t spaceSize(std::string_view text, size_t at, bool isBytes) {
    if (isBytes)
        return text[at] == ' ' || (text[at] >= 9 && text[at] <= 13);
    const size_t size = unitSize(text, at);
    const char32_t code =
        size == 1 ? static_cast<unsigned char>(text[at]) : decodeText(text.substr(at, size))[0];
    return isSpaceCode(code) ? size : 0;
}

size_t unitStart(std::string_view text, size_t end, bool isBytes) {
    size_t at = end - 1;
    while (!isBytes && at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
        --at;
    return at;
}

std::vector<std::string> splitAtSpace(std::string_view text, int64_t most, bool isBytes) {
    std::vector<std::string> out;
    size_t at = 0;
    const auto skipSpace = [&] {
        while (at < text.size())
            if (const size_t size = spaceSize(text, at, isBytes))
                at += size;
            else
                break;
    };
    for (skipSpace(); at < text.size(); skipSpace()) {
        const size_t start = at;
        if (most-- == 0) {
            size_t end = text.size();
            while (end > start && spaceSize(text, unitStart(text, end, isBytes), isBytes))
                end = unitStart(text, end, isBytes);
            out.emplace_back(text.substr(start, end - start));
            return out;
        }
        while (at < text.size() && !spaceSize(text, at, isBytes))
            at += isBytes ? 1 : unitSize(text, at);
        out.emplace_back(text.substr(start, at - start));
    }
    return out;
}

std::vector<std::string> splitAtSpaceFromEnd(std::string_view text, int64_t most, bool isBytes) {
    std::vector<std::string> out;
    size_t end = text.size();
    const auto isSpaceBefore = [&](size_t at) {
        return spaceSize(text, unitStart(text, at, isBytes), isBytes) > 0;
    };
    const auto skipSpace = [&] {
        while (end > 0 && isSpaceBefore(end))
            end = unitStart(text, end, isBytes);
    };
    for (skipSpace(); end > 0; skipSpace()) {
        size_t start = end;
        if (most-- == 0) {
            size_t from = 0;
            while (from < end && spaceSize(text, from, isBytes))
                from += spaceSize(text, from, isBytes);
            out.emplace_back(text.substr(from, end - from));
            break;
        }
        while (start > 0 && !isSpaceBefore(start))
            start = unitStart(text, start, isBytes);
        out.emplace_back(text.substr(start, end - start));
        end = start;
    }
    std::reverse(out.begin(), out.end());
    return out;
}

std::vector<std::string> splitAt(std::string_view text, const std::string& separator, int64_t most,
                                 bool isFromEnd) {
    std::vector<std::string> out;
    if (isFromEnd) {
        for (; most != 0; --most) {
            const size_t found = text.rfind(separator);
            if (found == std::string_view::npos)
                break;
            out.emplace_back(text.substr(found + separator.size()));
            text = text.substr(0, found);
        }
        out.emplace_back(text);
        std::reverse(out.begin(), out.end());
        return out;
    }
    for (; most != 0; --most) {
        const size_t found = text.find(separator);
        if (found == std::string_view::npos)
            break;
        out.emplace_back(text.substr(0, found));
        text.remove_prefix(found + separator.size());
    }
    out.emplace_back(text);
    return out;
}

Value listOf(Evaluator& evaluator, const Value& self, std::vector<std::string> parts) {
    if (parts.size() > 65536)
        evaluator.reserve(parts.size() * (sizeof(Value) + 32));
    Values out;
    for (std::string& part : parts) {
        evaluator.step();
        out.push_back(sameKind(self, std::move(part)));
    }
    return makeList(std::move(out));
}

void addSplit(ClassData& type, const char* name, bool isBytes, bool isFromEnd) {
    type.add(name, [=](Evaluator& evaluator, Values& args, NamedValues& kwargs) {
        const BoundArguments given(name, args, kwargs, {"sep", "maxsplit"});
        const std::string& text = contentOf(args[0], isBytes);
        const int64_t most = given[1] ? indexArgument(evaluator, *given[1]) : -1;
        if (!given.known(0))
            return listOf(evaluator, args[0],
                          isFromEnd ? splitAtSpaceFromEnd(text, most, isBytes)
                                    : splitAtSpace(text, most, isBytes));
        if (!isBytes && !plainOf(*given[0]).isString())
            raise("TypeError", "must be str or None, not " + typeName(*given[0]));
        const std::string& separator = contentArgument(*given[0], isBytes);
        if (separator.empty())
            raise("ValueError", "empty separator");
        return listOf(evaluator, args[0], splitAt(text, separator, most, isFromEnd));
    });
}

std::string stripped(const std::string& given, const std::string* characters, bool isBytes, bool atStart,
                     bool atEnd) {
    const std::string_view text = given;
    const auto isStripped = [&](size_t at, size_t size) {
        if (!characters)
            return spaceSize(text, at, isBytes) > 0;
        if (isBytes || isAscii(*characters))
            return size == 1 && characters->find(text[at]) != std::string::npos;
        return decodeText(*characters).find(decodeText(text.substr(at, size))[0]) != std::u32string::npos;
    };
    const auto sizeAt = [&](size_t at) { return isBytes ? 1 : unitSize(text, at); };
    size_t from = 0, to = text.size();
    while (atStart && from < to && isStripped(from, sizeAt(from)))
        from += sizeAt(from);
    while (atEnd && to > from) {
        const size_t last = unitStart(text, to, isBytes);
        if (!isStripped(last, to - last))
            break;
        to = last;
    }
    return std::string(text.substr(from, to - from));
}

void addStrip(ClassData& type, const char* name, bool isBytes, bool atStart, bool atEnd) {
    addMethod(type, name, 0, 1, [=](Evaluator&, Values& args) {
        const bool hasCharacters = args.size() > 1 && !args[1].isNone();
        if (hasCharacters && !isBytes && !plainOf(args[1]).isString())
            raise("TypeError", std::string(name) + " arg must be None or str");
        const std::string* characters = hasCharacters ? &contentArgument(args[1], isBytes) : nullptr;
        return sameKind(args[0], stripped(contentOf(args[0], isBytes), characters, isBytes, atStart, atEnd));
    });
}

std::vector<std::string> lines(const std::string& given, bool keepEnds, bool isBytes) {
    const std::string_view text = given;
    std::vector<std::string> out;
    size_t start = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t size = isBytes ? 1 : unitSize(text, at);
        size_t end = 0;
        if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') {
            end = 2;
        } else if (text[at] == '\n' || text[at] == '\r') {
            end = 1;
        } else if (!isBytes) {
            const char32_t code = decodeText(text.substr(at, size))[0];
            const bool isBreak = code == 0x0B || code == 0x0C || (code >= 0x1C && code <= 0x1E) ||
                                 code == 0x85 || code == 0x2028 || code == 0x2029;
            end = isBreak ? size : 0;
        }
        if (end == 0) {
            at += size;
            continue;
        }
        out.emplace_back(text.substr(start, at - start + (keepEnds ? end : 0)));
        start = at += end;
    }
    if (start < text.size())
        out.emplace_back(text.substr(start));
    return out;
}

} // namespace

void addSplitMethods(ClassData& type, bool isBytes) {
    addSplit(type, "split", isBytes, false);
    addSplit(type, "rsplit", isBytes, true);
    addStrip(type, "strip", isBytes, true, true);
    addStrip(type, "lstrip", isBytes, true, false);
    addStrip(type, "rstrip", isBytes, false, true);
    type.add("splitlines", [isBytes](Evaluator& evaluator, Values& args, NamedValues& kwargs) {
        const BoundArguments given("splitlines", args, kwargs, {"keepends"});
        return listOf(evaluator, args[0],
                      lines(contentOf(args[0], isBytes), given[0] && evaluator.isTrue(*given[0]), isBytes));
    });
    for (const bool isLast : {false, true})
        addMethod(type, isLast ? "rpartition" : "partition", 1, 1, [=](Evaluator&, Values& args) {
            const std::string& text = contentOf(args[0], isBytes);
            const std::string& separator = contentArgument(args[1], isBytes);
            if (separator.empty())
                raise("ValueError", "empty separator");
            const size_t found = isLast ? text.rfind(separator) : text.find(separator);
            const auto part = [&](std::string content) { return sameKind(args[0], std::move(content)); };
            if (found == std::string::npos)
                return isLast ? makeTuple({part(""), part(""), part(text)})
                              : makeTuple({part(text), part(""), part("")});
            return makeTuple(
                {part(text.substr(0, found)), part(separator), part(text.substr(found + separator.size()))});
        });
    addMethod(type, "join", 1, 1, [isBytes](Evaluator& evaluator, Values& args) {
        const std::string separator = contentOf(args[0], isBytes);
        if (!isIterable(evaluator, args[1]))
            raise("TypeError", "can only join an iterable");
        std::string out;
        size_t i = 0;
        for (const Value& item : evaluator.items(args[1])) {
            evaluator.step();
            const Value& plain = plainOf(item);
            if (isBytes ? !plain.as<BytesObject>() : !plain.isString())
                raise("TypeError", "sequence item " + std::to_string(i) + ": expected " +
                                       (isBytes ? "a bytes-like object, " : "str instance, ") +
                                       typeName(item) + " found");
            const std::string& part = contentOf(plain, isBytes);
            if (i++ > 0)
                appendPart(evaluator, out, separator);
            appendPart(evaluator, out, part);
        }
        return sameKind(args[0], std::move(out));
    });
}

void addPaddingMethods(ClassData& type, bool isBytes) {
    static constexpr std::pair<const char*, int> kWays[] = {{"ljust", 0}, {"center", 1}, {"rjust", 2}};
    for (const auto& [name, way] : kWays)
        addMethod(type, name, 1, 2, [=, way = way](Evaluator& evaluator, Values& args) {
            const std::string& text = contentOf(args[0], isBytes);
            const int64_t width = indexArgument(evaluator, args[1]);
            const std::string fill = args.size() > 2 ? contentArgument(args[2], isBytes) : " ";
            if ((isBytes ? fill.size() : textLength(fill)) != 1)
                raise("TypeError", "The fill character must be exactly one character long");
            const auto length = static_cast<int64_t>(isBytes ? text.size() : textLength(text));
            const int64_t missing = std::max<int64_t>(width - length, 0);
            if (missing > 65536)
                evaluator.reserve(static_cast<uint64_t>(missing) * fill.size());
            const int64_t before = way == 0 ? 0 : way == 2 ? missing : missing / 2 + (missing & width & 1);
            std::string out;
            for (int64_t i = 0; i < before; ++i)
                out += fill;
            out += text;
            for (int64_t i = before; i < missing; ++i)
                out += fill;
            return sameKind(args[0], std::move(out));
        });
    addMethod(type, "zfill", 1, 1, [isBytes](Evaluator& evaluator, Values& args) {
        std::string text = contentOf(args[0], isBytes);
        const auto length = static_cast<int64_t>(isBytes ? text.size() : textLength(text));
        const int64_t missing = indexArgument(evaluator, args[1]) - length;
        if (missing > 65536)
            evaluator.reserve(static_cast<uint64_t>(missing));
        if (missing > 0)
            text.insert(text.starts_with('-') || text.starts_with('+'), static_cast<size_t>(missing), '0');
        return sameKind(args[0], std::move(text));
    });
    type.add("expandtabs", [isBytes](Evaluator& evaluator, Values& args, NamedValues& kwargs) {
        const BoundArguments given("expandtabs", args, kwargs, {"tabsize"});
        const int64_t size = given[0] ? indexArgument(evaluator, *given[0]) : 8;
        const std::string& text = contentOf(args[0], isBytes);
        std::string out;
        int64_t column = 0;
        for (size_t at = 0; at < text.size();) {
            const size_t unit = isBytes ? 1 : unitSize(text, at);
            if (text[at] == '\t') {
                const int64_t spaces = size > 0 ? size - column % size : 0;
                if (spaces > 65536)
                    evaluator.reserve(static_cast<uint64_t>(spaces));
                out.append(static_cast<size_t>(spaces), ' ');
                column += spaces;
            } else {
                out += text.substr(at, unit);
                column = text[at] == '\n' || text[at] == '\r' ? 0 : column + 1;
            }
            at += unit;
        }
        return sameKind(args[0], std::move(out));
    });
}

} // namespace fx
