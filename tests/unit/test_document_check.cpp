// SPDX-License-Identifier: GPL-3.0-or-later
// What kind of file a text is, and what is wrong in it, whatever it holds.
#include <QTest>
#include <filesystem>

#include "core/io/json_codec.h"
#include "core/io/relaxed_json.h"
#include "core/report/document_check.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/test_files.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;
using tracedeck::test::readBytes;

namespace fs = std::filesystem;


namespace {

const char* const kDefinition = R"({
  "name": "gemm",
  "op_type": "gemm",
  "axes": {"M": {"type": "var"}},
  "inputs": {"x": {"shape": ["M"], "dtype": "float32"}},
  "outputs": {"y": {"shape": ["M"], "dtype": "float32"}},
  "reference": "def run(x):\n    return x\n"
})";
const char* const kWorkload = R"({"definition":"gemm","workload":{"uuid":"w","axes":{"M":1},"inputs":{"x":{"type":"random"}}},"solution":null,"evaluation":null})";
const char* const kHub = R"({"ts":"t","run":"r","impl":"eager","tags":{},"wl":{"name":"small"},"lat_ms":{"p10":1,"p50":2,"p90":3},"ok":true,"err":null})";

QString shown(const std::vector<Problem>& problems)
{
    QStringList lines;
    for (const Problem& problem : problems)
        lines << QStringLiteral("%1 %2 [%3] %4").arg(problem.severity == Severity::Error ? QStringLiteral("E") : QStringLiteral("W"))
                     .arg(problem.error.line).arg(QString::fromStdString(problem.error.field), QString::fromStdString(problem.error.reason));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

class TestDocumentCheck : public QObject {
    Q_OBJECT
private slots:
    void kindsAreTold_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<DocumentKind>("kind");
        QTest::addColumn<bool>("clean");
        QTest::newRow("definition") << QByteArray(kDefinition) << DocumentKind::Definition << true;
        QTest::newRow("workload line") << QByteArray(kWorkload) << DocumentKind::Workload << true;
        QTest::newRow("bare workload") << QByteArray(R"({"uuid":"w","axes":{"M":1},"inputs":{"x":{"type":"random"}}})") << DocumentKind::Workload << true;
        QTest::newRow("hub record") << QByteArray(kHub) << DocumentKind::HubRecord << true;
        QTest::newRow("other object") << QByteArray(R"({"a": [1, 2.5, NaN]})") << DocumentKind::OtherJson << true;
        QTest::newRow("a number") << QByteArray("12") << DocumentKind::OtherJson << true;
        QTest::newRow("solution without spec") << QByteArray(R"({"name":"s","definition":"gemm","author":"a","sources":[]})") << DocumentKind::Solution << false;
        QTest::newRow("definition without reference") << QByteArray(R"({"name":"d","axes":{},"inputs":{},"outputs":{}})") << DocumentKind::Definition << false;
        QTest::newRow("prose") << QByteArray("hello world") << DocumentKind::NoJson << false;
        QTest::newRow("empty") << QByteArray() << DocumentKind::NoJson << false;
        QTest::newRow("blank") << QByteArray(" \n\t") << DocumentKind::NoJson << false;
    }
    void kindsAreTold()
    {
        QFETCH(QByteArray, text);
        QFETCH(DocumentKind, kind);
        QFETCH(bool, clean);
        const auto check = checkDocument(text.toStdString());
        QVERIFY(check);
        QCOMPARE(check->kind, kind);
        QVERIFY2(check->problems.empty() == clean, qPrintable(shown(check->problems)));
    }

    void problemsHaveTheirLine_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("reason");
        QByteArray text(kDefinition);
        QTest::newRow("wrong dtype") << QByteArray(text).replace("\"float32\"}},\n  \"outputs\"", "\"float99\"}},\n  \"outputs\"") << 5 << QStringLiteral("inputs.x.dtype")
                                     << QStringLiteral("float99");
        QTest::newRow("unknown axis") << QByteArray(text).replace("\"y\": {\"shape\": [\"M\"]", "\"y\": {\"shape\": [\"Q\"]") << 6 << QStringLiteral("outputs.y.shape") << QStringLiteral("Q");
        QTest::newRow("syntax") << QByteArray(text).replace("\"op_type\": \"gemm\",", "\"op_type\" \"gemm\",") << 3 << QString() << QStringLiteral("not valid JSON");
        QTest::newRow("second line of JSONL") << QByteArray(kWorkload) + "\n{\"definition\":\"gemm\",\"workload\":5}\n" << 2 << QStringLiteral("workload") << QString();
        QTest::newRow("torn last line") << QByteArray(kWorkload) + "\n" + QByteArray(kWorkload) + "\n{\"defin" << 3 << QString() << QStringLiteral("not valid JSON");
        QTest::newRow("in an array") << QByteArray("[\n") + kWorkload + ",\n{\"definition\":\"gemm\",\n\"workload\":5}\n]" << 4 << QStringLiteral("1.workload") << QString();
        QTest::newRow("hub record") << QByteArray(kHub).replace("\"p50\":2", "\"p50\":9") << 1 << QStringLiteral("lat_ms.p50") << QStringLiteral("must not decrease");
        QTest::newRow("NUL") << QByteArray("{\"a\":\n\"b") + QByteArray(1, '\0') + "\"}" << 2 << QString() << QStringLiteral("NUL");
        QTest::newRow("no UTF-8") << QByteArray("{\"a\":\n\n\"\xFF\"}") << 3 << QString() << QStringLiteral("UTF-8");
        QTest::newRow("behind a comment") << QByteArray("// one\n") + QByteArray(text).replace("\"gemm\",\n  \"axes\"", "7,\n  \"axes\"") << 4 << QStringLiteral("op_type") << QString();
    }
    void problemsHaveTheirLine()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(QString, field);
        QFETCH(QString, reason);
        const auto check = checkDocument(text.toStdString());
        QVERIFY(check);
        bool found = false;
        for (const Problem& problem : check->problems)
            found = found || (problem.severity == Severity::Error && problem.error.line == line && QString::fromStdString(problem.error.field) == field &&
                              QString::fromStdString(problem.error.reason).contains(reason));
        QVERIFY2(found, qPrintable(shown(check->problems)));
    }

    void commentsAndTrailingCommasAreTolerated()
    {
        QByteArray text(kDefinition);
        text.replace("\"name\": \"gemm\",", "\"name\": \"gemm\", // a name\n /* more\n about it */");
        text.replace("\"dtype\": \"float32\"}},\n  \"reference\"", "\"dtype\": \"float32\",},},\n  \"reference\"");
        const auto check = checkDocument(text.toStdString());
        QVERIFY(check);
        QCOMPARE(check->kind, DocumentKind::Definition);
        QCOMPARE(check->name, std::string("gemm"));
        QCOMPARE(check->problems.size(), std::size_t(2));
        QCOMPARE(check->problems[0].error.line, std::int64_t(2));
        QCOMPARE(check->problems[0].occurrences, std::size_t(2));
        QCOMPARE(check->problems[0].severity, Severity::Warning);
        QCOMPARE(check->problems[1].occurrences, std::size_t(2));
    }

    void textIsRelaxedOnlyOutsideStrings_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("relaxed");
        QTest::newRow("plain") << QByteArray("{\"a\":[1,2]}") << QByteArray("{\"a\":[1,2]}");
        QTest::newRow("in strings") << QByteArray("{\"a\":\"// no, ]\",\"b\":\"\\\"/*\"}") << QByteArray("{\"a\":\"// no, ]\",\"b\":\"\\\"/*\"}");
        QTest::newRow("line comment") << QByteArray("[1 // x\n,2]") << QByteArray("[1     \n,2]");
        QTest::newRow("comment between comma and bracket") << QByteArray("[1,/*x*/\n]") << QByteArray("[1      \n]");
        QTest::newRow("comma then value") << QByteArray("[1, 2]") << QByteArray("[1, 2]");
        QTest::newRow("open comment") << QByteArray("[1]/* no end") << QByteArray("[1]         ");
        QTest::newRow("open string") << QByteArray("[\"a,]") << QByteArray("[\"a,]");
        QTest::newRow("a lone slash") << QByteArray("[1/2]") << QByteArray("[1/2]");
        QTest::newRow("ends with a backslash") << QByteArray("\"\\") << QByteArray("\"\\");
    }
    void textIsRelaxedOnlyOutsideStrings()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, relaxed);
        QCOMPARE(QByteArray::fromStdString(relaxJson(text.toStdString()).text), relaxed);
    }

    void linesAreCountedByKind()
    {
        const std::string line = kWorkload;
        const auto check = checkDocument(line + "\n\n" + line + "\n// a comment\n{\"x\":1}\n");
        QVERIFY(check);
        QVERIFY(check->isLines);
        QCOMPARE(check->kind, DocumentKind::Workload);
        QCOMPARE(check->records, std::size_t(3));
        QCOMPARE(check->recordsOfKind.at(DocumentKind::OtherJson), std::size_t(1));
        QCOMPARE(check->problems.size(), std::size_t(2));   // the comment, and the record unlike the others
        QCOMPARE(check->problems[1].error.line, std::int64_t(5));
        // A file that says so has a record a line even when there is only one; without line end it is doubtful.
        const auto single = checkDocument(line, true);
        QVERIFY(single && single->isLines);
        QCOMPARE(single->problems.size(), std::size_t(1));
        QCOMPARE(single->problems[0].severity, Severity::Warning);
    }

    void manyProblemsAreCounted()
    {
        std::string text;
        for (int i = 0; i < 1500; ++i)
            text += "{\"workload\":" + std::to_string(i) + "}\n";
        const auto check = checkDocument(text, true);
        QVERIFY(check);
        QCOMPARE(check->problems.size(), DocumentCheck::kMostProblems);
        QCOMPARE(check->problemsLeftOut, std::size_t(500));
    }

    void hostileTextsAreAnsweredSoon_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("deep arrays") << QByteArray(1'000'000, '[');
        QTest::newRow("deep objects") << QByteArray("{\"a\":").repeated(200'000);
        QTest::newRow("only quotes") << QByteArray(1'000'000, '"');
        QTest::newRow("only slashes") << QByteArray(1'000'000, '/');
        QTest::newRow("open comments") << QByteArray("/*").repeated(500'000);
        QTest::newRow("commas") << QByteArray(1'000'000, ',');
        QTest::newRow("zeros") << QByteArray(1'000'000, '\0');
        QTest::newRow("bytes") << QByteArray(1'000'000, '\xFE');
        QTest::newRow("open braces a line") << QByteArray("{\n").repeated(200'000);
        QTest::newRow("deep but whole") << QByteArray(100'000, '[') + QByteArray(100'000, ']');
    }
    void hostileTextsAreAnsweredSoon()
    {
        QFETCH(QByteArray, text);
        for (const bool isLines : {false, true}) {
            const auto check = checkDocument(text.toStdString(), isLines);
            QVERIFY(check);
            QVERIFY(!check->problems.empty());
            QVERIFY(check->kind == DocumentKind::NoJson);
        }
    }

    void keysOfHubRecordsAreChecked_data()
    {
        QTest::addColumn<QByteArray>("record");
        QTest::addColumn<QString>("field");
        const QByteArray good(kHub);
        QTest::newRow("good") << good << QString();
        QTest::newRow("failed") << QByteArray(R"({"impl":"x","wl":{"name":"w"},"lat_ms":null,"ok":null,"err":{"type":"T","msg":"m"}})") << QString();
        QTest::newRow("no times without an error") << QByteArray(R"({"impl":"x","wl":{"name":"w"},"lat_ms":null,"ok":true,"err":null})") << QStringLiteral("lat_ms");
        QTest::newRow("unnamed workload") << QByteArray(good).replace("\"name\":\"small\"", "\"dims\":1") << QStringLiteral("wl.name");
        QTest::newRow("impl is a number") << QByteArray(good).replace("\"eager\"", "3") << QStringLiteral("impl");
        QTest::newRow("time is a text") << QByteArray(good).replace("\"p90\":3", "\"p90\":\"3\"") << QStringLiteral("lat_ms.p90");
        QTest::newRow("negative raw time") << QByteArray(good).replace("\"p90\":3", "\"p90\":3,\"raw_times\":[1,-2]") << QStringLiteral("lat_ms.raw_times");
        QTest::newRow("error without message") << QByteArray(good).replace("\"err\":null", "\"err\":{\"type\":\"T\"}") << QStringLiteral("err.msg");
    }
    void keysOfHubRecordsAreChecked()
    {
        QFETCH(QByteArray, record);
        QFETCH(QString, field);
        const auto json = parseJson(record.toStdString());
        QVERIFY(json);
        const auto problems = checkHubRecord(*json);
        if (field.isEmpty()) {
            QVERIFY2(problems.empty(), qPrintable(shown(problems)));
        } else {
            QCOMPARE(problems.size(), std::size_t(1));
            QCOMPARE(QString::fromStdString(problems[0].error.field), field);
        }
    }

    void filesOfABuiltDatasetAreClean()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"})
            .solution({.name = "s", .definition = "d", .author = "a"})
            .workload({.definition = "d", .uuid = "w"})
            .trace({.definition = "d", .solution = "s", .uuid = "w"});
        std::map<DocumentKind, int> seen;
        for (const auto& entry : fs::recursive_directory_iterator(builder.root())) {
            if (!entry.is_regular_file()) continue;
            const auto check = checkDocument(readBytes(entry.path()), entry.path().extension() == ".jsonl");
            QVERIFY(check);
            QVERIFY2(check->problems.empty(), qPrintable(QString::fromStdString(entry.path().string()) + u'\n' + shown(check->problems)));
            ++seen[check->kind];
        }
        QCOMPARE(seen.size(), std::size_t(4));
    }

    void realFilesAreKnown()
    {
        const fs::path root(TRACEDECK_SHARED_DATASETS);
        if (!fs::exists(root)) QSKIP("no shared datasets beside the repository");
        int known = 0;
        int all = 0;
        for (const auto& entry : fs::recursive_directory_iterator(root / "flashinfer-trace")) {
            const auto extension = entry.path().extension();
            if (!entry.is_regular_file() || (extension != ".json" && extension != ".jsonl")) continue;
            const auto check = checkDocument(readBytes(entry.path()), extension == ".jsonl");
            QVERIFY(check);
            ++all;
            known += check->kind == DocumentKind::Definition || check->kind == DocumentKind::Workload ? 1 : 0;
        }
        QVERIFY(all > 0);
        QCOMPARE(known, all);
    }

    void checksCanBeCancelled()
    {
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(checkDocument("{}\n{}\n", true, stop.get_token()).error().code, ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestDocumentCheck)
#include "test_document_check.moc"
