// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/unicode.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

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

/// Objects of fewer keys are searched one by one.
constexpr size_t kIndexedFrom = 32;

/// Makes the tree of what a parser reports. The library's own looks through all keys of an object for each
/// new one.
class TreeBuilder : public nlohmann::json_sax<Json> {
public:
    Json root;
    size_t faultAt = 0; ///< the byte; 0: it is not known

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t&) override { return put(value); }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t& value) override { return put(Json::binary(std::move(value))); }
    bool start_object(size_t) override { return open(Json::object()); }
    bool start_array(size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        Open& at = m_open.back();
        auto& items = at.value->get_ref<Json::object_t&>();
        at.slot = items.size();
        if (items.size() == kIndexedFrom)
            for (const auto& [known, value] : items)
                at.places.emplace(known, at.places.size());
        if (items.size() >= kIndexedFrom) {
            at.slot = at.places.emplace(name, items.size()).first->second;
        } else {
            const auto found = items.find(name);
            at.slot = static_cast<size_t>(found - items.begin());
        }
        if (at.slot == items.size()) // else the later value of the two is taken
            static_cast<Json::object_t::Container&>(items).emplace_back(std::move(name), Json());
        return true;
    }
    bool parse_error(size_t, const std::string&, const Json::exception& fault) override {
        if (const auto* error = dynamic_cast<const Json::parse_error*>(&fault))
            faultAt = error->byte;
        return false;
    }

private:
    struct Open {
        Json* value;
        size_t slot = 0;                                     ///< of an object: where the next value belongs
        std::unordered_map<std::string, size_t> places = {}; ///< of its keys, from kIndexedFrom on
    };

    bool put(Json value) {
        add(std::move(value));
        return true;
    }
    bool open(Json value) {
        m_open.push_back({add(std::move(value))});
        return true;
    }
    bool close() {
        m_open.pop_back();
        return true;
    }
    Json* add(Json&& value) {
        if (m_open.empty())
            return &(root = std::move(value));
        Json& around = *m_open.back().value;
        if (around.is_array())
            return &around.get_ref<Json::array_t&>().emplace_back(std::move(value));
        Json& place =
            (around.get_ref<Json::object_t&>().begin() + static_cast<ptrdiff_t>(m_open.back().slot))->second;
        return &(place = std::move(value));
    }

    std::vector<Open> m_open; ///< brackets around the next value; what they hold does not move meanwhile
};

/// Where the keys are of the objects that a thread has searched last: those with many are searched many
/// times.
class KeyIndex {
public:
    /// Null: it has no such key.
    const Json* find(const Json::object_t& object, const std::string& key) {
        Entry* known = entryOf(object);
        if (known) {
            if (known->places.empty())
                for (size_t i = 0; i < object.size(); ++i)
                    known->places.emplace(std::hash<std::string>()(object.data()[i].first), i);
            const auto [first, last] = known->places.equal_range(std::hash<std::string>()(key));
            for (auto at = first; at != last; ++at)
                if (object.data()[at->second].first == key)
                    return &object.data()[at->second].second;
        } else {
            m_entries[m_next++ % m_entries.size()] = {object.data(), object.size(), {}};
        }
        const auto found = object.find(key);
        if (found == object.end())
            return nullptr;
        if (known)
            known->places.clear(); // it was of another object, whose place in memory this one has
        return &found->second;
    }

private:
    struct Entry {
        const void* object = nullptr;
        size_t size = 0;
        std::unordered_multimap<size_t, size_t> places =
            {}; ///< by the hash of the key, from the second search on
    };

    Entry* entryOf(const Json::object_t& object) {
        const auto found = std::ranges::find_if(m_entries, [&](const Entry& each) {
            return each.object == object.data() && each.size == object.size();
        });
        return found == m_entries.end() ? nullptr : &*found;
    }

    std::array<Entry, 4> m_entries;
    size_t m_next = 0;
};

} // namespace

JsonDocument::JsonDocument(std::string_view text, std::string place, int deepest)
    : m_place(std::move(place)) {
    if (depthOf(text) > deepest)
        throw Error(m_place, "is nested more than " + std::to_string(deepest) + " levels deep")
            .hint("the file is damaged");
    TreeBuilder tree;
    if (!Json::sax_parse(text, &tree))
        throw Error(m_place, tree.faultAt > 0 ? "is no JSON: at byte " + std::to_string(tree.faultAt)
                                              : "is no JSON that can be read")
            .hint("the file is damaged");
    m_root = std::move(tree.root);
}

JsonDocument JsonDocument::ofCbor(std::string_view bytes, std::string place, int deepest) {
    JsonDocument out;
    out.m_place = std::move(place);
    if (isCborDeeper(bytes, static_cast<size_t>(deepest)))
        throw Error(out.m_place, "is nested more than " + std::to_string(deepest) + " levels deep")
            .hint("the file is damaged");
    TreeBuilder tree;
    if (!Json::sax_parse(bytes, &tree, Json::input_format_t::cbor))
        throw Error(out.m_place, "is no CBOR that can be read").hint("the file is damaged");
    out.m_root = std::move(tree.root);
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
    const auto& items = this->object(object).get_ref<const Json::object_t&>();
    const Json* value = nullptr;
    if (items.size() < kIndexedFrom) {
        if (const auto found = items.find(std::string(key)); found != items.end())
            value = &found->second;
    } else {
        static thread_local KeyIndex lastSearched;
        value = lastSearched.find(items, std::string(key));
    }
    return !value || value->is_null() ? nullptr : value;
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
