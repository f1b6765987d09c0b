// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/build/elf_symbols.h"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace tracedeck {

namespace {

constexpr std::uintmax_t kMaxLibraryBytes = std::uintmax_t{1} << 30U;

/// A struct at an offset, std::nullopt where the file is too short. Copied, since the file need not be aligned.
template <class T>
std::optional<T> readAt(std::string_view bytes, std::uint64_t offset)
{
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

std::optional<std::string_view> sectionBytes(std::string_view file, const Elf64_Shdr& section)
{
    if (section.sh_offset > file.size() || file.size() - section.sh_offset < section.sh_size) return std::nullopt;
    return file.substr(section.sh_offset, section.sh_size);
}

std::optional<std::vector<std::string>> symbolsOf(std::string_view file)
{
    const auto header = readAt<Elf64_Ehdr>(file, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_type != ET_DYN ||
        header->e_shentsize != sizeof(Elf64_Shdr)) {
        return std::nullopt;
    }
    std::vector<std::string> names;
    for (std::uint64_t index = 0; index < header->e_shnum; ++index) {
        const auto section = readAt<Elf64_Shdr>(file, header->e_shoff + index * sizeof(Elf64_Shdr));
        if (!section) return std::nullopt;
        if (section->sh_type != SHT_DYNSYM) continue;
        const auto textSection =
            readAt<Elf64_Shdr>(file, header->e_shoff + std::uint64_t{section->sh_link} * sizeof(Elf64_Shdr));
        const auto symbols = sectionBytes(file, *section);
        const auto texts = textSection ? sectionBytes(file, *textSection) : std::nullopt;
        if (!symbols || !texts) return std::nullopt;
        for (std::uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= symbols->size(); offset += sizeof(Elf64_Sym)) {
            const auto symbol = *readAt<Elf64_Sym>(*symbols, offset);
            const unsigned visibility = ELF64_ST_VISIBILITY(symbol.st_other);
            const unsigned binding = ELF64_ST_BIND(symbol.st_info);
            if (symbol.st_shndx == SHN_UNDEF || binding == STB_LOCAL ||
                (visibility != STV_DEFAULT && visibility != STV_PROTECTED))
                continue;
            if (symbol.st_name >= texts->size()) return std::nullopt;
            const std::string_view rest = texts->substr(symbol.st_name);
            names.emplace_back(rest.substr(0, rest.find('\0')));
        }
    }
    return names;
}

}  // namespace

Result<std::vector<std::string>> exportedSymbols(const std::filesystem::path& library)
{
    std::error_code failure;
    const auto size = std::filesystem::file_size(library, failure);
    std::ifstream in(library, std::ios::binary);
    if (failure || !in) {
        return Error{
            .code = ErrorCode::Io, .reason = "cannot be read", .file = library.string(), .line = 0, .field = {}};
    }
    if (size > kMaxLibraryBytes) {
        return Error{.code = ErrorCode::InvalidInput,
                     .reason = "larger than 1 GiB",
                     .file = library.string(),
                     .line = 0,
                     .field = {}};
    }
    const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    auto names = symbolsOf(bytes);
    if (!names) {
        return Error{.code = ErrorCode::InvalidInput,
                     .reason = "not a 64-bit ELF shared object with intact symbol tables",
                     .file = library.string(),
                     .line = 0,
                     .field = {}};
    }
    return std::move(*names);
}

}  // namespace tracedeck
