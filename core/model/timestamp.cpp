// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/timestamp.h"

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace tracedeck {

namespace {

/// Reads the digits of a fixed-width field; −1 when one is missing.
int digits(std::string_view text, std::size_t position, std::size_t count)
{
    if (position + count > text.size()) return -1;
    int value = 0;
    for (std::size_t i = position; i < position + count; ++i) {
        if (text[i] < '0' || text[i] > '9') return -1;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

/// Minutes east of UTC for "", "Z", "+02:00", "+0200" or "+02".
std::optional<int> zoneMinutes(std::string_view zone)
{
    if (zone.empty() || zone == "Z" || zone == "z") return 0;
    if (zone[0] != '+' && zone[0] != '-') return std::nullopt;
    const int hours = digits(zone, 1, 2);
    int minutes = 0;
    if (zone.size() == 6 && zone[3] == ':') minutes = digits(zone, 4, 2);
    else if (zone.size() == 5) minutes = digits(zone, 3, 2);
    else if (zone.size() != 3) return std::nullopt;
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
    return (zone[0] == '-' ? -1 : 1) * (hours * 60 + minutes);
}

/// Whether eight bytes are digits where `form` has a 0, and elsewhere are what it has there. `form` is known when it is compiled.
bool isOfForm(const char* text, const char (&form)[9])
{
    std::uint64_t bytes = 0;
    std::uint64_t wanted = 0;
    std::uint64_t addends = 0;   // what lifts a wrong byte to 0x80: from 10 on for digits, from 1 on for the others
    std::memcpy(&bytes, text, 8);
    std::memcpy(&wanted, form, 8);
    for (std::size_t i = 8; i-- > 0;) addends = addends << 8U | (form[std::endian::native == std::endian::little ? i : 7 - i] == '0' ? 0x76U : 0x7FU);
    bytes ^= wanted;
    // A carry out of a byte comes only from one that is wrong, and shows in `bytes`.
    return (((bytes + addends) | bytes) & 0x8080808080808080) == 0;
}

}  // namespace

bool isTimestamp(std::string_view timestamp)
{
    const char* const text = timestamp.data();
    if (timestamp.size() == 26 && isOfForm(text, "0000-00-") && isOfForm(text + 8, "00T00:00") && isOfForm(text + 16, ":00.0000") &&
        isOfForm(text + 18, "0.000000")) {
        const auto twoDigits = [text](std::size_t position) { return (text[position] - '0') * 10 + text[position + 1] - '0'; };
        const int month = twoDigits(5);
        const int day = twoDigits(8);
        // Every month has 28 days.
        if (month >= 1 && month <= 12 && day >= 1 && day <= 28 && twoDigits(11) <= 23 && twoDigits(14) <= 59 && twoDigits(17) <= 60) return true;
    }
    return timestampMicroseconds(timestamp).has_value();
}

std::optional<std::int64_t> timestampMicroseconds(std::string_view timestamp)
{
    const int year = digits(timestamp, 0, 4);
    const int month = digits(timestamp, 5, 2);
    const int day = digits(timestamp, 8, 2);
    const int hour = digits(timestamp, 11, 2);
    const int minute = digits(timestamp, 14, 2);
    const int second = digits(timestamp, 17, 2);
    if (year < 0 || month < 0 || day < 0 || hour < 0 || minute < 0 || second < 0 || hour > 23 || minute > 59 || second > 60 ||
        timestamp[4] != '-' || timestamp[7] != '-' || (timestamp[10] != 'T' && timestamp[10] != ' ') || timestamp[13] != ':' ||
        timestamp[16] != ':') {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok()) return std::nullopt;
    std::size_t position = 19;
    std::int64_t microseconds = 0;
    if (position < timestamp.size() && timestamp[position] == '.') {
        std::int64_t unit = 100'000;
        for (++position; position < timestamp.size() && timestamp[position] >= '0' && timestamp[position] <= '9'; ++position) {
            microseconds += (timestamp[position] - '0') * unit;
            unit /= 10;
        }
    }
    const auto zone = zoneMinutes(timestamp.substr(position));
    if (!zone) return std::nullopt;
    const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
    const std::int64_t seconds = ((days * 24 + hour) * 60 + minute - *zone) * 60 + second;
    return seconds * 1'000'000 + microseconds;
}

std::string timestampText(std::int64_t microseconds)
{
    constexpr std::int64_t kPerSecond = 1'000'000;
    const std::int64_t seconds = microseconds / kPerSecond - (microseconds % kPerSecond < 0 ? 1 : 0);
    const std::int64_t rest = microseconds - seconds * kPerSecond;
    const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                                   static_cast<unsigned>(date.day()), clock.hours().count(), clock.minutes().count(), clock.seconds().count());
    if (rest != 0) text += fmt::format(".{:06}", rest);
    return text;
}

std::string localTimestamp()
{
    const auto now = std::chrono::system_clock::now();
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    const auto micros =
        std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count() % 1'000'000;
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}", parts, micros);
}

}  // namespace tracedeck
