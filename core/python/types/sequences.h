// SPDX-License-Identifier: GPL-3.0-or-later
// Items and slices of the builtin containers, str and bytes among them; sorting.
// The values are plain: no instances, and nothing that a host owns. Iteration is in core/python/containers.h.
#pragma once

#include "core/python/evaluator.h"

namespace fx {

Value getItemPlain(Evaluator& evaluator, const Value& object, const Value& index);
void setItemPlain(Evaluator& evaluator, const Value& object, const Value& index, Value value);
void deleteItemPlain(Evaluator& evaluator, const Value& object, const Value& index);

/// Which items of a sequence a slice takes: `count` of them, `step` apart.
struct SliceRange {
    int64_t start = 0, stop = 0, step = 1, count = 0;
};
/// The ints of a slice. Asking for them may run the program's code, so the length is to be taken afterwards.
struct SliceParts {
    std::optional<int64_t> start, stop;
    int64_t step = 1;
    SliceRange over(size_t length) const;
};
SliceParts sliceParts(Evaluator& evaluator, const SliceObject& slice);
/// An index as a position from the start; throws IndexError with that message.
size_t positionIn(int64_t index, size_t length, const char* message);
/// The int that an index stands for; none if it is no int.
std::optional<int64_t> asPosition(Evaluator& evaluator, const Value& index);

/// list(iterable) onto the end of the list; extending a list by itself is fine.
void extendList(Evaluator& evaluator, const Value& list, const Value& iterable);
/// Sorts in place, stable, as list.sort does.
void sortValues(Evaluator& evaluator, Values& items, const Value* key, bool isReversed);
/// Python's < of two items.
bool isLess(Evaluator& evaluator, const Value& a, const Value& b);
/// torch.Size of ints, or of what stands for them; its TypeError for others. Without an evaluator: of ints.
Value makeSize(Evaluator* evaluator, const Values& items);
/// The items times `count`, asking for the memory before.
Values repeated(Evaluator* evaluator, const Values& items, int64_t count);

} // namespace fx
