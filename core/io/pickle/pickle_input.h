// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of a pickle as its opcodes take them: numbers, counted texts, lines. What is cut off or is no
// such thing is an Error at the place and the byte.
#pragma once

#include "core/base/error.h"
#include "core/io/pickle/pickle.h"
#include "core/io/pickle/pickle_literals.h"

#include <cstring>

namespace fx {

class PickleInput {
public:
    PickleInput(std::string_view data, const std::string& place) : m_data(data), m_place(place) {}

    [[noreturn]] void fail(const std::string& message) const {
        throw Error(m_place, "pickle: " + message + " at byte " + std::to_string(m_at));
    }

    std::string_view take(uint64_t count) {
        if (count > m_data.size() - m_at)
            fail("ends too early");
        const std::string_view out = m_data.substr(m_at, count);
        m_at += count;
        return out;
    }

    template <class T>
    T number() {
        T out;
        std::memcpy(&out, take(sizeof(T)).data(), sizeof(T));
        return out;
    }

    template <class Length>
    std::string text() {
        return std::string(take(number<Length>()));
    }

    std::string_view line() {
        const size_t end = m_data.find('\n', m_at);
        if (end == std::string_view::npos)
            fail("ends too early");
        const std::string_view out = m_data.substr(m_at, end - m_at);
        m_at = end + 1;
        return out;
    }

    uint64_t indexLine() {
        const auto index = pickleInteger(line());
        const auto* value = index ? std::get_if<int64_t>(&*index) : nullptr;
        if (!value || *value < 0)
            fail("has a place in its memo that is no number");
        return static_cast<uint64_t>(*value);
    }

    /// "module\nname\n"
    PickleGlobal globalLines() {
        std::string name(line());
        name += '.';
        name += line();
        return {std::move(name)};
    }

    template <class T>
    T sound(std::optional<T> value, const char* what) {
        if (!value)
            fail(std::string("holds a line that is no ") + what);
        return std::move(*value);
    }

    /// How many bytes were taken.
    size_t at() const { return m_at; }

private:
    std::string_view m_data;
    const std::string& m_place;
    size_t m_at = 0;
};

} // namespace fx
