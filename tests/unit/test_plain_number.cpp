// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "core/io/plain_number.h"

using namespace tracedeck;

namespace {

/// Reads a text behind which digits stand that do not belong to it, or other bytes. Returns how much was read; 0: refused.
std::size_t readIn(const std::string& text, const std::string& behind, double& number)
{
    const std::string padded = text + behind;
    const char* const end = readPlainNumber(padded.data(), padded.data() + text.size(), number);
    return end == nullptr ? 0 : static_cast<std::size_t>(end - padded.data());
}

/// Empty when it is read as std::from_chars reads it.
QString difference(const std::string& text)
{
    double expected = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), expected);
    if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) return "no number: " + QString::fromStdString(text);
    double number = -1;
    const std::size_t size = readIn(text, ",\"next\":123", number);
    if (size != text.size()) return QString("%1: %2 bytes read").arg(QString::fromStdString(text)).arg(size);
    if (std::bit_cast<std::uint64_t>(number) == std::bit_cast<std::uint64_t>(expected)) return {};
    return QString("%1: %2, not %3").arg(QString::fromStdString(text)).arg(number, 0, 'g', 20).arg(expected, 0, 'g', 20);
}

/// digits / 10^places as a text.
std::string decimal(std::uint64_t digits, std::size_t places)
{
    std::string text = std::to_string(digits);
    if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
    return text.insert(text.size() - places, places == 0 ? ".0" : ".");
}

}  // namespace

class TestPlainNumber : public QObject {
    Q_OBJECT

private slots:
    void numbersAtTheEdges_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"0", "0.0", "0e0", "0.0e-999", "0e99999", "0.00000000000000000000000000", "1", "7", "10", "123456789012345", "999999999999999", "0.1", "0.5", "1.0",
              "9007199254740991.0", "9007199254740992.0", "9007199254740993.0", "9007199254740993e0", "9007199254740995.0", "90071992547409930e-1",
              "4503599627370496.5", "4503599627370497.5", "2251799813685248.25", "2251799813685248.75", "1125899906842624.125", "4503599627370496.4999",
              "4503599627370496.5001", "1e22", "1e23", "1E23", "1e+22", "9e22", "9007199254740991e22", "9007199254740992e22", "9007199254740993e22",
              "1e-22", "1e-23", "1e-27", "1e-28", "3e-27", "7e-28", "12345678901234567e-27", "1.7976931348623157e308", "2.2250738585072014e-308",
              "4.9406564584124654e-324", "5e-324", "0.00015415025659567717", "0.033014169802872514", "2.100465266914293", "14107.000000000001",
              "1234567890123456789e-19", "9999999999999999999e-19", "18446744073709551615e-20", "18446744073709551616e-20", "1844674407370955161.5",
              "0.1234567890123456789", "0.12345678901234567890", "0.1234567890123456789012345678901234567890", "0.00000000000000000001234567890123456789",
              "0.000000001234567890123456789", "12345678.12345678", "1234567.1234567", "12345678901234567890.12345678901234567890", "8.5e-0001", "8.5e00000000001",
              "1.00000000000000011102230246251565404236316680908203125", "0.30000000000000004", "179769313486231570.0e290"}) {
            QTest::newRow(text) << text;
        }
    }
    void numbersAtTheEdges()
    {
        QFETCH(QString, text);
        const QString found = difference(text.toStdString());
        QVERIFY2(found.isEmpty(), qPrintable(found));
    }

    void whatIsNoPlainNumberIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "-0.0", "-1", "+1", "00", "01", "00.5", "012345678", ".5", "1.", "1.e5", "1e", "1e+", "1e-", "1.5e", "e5", "x", " 1", "inf", "nan", "Infinity",
                                 "1e400", "1e99999999999999999999", "1e-400", "1234567890123456", "9007199254740993", "18446744073709551616"}) {
            QTest::newRow(*text == '\0' ? "nothing" : text) << text;
        }
    }
    void whatIsNoPlainNumberIsRefused()
    {
        QFETCH(QString, text);
        for (const char* behind : {",next    ", "\"        ", "         "}) {
            double number = 0;
            QCOMPARE(readIn(text.toStdString(), behind, number), std::size_t{0});
        }
    }

    /// What stands behind the end is no part of it, and where a number does not end with its text, it is none.
    void digitsBehindTheEndAreNotRead()
    {
        for (const char* text : {"1", "0.5", "12345678", "0.12345678", "0.1234567890123456", "1e5"}) {
            double number = -1;
            const std::size_t size = readIn(text, "99999999", number);
            if (size != 0) {
                QCOMPARE(size, std::string(text).size());
                QCOMPARE(number, std::stod(text));
            }
            QCOMPARE(readIn(text, "        ", number), std::string(text).size());
            QCOMPARE(number, std::stod(text));
        }
        double number = 0;
        QCOMPARE(readIn("0", "0        ", number), std::size_t{0});
    }

    /// Behind the number anything may stand; it is where the number ends.
    void theEndIsFound()
    {
        const std::string text = "0.25,\"reference_latency_ms\":12.5}";
        double number = 0;
        const char* const end = readPlainNumber(text.data(), text.data() + text.size() - 8, number);
        QVERIFY(end == text.data() + 4);
        QCOMPARE(number, 0.25);
    }

    void randomNumbers()
    {
        std::mt19937_64 random(1);
        for (int i = 0; i < 300'000; ++i) {
            const std::uint64_t digits = random() >> (random() % 60);
            const QString found = difference(decimal(digits, random() % 32) + (random() % 4 == 0 ? "e" + std::to_string(static_cast<int>(random() % 80) - 40) : ""));
            QVERIFY2(found.isEmpty(), qPrintable(found));
        }
    }
    void randomDoublesSurviveTheirShortestText()
    {
        std::mt19937_64 random(2);
        for (int i = 0; i < 300'000; ++i) {
            const double wanted = std::ldexp(static_cast<double>(random() >> 11U), static_cast<int>(random() % 140) - 140);
            char buffer[64];
            std::string text(buffer, std::to_chars(buffer, buffer + sizeof(buffer), wanted).ptr);
            if (text.find_first_of(".e") == std::string::npos) text += ".0";
            double number = -1;
            QCOMPARE(readIn(text, "}}       ", number), text.size());
            QVERIFY2(number == wanted, text.c_str());
        }
    }
    /// Exactly between two doubles, and next to there.
    void randomMiddlesAreRoundedToEven()
    {
        std::mt19937_64 random(3);
        for (int i = 0; i < 100'000; ++i) {
            const std::uint64_t middle = (std::uint64_t{1} << 53U | random() >> 11U) | 1;
            std::uint64_t digits = middle;
            for (std::size_t places = 1; places <= 3; ++places) {
                digits *= 5;
                for (const std::uint64_t near : {digits - 1, digits, digits + 1}) {
                    const QString found = difference(decimal(near, places));
                    QVERIFY2(found.isEmpty(), qPrintable(found));
                }
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestPlainNumber)
#include "test_plain_number.moc"
