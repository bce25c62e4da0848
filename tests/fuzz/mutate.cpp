// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/mutate.h"

#include "core/io/mapped_file.h"
#include "core/io/zip_archive.h"

#include <zlib.h>

#include <algorithm>

namespace fx {

namespace {

void append(std::string& out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
        out += static_cast<char>(value >> (8 * i));
}

} // namespace

std::string zipOf(const std::vector<std::pair<std::string, std::string>>& records) {
    std::string out, directory;
    for (const auto& [name, content] : records) {
        const auto size = static_cast<uint32_t>(content.size());
        std::string header;
        append(header, 20, 2); // version
        append(header, 0, 8);  // flags, stored, time, date
        append(header,
               static_cast<uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(content.data()), size)), 4);
        append(header, size, 4);
        append(header, size, 4);
        append(header, static_cast<uint32_t>(name.size()), 2);
        append(header, 0, 2);
        directory += "PK\x01\x02";
        append(directory, 20, 2);
        directory += header;
        append(directory, 0, 4); // comment, disk
        append(directory, 0, 2);
        append(directory, 0, 4);
        append(directory, static_cast<uint32_t>(out.size()), 4);
        directory += name;
        out += "PK\x03\x04" + header + name + content;
    }
    const auto start = static_cast<uint32_t>(out.size());
    out += directory + "PK\x05\x06";
    append(out, 0, 4);
    append(out, static_cast<uint32_t>(records.size()), 2);
    append(out, static_cast<uint32_t>(records.size()), 2);
    append(out, static_cast<uint32_t>(directory.size()), 4);
    append(out, start, 4);
    append(out, 0, 2);
    return out;
}

Sample readSample(const std::string& path) {
    Sample sample;
    sample.bytes = readFile(path);
    const ZipArchive zip(path);
    for (const std::string& name : zip.names())
        sample.records.emplace_back(name, zip.read(name));
    return sample;
}

std::string Mutator::damaged(const Sample& sample) {
    if (below(5) == 0)
        return damagedBytes(sample.bytes);
    auto records = sample.records;
    std::vector<size_t> texts;
    for (size_t i = 0; i < records.size(); ++i)
        if (records[i].first.ends_with(".json"))
            texts.push_back(i);
    // The graph is the longest of the texts, and mostly the one to damage.
    std::sort(texts.begin(), texts.end(),
              [&](size_t a, size_t b) { return records[a].second.size() > records[b].second.size(); });
    const size_t which = below(8) == 0 ? below(records.size()) : texts[below(3) ? 0 : below(texts.size())];
    auto& [name, content] = records[which];
    if (below(30) == 0)
        records.erase(records.begin() + static_cast<std::ptrdiff_t>(which));
    else
        content = name.ends_with(".json") && below(10) ? damagedJson(content) : damagedRecord(content);
    return zipOf(records);
}

std::string Mutator::damagedBytes(std::string bytes) {
    for (size_t count = 1 + below(8); count > 0 && !bytes.empty(); --count) {
        // The zip's directory is at the end.
        const size_t reach = below(2) ? std::min<size_t>(bytes.size(), 4000) : bytes.size();
        const size_t at = bytes.size() - 1 - below(reach);
        switch (below(5)) {
        case 0:
            bytes.resize(at);
            break;
        case 1:
            bytes.erase(at, below(64));
            break;
        case 2:
            bytes.insert(at, below(64), static_cast<char>(below(256)));
            break;
        case 3:
            for (size_t i = at; i < std::min(at + 4, bytes.size()); ++i)
                bytes[i] = static_cast<char>(below(2) ? 0xFF : 0x7F);
            break;
        default:
            bytes[at] = static_cast<char>(below(256));
        }
    }
    return bytes;
}

std::string Mutator::damagedRecord(const std::string& record) {
    std::string out = damagedBytes(record);
    return below(20) == 0 ? std::string(below(100'000), '[') : out;
}

std::string Mutator::damagedJson(const std::string& text) {
    Json root = Json::parse(text, nullptr, false);
    if (root.is_discarded())
        return damagedBytes(text);
    for (size_t count = below(3) ? 1 : 1 + below(5); count > 0; --count)
        change(root);
    return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void Mutator::collect(Json& value, std::vector<Json*>& places) {
    places.push_back(&value);
    if (value.is_array() || value.is_object())
        for (Json& child : value)
            collect(child, places);
}

void Mutator::change(Json& root) {
    std::vector<Json*> places;
    collect(root, places);
    Json& at = *places[below(places.size())];
    const Json other = *places[below(places.size())];
    if (at.is_array() && !at.empty() && below(2)) {
        const auto index = static_cast<std::ptrdiff_t>(below(at.size()));
        if (below(3) == 0)
            at.erase(at.begin() + index);
        else if (below(2))
            at.insert(at.begin() + index, other.dump().size() < 10'000 ? other : Json());
        else
            std::swap(at[static_cast<size_t>(index)], at[below(at.size())]);
    } else if (at.is_object() && !at.empty() && below(2)) {
        const auto entry = std::next(at.begin(), static_cast<std::ptrdiff_t>(below(at.size())));
        if (below(2))
            at.erase(entry);
        else
            *entry = oddValue();
    } else if (at.is_number_integer() && below(2)) {
        at = at.get<int64_t>() + static_cast<int64_t>(below(5)) - 2;
    } else {
        at = below(3) && other.dump().size() < 10'000 ? other : oddValue();
    }
}

Json Mutator::oddValue() {
    switch (below(12)) {
    case 0:
        return nullptr;
    case 1:
        return -1;
    case 2:
        return int64_t(1) << below(63);
    case 3:
        return -(int64_t(1) << below(63));
    case 4:
        return std::numeric_limits<int64_t>::min();
    case 5:
        return std::numeric_limits<uint64_t>::max();
    case 6:
        return 1e308 * static_cast<double>(below(3));
    case 7:
        return "";
    case 8:
        return "a.b..c/../\n\u200b";
    case 9:
        return Json::array();
    case 10:
        return Json::object();
    default:
        return below(2) == 0;
    }
}

} // namespace fx
