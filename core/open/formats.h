// SPDX-License-Identifier: GPL-3.0-or-later
// The formats that models are opened from and saved in: one table, from which follow what opens a file, what
// is refused for it, the filters of dialogs, the help and the README. Files of other programs are told in
// foreign_formats.h, once nobody here knows them.
#pragma once

#include "core/base/progress.h"
#include "core/io/mapped_file.h"
#include "core/open/foreign_formats.h"
#include "core/open/open.h"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fx {

/// What is to be opened, looked into once for all formats.
struct Candidate {
    std::string path;
    std::string expression; ///< what follows "net.py:"
    bool isSource = false;  ///< a Python file, by its name
    bool isFolder = false;
    std::shared_ptr<const MappedFile> file; ///< null for source and folders
    std::shared_ptr<ZipArchive> zip;        ///< the file, where it is one
    ForeignFormat foreign;                  ///< of another program, perhaps
};

struct Format {
    std::string name;    ///< for people: ".pt2"
    std::string about;   ///< what tells more of it: "torch.export.save"; may be empty
    std::string inWords; ///< what an option means nothing for: "a .pt2, which holds graph and weights"
    std::vector<std::string> endings; ///< of the names of its files, with the dot
    std::string reads;                ///< for people: what is read of it, and how
    std::string writes;               ///< for people: what writes it; empty: nothing
    std::vector<std::string> options; ///< those of openOptionNames() that mean something for it
    /// By content. The first that does reads it. May throw an Error for a damaged file.
    std::function<bool(const Candidate&)> recognises;
    /// Whether reading evaluates code that comes with the file; null: the format is data alone.
    std::function<bool(const Candidate&)> evaluatesCode;
    std::function<OpenedModel(const Candidate&, const OpenOptions&, Progress&)> read;
    /// Saves a model as it is, and gives what a reader of the file should know; null: nothing does.
    std::function<std::vector<std::string>(const OpenedModel&, const std::string& path, Progress&)> write;
    /// The same with its tensors as constants of its code; null where there is no such form.
    std::function<std::vector<std::string>(const OpenedModel&, const std::string& path, Progress&)>
        writeFrozen = nullptr;
    /// As whyNot, of that form.
    std::function<std::string(const OpenedModel&)> whyNotFrozen = nullptr;
    /// Written where it is asked for by its word alone: another format is meant by its endings.
    bool isWrittenByWord = false;
    /// Whether what is open can be saved so and opened again with nothing lost.
    bool keepsAll = false;
    /// What a document is that was saved so, for people; empty: none goes on being such a file.
    std::string document = {};
    /// It holds calls of operators alone, which the pass `capture` puts in the place of others.
    bool holdsOperatorsAlone = false;
    /// Why the model cannot be saved so, as far as that is known without trying; empty: nothing is known
    /// against it. Null: nothing ever is.
    std::function<std::string(const OpenedModel&)> whyNot;
};

/// In the order in which they are asked: ours, then those of plugins.
const std::deque<Format>& formats();

/// Opens the file, and says nothing yet of its content. `given` may be as splitExpression() takes it.
Candidate candidateFor(const std::string& given, const std::vector<std::string>& packageFolders);
/// Looks into the file, and asks the formats; null if nobody knows it.
const Format* findFormat(Candidate& candidate);
/// Whether files of the format have such names. Nothing is opened or refused for its name.
bool hasEnding(const Format& format, const std::string& path);
/// The format whose writer writes files of that name; null if none does.
const Format* formatWriting(const std::string& path);
/// Whether what is open is saved in files of that name, and goes on being that file.
bool isSavedAs(const std::string& path);
/// What a user calls a format to be written: "pt2", "torch.save", "torchscript".
std::string wordFor(const Format& format);
/// The format that is written of that word; null if there is none.
const Format* formatOfWord(const std::string& word);
/// What an Error says that a check throws; empty if it throws none: for Format::whyNot.
std::string reasonOf(const std::function<void()>& check);
/// Whether it is traced when it is opened, so that options of tracing mean something.
bool isTraced(const Format& format);

/// Options that not every format has a use for, as the command line calls them.
std::vector<std::string> openOptionNames();
/// Throws an Error for an option that means nothing for the format: it is refused, not ignored.
void requireMeaning(const Format& format, const OpenOptions& options);

/// "A, B or C": all of them by their names.
std::string formatNames();

} // namespace fx
