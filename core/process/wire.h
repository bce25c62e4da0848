// SPDX-License-Identifier: GPL-3.0-or-later
// Values as CBOR (RFC 8949), for another process. A struct needs one line: a function `fields` that ties its
// members, for both directions; an enum, a `kLast`; what else is no struct, putWire and getWire, which write
// and read one item. A struct or tuple is an array of its members, a variant an array of index and value, an
// enum its number, and an optional without a value null. Both ends have the same version.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/process/channel.h"

#include <bit>
#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
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
inline constexpr ErrorCode kLast<ErrorCode> = kLastErrorCode;

/// The kinds of CBOR's items.
enum class WireKind : uint8_t { Unsigned, Negative, Bytes, Text, Array, Map, Tag, Simple };
inline constexpr uint8_t kWireFalse = 0xf4, kWireTrue = 0xf5, kWireNull = 0xf6, kWireDouble = 0xfb;

inline std::tuple<> fields(std::monostate&) {
    return {};
}

class WireWriter {
public:
    template <class T>
    void put(const T& value) {
        if constexpr (std::is_same_v<T, bool>)
            putByte(value ? kWireTrue : kWireFalse);
        else if constexpr (std::is_floating_point_v<T>)
            putDouble(value);
        else if constexpr (std::is_enum_v<T>)
            put(static_cast<std::underlying_type_t<T>>(value));
        else if constexpr (std::is_integral_v<T>)
            value < 0 ? putHead(WireKind::Negative, static_cast<uint64_t>(-(static_cast<int64_t>(value) + 1)))
                      : putHead(WireKind::Unsigned, static_cast<uint64_t>(value));
        else if constexpr (requires { putWire(*this, value); })
            putWire(*this, value);
        else
            put(fields(const_cast<T&>(value))); // which are only read
    }
    template <class Tag>
    void put(Id<Tag> id) {
        put(id.value);
    }
    void put(const std::string& text) {
        putHead(WireKind::Text, text.size());
        m_bytes.append(text);
    }
    template <class T>
    void put(const std::vector<T>& values) {
        putHead(WireKind::Array, values.size());
        for (const T& value : values)
            put(value);
    }
    template <class Key, class T>
    void put(const std::map<Key, T>& values) {
        putHead(WireKind::Map, values.size());
        for (const auto& [key, value] : values) {
            put(key);
            put(value);
        }
    }
    template <class T>
    void put(const std::optional<T>& value) {
        if (value)
            put(*value);
        else
            putByte(kWireNull);
    }
    template <class... Parts>
    void put(const std::tuple<Parts...>& value) {
        putHead(WireKind::Array, sizeof...(Parts));
        std::apply([this](const auto&... parts) { (put(parts), ...); }, value);
    }
    template <class A, class B>
    void put(const std::pair<A, B>& value) {
        put(std::tie(value.first, value.second));
    }
    template <class... Kinds>
    void put(const std::variant<Kinds...>& value) {
        putHead(WireKind::Array, 2);
        put(value.index());
        std::visit([this](const auto& kind) { put(kind); }, value);
    }
    /// Bytes that are no text.
    void putBytes(std::string_view bytes) {
        putHead(WireKind::Bytes, bytes.size());
        m_bytes.append(bytes);
    }

    /// A file in memory that goes along, for what is too big.
    const Descriptor& file() {
        if (!m_file)
            m_file = memoryFile("fxscope message");
        return *m_file;
    }
    Message take(MessageKind kind, int32_t number) {
        return {kind, number, std::move(m_bytes), std::move(m_file)};
    }

private:
    void putByte(uint8_t byte) { m_bytes += static_cast<char>(byte); }
    /// The lowest `count` bytes of `number`, the highest of them first.
    void putNumber(uint64_t number, int count) {
        while (count-- > 0)
            putByte(static_cast<uint8_t>(number >> (8 * count)));
    }
    void putHead(WireKind kind, uint64_t number) {
        const auto first = static_cast<uint8_t>(static_cast<unsigned>(kind) << 5);
        if (number < 24)
            return putByte(first | static_cast<uint8_t>(number));
        const int size = number <= UINT8_MAX ? 0 : number <= UINT16_MAX ? 1 : number <= UINT32_MAX ? 2 : 3;
        putByte(static_cast<uint8_t>(first | (24 + size)));
        putNumber(number, 1 << size);
    }
    void putDouble(double value) {
        putByte(kWireDouble);
        putNumber(std::bit_cast<uint64_t>(value), 8);
    }

    std::string m_bytes;
    std::shared_ptr<const Descriptor> m_file;
};

/// Believes nothing: bytes that are missing, and items of another kind or number than are wanted, are an
/// Error.
class WireReader {
public:
    /// `file`: what came along with the bytes; null: nothing did.
    explicit WireReader(std::string_view bytes, const Descriptor* file = nullptr)
        : m_rest(bytes), m_file(file) {}

    template <class T>
    void get(T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            const uint8_t byte = nextByte();
            if (byte != kWireFalse && byte != kWireTrue)
                fail();
            value = byte == kWireTrue;
        } else if constexpr (std::is_floating_point_v<T>) {
            if (nextByte() != kWireDouble)
                fail();
            value = static_cast<T>(std::bit_cast<double>(getNumber(8)));
        } else if constexpr (std::is_enum_v<T>) {
            std::underlying_type_t<T> number{};
            get(number);
            if (number < 0 || number > static_cast<std::underlying_type_t<T>>(kLast<T>))
                fail();
            value = static_cast<T>(number);
        } else if constexpr (std::is_integral_v<T>) {
            value = getInteger<T>();
        } else if constexpr (requires { getWire(*this, value); }) {
            getWire(*this, value);
        } else {
            if (++m_depth > kDeepest)
                fail();
            auto members = fields(value);
            get(members);
            --m_depth;
        }
    }
    template <class Tag>
    void get(Id<Tag>& id) {
        get(id.value);
    }
    void get(std::string& text) { text = next(getHead(WireKind::Text)); }
    template <class T>
    void get(std::vector<T>& values) {
        const uint64_t size = getCount(WireKind::Array);
        values.clear();
        for (uint64_t i = 0; i < size; ++i)
            get(values.emplace_back());
    }
    template <class Key, class T>
    void get(std::map<Key, T>& values) {
        const uint64_t size = getCount(WireKind::Map);
        values.clear();
        for (uint64_t i = 0; i < size; ++i) {
            Key key;
            get(key);
            get(values[key]);
        }
    }
    template <class T>
    void get(std::optional<T>& value) {
        value.reset();
        if (!m_rest.empty() && static_cast<uint8_t>(m_rest.front()) == kWireNull)
            m_rest.remove_prefix(1);
        else
            get(value.emplace());
    }
    template <class... Parts>
    void get(std::tuple<Parts...>& value) {
        if (getHead(WireKind::Array) != sizeof...(Parts))
            fail();
        std::apply([this](auto&... parts) { (get(parts), ...); }, value);
    }
    template <class A, class B>
    void get(std::pair<A, B>& value) {
        auto parts = std::tie(value.first, value.second);
        get(parts);
    }
    template <class... Kinds>
    void get(std::variant<Kinds...>& value) {
        if (getHead(WireKind::Array) != 2)
            fail();
        size_t index = 0;
        get(index);
        if (index >= sizeof...(Kinds))
            fail();
        getKind(value, index, std::index_sequence_for<Kinds...>());
    }
    std::string_view getBytes() { return next(getHead(WireKind::Bytes)); }

    const Descriptor& file() const {
        if (!m_file)
            fail();
        return *m_file;
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
    template <class T>
    T getInteger() {
        const auto [kind, number] = nextHead();
        if (kind == WireKind::Unsigned && std::in_range<T>(number))
            return static_cast<T>(number);
        if (kind != WireKind::Negative || !std::in_range<int64_t>(number))
            fail();
        const int64_t negative = -1 - static_cast<int64_t>(number);
        if (!std::in_range<T>(negative))
            fail();
        return static_cast<T>(negative);
    }
    /// How many items there are, each of which has a byte at least.
    uint64_t getCount(WireKind kind) {
        const uint64_t count = getHead(kind);
        if (count > m_rest.size())
            fail();
        return count;
    }
    uint64_t getHead(WireKind wanted) {
        const auto [kind, number] = nextHead();
        if (kind != wanted)
            fail();
        return number;
    }
    std::pair<WireKind, uint64_t> nextHead() {
        const uint8_t first = nextByte();
        const auto kind = static_cast<WireKind>(first >> 5);
        const int size = (first & 31) - 24;
        if (size < 0)
            return {kind, first & 31};
        if (size > 3)
            fail();
        return {kind, getNumber(1 << size)};
    }
    uint64_t getNumber(int count) {
        uint64_t out = 0;
        for (const char byte : next(static_cast<uint64_t>(count)))
            out = out << 8 | static_cast<uint8_t>(byte);
        return out;
    }
    uint8_t nextByte() { return static_cast<uint8_t>(next(1).front()); }
    std::string_view next(uint64_t size) {
        if (size > m_rest.size())
            fail();
        const std::string_view bytes = m_rest.substr(0, static_cast<size_t>(size));
        m_rest.remove_prefix(static_cast<size_t>(size));
        return bytes;
    }

    static constexpr int kDeepest = 1000;

    std::string_view m_rest;
    const Descriptor* m_file;
    int m_depth = 0;
};

/// The values one after the other. For those that need no file.
template <class... T>
std::string toWire(const T&... values) {
    WireWriter writer;
    (writer.put(values), ...);
    return writer.take(MessageKind::Greeting, 0).body;
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
