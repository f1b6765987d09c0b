// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/name_rules.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <utility>

#include "core/model/text.h"

namespace tracedeck {

namespace {

/// The code point that starts at `at`, which is moved behind it.
std::uint32_t nextCodePoint(std::string_view text, std::size_t& at)
{
    const auto byte = [&text](std::size_t index) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[index])); };
    const std::uint32_t first = byte(at++);
    const std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    if (first < 0x80) return first;
    constexpr std::uint32_t kReplacement = 0xFFFD;   // of what is no valid UTF-8
    if (more == 0 || at + more > text.size()) return kReplacement;
    std::uint32_t point = first & (0x3FU >> more);
    for (std::size_t i = 0; i < more; ++i) point = (point << 6U) | (byte(at + i) & 0x3FU);
    at += more;
    return point;
}

bool isControl(std::uint32_t point)
{
    return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x2028 || point == 0x2029;
}

bool isInvisible(std::uint32_t point)
{
    return (point >= 0x200B && point <= 0x200F) || (point >= 0x202A && point <= 0x202E) || (point >= 0x2060 && point <= 0x2069) ||
           point == 0x061C || point == 0xFEFF;
}

/// Letters to insert, remove, replace or swap with their neighbour.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> beforeLast(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t k = 1; k <= b.size(); ++k) {
            row[k] = std::min({last[k] + 1, row[k - 1] + 1, last[k - 1] + (a[i - 1] == b[k - 1] ? 0U : 1U)});
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1]) row[k] = std::min(row[k], beforeLast[k - 2] + 1);
        }
        std::swap(beforeLast, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

/// Longer ones are compared as parts of each other only: the work would grow with the product of the lengths.
constexpr std::size_t kLongestComparedName = 100;

}  // namespace

std::string fileNameFault(std::string_view name)
{
    if (name.empty()) return "is empty";
    if (name == "." || name == "..") return "is '" + std::string(name) + "'";
    if (name.find('/') != std::string_view::npos) return "contains '/'";
    if (name.find('\\') != std::string_view::npos) return "contains '\\'";
    if (name.find('\0') != std::string_view::npos) return "contains a NUL character";
    return {};
}

std::string displayFault(std::string_view name)
{
    for (std::size_t at = 0; at < name.size();) {
        const std::uint32_t point = nextCodePoint(name, at);
        const bool control = isControl(point);
        if (!control && !isInvisible(point)) continue;
        char code[16];
        std::snprintf(code, sizeof code, "U+%04X", static_cast<unsigned>(point));
        return std::string("contains the ") + (control ? "control" : "invisible") + " character " + code;
    }
    return {};
}

std::vector<std::string> nearNames(std::string_view name, const std::vector<std::string>& known)
{
    const std::string wanted = asciiLower(name);
    const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 3);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& other : known) {
        const std::string candidate = asciiLower(other);
        const bool isPart = wanted.size() > 1 && candidate.find(wanted) != std::string::npos;
        const std::size_t longer = std::max(candidate.size(), wanted.size());
        const bool isComparable = longer <= kLongestComparedName && longer - std::min(candidate.size(), wanted.size()) <= limit;
        const std::size_t distance = isComparable ? editDistance(wanted, candidate) : longer;
        if (distance <= limit) near.emplace_back(distance, other);
        else if (isPart) near.emplace_back(limit + 1, other);
    }
    std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> names;
    for (auto& [distance, other] : near) names.push_back(std::move(other));
    return names;
}

std::string nameHint(std::string_view name, const std::vector<std::string>& known)
{
    constexpr std::size_t kNearShown = 3;
    constexpr std::size_t kKnownShown = 8;
    if (known.empty()) return "; there are none";
    const std::vector<std::string> near = nearNames(name, known);
    std::string hint;
    if (!near.empty()) {
        const std::size_t shown = std::min(near.size(), kNearShown);
        for (std::size_t i = 0; i < shown; ++i) hint += (i == 0 ? "" : i + 1 == shown ? " or " : ", ") + ("'" + near[i] + "'");
        return "; did you mean " + hint + "?";
    }
    for (std::size_t i = 0; i < std::min(known.size(), kKnownShown); ++i) hint += (i == 0 ? "" : ", ") + known[i];
    if (known.size() > kKnownShown) hint += " and " + std::to_string(known.size() - kKnownShown) + " more";
    return (known.size() == 1 ? "; there is " : "; there are ") + hint;
}

Result<void> requireKnownNames(const std::string& kind, const std::vector<std::string>& asked, const std::vector<std::string>& known,
                               const std::string& where)
{
    std::string reason;
    for (const std::string& name : asked) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        reason += (reason.empty() ? "" : "; ") + ("there is no " + kind + " '" + name + "'") + nameHint(name, known);
    }
    if (reason.empty()) return {};
    return Error{ErrorCode::Usage, std::move(reason), where, 0, {}};
}

}  // namespace tracedeck
