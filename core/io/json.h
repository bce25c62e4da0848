// SPDX-License-Identifier: GPL-3.0-or-later
// JSON of files that are not trusted: bounded nesting, checked types, and errors that say where.
// Objects keep the order of their keys, because arguments that are dicts print in it.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fx {

using Json = nlohmann::ordered_json;

/// A parsed document whose accessors throw an Error at "FILE: record: path.to[3].value".
class JsonDocument {
public:
    /// `deepest`: how far brackets may be nested.
    JsonDocument(std::string_view text, std::string place, int deepest = 256);
    /// Of CBOR (RFC 8949), in which strings may be any bytes.
    static JsonDocument ofCbor(std::string_view bytes, std::string place, int deepest = 4000);

    const Json& root() const { return m_root; }
    [[noreturn]] void fail(const Json& at, const std::string& message) const;

    const Json& member(const Json& object, std::string_view key) const;
    /// Null for a missing key and for a null.
    const Json* find(const Json& object, std::string_view key) const;
    const Json& array(const Json& value) const;
    const Json& object(const Json& value) const;
    std::string string(const Json& value) const;
    int64_t integer(const Json& value) const;
    bool boolean(const Json& value) const;
    /// A number, or PyTorch's "Infinity", "-Infinity" and "NaN".
    double number(const Json& value) const;
    /// The key and value of an object with exactly one key, as PyTorch writes unions.
    std::pair<std::string, const Json*> variant(const Json& value) const;

private:
    JsonDocument() = default;

    Json m_root;
    std::string m_place;
};

/// What JsonDocument::ofCbor reads.
std::string cborBytes(const Json& value);

/// JSON of any value. Strings that are no UTF-8, as TorchScript and pickles may hold them, have what is wrong
/// escaped. `isAscii`: nothing but ASCII, for a terminal.
std::string jsonText(const Json& value, int indent = -1, bool isAscii = false);

} // namespace fx
