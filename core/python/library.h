// SPDX-License-Identifier: GPL-3.0-or-later
// The modules that are Python text of our own, built into the program: those of the standard library here,
// those of torch in core/torch. Each is parsed once, at its first use, for all evaluators and threads.
#pragma once

#include "core/python/tree.h"

#include <mutex>
#include <unordered_map>

namespace fx {

struct LibraryModule {
    std::shared_ptr<const SourceFile> file;
    bool isPackage = false;
};

class Library {
public:
    /// Gives the text of "functools.py" or "collections/__init__.py"; data() is null where there is none.
    using Texts = std::string_view (*)(std::string_view path);
    explicit Library(Texts texts) : m_texts(texts) {}

    bool has(const std::string& name) const { return textOf(name).text.data(); }
    /// "collections.abc"; null where there is none. What it gives lives as long as this.
    const LibraryModule* find(const std::string& name);

private:
    struct Text {
        std::string_view text;
        bool isPackage = false;
    };
    Text textOf(const std::string& name) const;

    const Texts m_texts;
    std::mutex m_mutex;
    std::unordered_map<std::string, LibraryModule> m_modules; ///< those that were asked for
};

/// The modules of Python's standard library.
Library& standardLibrary();
/// "a/b/c" of "a.b.c".
std::string modulePath(const std::string& name);

} // namespace fx
