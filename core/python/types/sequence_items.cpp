// SPDX-License-Identifier: GPL-3.0-or-later
// object[index] for the builtin containers: reading, setting and deleting items and slices.
#include "core/python/big_int.h"
#include "core/python/types/sequences.h"
#include "core/python/types/support.h"
#include "core/python/types/text_units.h"

#include <algorithm>

namespace fx {

std::optional<int64_t> asPosition(Evaluator& evaluator, const Value& index) {
    if (isSmallInt(index))
        return smallInt(index);
    if (index.as<BigIntObject>())
        raise("IndexError", "cannot fit 'int' into an index-sized integer");
    if (index.as<InstanceObject>()) {
        if (isWhole(plainOf(index)) || evaluator.findAttribute(index, "__index__"))
            return evaluator.index(index);
        return std::nullopt;
    }
    return evaluator.hostOf(index) ? std::optional(evaluator.index(index)) : std::nullopt;
}

size_t positionIn(int64_t index, size_t length, const char* message) {
    const auto size = static_cast<int64_t>(length);
    if (index < 0)
        index += size;
    if (index < 0 || index >= size)
        raise("IndexError", message);
    return static_cast<size_t>(index);
}

SliceParts sliceParts(Evaluator& evaluator, const SliceObject& slice) {
    const auto part = [&](const Value& value) -> std::optional<int64_t> {
        if (value.isNone())
            return std::nullopt;
        if (isWhole(plainOf(value)))
            return clampedIndex(evaluator, value);
        // What a host has for itself, such as a Proxy, is asked by slices as by nothing else.
        const bool isForeign = evaluator.hostOf(value) && !plainOf(value).isTensor();
        const std::optional<int64_t> position = isForeign ? std::nullopt : asPosition(evaluator, value);
        if (!position)
            raise("TypeError", "slice indices must be integers or None or have an __index__ method");
        return position;
    };
    SliceParts out;
    out.start = part(slice.start);
    out.stop = part(slice.stop);
    out.step = std::max(part(slice.step).value_or(1), -INT64_MAX);
    if (out.step == 0)
        raise("ValueError", "slice step cannot be zero");
    return out;
}

SliceRange SliceParts::over(size_t size) const {
    const auto length = static_cast<int64_t>(size);
    SliceRange out;
    out.step = step;
    const bool isBackward = step < 0;
    const int64_t lowest = isBackward ? -1 : 0, highest = isBackward ? length - 1 : length;
    const auto bound = [&](int64_t at) { return std::clamp(at < 0 ? at + length : at, lowest, highest); };
    out.start = start ? bound(*start) : isBackward ? highest : lowest;
    out.stop = stop ? bound(*stop) : isBackward ? lowest : highest;
    const int64_t span = isBackward ? out.start - out.stop : out.stop - out.start;
    const int64_t stride = isBackward ? -out.step : out.step;
    out.count = span <= 0 ? 0 : (span - 1) / stride + 1;
    return out;
}

namespace {

template <class Items>
Items taken(const Items& items, const SliceRange& range) {
    if (range.step == 1)
        return Items(items.begin() + range.start, items.begin() + range.start + range.count);
    Items out;
    out.reserve(static_cast<size_t>(range.count));
    for (int64_t i = 0; i < range.count; ++i)
        out.push_back(items[static_cast<size_t>(range.start + i * range.step)]);
    return out;
}

[[noreturn]] void badIndex(const char* kind, const Value& index) {
    raise("TypeError", std::string(kind) + " indices must be integers or slices, not " + typeName(index));
}

Value textItem(Evaluator& evaluator, const std::string& text, const Value& index) {
    const bool isPlain = isAscii(text);
    const size_t length = isPlain ? text.size() : textLength(text);
    if (const auto* slice = index.as<SliceObject>()) {
        const SliceRange range = sliceParts(evaluator, *slice).over(length);
        if (isPlain)
            return makeText(taken(text, range));
        return makeText(encodeText(taken(decodeText(text), range)));
    }
    const std::optional<int64_t> position = asPosition(evaluator, index);
    if (!position)
        raise("TypeError", "string indices must be integers, not '" + typeName(index) + '\'');
    const size_t at = positionIn(*position, length, "string index out of range");
    return makeText(isPlain ? std::string(1, text[at]) : std::string(textRange(text, at, at + 1)));
}

Value bytesItem(Evaluator& evaluator, const BytesObject& bytes, const Value& index) {
    if (const auto* slice = index.as<SliceObject>())
        return makeBytes(taken(bytes.bytes, sliceParts(evaluator, *slice).over(bytes.bytes.size())),
                         bytes.isArray);
    const std::optional<int64_t> position = asPosition(evaluator, index);
    if (!position)
        badIndex(bytes.isArray ? "bytearray" : "byte", index);
    const size_t at = positionIn(*position, bytes.bytes.size(),
                                 bytes.isArray ? "bytearray index out of range" : "index out of range");
    return makeInt(static_cast<unsigned char>(bytes.bytes[at]));
}

Value rangeItem(Evaluator& evaluator, const RangeObject& range, const Value& index) {
    if (const auto* slice = index.as<SliceObject>()) {
        const SliceRange part = sliceParts(evaluator, *slice).over(static_cast<size_t>(range.length()));
        return Object{RangeObject{range.start + part.start * range.step, range.start + part.stop * range.step,
                                  range.step * part.step}};
    }
    const std::optional<int64_t> position = asPosition(evaluator, index);
    if (!position)
        badIndex("range", index);
    const size_t at =
        positionIn(*position, static_cast<size_t>(range.length()), "range object index out of range");
    return makeInt(range.start + static_cast<int64_t>(at) * range.step);
}

Value sequenceItem(Evaluator& evaluator, const Values& items, bool isList, const Value& index) {
    if (const auto* slice = index.as<SliceObject>()) {
        Values out = taken(items, sliceParts(evaluator, *slice).over(items.size()));
        return isList ? makeList(std::move(out)) : makeTuple(std::move(out));
    }
    const std::optional<int64_t> position = asPosition(evaluator, index);
    if (!position)
        badIndex(isList ? "list" : "tuple", index);
    return items[positionIn(*position, items.size(),
                            isList ? "list index out of range" : "tuple index out of range")];
}

} // namespace

Value getItemPlain(Evaluator& evaluator, const Value& object, const Value& index) {
    if (auto* dict = object.as<DictObject>()) {
        if (const Value* found = dict->find(index))
            return *found;
        raiseKeyError(evaluator, index);
    }
    if (const auto* sequence = object.as<SequenceObject>())
        return sequenceItem(evaluator, sequence->items, sequence->isList, index);
    if (object.isString())
        return textItem(evaluator, object.text(), index);
    if (const auto* range = object.as<RangeObject>())
        return rangeItem(evaluator, *range, index);
    if (const auto* bytes = object.as<BytesObject>())
        return bytesItem(evaluator, *bytes, index);
    if (const auto* size = object.as<SizeObject>()) {
        if (const auto* slice = index.as<SliceObject>())
            return Object{
                SizeObject{taken(size->sizes, sliceParts(evaluator, *slice).over(size->sizes.size()))}};
        const std::optional<int64_t> position = asPosition(evaluator, index);
        if (!position)
            badIndex("tuple", index);
        return makeInt(size->sizes[positionIn(*position, size->sizes.size(), "tuple index out of range")]);
    }
    if (const std::optional<Values> items = itemsOf(object))
        return sequenceItem(evaluator, *items, isListValue(object), index);
    raise("TypeError", '\'' + typeName(object) + "' object is not subscriptable");
}

namespace {

void setListSlice(Evaluator& evaluator, const Value& object, const SliceObject& slice, const Value& value) {
    // The new items come first: they may be the list itself, or made by code that changes it.
    Values fresh;
    if (isIterable(evaluator, value))
        fresh = evaluator.items(value);
    else
        raise("TypeError",
              slice.step.isNone() ? "can only assign an iterable" : "must assign iterable to extended slice");
    Values& items = *listItems(object);
    const SliceRange range = sliceParts(evaluator, slice).over(items.size());
    if (range.step == 1) {
        const auto at = items.begin() + range.start;
        items.insert(items.erase(at, at + range.count), std::make_move_iterator(fresh.begin()),
                     std::make_move_iterator(fresh.end()));
        return;
    }
    if (static_cast<int64_t>(fresh.size()) != range.count)
        raise("ValueError", "attempt to assign sequence of size " + std::to_string(fresh.size()) +
                                " to extended slice of size " + std::to_string(range.count));
    for (int64_t i = 0; i < range.count; ++i)
        items[static_cast<size_t>(range.start + i * range.step)] = std::move(fresh[static_cast<size_t>(i)]);
}

template <class Items>
void eraseRange(Items& items, const SliceRange& range) {
    if (range.step == 1) {
        items.erase(items.begin() + range.start, items.begin() + range.start + range.count);
        return;
    }
    Items kept;
    const int64_t stride = std::abs(range.step);
    const int64_t first = range.step > 0 ? range.start : range.start + (range.count - 1) * range.step;
    for (int64_t i = 0; i < static_cast<int64_t>(items.size()); ++i) {
        const int64_t offset = i - first;
        if (offset < 0 || offset % stride != 0 || offset / stride >= range.count)
            kept.push_back(std::move(items[static_cast<size_t>(i)]));
    }
    items = std::move(kept);
}

char byteOf(Evaluator& evaluator, const Value& value) {
    const int64_t byte = evaluator.index(value);
    if (byte < 0 || byte > 255)
        raise("ValueError", "byte must be in range(0, 256)");
    return static_cast<char>(byte);
}

} // namespace

void setItemPlain(Evaluator& evaluator, const Value& object, const Value& index, Value value) {
    if (auto* dict = object.as<DictObject>()) {
        dict->set(index, std::move(value));
        return;
    }
    auto* bytes = object.as<BytesObject>();
    const bool isBytes = bytes && bytes->isArray;
    if (!listItems(object) && !isBytes)
        raise("TypeError", '\'' + typeName(object) + "' object does not support item assignment");
    if (const auto* slice = index.as<SliceObject>()) {
        if (!isBytes)
            return setListSlice(evaluator, object, *slice, value);
        std::string fresh;
        if (const auto* other = plainOf(value).as<BytesObject>())
            fresh = other->bytes;
        else
            for (const Value& item : evaluator.items(value))
                fresh += byteOf(evaluator, item);
        const SliceRange range = sliceParts(evaluator, *slice).over(bytes->bytes.size());
        if (range.step == 1) {
            bytes->bytes.replace(static_cast<size_t>(range.start), static_cast<size_t>(range.count), fresh);
            return;
        }
        if (static_cast<int64_t>(fresh.size()) != range.count)
            raise("ValueError", "attempt to assign bytes of size " + std::to_string(fresh.size()) +
                                    " to extended slice of size " + std::to_string(range.count));
        for (int64_t i = 0; i < range.count; ++i)
            bytes->bytes[static_cast<size_t>(range.start + i * range.step)] = fresh[static_cast<size_t>(i)];
        return;
    }
    const std::optional<int64_t> position = asPosition(evaluator, index);
    if (!position)
        badIndex(isBytes ? "bytearray" : "list", index);
    if (isBytes)
        bytes->bytes[positionIn(*position, bytes->bytes.size(), "bytearray index out of range")] =
            byteOf(evaluator, value);
    else if (Values& items = *listItems(object); true)
        items[positionIn(*position, items.size(), "list assignment index out of range")] = std::move(value);
}

void deleteItemPlain(Evaluator& evaluator, const Value& object, const Value& index) {
    if (auto* dict = object.as<DictObject>()) {
        if (!dict->erase(index))
            raiseKeyError(evaluator, index);
        return;
    }
    auto* bytes = object.as<BytesObject>();
    Values* items = listItems(object);
    if (!items && !(bytes && bytes->isArray))
        raise("TypeError", '\'' + typeName(object) + "' object doesn't support item deletion");
    if (const auto* slice = index.as<SliceObject>()) {
        const SliceParts parts = sliceParts(evaluator, *slice);
        if (items)
            eraseRange(*items, parts.over(items->size()));
        else
            eraseRange(bytes->bytes, parts.over(bytes->bytes.size()));
        return;
    }
    const std::optional<int64_t> position = asPosition(evaluator, index);
    if (!position)
        badIndex(items ? "list" : "bytearray", index);
    const size_t length = items ? items->size() : bytes->bytes.size();
    const auto at =
        static_cast<ptrdiff_t>(positionIn(*position, length, "list assignment index out of range"));
    if (items) {
        const Value removed =
            std::move((*items)[static_cast<size_t>(at)]); // its end may run the program's code
        items->erase(items->begin() + at);
    } else {
        bytes->bytes.erase(bytes->bytes.begin() + at);
    }
}

} // namespace fx
