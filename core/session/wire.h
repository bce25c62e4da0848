// SPDX-License-Identifier: GPL-3.0-or-later
// Plain values as bytes, for a process of the same version on the other end. A struct needs one line: a
// function `fields` that ties its members, for both directions; an enum, a `kLast`; what else is no struct,
// putWire and getWire. Integers are as the machine has them: both ends run on little-endian ones, and the
// greeting compares versions.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"

#include <c10/core/ScalarType.h>

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace fx {

/// The last of an enum's values; the first is 0.
template <class Enum>
inline constexpr Enum kLast = Enum::IsMissing;
template <>
inline constexpr c10::ScalarType kLast<c10::ScalarType> = c10::ScalarType::NumOptions;

class WireWriter {
public:
    template <class T>
    void put(const T& value) {
        if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
            m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        else if constexpr (requires { putWire(*this, value); })
            putWire(*this, value);
        else
            // The members are only read.
            std::apply([this](const auto&... members) { (put(members), ...); },
                       fields(const_cast<T&>(value)));
    }
    template <class Tag>
    void put(Id<Tag> id) {
        put(id.value);
    }
    void put(const std::string& text) {
        putSize(text.size());
        m_bytes.append(text);
    }
    template <class T>
    void put(const std::vector<T>& values) {
        putSize(values.size());
        for (const T& value : values)
            put(value);
    }
    template <class Key, class T>
    void put(const std::map<Key, T>& values) {
        putSize(values.size());
        for (const auto& [key, value] : values) {
            put(key);
            put(value);
        }
    }
    template <class T>
    void put(const std::optional<T>& value) {
        put(value.has_value());
        if (value)
            put(*value);
    }
    template <class... Parts>
    void put(const std::tuple<Parts...>& value) {
        std::apply([this](const auto&... parts) { (put(parts), ...); }, value);
    }
    template <class... Kinds>
    void put(const std::variant<Kinds...>& value) {
        put(static_cast<uint8_t>(value.index()));
        std::visit([this](const auto& kind) { put(kind); }, value);
    }

    std::string take() { return std::move(m_bytes); }

private:
    void putSize(size_t size) { put(static_cast<uint64_t>(size)); }

    std::string m_bytes;
};

/// Believes nothing: bytes that are missing, and tags that mean nothing, are an Error.
class WireReader {
public:
    explicit WireReader(std::string_view bytes) : m_rest(bytes) {}

    template <class T>
    void get(T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            uint8_t byte = 0;
            get(byte);
            value = byte != 0;
        } else if constexpr (std::is_arithmetic_v<T>) {
            std::memcpy(&value, next(sizeof value).data(), sizeof value);
        } else if constexpr (std::is_enum_v<T>) {
            std::underlying_type_t<T> number{};
            get(number);
            if (number < 0 || number > static_cast<std::underlying_type_t<T>>(kLast<T>))
                fail();
            value = static_cast<T>(number);
        } else if constexpr (requires { getWire(*this, value); }) {
            getWire(*this, value);
        } else {
            if (++m_depth > kDeepest)
                fail();
            std::apply([this](auto&... members) { (get(members), ...); }, fields(value));
            --m_depth;
        }
    }
    template <class Tag>
    void get(Id<Tag>& id) {
        get(id.value);
    }
    void get(std::string& text) { text = next(getSize()); }
    template <class T>
    void get(std::vector<T>& values) {
        const size_t size = getSize();
        values.clear();
        for (size_t i = 0; i < size; ++i)
            get(values.emplace_back());
    }
    template <class Key, class T>
    void get(std::map<Key, T>& values) {
        const size_t size = getSize();
        for (size_t i = 0; i < size; ++i) {
            Key key;
            get(key);
            get(values[key]);
        }
    }
    template <class T>
    void get(std::optional<T>& value) {
        bool isThere = false;
        get(isThere);
        value.reset();
        if (isThere)
            get(value.emplace());
    }
    template <class... Parts>
    void get(std::tuple<Parts...>& value) {
        std::apply([this](auto&... parts) { (get(parts), ...); }, value);
    }
    template <class... Kinds>
    void get(std::variant<Kinds...>& value) {
        uint8_t index = 0;
        get(index);
        if (index >= sizeof...(Kinds))
            fail();
        getKind(value, index, std::index_sequence_for<Kinds...>());
    }

    /// To be called when all is read.
    void requireEnd() const {
        if (!m_rest.empty())
            fail();
    }
    [[noreturn]] static void fail() { throw Error("", "another process sent what is no message"); }

private:
    template <class Variant, size_t... Indices>
    void getKind(Variant& value, size_t index, std::index_sequence<Indices...>) {
        ((Indices == index ? get(value.template emplace<Indices>()) : void()), ...);
    }
    /// Of a text or a list, whose entries have at least a byte each.
    size_t getSize() {
        uint64_t size = 0;
        get(size);
        if (size > m_rest.size())
            fail();
        return static_cast<size_t>(size);
    }
    std::string_view next(size_t size) {
        if (size > m_rest.size())
            fail();
        const std::string_view bytes = m_rest.substr(0, size);
        m_rest.remove_prefix(size);
        return bytes;
    }

    static constexpr int kDeepest = 1000;

    std::string_view m_rest;
    int m_depth = 0;
};

template <class T>
std::string toWire(const T& value) {
    WireWriter writer;
    writer.put(value);
    return writer.take();
}

template <class T>
T fromWire(std::string_view bytes) {
    WireReader reader(bytes);
    T value{};
    reader.get(value);
    reader.requireEnd();
    return value;
}

} // namespace fx
