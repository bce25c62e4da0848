// SPDX-License-Identifier: GPL-3.0-or-later
// A sequence that grows at its end and never moves its elements: they lie in chunks. Unlike std::deque it
// wastes little memory on elements of a few hundred bytes.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace fx {

template <class T>
class StableVector {
    static constexpr size_t kChunk = 32;

public:
    StableVector() = default;
    StableVector(const StableVector& other) { *this = other; }
    StableVector(StableVector&& other) noexcept { swap(other); }
    StableVector& operator=(const StableVector& other) {
        StableVector copy;
        for (const T& item : other)
            copy.emplace_back(item);
        swap(copy);
        return *this;
    }
    StableVector& operator=(StableVector&& other) noexcept {
        StableVector taken(std::move(other));
        swap(taken);
        return *this;
    }

    template <class... Args>
    T& emplace_back(Args&&... args) {
        if (m_size % kChunk == 0)
            m_chunks.emplace_back().reserve(kChunk);
        ++m_size;
        return m_chunks.back().emplace_back(std::forward<Args>(args)...);
    }
    T& operator[](size_t index) { return m_chunks[index / kChunk][index % kChunk]; }
    const T& operator[](size_t index) const { return m_chunks[index / kChunk][index % kChunk]; }
    const T& front() const { return (*this)[0]; }
    const T& back() const { return (*this)[m_size - 1]; }
    size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    void swap(StableVector& other) noexcept {
        m_chunks.swap(other.m_chunks);
        std::swap(m_size, other.m_size);
    }

    class Iterator {
    public:
        using iterator_category = std::bidirectional_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = const T*;
        using reference = const T&;
        Iterator() = default;
        Iterator(const StableVector* owner, size_t index) : m_owner(owner), m_index(index) {}
        const T& operator*() const { return (*m_owner)[m_index]; }
        const T* operator->() const { return &(*m_owner)[m_index]; }
        Iterator& operator++() {
            ++m_index;
            return *this;
        }
        Iterator operator++(int) { return {m_owner, m_index++}; }
        Iterator& operator--() {
            --m_index;
            return *this;
        }
        Iterator operator--(int) { return {m_owner, m_index--}; }
        bool operator==(const Iterator& other) const { return m_index == other.m_index; }

    private:
        const StableVector* m_owner = nullptr;
        size_t m_index = 0;
    };
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, m_size}; }
    std::reverse_iterator<Iterator> rbegin() const { return std::reverse_iterator(end()); }
    std::reverse_iterator<Iterator> rend() const { return std::reverse_iterator(begin()); }

private:
    std::vector<std::vector<T>> m_chunks; ///< each with room for kChunk, so that it never grows
    size_t m_size = 0;
};

} // namespace fx
