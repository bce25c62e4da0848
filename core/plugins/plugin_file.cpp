// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugins/plugin_file.h"

#include "core/base/error.h"

#include <cerrno>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace fx {

namespace {

using FileHeader = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

constexpr unsigned char kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
#if defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
#else
constexpr int kMachine = EM_X86_64;
#endif

[[noreturn]] void failCutOff() {
    throw Error("", "it is no whole library: the file is cut off or damaged").hint("copy it anew");
}

/// The bytes of a file, read as they are now: one that others cut while it is mapped would raise a signal.
std::string contentOf(const std::string& path) {
    // A pipe would wait for whoever writes to it.
    const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        throw Error("", std::string("it cannot be opened: ") + std::strerror(errno));
    struct stat info {};
    std::string out;
    if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode)) {
        out.resize(static_cast<size_t>(info.st_size));
        size_t size = 0;
        ssize_t count = 1;
        while (size < out.size() && count > 0) {
            count = ::pread(file, out.data() + size, out.size() - size, static_cast<off_t>(size));
            size += count > 0 ? static_cast<size_t>(count) : 0;
        }
        out.resize(size);
    }
    ::close(file);
    if (!S_ISREG(info.st_mode))
        throw Error("", "it is no regular file");
    return out;
}

class SharedLibrary {
public:
    explicit SharedLibrary(std::string_view bytes) : m_bytes(bytes) {
        if (bytes.size() < sizeof m_header)
            throw Error("", "it is no library: file too short");
        std::memcpy(&m_header, bytes.data(), sizeof m_header);
        if (std::memcmp(m_header.e_ident, ELFMAG, SELFMAG) != 0)
            throw Error("", "it is no library: it has no ELF header");
        if (m_header.e_ident[EI_CLASS] != kClass || m_header.e_ident[EI_DATA] != ELFDATA2LSB ||
            m_header.e_machine != kMachine)
            throw Error("", "it was built for another kind of processor");
        if (m_header.e_type != ET_DYN)
            throw Error("", "it is no shared library");
        m_segments = table<Segment>(m_header.e_phoff, m_header.e_phnum, m_header.e_phentsize);
        m_sections = table<Section>(m_header.e_shoff, m_header.e_shnum, m_header.e_shentsize);
    }

    void requireWhole() const {
        bool isDynamic = false;
        for (const Segment& segment : m_segments) {
            requireInside(segment.p_offset, segment.p_filesz);
            if (segment.p_type == PT_LOAD && segment.p_filesz > segment.p_memsz)
                failCutOff();
            isDynamic |= segment.p_type == PT_DYNAMIC;
        }
        for (const Section& section : m_sections)
            if (section.sh_type != SHT_NOBITS)
                requireInside(section.sh_offset, section.sh_size);
        if (!isDynamic)
            throw Error("", "it is no shared library");
    }

    bool exports(std::string_view name) const {
        for (const Section& section : m_sections) {
            if (section.sh_type != SHT_DYNSYM || section.sh_link >= m_sections.size())
                continue;
            const Section& names = m_sections[section.sh_link];
            const std::string_view texts = m_bytes.substr(names.sh_offset, names.sh_size);
            for (const Symbol& symbol :
                 table<Symbol>(section.sh_offset, section.sh_size / sizeof(Symbol), sizeof(Symbol)))
                if (symbol.st_shndx != SHN_UNDEF && symbol.st_name < texts.size() &&
                    texts.substr(symbol.st_name).starts_with(name) &&
                    texts.substr(symbol.st_name + name.size()).starts_with('\0'))
                    return true;
        }
        return false;
    }

private:
    void requireInside(uint64_t offset, uint64_t size) const {
        if (offset > m_bytes.size() || size > m_bytes.size() - offset)
            failCutOff();
    }

    template <class Row>
    std::vector<Row> table(uint64_t offset, uint64_t count, size_t rowSize) const {
        if (count == 0)
            return {};
        if (rowSize != sizeof(Row) || count > m_bytes.size() / sizeof(Row))
            failCutOff();
        requireInside(offset, count * sizeof(Row));
        std::vector<Row> out(count);
        std::memcpy(out.data(), m_bytes.data() + offset, count * sizeof(Row));
        return out;
    }

    const std::string_view m_bytes;
    FileHeader m_header{};
    std::vector<Segment> m_segments;
    std::vector<Section> m_sections;
};

} // namespace

void requirePluginFile(const std::string& path, const std::string& function) {
    const std::string bytes = contentOf(path);
    const SharedLibrary library(bytes);
    library.requireWhole();
    if (!library.exports(function))
        throw Error("", "it is no plugin: it has no function " + function);
}

} // namespace fx
