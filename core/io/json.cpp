// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/unicode.h"

#include <algorithm>
#include <limits>

namespace fx {

namespace {

/// The way from `from` to the value at that address; false if it is not below.
bool findPath(const Json& from, const Json* wanted, std::string& path) {
    if (&from == wanted)
        return true;
    const size_t length = path.size();
    size_t index = 0;
    if (from.is_array() || from.is_object())
        for (auto item = from.begin(); item != from.end(); ++item, ++index) {
            path +=
                from.is_object() ? (path.empty() ? "" : ".") + item.key() : '[' + std::to_string(index) + ']';
            if (findPath(*item, wanted, path))
                return true;
            path.resize(length);
        }
    return false;
}

/// How deep brackets are nested. Counted ahead, because the parser's own callback makes it take quadratic
/// time.
int depthOf(std::string_view text) {
    int depth = 0, deepest = 0;
    bool isString = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"')
            isString = !isString;
        else if (isString)
            i += c == '\\';
        else if (c == '[' || c == '{')
            deepest = std::max(deepest, ++depth);
        else if (c == ']' || c == '}')
            --depth;
    }
    return deepest;
}

/// Whether items of CBOR are nested more deeply than that. Counted ahead, because the parser calls itself.
bool isCborDeeper(std::string_view bytes, size_t deepest) {
    constexpr uint64_t kEndless = std::numeric_limits<uint64_t>::max(); // until a break
    std::vector<uint64_t> open; // the items that each bracket still waits for
    for (size_t at = 0; at < bytes.size();) {
        const auto initial = static_cast<uint8_t>(bytes[at++]);
        const int kind = initial >> 5, info = initial & 31;
        const bool isEndless = info == 31, isText = kind == 2 || kind == 3,
                   isBracket = kind == 4 || kind == 5;
        uint64_t length = static_cast<uint64_t>(info);
        if (info >= 24 && info < 28) {
            length = 0;
            for (size_t end = at + (size_t(1) << (info - 24)); at < end && at < bytes.size();)
                length = length << 8 | static_cast<uint8_t>(bytes[at++]);
        }
        if (isText && !isEndless) {
            if (length > bytes.size() - at)
                return false; // which the parser will say
            at += length;
        } else if ((isText || isBracket) && (isEndless || length > 0)) {
            open.push_back(isEndless ? kEndless : kind == 5 ? std::min(length, kEndless / 4) * 2 : length);
            if (open.size() > deepest)
                return true;
            continue;
        } else if (kind == 7 && isEndless && !open.empty()) {
            open.pop_back();
        }
        while (!open.empty() && open.back() != kEndless && --open.back() == 0)
            open.pop_back();
    }
    return false;
}

} // namespace

JsonDocument::JsonDocument(std::string_view text, std::string place, int deepest)
    : m_place(std::move(place)) {
    if (depthOf(text) > deepest)
        throw Error(m_place, "is nested more than " + std::to_string(deepest) + " levels deep")
            .hint("the file is damaged");
    try {
        m_root = Json::parse(text);
    } catch (const Json::parse_error& error) {
        throw Error(m_place, "is no JSON: at byte " + std::to_string(error.byte)).hint("the file is damaged");
    } catch (const Json::exception&) {
        throw Error(m_place, "is no JSON that can be read").hint("the file is damaged");
    }
}

JsonDocument JsonDocument::ofCbor(std::string_view bytes, std::string place, int deepest) {
    JsonDocument out;
    out.m_place = std::move(place);
    if (isCborDeeper(bytes, static_cast<size_t>(deepest)))
        throw Error(out.m_place, "is nested more than " + std::to_string(deepest) + " levels deep")
            .hint("the file is damaged");
    try {
        out.m_root = Json::from_cbor(bytes);
    } catch (const Json::exception&) {
        throw Error(out.m_place, "is no CBOR that can be read").hint("the file is damaged");
    }
    return out;
}

std::string cborBytes(const Json& value) {
    std::string out;
    Json::to_cbor(value, out);
    return out;
}

void JsonDocument::fail(const Json& at, const std::string& message) const {
    std::string path;
    findPath(m_root, &at, path);
    throw Error(path.empty() ? m_place : m_place + ": " + path, message);
}

const Json& JsonDocument::member(const Json& object, std::string_view key) const {
    if (const Json* found = find(object, key))
        return *found;
    fail(object, "lacks '" + std::string(key) + "'");
}

const Json* JsonDocument::find(const Json& object, std::string_view key) const {
    const auto found = this->object(object).find(std::string(key));
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

const Json& JsonDocument::array(const Json& value) const {
    if (!value.is_array())
        fail(value, "should be a list");
    return value;
}

const Json& JsonDocument::object(const Json& value) const {
    if (!value.is_object())
        fail(value, "should be an object");
    return value;
}

std::string JsonDocument::string(const Json& value) const {
    if (!value.is_string())
        fail(value, "should be a string");
    return value.get<std::string>();
}

int64_t JsonDocument::integer(const Json& value) const {
    const bool isTooLarge =
        value.is_number_unsigned() && value.get<uint64_t>() > uint64_t(std::numeric_limits<int64_t>::max());
    if (!value.is_number_integer() || isTooLarge)
        fail(value, "should be an integer of 64 bits");
    return value.get<int64_t>();
}

bool JsonDocument::boolean(const Json& value) const {
    if (!value.is_boolean())
        fail(value, "should be true or false");
    return value.get<bool>();
}

double JsonDocument::number(const Json& value) const {
    if (value.is_string()) {
        const std::string text = value.get<std::string>();
        if (text == "Infinity")
            return std::numeric_limits<double>::infinity();
        if (text == "-Infinity")
            return -std::numeric_limits<double>::infinity();
        if (text == "NaN")
            return std::numeric_limits<double>::quiet_NaN();
    }
    if (!value.is_number())
        fail(value, "should be a number");
    return value.get<double>();
}

std::pair<std::string, const Json*> JsonDocument::variant(const Json& value) const {
    if (!value.is_object() || value.size() != 1)
        fail(value, "should be an object with one key");
    return {value.begin().key(), &*value.begin()};
}

namespace {

Json withValidText(const Json& value) {
    if (value.is_string())
        return validUtf8(value.get<std::string>());
    if (value.is_array()) {
        Json out = Json::array();
        for (const Json& item : value)
            out.push_back(withValidText(item));
        return out;
    }
    if (!value.is_object())
        return value;
    Json out = Json::object();
    for (const auto& [key, item] : value.items())
        out[validUtf8(key)] = withValidText(item);
    return out;
}

} // namespace

std::string jsonText(const Json& value, int indent, bool isAscii) {
    try {
        return value.dump(indent, ' ', isAscii);
    } catch (const Json::type_error&) {
        return withValidText(value).dump(indent, ' ', isAscii);
    }
}

} // namespace fx
