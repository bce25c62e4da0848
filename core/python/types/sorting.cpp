// SPDX-License-Identifier: GPL-3.0-or-later
// list.sort and sorted(): stable, asking for nothing but `<`. Any answers of the program's __lt__ are safe.
#include "core/python/types/operations.h"
#include "core/python/types/sequences.h"

#include <algorithm>

namespace fx {

bool isLess(Evaluator& evaluator, const Value& a, const Value& b) {
    evaluator.step();
    if (a.isInt() && b.isInt())
        return a.data().toInt() < b.data().toInt();
    if (a.isDouble() && b.isDouble())
        return a.data().toDouble() < b.data().toDouble();
    if (a.isString() && b.isString())
        return a.text() < b.text();
    return evaluator.isTrue(evaluator.operate(Operator::Lt, a, b));
}

namespace {

struct Keyed {
    Value key, item;
};

class Sorter {
public:
    Sorter(Evaluator& evaluator, std::vector<Keyed>& items) : m_evaluator(evaluator), m_items(items) {}

    void sort() {
        // Short runs by insertion, as Python sorts short lists as a whole; then runs are merged.
        constexpr size_t kRun = 63;
        const size_t size = m_items.size();
        if (size < 2)
            return;
        for (size_t begin = 0; begin < size; begin += kRun)
            insertionSort(begin, std::min(begin + kRun, size));
        for (size_t width = kRun; width < size; width *= 2)
            for (size_t begin = 0; begin + width < size; begin += 2 * width)
                merge(begin, begin + width, std::min(begin + 2 * width, size));
    }

private:
    bool less(const Keyed& a, const Keyed& b) { return isLess(m_evaluator, a.key, b.key); }

    void insertionSort(size_t begin, size_t end) {
        size_t sorted = begin + 1;
        if (sorted < end) {
            const bool isFalling = less(m_items[sorted], m_items[begin]);
            for (++sorted; sorted < end && less(m_items[sorted], m_items[sorted - 1]) == isFalling; ++sorted)
                ;
            if (isFalling)
                std::reverse(at(begin), at(sorted));
        }
        for (; sorted < end; ++sorted) {
            size_t low = begin, high = sorted;
            while (low < high) {
                const size_t middle = low + (high - low) / 2;
                if (less(m_items[sorted], m_items[middle]))
                    high = middle;
                else
                    low = middle + 1;
            }
            std::rotate(at(low), at(sorted), at(sorted + 1));
        }
    }

    void merge(size_t begin, size_t middle, size_t end) {
        if (!less(m_items[middle], m_items[middle - 1]))
            return;
        std::vector<Keyed> left(std::make_move_iterator(at(begin)), std::make_move_iterator(at(middle)));
        size_t next = 0, right = middle, out = begin;
        while (next < left.size() && right < end)
            m_items[out++] =
                less(m_items[right], left[next]) ? std::move(m_items[right++]) : std::move(left[next++]);
        std::move(left.begin() + static_cast<ptrdiff_t>(next), left.end(), at(out));
    }

    std::vector<Keyed>::iterator at(size_t index) { return m_items.begin() + static_cast<ptrdiff_t>(index); }

    Evaluator& m_evaluator;
    std::vector<Keyed>& m_items;
};

} // namespace

void sortValues(Evaluator& evaluator, Values& items, const Value* key, bool isReversed) {
    std::vector<Keyed> keyed;
    keyed.reserve(items.size());
    for (const Value& item : items)
        keyed.push_back({key && !key->isNone() ? evaluator.call(*key, {item}) : item, item});
    if (isReversed) // twice, so that equal items keep their order
        std::reverse(keyed.begin(), keyed.end());
    Sorter(evaluator, keyed).sort();
    if (isReversed)
        std::reverse(keyed.begin(), keyed.end());
    for (size_t i = 0; i < keyed.size(); ++i)
        items[i] = std::move(keyed[i].item);
}

} // namespace fx
