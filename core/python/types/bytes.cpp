// SPDX-License-Identifier: GPL-3.0-or-later
// The types bytes and bytearray, and the encodings between them and str.
#include "core/base/unicode.h"
#include "core/python/types/sequences.h"
#include "core/python/types/text_methods.h"
#include "core/python/types/text_units.h"

#include <algorithm>

namespace fx {

namespace {

/// "UTF_8" and "utf8" are one name.
std::string encodingName(std::string name) {
    std::erase_if(name, [](char c) { return c == '-' || c == '_' || c == ' '; });
    std::transform(name.begin(), name.end(), name.begin(), ::tolower);
    if (name == "latin1" || name == "iso88591" || name == "l1")
        return "latin-1";
    if (name == "ascii" || name == "usascii")
        return "ascii";
    return name == "utf8" || name == "u8" ? "utf-8" : "";
}

std::string requireEncoding(const std::string& given) {
    const std::string name = encodingName(given);
    if (name.empty())
        raise("LookupError", "unknown encoding: " + given);
    return name;
}

std::string hexByte(unsigned char c) {
    char out[8];
    std::snprintf(out, sizeof out, "0x%02x", c);
    return out;
}

/// The size of the well-formed code point that starts at `at`; 0 if there is none.
size_t wellFormed(const std::string& bytes, size_t at) {
    const auto byte = [&](size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0; };
    const unsigned lead = byte(at);
    if (lead < 0x80)
        return 1;
    const size_t size = lead >= 0xC2 && lead < 0xE0   ? 2
                        : lead >= 0xE0 && lead < 0xF0 ? 3
                        : lead >= 0xF0 && lead < 0xF5 ? 4
                                                      : 0;
    for (size_t i = 1; i < size; ++i)
        if ((byte(at + i) & 0xC0) != 0x80)
            return 0;
    const bool isBad = (lead == 0xE0 && byte(at + 1) < 0xA0) || (lead == 0xED && byte(at + 1) >= 0xA0) ||
                       (lead == 0xF0 && byte(at + 1) < 0x90) || (lead == 0xF4 && byte(at + 1) >= 0x90);
    return isBad ? 0 : size;
}

} // namespace

std::string decodedBytes(Evaluator& evaluator, const std::string& bytes, std::string given,
                         const std::string& errors) {
    const std::string encoding = requireEncoding(given);
    std::string out;
    for (size_t at = 0; at < bytes.size();) {
        const auto byte = static_cast<unsigned char>(bytes[at]);
        const size_t size = encoding == "utf-8"   ? wellFormed(bytes, at)
                            : encoding == "ascii" ? byte < 0x80
                                                  : 0;
        if (size > 0) {
            out.append(bytes, at, size);
            at += size;
            continue;
        }
        if (encoding == "latin-1")
            appendCode(out, byte);
        else if (errors == "replace")
            appendCode(out, 0xFFFD);
        else if (errors == "backslashreplace")
            out += "\\x" + hexByte(byte).substr(2);
        else if (errors != "ignore")
            raise("UnicodeDecodeError",
                  '\'' + encoding + "' codec can't decode byte " + hexByte(byte) + " in position " +
                      std::to_string(at) + ": " +
                      (encoding == "ascii" ? "ordinal not in range(128)" : "invalid start byte"));
        ++at;
    }
    (void)evaluator;
    return out;
}

std::string encodedText(Evaluator& evaluator, const std::string& text, std::string given,
                        const std::string& errors) {
    const std::string encoding = requireEncoding(given);
    if (encoding == "utf-8" || isAscii(text))
        return text;
    const char32_t end = encoding == "ascii" ? 0x80 : 0x100;
    std::string out;
    size_t position = 0;
    for (const char32_t code : decodeText(text)) {
        if (code < end)
            out += static_cast<char>(code);
        else if (errors == "replace")
            out += '?';
        else if (errors == "backslashreplace")
            out += hexEscape(code);
        else if (errors != "ignore")
            raise("UnicodeEncodeError", '\'' + encoding + "' codec can't encode character '" +
                                            hexEscape(code) + "' in position " + std::to_string(position) +
                                            ": ordinal not in range(" + std::to_string(end) + ')');
        ++position;
    }
    (void)evaluator;
    return out;
}

namespace {

std::string bytesOf(Evaluator& evaluator, const char* name, Values& args, NamedValues& kwargs) {
    const BoundArguments given(name, args, kwargs, {"source", "encoding", "errors"}, 0, 0);
    if (!given[0])
        return {};
    const Value& source = plainOf(*given[0]);
    if (source.isString()) {
        if (!given[1])
            raise("TypeError", "string argument without an encoding");
        return encodedText(evaluator, source.text(), textArgument("encoding", *given[1]),
                           given[2] ? textArgument("errors", *given[2]) : "strict");
    }
    if (const auto* bytes = source.as<BytesObject>())
        return bytes->bytes;
    if (isSmallInt(source)) {
        if (smallInt(source) < 0)
            raise("ValueError", "negative count");
        evaluator.reserve(static_cast<uint64_t>(smallInt(source)));
        return std::string(static_cast<size_t>(smallInt(source)), '\0');
    }
    if (const auto own =
            given[0]->as<InstanceObject>() ? evaluator.findAttribute(*given[0], "__bytes__") : std::nullopt)
        return contentOf(evaluator.call(*own), true);
    if (!isIterable(evaluator, *given[0]))
        raise("TypeError", "cannot convert '" + typeName(source) + "' object to bytes");
    std::string out;
    for (const Value& item : evaluator.items(*given[0])) {
        const int64_t byte = evaluator.index(item);
        if (byte < 0 || byte > 255)
            raise("ValueError", std::string(name) == "bytes" ? "bytes must be in range(0, 256)"
                                                             : "byte must be in range(0, 256)");
        out += static_cast<char>(byte);
    }
    return out;
}

std::string hexText(const std::string& bytes, const std::string& separator) {
    std::string out;
    for (const char c : bytes) {
        if (!out.empty())
            out += separator;
        out += hexByte(static_cast<unsigned char>(c)).substr(2);
    }
    return out;
}

Value fromHex(const Value& type, const std::string& text, bool isArray) {
    std::string out;
    const auto digit = [](char c) {
        return c >= '0' && c <= '9'                     ? c - '0'
               : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                        : -1;
    };
    for (size_t at = 0; at < text.size();) {
        if (isSpaceCode(static_cast<unsigned char>(text[at]))) {
            ++at;
            continue;
        }
        const int high = digit(text[at]), low = at + 1 < text.size() ? digit(text[at + 1]) : -1;
        if (high < 0 || low < 0)
            raise("ValueError", "non-hexadecimal number found in fromhex() arg at position " +
                                    std::to_string(high < 0 ? at : at + 1));
        out += static_cast<char>(high * 16 + low);
        at += 2;
    }
    return asInstanceOf(type, makeBytes(std::move(out), isArray));
}

using Letters = std::string (*)(std::string);
using Question = bool (*)(unsigned char);

bool isLetter(unsigned char c) {
    return std::isalpha(c) && c < 0x80;
}

std::string changedCase(std::string bytes, bool (*isUpper)(const std::string&, size_t)) {
    const std::string before = bytes;
    for (size_t i = 0; i < bytes.size(); ++i)
        if (isLetter(static_cast<unsigned char>(bytes[i])))
            bytes[i] = static_cast<char>(isUpper(before, i) ? bytes[i] & ~0x20 : bytes[i] | 0x20);
    return bytes;
}

/// Case and classes of characters: those of ASCII alone.
void addBytesCase(ClassData& type) {
    static constexpr std::pair<const char*, Letters> kChanges[] = {
        {"upper",
         [](std::string s) {
             return changedCase(std::move(s), [](const std::string&, size_t) { return true; });
         }},
        {"lower",
         [](std::string s) {
             return changedCase(std::move(s), [](const std::string&, size_t) { return false; });
         }},
        {"capitalize",
         [](std::string s) {
             return changedCase(std::move(s), [](const std::string&, size_t i) { return i == 0; });
         }},
        {"swapcase",
         [](std::string s) {
             return changedCase(std::move(s),
                                [](const std::string& t, size_t i) { return (t[i] & 0x20) != 0; });
         }},
        {"title",
         [](std::string s) {
             return changedCase(std::move(s), [](const std::string& t, size_t i) {
                 return i == 0 || !isLetter(static_cast<unsigned char>(t[i - 1]));
             });
         }},
    };
    for (const auto& [name, change] : kChanges)
        addMethod(type, name, 0, 0, [change = change](Evaluator&, Values& args) {
            return sameKind(args[0], change(contentOf(args[0], true)));
        });
    static constexpr std::pair<const char*, Question> kQuestions[] = {
        {"isalpha", isLetter},
        {"isdigit", [](unsigned char c) { return c >= '0' && c <= '9'; }},
        {"isalnum", [](unsigned char c) { return isLetter(c) || (c >= '0' && c <= '9'); }},
        {"isspace", [](unsigned char c) { return c == ' ' || (c >= 9 && c <= 13); }},
        {"isascii", [](unsigned char c) { return c < 0x80; }},
    };
    for (const auto& [name, question] : kQuestions)
        addMethod(type, name, 0, 0,
                  [name = std::string_view(name), question = question](Evaluator&, Values& args) {
                      const std::string& bytes = contentOf(args[0], true);
                      const bool isAll = std::all_of(bytes.begin(), bytes.end(), [=](char c) {
                          return question(static_cast<unsigned char>(c));
                      });
                      return makeBool(bytes.empty() ? name == "isascii" : isAll);
                  });
    for (const bool isUpper : {true, false})
        addMethod(type, isUpper ? "isupper" : "islower", 0, 0, [isUpper](Evaluator&, Values& args) {
            const std::string& bytes = contentOf(args[0], true);
            const auto has = [&](bool upper) {
                return std::any_of(bytes.begin(), bytes.end(), [=](char c) {
                    return isLetter(static_cast<unsigned char>(c)) && ((c & 0x20) == 0) == upper;
                });
            };
            return makeBool(has(isUpper) && !has(!isUpper));
        });
}

/// bytes.maketrans: what each of 256 bytes becomes.
Value byteTable(Evaluator& evaluator, Values& args) {
    (void)evaluator;
    const std::string &from = contentOf(args[0], true), &to = contentOf(args[1], true);
    if (from.size() != to.size())
        raise("ValueError", "maketrans arguments must have same length");
    std::string table(256, '\0');
    for (size_t i = 0; i < table.size(); ++i)
        table[i] = static_cast<char>(i);
    for (size_t i = 0; i < from.size(); ++i)
        table[static_cast<unsigned char>(from[i])] = to[i];
    return makeBytes(std::move(table), false);
}

Value translatedBytes(Evaluator&, Values& args, NamedValues& kwargs) {
    const Value self = args.at(0);
    const BoundArguments given("translate", args, kwargs, {"table", "delete"}, 1);
    const bool hasTable = !given[0]->isNone();
    const std::string table = hasTable ? contentOf(*given[0], true) : std::string();
    const std::string deleted = given[1] ? contentOf(*given[1], true) : std::string();
    if (hasTable && table.size() != 256)
        raise("ValueError", "translation table must be 256 characters long");
    std::string out;
    for (const char c : contentOf(self, true))
        if (deleted.find(c) == std::string::npos)
            out += hasTable ? table[static_cast<unsigned char>(c)] : c;
    return sameKind(self, std::move(out));
}

void addArrayEdits(ClassData& type) {
    const auto bytesIn = [](const Value& self) -> std::string& {
        return plainOf(self).as<BytesObject>()->bytes;
    };
    addMethod(type, "append", 1, 1, [bytesIn](Evaluator& e, Values& args) -> Value {
        const int64_t byte = e.index(args[1]);
        if (byte < 0 || byte > 255)
            raise("ValueError", "byte must be in range(0, 256)");
        bytesIn(args[0]) += static_cast<char>(byte);
        return {};
    });
    addMethod(type, "extend", 1, 1, [bytesIn](Evaluator& e, Values& args) -> Value {
        NamedValues none;
        Values given{args[1]};
        bytesIn(args[0]) += bytesOf(e, "bytearray", given, none);
        return {};
    });
    addMethod(type, "pop", 0, 1, [bytesIn](Evaluator& e, Values& args) {
        std::string& bytes = bytesIn(args[0]);
        if (bytes.empty())
            raise("IndexError", "pop from empty bytearray");
        const size_t at =
            positionIn(args.size() > 1 ? e.index(args[1]) : -1, bytes.size(), "pop index out of range");
        const Value out = makeInt(static_cast<unsigned char>(bytes[at]));
        bytes.erase(at, 1);
        return out;
    });
    addMethod(type, "insert", 2, 2, [bytesIn](Evaluator& e, Values& args) -> Value {
        std::string& bytes = bytesIn(args[0]);
        const int64_t byte = e.index(args[2]), size = static_cast<int64_t>(bytes.size());
        if (byte < 0 || byte > 255)
            raise("ValueError", "byte must be in range(0, 256)");
        int64_t at = e.index(args[1]);
        at = std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
        bytes.insert(static_cast<size_t>(at), 1, static_cast<char>(byte));
        return {};
    });
    addMethod(type, "remove", 1, 1, [bytesIn](Evaluator& e, Values& args) -> Value {
        std::string& bytes = bytesIn(args[0]);
        const size_t at = bytes.find(static_cast<char>(e.index(args[1])));
        if (at == std::string::npos)
            raise("ValueError", "value not found in bytearray");
        bytes.erase(at, 1);
        return {};
    });
    addMethod(type, "clear", 0, 0, [bytesIn](Evaluator&, Values& args) -> Value {
        bytesIn(args[0]).clear();
        return {};
    });
    addMethod(type, "reverse", 0, 0, [bytesIn](Evaluator&, Values& args) -> Value {
        std::reverse(bytesIn(args[0]).begin(), bytesIn(args[0]).end());
        return {};
    });
    type.dict.as<DictObject>()->set("__hash__", Value());
}

} // namespace

void addBytesTypes(Evaluator& evaluator) {
    for (const bool isArray : {false, true}) {
        const char* const name = isArray ? "bytearray" : "bytes";
        ClassData& type = evaluator.types().add(name);
        setConstructor(type, [isArray, name](Evaluator& e, Values& args, NamedValues& kwargs) {
            return makeBytes(bytesOf(e, name, args, kwargs), isArray);
        });
        type.isFilledByInit = isArray;
        addContainerMethods(type);
        addTextMethods(type);
        addComparisonMethods(type, true);
        addOperatorMethods(type, {Operator::Add, Operator::Mul, Operator::Mod});
        addSearchMethods(type, true);
        addSplitMethods(type, true);
        addPaddingMethods(type, true);
        addBytesCase(type);
        type.add("decode", [](Evaluator& e, Values& args, NamedValues& kwargs) {
            const BoundArguments given("decode", args, kwargs, {"encoding", "errors"});
            return makeText(decodedBytes(e, contentOf(args[0], true),
                                         given[0] ? textArgument("encoding", *given[0]) : "utf-8",
                                         given[1] ? textArgument("errors", *given[1]) : "strict"));
        });
        addMethod(type, "hex", 0, 1, [](Evaluator&, Values& args) {
            return makeText(
                hexText(contentOf(args[0], true), args.size() > 1 ? textArgument("sep", args[1]) : ""));
        });
        type.add("translate", translatedBytes);
        type.addStatic("maketrans", [](Evaluator& e, Values& args, NamedValues&) {
            requireArguments("maketrans", args, 2, 2);
            return byteTable(e, args);
        });
        type.addClassMethod("fromhex", [isArray](Evaluator&, Values& args, NamedValues&) {
            requireArguments("fromhex", args, 2, 2);
            return fromHex(args[0], textArgument("fromhex() argument", args[1]), isArray);
        });
        addMethod(type, "copy", 0, 0,
                  [](Evaluator&, Values& args) { return sameKind(args[0], contentOf(args[0], true)); });
        if (isArray)
            addArrayEdits(type);
        else
            type.dict.as<DictObject>()->erase("copy");
    }
}

} // namespace fx
