// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <random>
#include <string>

#include "core/model/text_diff.h"

using namespace tracedeck;

namespace {

/// Each row as "left|right", with = for the same, ~ for changed, - and + for removed and added.
QString rowsOf(const TextDiff& diff)
{
    QStringList rows;
    const auto number = [](const std::optional<std::size_t>& line) { return line ? QString::number(*line) : QString(); };
    for (const DiffRow& row : diff.rows) {
        const char* mark = row.isSame ? "=" : row.left && row.right ? "~" : row.left ? "-" : "+";
        rows << number(row.left) + mark + number(row.right);
    }
    return rows.join(' ');
}

QString spansOf(const std::vector<TextSpan>& spans, const std::string& line)
{
    QStringList texts;
    for (const TextSpan& span : spans) texts << QString::fromStdString(line.substr(span.begin, span.end - span.begin));
    return texts.join('|');
}

std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

/// Length of the longest common subsequence, by the textbook's table.
std::size_t commonLength(const std::vector<std::string>& a, const std::vector<std::string>& b)
{
    std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t k = 0; k < b.size(); ++k) table[i + 1][k + 1] = a[i] == b[k] ? table[i][k] + 1 : std::max(table[i][k + 1], table[i + 1][k]);
    }
    return table[a.size()][b.size()];
}

}  // namespace

class TestTextDiff : public QObject {
    Q_OBJECT

private slots:
    void rowsPairWhatBelongsTogether_data()
    {
        QTest::addColumn<QByteArray>("left");
        QTest::addColumn<QByteArray>("right");
        QTest::addColumn<QString>("rows");
        QTest::newRow("both empty") << QByteArray("") << QByteArray("") << "";
        QTest::newRow("the same") << QByteArray("a\nb\n") << QByteArray("a\nb\n") << "0=0 1=1";
        QTest::newRow("all new") << QByteArray("") << QByteArray("a\nb") << "+0 +1";
        QTest::newRow("all gone") << QByteArray("a\nb") << QByteArray("") << "0- 1-";
        QTest::newRow("one added") << QByteArray("a\nc") << QByteArray("a\nb\nc") << "0=0 +1 1=2";
        QTest::newRow("one removed") << QByteArray("a\nb\nc") << QByteArray("a\nc") << "0=0 1- 2=1";
        QTest::newRow("one replaced") << QByteArray("a\nb\nc") << QByteArray("a\nx\nc") << "0=0 1~1 2=2";
        QTest::newRow("one by two") << QByteArray("a\nb\nc") << QByteArray("a\nx\ny\nc") << "0=0 1~1 +2 2=3";
        QTest::newRow("moved") << QByteArray("a\nb\nc\nd") << QByteArray("d\na\nb\nc") << "+0 0=1 1=2 2=3 3-";
        QTest::newRow("line ends of another system") << QByteArray("a\r\nb\r\n") << QByteArray("a\nb\n") << "0=0 1=1";
        QTest::newRow("last line without an end") << QByteArray("a\nb") << QByteArray("a\nb\n") << "0=0 1=1";
        QTest::newRow("blank lines count") << QByteArray("\n\na") << QByteArray("\na") << "0=0 1- 2=1";
    }
    void rowsPairWhatBelongsTogether()
    {
        QFETCH(QByteArray, left);
        QFETCH(QByteArray, right);
        QFETCH(QString, rows);
        const TextDiff diff = diffTexts(left.toStdString(), right.toStdString());
        QCOMPARE(rowsOf(diff), rows);
        QCOMPARE(diff.isSame(), !rows.contains('~') && !rows.contains('+') && !rows.contains('-'));
    }

    void wordsThatDifferAreMarked_data()
    {
        QTest::addColumn<QString>("left");
        QTest::addColumn<QString>("right");
        QTest::addColumn<QString>("leftMarks");
        QTest::addColumn<QString>("rightMarks");
        QTest::newRow("a number") << "x = tile(16, 32)" << "x = tile(16, 64)" << "32" << "64";
        QTest::newRow("a word more") << "return a + b" << "return a + b + c" << "" << " + c";
        QTest::newRow("a name in one piece") << "block_m = tile * 1" << "block_n = tile * 1" << "block_m" << "block_n";
        QTest::newRow("two places") << "f(a, b, c)" << "f(x, b, y)" << "a|c" << "x|y";
        QTest::newRow("beyond ASCII in one piece") << "f(π) = 3" << "f(τ) = 6" << "π|3" << "τ|6";
        QTest::newRow("little in common") << "for row in range(4):" << "return torch.mm(a, b)" << "" << "";
    }
    void wordsThatDifferAreMarked()
    {
        QFETCH(QString, left);
        QFETCH(QString, right);
        const TextDiff diff = diffTexts(left.toStdString(), right.toStdString());
        QCOMPARE(diff.rows.size(), std::size_t{1});
        QCOMPARE(diff.changed, std::size_t{1});
        QTEST(spansOf(diff.rows.front().leftSpans, left.toStdString()), "leftMarks");
        QTEST(spansOf(diff.rows.front().rightSpans, right.toStdString()), "rightMarks");
    }

    void blanksCanBeIgnored()
    {
        const TextDiff strict = diffTexts("if a:\n    b = 1 \n", "if a:\n\tb  =  1\n");
        QCOMPARE(rowsOf(strict), QStringLiteral("0=0 1~1"));
        const TextDiff loose = diffTexts("if a:\n    b = 1 \n", "if a:\n\tb  =  1\n", true);
        QCOMPARE(rowsOf(loose), QStringLiteral("0=0 1=1"));
        QVERIFY(!diffTexts("ab", "a b", true).isSame());
    }

    /// Against the textbook's algorithm: as many common lines as there can be, and rows that give both texts back.
    void noLineIsRemovedWithoutNeed()
    {
        std::mt19937 random(5);
        for (int round = 0; round < 500; ++round) {
            std::vector<std::string> left;
            std::vector<std::string> right;
            const auto fill = [&random](std::vector<std::string>& lines) {
                for (auto i = random() % 30; i > 0; --i) lines.push_back(std::string(1, static_cast<char>('a' + random() % 5)));
            };
            fill(left);
            fill(right);
            const TextDiff diff = diffTexts(joined(left), joined(right));
            std::size_t same = 0;
            std::vector<std::string> leftSeen;
            std::vector<std::string> rightSeen;
            for (const DiffRow& row : diff.rows) {
                if (row.left) leftSeen.push_back(left.at(*row.left));
                if (row.right) rightSeen.push_back(right.at(*row.right));
                if (row.isSame) {
                    QCOMPARE(leftSeen.back(), rightSeen.back());
                    ++same;
                }
            }
            QCOMPARE(leftSeen, left);
            QCOMPARE(rightSeen, right);
            QCOMPARE(same, commonLength(left, right));
        }
    }

    /// Large texts without anything in common, and very long lines, take no time worth speaking of and lose nothing.
    void largeTextsAreCutShort()
    {
        std::string left = "same\n";
        std::string right = "same\n";
        for (int i = 0; i < 20'000; ++i) {
            left += "left " + std::to_string(i) + "\n";
            right += "right " + std::to_string(i) + "\n";
        }
        left += "end\n";
        right += "end\n";
        const TextDiff diff = diffTexts(left, right);
        QCOMPARE(diff.changed, std::size_t{20'000});
        QVERIFY(diff.rows.front().isSame && diff.rows.back().isSame);
        const TextDiff lines = diffTexts(std::string(1'000'000, 'a'), std::string(1'000'000, 'b'));
        QVERIFY(!lines.rows.front().isSame && lines.rows.front().leftSpans.empty());
    }
};

QTEST_GUILESS_MAIN(TestTextDiff)
#include "test_text_diff.moc"
