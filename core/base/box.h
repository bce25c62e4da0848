// SPDX-License-Identifier: GPL-3.0-or-later
// A value behind a pointer: copied with its content, empty unless it is given one. It keeps rare or large
// members from making every object large.
#pragma once

#include <memory>
#include <optional>
#include <utility>

namespace fx {

template <class T>
class Box {
public:
    Box() = default;
    Box(T value) : m_value(std::make_unique<T>(std::move(value))) {} // NOLINT: a value can be boxed anywhere
    Box(std::optional<T> value) {                                    // NOLINT: and so can none
        if (value)
            m_value = std::make_unique<T>(std::move(*value));
    }
    Box(const Box& other) : m_value(other ? std::make_unique<T>(*other) : nullptr) {}
    Box(Box&&) noexcept = default;
    Box& operator=(const Box& other) { return *this = Box(other); }
    Box& operator=(Box&&) noexcept = default;

    explicit operator bool() const { return m_value != nullptr; }
    const T& operator*() const { return *m_value; }
    const T* operator->() const { return m_value.get(); }
    T& operator*() { return *m_value; }
    T* operator->() { return m_value.get(); }
    const T* get() const { return m_value.get(); }
    std::optional<T> toOptional() const { return m_value ? std::optional<T>(*m_value) : std::nullopt; }
    bool operator==(const Box& other) const {
        return m_value && other.m_value ? *m_value == *other.m_value : m_value == other.m_value;
    }

private:
    std::unique_ptr<T> m_value;
};

} // namespace fx
