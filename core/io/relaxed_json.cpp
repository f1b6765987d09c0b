// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/relaxed_json.h"

#include <algorithm>
#include <optional>

namespace tracedeck {

namespace {

/// The place behind a string that begins at `at`.
std::size_t stringEnd(std::string_view text, std::size_t at)
{
    for (++at; at < text.size(); ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (text[at] == '"') {
            return at + 1;
        } else if (text[at] == '\n') {
            return at;   // no string goes beyond its line
        }
    }
    return text.size();
}

/// The place behind a comment that begins at `at`; std::nullopt where none does.
std::optional<std::size_t> commentEnd(std::string_view text, std::size_t at)
{
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
    if (!rest.starts_with("/*")) return std::nullopt;
    const std::size_t end = text.find("*/", at + 2);
    return end == std::string_view::npos ? text.size() : end + 2;
}

}  // namespace

RelaxedJson relaxJson(std::string_view text)
{
    RelaxedJson relaxed{std::string(text), {}, {}};
    std::optional<std::size_t> comma;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (const auto end = c == '/' ? commentEnd(text, at) : std::nullopt) {
            relaxed.comments.push_back(at);
            std::replace_if(relaxed.text.begin() + static_cast<std::ptrdiff_t>(at), relaxed.text.begin() + static_cast<std::ptrdiff_t>(*end),
                            [](char inside) { return inside != '\n' && inside != '\r'; }, ' ');
            at = *end;
            continue;
        }
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++at;
            continue;
        }
        if ((c == ']' || c == '}') && comma) {
            relaxed.commas.push_back(*comma);
            relaxed.text[*comma] = ' ';
        }
        comma = c == ',' ? std::optional(at) : std::nullopt;
        at = c == '"' ? stringEnd(text, at) : at + 1;
    }
    return relaxed;
}

}  // namespace tracedeck
