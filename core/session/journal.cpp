// SPDX-License-Identifier: GPL-3.0-or-later
// Writing edits down and doing them again; what they begin with is in journal_base.cpp.
#include "core/session/journal.h"

#include "core/base/error.h"
#include "core/io/change_json.h"
#include "core/session/journal_base.h"

#include <ctime>

namespace fx {

namespace {

/// The latest steps that make up what is undone leave the history; where they cannot be told, all of it does.
void takeBack(std::vector<RecoveredStep>& steps, size_t changeCount) {
    // Steps that were merged after they were written are undone as one.
    while (changeCount > 0 && !steps.empty() && steps.back().changes.size() <= changeCount) {
        changeCount -= steps.back().changes.size();
        steps.pop_back();
    }
    if (changeCount > 0)
        steps.clear();
}

} // namespace

Journal::Journal(const std::string& folder, const JournalBase& base, const ModelExtent& known)
    : m_file(folder, baseRecord(base)), m_known(known) {}

Journal::Journal(FoundJournal found, const Model& model) : m_file(std::move(found.m_file)), m_known(model) {}

void Journal::append(const std::string& title, const Model& after, const Changes& changes, bool isBackwards) {
    const ModelUpdate update = updateOf(after, changes, isBackwards, m_known);
    Json record = {{"title", title}, {"time", int64_t(std::time(nullptr))}, {"update", updateJson(update)}};
    if (!update.tensors.empty())
        record["tensors"] = keptTensorsJson(update.tensors);
    m_unwritten.push_back(cborBytes(record));
    m_known = ModelExtent(after);
    for (; !m_unwritten.empty(); m_unwritten.pop_front())
        m_file.append(m_unwritten.front());
}

FoundJournal::FoundJournal(JournalFile file) : m_file(std::move(file)) {
    const JournalFile::Content content = m_file.read();
    m_tornBytes = content.tornBytes;
    m_base = baseFromRecord(content.records.at(0), m_file.path());
    for (size_t i = 1; i < content.records.size(); ++i) {
        const JsonDocument json = JsonDocument::ofCbor(content.records[i], m_file.path());
        const auto member = [&](const char* key) -> const Json& { return json.member(json.root(), key); };
        m_edits.push_back({json.string(member("title")), json.integer(member("time")),
                           json.boolean(json.member(member("update"), "backwards"))});
    }
}

std::vector<FoundJournal> FoundJournal::in(const std::string& folder) {
    std::vector<FoundJournal> out;
    for (const std::string& path : JournalFile::in(folder))
        try {
            std::optional<JournalFile> file = JournalFile::take(path);
            if (!file)
                continue;
            FoundJournal found(std::move(*file));
            if (found.edits().empty())
                found.discard(); // there is nothing to lose
            else
                out.push_back(std::move(found));
        } catch (const Error&) {
            // Written by another version, to which it may be of use.
        }
    return out;
}

std::string FoundJournal::obstacle() const {
    for (const auto& [path, version] : m_base.files)
        if (const std::string now = contentVersion(path); now != version)
            return path + (now == kMissing ? " is not there any more" : " has changed since then");
    return {};
}

std::vector<RecoveredStep> FoundJournal::recover(OpenedModel& opened) const {
    if (std::string why = obstacle(); !why.empty())
        throw Error("", std::move(why)).hint("put the file back as it was, or discard the edits");
    Model model = baseModel(m_base, opened.model);
    std::vector<RecoveredStep> steps;
    const std::vector<std::string> records = m_file.read().records;
    for (size_t i = 0; i < m_edits.size(); ++i) {
        const JsonDocument json = JsonDocument::ofCbor(records.at(i + 1), m_file.path());
        std::vector<TensorSlot> tensors;
        if (const Json* kept = json.find(json.root(), "tensors"))
            tensors = keptTensorsFrom(json, *kept);
        ModelUpdate update = updateFromJson(json, json.member(json.root(), "update"), std::move(tensors));
        follow(model, update);
        if (update.isBackwards)
            takeBack(steps, update.changes.size());
        else if (!update.changes.empty())
            steps.push_back({m_edits[i].title, std::move(update.changes)});
    }
    opened.model = std::move(model);
    return steps;
}

} // namespace fx
