// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html_text.h"

#include <array>
#include <stdexcept>
#include <vector>

#include <openssl/evp.h>

#include "core/model/text.h"
#include "core/report/text_table.h"

namespace tracedeck {

namespace {

std::string withEntities(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (const char c : text) {
        switch (c) {
        case '&': result += "&amp;"; break;
        case '<': result += "&lt;"; break;
        case '>': result += "&gt;"; break;
        case '"': result += "&quot;"; break;
        case '\'': result += "&#39;"; break;
        default: result += c;
        }
    }
    return result;
}

/// U+FFFE and U+FFFF are no characters of XML, which an SVG is.
std::string withoutNonCharacters(std::string text)
{
    for (const std::string_view bad : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
        for (auto at = text.find(bad); at != std::string::npos; at = text.find(bad, at)) text.replace(at, bad.size(), "\xEF\xBF\xBD");
    }
    return text;
}

}  // namespace

std::string htmlText(std::string_view text)
{
    return withEntities(printable(withoutNonCharacters(toValidUtf8(text))));
}

std::string htmlLines(std::string_view text)
{
    std::string lines;
    const std::string valid = withoutNonCharacters(toValidUtf8(text));
    for (std::size_t i = 0; i < valid.size(); ++i) {
        if (valid[i] == '\r' && i + 1 < valid.size() && valid[i + 1] == '\n') continue;
        lines += valid[i] == '\r' ? '\n' : valid[i];   // progress bars return to the start of the line
    }
    return withEntities(printableLines(lines));
}

std::string shortened(std::string_view text, std::size_t most)
{
    std::vector<std::size_t> starts;   // of characters
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) starts.push_back(i);
    }
    if (starts.size() <= most || most < 3) return std::string(text);
    const std::size_t head = (most - 1) / 2;
    const std::size_t tail = most - 1 - head;
    return std::string(text.substr(0, starts[head])) + "…" + std::string(text.substr(starts[starts.size() - tail]));
}

std::string sha256Base64(std::string_view text)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    if (EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) throw std::runtime_error("the cryptography library offers no SHA-256");
    std::array<unsigned char, 4 * ((EVP_MAX_MD_SIZE + 2) / 3) + 1> encoded{};
    const int size = EVP_EncodeBlock(encoded.data(), digest.data(), static_cast<int>(length));
    return {encoded.begin(), encoded.begin() + size};
}

}  // namespace tracedeck
