// SPDX-License-Identifier: GPL-3.0-or-later
// The type str: making, operators, encodings, translation. Its other methods are in the text_*.cpp files.
#include "core/python/big_int.h"
#include "core/python/types/format.h"
#include "core/python/types/growing_text.h"
#include "core/python/types/operations.h"
#include "core/python/types/text_methods.h"
#include "core/python/types/text_units.h"

#include <algorithm>

namespace fx {

const std::string& contentOf(const Value& self, bool isBytes) {
    const Value& plain = plainOf(self);
    if (!isBytes && plain.isString())
        return plain.text();
    if (const auto* bytes = plain.as<BytesObject>(); bytes && isBytes)
        return bytes->bytes;
    throw WrongSelf(isBytes ? "bytes" : "str", self);
}

const std::string& contentArgument(const Value& value, bool isBytes) {
    const Value& plain = plainOf(value);
    if (!isBytes && !plain.isString())
        raise("TypeError", "must be str, not " + typeName(value));
    if (isBytes && !plain.as<BytesObject>())
        raise("TypeError", "a bytes-like object is required, not '" + typeName(value) + '\'');
    return contentOf(plain, isBytes);
}

Value sameKind(const Value& self, std::string content) {
    const auto* bytes = plainOf(self).as<BytesObject>();
    return bytes ? makeBytes(std::move(content), bytes->isArray) : makeText(std::move(content));
}

namespace {

Value repeatedText(Evaluator* evaluator, const Value& text, const Value& given) {
    const Value count = repetitions(evaluator, given);
    const bool isBytes = !text.isString();
    const std::string& content = contentOf(text, isBytes);
    if (count.as<BigIntObject>() && bigIntOf(count).sign() > 0 && !content.empty())
        raise("OverflowError", "cannot fit 'int' into an index-sized integer");
    const int64_t times = count.as<BigIntObject>() ? 0 : std::max<int64_t>(smallInt(count), 0);
    size_t size = 0;
    if (__builtin_mul_overflow(content.size(), static_cast<size_t>(times), &size))
        size = SIZE_MAX / 4;
    if (evaluator && size > 65536)
        evaluator->reserve(size);
    else if (size >= SIZE_MAX / 4)
        raise("MemoryError", "");
    std::string out;
    out.reserve(size);
    for (int64_t i = 0; i < times && !content.empty(); ++i)
        out += content;
    return sameKind(text, std::move(out));
}

Value concatenatedText(Evaluator* evaluator, const Value& a, const Value& b) {
    const bool isBytes = !a.isString();
    if (isBytes ? !b.as<BytesObject>() : !b.isString())
        raise("TypeError", isBytes ? "can't concat " + typeName(b) + " to " + typeName(a)
                                   : "can only concatenate str (not \"" + typeName(b) + "\") to str");
    const std::string &left = contentOf(a, isBytes), &right = contentOf(b, isBytes);
    if (evaluator && left.size() + right.size() > 65536)
        evaluator->reserve(left.size() + right.size());
    return sameKind(a, left + right);
}

} // namespace

std::optional<Value> operateTexts(Evaluator* evaluator, Operator op, const Value& a, const Value& b) {
    const bool isLeft = a.isString() || a.as<BytesObject>(), isRight = b.isString() || b.as<BytesObject>();
    if (!isLeft && !isRight)
        return std::nullopt;
    if (isComparison(op)) {
        if (!isLeft || !isRight || a.isString() != b.isString())
            return std::nullopt;
        // Bytes of UTF-8 are in the order of their code points.
        const int order = contentOf(a, !a.isString()).compare(contentOf(b, !b.isString()));
        return makeBool(orderHolds(op, order));
    }
    if (op == Operator::Add && isLeft)
        return concatenatedText(evaluator, a, b);
    if (op == Operator::Mul && !isLeft && (isListValue(a) || isTupleValue(a)))
        return std::nullopt; // the text is taken for the count of a sequence
    if (op == Operator::Mul)
        return isLeft ? repeatedText(evaluator, a, b) : repeatedText(evaluator, b, a);
    if (op == Operator::Mod && isLeft && evaluator)
        return sameKind(a, formatPercent(*evaluator, contentOf(a, !a.isString()), b, !a.isString()));
    return std::nullopt;
}

namespace {

/// The table that str.translate wants, from two or three texts or from a dict.
Value translationTable(Evaluator& evaluator, const Values& args) {
    DictObject out;
    if (args.size() == 1) {
        const auto* given = plainOf(args[0]).as<DictObject>();
        if (!given)
            raise("TypeError", "if you give only one argument to maketrans it must be a dict");
        for (const DictObject::Entry& entry : given->entries()) {
            if (!entry.key.isString()) {
                out.set(entry.key, entry.value);
                continue;
            }
            const std::u32string key = decodeText(entry.key.text());
            if (key.size() != 1)
                raise("ValueError", "string keys in translate table must be of length 1");
            out.set(makeInt(key[0]), entry.value);
        }
        return Object{std::move(out)};
    }
    const std::u32string from = decodeText(textArgument("maketrans() argument 1", args[0]));
    const std::u32string to = decodeText(textArgument("maketrans() argument 2", args[1]));
    if (from.size() != to.size())
        raise("ValueError", "the first two maketrans arguments must have equal length");
    for (size_t i = 0; i < from.size(); ++i)
        out.set(makeInt(from[i]), makeInt(to[i]));
    if (args.size() > 2)
        for (const char32_t c : decodeText(textArgument("maketrans() argument 3", args[2])))
            out.set(makeInt(c), Value());
    (void)evaluator;
    return Object{std::move(out)};
}

Value translated(Evaluator& evaluator, Values& args) {
    std::string out;
    for (const char32_t c : decodeText(contentOf(args[0], false))) {
        evaluator.step();
        Value mapped = makeInt(c);
        if (auto* dict = args[1].as<DictObject>()) {
            if (const Value* found = dict->find(mapped))
                mapped = *found;
        } else {
            try {
                mapped = evaluator.subscript(args[1], mapped);
            } catch (const Error& error) {
                if (error.kind() != "KeyError" && error.kind() != "IndexError" &&
                    error.kind() != "LookupError")
                    throw;
                evaluator.frames().takeTrace();
            }
        }
        if (mapped.isString())
            appendPart(evaluator, out, mapped.text());
        else if (isSmallInt(mapped))
            appendCode(out, static_cast<char32_t>(smallInt(mapped)));
        else if (!mapped.isNone())
            raise("TypeError", "character mapping must return integer, None or str");
    }
    return makeText(std::move(out));
}

Value makeStr(Evaluator& evaluator, Values& args, NamedValues& kwargs) {
    const BoundArguments given("str", args, kwargs, {"object", "encoding", "errors"}, 0, 0);
    if (!given[0])
        return makeText("");
    if (!given[1] && !given[2])
        return makeText(evaluator.str(*given[0]));
    const auto* bytes = plainOf(*given[0]).as<BytesObject>();
    if (!bytes)
        raise("TypeError", given[0]->isString() ? "decoding str is not supported"
                                                : "decoding to str: need a bytes-like object, " +
                                                      typeName(*given[0]) + " found");
    return makeText(decodedBytes(evaluator, bytes->bytes,
                                 given[1] ? textArgument("str() argument 'encoding'", *given[1]) : "utf-8",
                                 given[2] ? textArgument("str() argument 'errors'", *given[2]) : "strict"));
}

} // namespace

void addStrType(Evaluator& evaluator) {
    ClassData& str = evaluator.types().add("str");
    setConstructor(str, makeStr);
    addContainerMethods(str);
    addTextMethods(str);
    addComparisonMethods(str, true);
    addOperatorMethods(str, {Operator::Add, Operator::Mul, Operator::Mod});
    for (const char* name : {"__radd__", "__rmod__"})
        str.dict.as<DictObject>()->erase(name);
    addMethod(str, "__str__", 0, 0,
              [](Evaluator&, Values& args) { return makeText(contentOf(args[0], false)); });
    addMethod(str, "__format__", 1, 1, [](Evaluator& e, Values& args) {
        const std::string& spec = contentArgument(args[1], false);
        return makeText(spec.empty() ? e.str(args[0]) : formatPlain(e, plainOf(args[0]), spec));
    });
    addSearchMethods(str, false);
    addSplitMethods(str, false);
    addPaddingMethods(str, false);
    addCaseMethods(str);
    addClassMethods(str);
    str.add("encode", [](Evaluator& e, Values& args, NamedValues& kwargs) {
        const BoundArguments given("encode", args, kwargs, {"encoding", "errors"});
        return makeBytes(encodedText(e, contentOf(args[0], false),
                                     given[0] ? textArgument("encoding", *given[0]) : "utf-8",
                                     given[1] ? textArgument("errors", *given[1]) : "strict"));
    });
    str.add("format", [](Evaluator& e, Values& args, NamedValues& kwargs) {
        const Values rest(args.begin() + 1, args.end());
        return makeText(formatTemplate(e, contentOf(args[0], false), rest, kwargs));
    });
    addMethod(str, "format_map", 1, 1, [](Evaluator& e, Values& args) {
        return makeText(formatTemplateMap(e, contentOf(args[0], false), args[1]));
    });
    addMethod(str, "translate", 1, 1, translated);
    str.addStatic("maketrans", [](Evaluator& e, Values& args, NamedValues& kwargs) {
        refuseKeywords("maketrans", kwargs);
        requireArguments("maketrans", args, 1, 3);
        return translationTable(e, args);
    });
}

void addTextTypes(Evaluator& evaluator) {
    addStrType(evaluator);
    addBytesTypes(evaluator);
}

} // namespace fx
