// SPDX-License-Identifier: GPL-3.0-or-later
// Files of lines that do not end with a line end: found, and repaired so that nothing is lost.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/report/file_ends.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/test_files.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;
using tracedeck::test::readBytes;

namespace fs = std::filesystem;


class TestFileEnds : public QObject {
    Q_OBJECT
private slots:
    void endsAreToldAndRepaired_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<LineFileEnd>("end");
        QTest::addColumn<QByteArray>("repaired");
        QTest::addColumn<QByteArray>("torn");
        const QByteArray whole = R"({"definition":"d"})";
        const QByteArray lines = whole + "\n" + whole + "\n";
        QTest::newRow("empty") << QByteArray() << LineFileEnd::Ended << QByteArray() << QByteArray();
        QTest::newRow("ended") << lines << LineFileEnd::Ended << lines << QByteArray();
        QTest::newRow("whole record without line end") << QByteArray(lines + whole) << LineFileEnd::LacksLineEnd << QByteArray(lines + whole + "\n")
                                                       << QByteArray();
        QTest::newRow("one record alone") << whole << LineFileEnd::LacksLineEnd << QByteArray(whole + "\n") << QByteArray();
        QTest::newRow("blanks at the end") << QByteArray(lines + "  ") << LineFileEnd::LacksLineEnd << QByteArray(lines + "  \n") << QByteArray();
        QTest::newRow("half a record") << QByteArray(lines + whole.left(9)) << LineFileEnd::TornRecord << lines << QByteArray(whole.left(9) + "\n");
        QTest::newRow("half a record alone") << whole.left(9) << LineFileEnd::TornRecord << QByteArray() << QByteArray(whole.left(9) + "\n");
        const QByteArray large = "{\"log\":\"" + QByteArray(300'000, 'x');
        QTest::newRow("a large torn record") << QByteArray(lines + large) << LineFileEnd::TornRecord << lines << QByteArray(large + "\n");
        QTest::newRow("bytes that are no text") << QByteArray(lines + QByteArray(5, '\0')) << LineFileEnd::TornRecord << lines
                                                << QByteArray(QByteArray(5, '\0') + "\n");
        const QByteArray glued = lines + whole + whole.left(9);
        QTest::newRow("half a record glued to a whole one") << glued << LineFileEnd::Unclear << glued << QByteArray();
    }
    void endsAreToldAndRepaired()
    {
        QFETCH(QByteArray, content);
        QFETCH(LineFileEnd, end);
        QFETCH(QByteArray, repaired);
        QFETCH(QByteArray, torn);
        const QTemporaryDir folder;
        const fs::path root(folder.path().toStdString());
        test::writeBytes(root / "traces/a.jsonl", content.toStdString());
        const auto found = lineFileEnd(root, "traces/a.jsonl");
        QVERIFY(found);
        QCOMPARE(*found, end);
        QCOMPARE(readBytes(root / "traces/a.jsonl"), content.toStdString());   // looking changes nothing
        const auto done = repairLineFileEnd(root, "traces/a.jsonl");
        if (end == LineFileEnd::Unclear) {
            QVERIFY(!done);
            QCOMPARE(done.error().code, ErrorCode::Unsupported);
        } else {
            QVERIFY2(done, done ? "" : done.error().toString().c_str());
            QCOMPARE(*done, end);
        }
        QCOMPARE(readBytes(root / "traces/a.jsonl"), repaired.toStdString());
        QCOMPARE(readBytes(root / "traces/a.jsonl.torn"), torn.toStdString());
        if (end != LineFileEnd::Unclear) {
            const auto again = repairLineFileEnd(root, "traces/a.jsonl");
            QVERIFY(again);
            QCOMPARE(*again, LineFileEnd::Ended);
        }
    }

    void tornRecordsAreAppendedToEarlierOnes()
    {
        const QTemporaryDir folder;
        const fs::path root(folder.path().toStdString());
        test::writeBytes(root / "traces/a.jsonl.torn", "{\"earlier\n");
        test::writeBytes(root / "traces/a.jsonl", "{\"later");
        QVERIFY(repairLineFileEnd(root, "traces/a.jsonl"));
        QCOMPARE(readBytes(root / "traces/a.jsonl.torn"), std::string("{\"earlier\n{\"later\n"));
    }

    void placesOutsideAreRefused_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("no folder") << QStringLiteral("a.jsonl");
        QTest::newRow("absolute") << QStringLiteral("/etc/passwd");
        QTest::newRow("climbs out") << QStringLiteral("traces/../../a.jsonl");
        QTest::newRow("missing") << QStringLiteral("traces/none.jsonl");
        QTest::newRow("a folder") << QStringLiteral("traces/folder.jsonl");
        QTest::newRow("a link") << QStringLiteral("traces/link.jsonl");
    }
    void placesOutsideAreRefused()
    {
        QFETCH(QString, file);
        const QTemporaryDir folder;
        const fs::path root(folder.path().toStdString());
        test::writeBytes(root / "outside.jsonl", "{");
        fs::create_directories(root / "dataset/traces/folder.jsonl");
        fs::create_symlink("../../outside.jsonl", root / "dataset/traces/link.jsonl");
        QVERIFY(!repairLineFileEnd(root / "dataset", file.toStdString()));
        QCOMPARE(readBytes(root / "outside.jsonl"), std::string("{"));
        QVERIFY(!fs::exists(root / "dataset/traces/none.jsonl"));
    }

    void aFolderThatCannotTakeTheTornLineLeavesTheFileAlone()
    {
        const QTemporaryDir folder;
        const fs::path root(folder.path().toStdString());
        test::writeBytes(root / "traces/a.jsonl", "{\"half");
        fs::create_directories(root / "traces/a.jsonl.torn");   // no file can have this name
        const auto done = repairLineFileEnd(root, "traces/a.jsonl");
        QVERIFY(!done);
        QVERIFY(done.error().reason.find(".torn") != std::string::npos);
        QCOMPARE(readBytes(root / "traces/a.jsonl"), std::string("{\"half"));
    }

    void faultsOfADatasetAreFound()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"})
            .solution({.name = "s", .definition = "d", .author = "a"})
            .trace({.definition = "d", .solution = "s", .uuid = "w1"})
            .workload({.definition = "d", .uuid = "w1"});
        QCOMPARE(findFileEndFaults(builder.root())->size(), std::size_t(0));
        std::string traces;
        std::string workloads;
        for (const auto& entry : fs::recursive_directory_iterator(builder.root()))
            if (entry.path().extension() == ".jsonl")
                (entry.path().generic_string().find("/traces/") == std::string::npos ? workloads : traces) =
                    entry.path().lexically_relative(builder.root()).generic_string();
        builder.file(traces, readBytes(builder.root() / traces) + "{\"definition\":\"d\",\"wor");
        std::string text = readBytes(builder.root() / workloads);
        text.pop_back();
        builder.file(workloads, text);
        const auto faults = findFileEndFaults(builder.root());
        QVERIFY(faults);
        QCOMPARE(*faults, (std::vector<FileEndFault>{{workloads, LineFileEnd::LacksLineEnd, 1}, {traces, LineFileEnd::TornRecord, 2}}));
        QCOMPARE(findFileEndFaults(builder.root() / "definitions").error().code, ErrorCode::NotFound);
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(findFileEndFaults(builder.root(), stop.get_token()).error().code, ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestFileEnds)
#include "test_file_ends.moc"
