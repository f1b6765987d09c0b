// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/io/fast_trace_line.h"
#include "core/io/json_codec.h"
#include "core/io/line_cursor.h"

using namespace tracedeck;

namespace {

using PassString = const char* (*)(const char*, const char*);

/// What may stand in a string, and what may not: alone, and next to each other at every place.
const std::vector<std::string>& pieces()
{
    static const std::vector<std::string> all{
        "\\n", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\r", "\\t", "\\u001b", "\\u00e9", "\\uABcd", "\\ud7ff", "\xC3\xA9", "\xC2\x80", "\xDF\xBF",
        "\xE2\x80\xA8", "\xED\x9F\xBF", "\xEF\xBF\xBD", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF", "\x7F", "u", "b", "/", "'",
        // Not valid, or half a surrogate pair:
        "\\", "\\x", "\\u", "\\u12", "\\u12g4", "\\u 123", "\\U0041", "\\ud800", "\\uDFFF", "\\\xC3\xA9", "\\\x01", std::string("\0", 1), "\x01", "\n", "\r",
        "\t", "\x1F", "\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3(", "\xE2\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x9F\x98", "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80", "\xFF", "\xFE"};
    return all;
}

/// By the library, but for what is left to it.
bool isGood(const std::string& content)
{
    for (std::size_t at = 0; at < content.size(); ++at) {
        if (content[at] != '\\') continue;
        if (content.compare(at, 3, "\\ud") == 0 || content.compare(at, 3, "\\uD") == 0) {
            if (at + 3 < content.size() && content[at + 3] >= '8') return false;
        }
        ++at;
    }
    return Json::accept('"' + content + '"');
}

/// Where the first quote stands that no backslash escapes; the size when none does.
std::size_t closingQuote(const std::string& content)
{
    std::size_t at = 0;
    while (at < content.size() && content[at] != '"') at += content[at] == '\\' ? std::size_t{2} : std::size_t{1};
    return std::min(at, content.size());
}

/// Empty when each way to pass over the string finds the same as the library.
QString difference(const std::string& content)
{
    const std::size_t size = closingQuote(content);
    const bool isExpected = isGood(content.substr(0, size));
    const std::size_t last = content.find_last_not_of('\\');
    const bool escapesItsEnd = (content.size() - (last == std::string::npos ? 0 : last + 1)) % 2 != 0;
    for (const auto& [name, pass] : {std::pair<const char*, PassString>{"by blocks", passJsonString}, {"bytewise", passJsonStringBytewise}}) {
        for (const char* behind : {"\",\"correctness\":null}", "", "\\\"", "\xA9\""}) {
            // Behind the end anything may stand, a quote too.
            const std::string text = content + behind;
            const bool hasQuote = size < content.size() || (*behind == '"' && !escapesItsEnd);
            const std::string padded = text + std::string(FastTraceLine::kPadding, '"');
            const char* const found = pass(padded.data(), padded.data() + text.size());
            if (!hasQuote) {
                if (found != nullptr && static_cast<std::size_t>(found - padded.data()) > text.size()) return QString(name) + " reads beyond the end";
                continue;
            }
            const char* const expected = isExpected ? padded.data() + size + 1 : nullptr;
            if (found == expected) continue;
            return QString("%1, %2 at %3").arg(name, found == nullptr ? "refuses" : "takes", QString::fromLatin1(QByteArray::fromStdString(content).toHex()));
        }
    }
    return {};
}

}  // namespace

class TestLineCursor : public QObject {
    Q_OBJECT

private slots:
    /// Blocks have 16, 32 and 64 bytes.
    void piecesAreFoundAtEveryOffset()
    {
        for (const std::string& piece : pieces()) {
            for (std::size_t before = 0; before < 140; ++before) {
                for (const std::size_t behind : {std::size_t{0}, std::size_t{1}, std::size_t{70}}) {
                    const QString found = difference(std::string(before, 'a') + piece + std::string(behind, 'z'));
                    QVERIFY2(found.isEmpty(), qPrintable(found));
                }
            }
        }
    }
    void piecesAreFoundNextToEachOther()
    {
        for (const std::string& first : pieces()) {
            for (const std::string& second : pieces()) {
                for (const std::size_t before : {0U, 12U, 13U, 14U, 15U, 29U, 30U, 31U, 59U, 60U, 61U, 62U, 63U}) {
                    const QString found = difference(std::string(before, ' ') + first + second + "end");
                    QVERIFY2(found.isEmpty(), qPrintable(found));
                }
            }
        }
    }
    void runsOfBackslashesAreCounted()
    {
        for (std::size_t before = 0; before < 70; ++before) {
            for (std::size_t count = 1; count < 140; count += count < 8 ? 1 : 31) {
                for (const char* next : {"n", "\"", "x"}) {
                    const std::string content = std::string(before, '-') + std::string(count, '\\') + next;
                    if (count % 2 == 0 && *next == '"') continue;   // that ends the string
                    const QString found = difference(content);
                    QVERIFY2(found.isEmpty(), qPrintable(found));
                }
            }
        }
    }
    void randomStrings()
    {
        std::mt19937 random(1);
        int good = 0;
        for (int i = 0; i < 30'000; ++i) {
            std::string content;
            const bool isMostlyGood = random() % 4 != 0;
            for (std::size_t left = random() % 20; left > 0; --left) {
                content += random() % 2 == 0 ? std::string(random() % 40, static_cast<char>('a' + random() % 26))
                                             : pieces()[random() % (isMostlyGood ? 25 : pieces().size())];
            }
            if (isGood(content)) ++good;
            const QString found = difference(content);
            QVERIFY2(found.isEmpty(), qPrintable(found));
        }
        QVERIFY(good > 10'000);
    }

    void specialBytesAreFound()
    {
        for (const char special : {'"', '\\', '\0', '\x1F', '\x80', '\xFF'}) {
            for (std::size_t before = 0; before < 200; ++before) {
                const std::string text = std::string(before, '~') + special + std::string(FastTraceLine::kPadding, '"');
                QCOMPARE(findSpecial(text.data(), text.data() + before + 1) - text.data(), static_cast<std::ptrdiff_t>(before));
                QCOMPARE(findSpecial(text.data(), text.data() + before) - text.data(), static_cast<std::ptrdiff_t>(before));
            }
        }
    }

    void onlyWhatIsExpectedIsPassed()
    {
        const std::string text = "{\"max_relative_error\":15,}" + std::string(FastTraceLine::kPadding, '}');
        const std::string_view line = std::string_view(text).substr(0, 26);
        LineCursor cursor(line);
        std::int64_t number = 0;
        QVERIFY(cursor.pass("{\"max_relative_error\":") && cursor.passInteger(number) && cursor.pass(",") && cursor.pass("}"));
        QCOMPARE(number, 15);
        QVERIFY(cursor.place() == cursor.end());
        QVERIFY(!cursor.pass("}"));
        for (std::size_t i = 0; i < 22; ++i) {
            std::string other = text;
            other[i] = static_cast<char>(other[i] ^ 1);
            QVERIFY(!LineCursor(std::string_view(other).substr(0, 26)).pass("{\"max_relative_error\":"));
            QVERIFY(!LineCursor(line.substr(0, i)).pass("{\"max_relative_error\":"));
        }
        for (const char* wrong : {"", "01", "x", "-1", "1234567890123456"}) {
            const std::string padded = wrong + std::string(FastTraceLine::kPadding, ' ');
            QVERIFY2(!LineCursor(std::string_view(padded).substr(0, std::string(wrong).size())).passInteger(number), wrong);
        }
    }
};

QTEST_GUILESS_MAIN(TestLineCursor)
#include "test_line_cursor.moc"
