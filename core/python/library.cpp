// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/python/library.h"

#include "core/base/text.h"

namespace fx {

std::string_view librarySource(std::string_view path); // generated from library/

std::string modulePath(const std::string& name) {
    return replaceAll(name, ".", "/");
}

Library::Text Library::textOf(const std::string& name) const {
    const std::string path = modulePath(name);
    if (const std::string_view text = m_texts(path + ".py"); text.data())
        return {text, false};
    return {m_texts(path + "/__init__.py"), true};
}

const LibraryModule* Library::find(const std::string& name) {
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_modules.find(name); known != m_modules.end())
        return &known->second;
    const Text found = textOf(name);
    if (!found.text.data())
        return nullptr;
    LibraryModule module{parseSource(std::string(found.text), '<' + name + '>'), found.isPackage};
    return &m_modules.emplace(name, std::move(module)).first->second;
}

Library& standardLibrary() {
    static Library library(&librarySource);
    return library;
}

} // namespace fx
