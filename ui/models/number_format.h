// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tracedeck::ui {

/// Four significant digits (or `digits`) in plain notation: 0.01234, 1.234, 123.4, 12345. "–" for NaN, "∞" for infinity.
[[nodiscard]] QString significantText(double value, int digits = 4);
/// A latency in the unit of the tables' columns: microseconds, four significant digits.
[[nodiscard]] QString microsecondsText(double milliseconds);
/// For errors: 0, plain notation from 0.001 to 9999, else 1.234e-05.
[[nodiscard]] QString errorText(double value);
/// For tolerances and ticks, which are round: 0.01, 1e-06.
[[nodiscard]] QString toleranceText(double value);
/// A time given in milliseconds with the unit that suits it: "812 ns", "12.34 µs", "1.5 ms", "2.1 s".
[[nodiscard]] QString durationText(double milliseconds, int digits = 4);
/// A fraction as a percentage with one digit after the point: "97.5 %".
[[nodiscard]] QString percentText(double fraction);
/// Speedup or ratio with its sign: "1.23×".
[[nodiscard]] QString ratioText(double ratio);
/// A number with the SI prefix that suits it: `1.23 GB/s` for 1.23e9 and the unit `B/s`.
[[nodiscard]] QString scaledText(double value, const QString& unit, int digits = 4);
/// Every digit that is needed to read the same value back; empty for NaN.
[[nodiscard]] QString exactText(double value);
/// Seconds as "12 s", "3 min 20 s", "1 h 5 min"; for what is left or has passed.
[[nodiscard]] QString spanText(double seconds);
/// A count with thousands separated.
[[nodiscard]] QString countText(qint64 count);

}  // namespace tracedeck::ui
