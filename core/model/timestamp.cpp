// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/timestamp.h"

#include <chrono>
#include <cstddef>

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

}  // namespace

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

}  // namespace tracedeck
