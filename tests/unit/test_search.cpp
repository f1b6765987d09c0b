// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/store/search.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

QString kindName(HitKind kind)
{
    static const QStringList names{"definition", "solution", "op_type", "author", "tag", "workload", "source", "log"};
    return names[static_cast<int>(kind)];
}

QString textOf(const std::vector<SearchHit>& hits)
{
    QStringList texts;
    for (const SearchHit& hit : hits) {
        QString text = kindName(hit.kind) + " " + QString::fromStdString(hit.name);
        if (hit.line > 0) text += QString(":%1 %2").arg(hit.line).arg(QString::fromStdString(hit.detail));
        texts << text;
    }
    return texts.join(" | ");
}

}  // namespace

class TestSearch : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_builder.definition({.name = "gemm_n128"}).definition({.name = "fused_gemm", .opType = "gemm"}).definition({.name = "norm_h64", .opType = "rmsnorm"});
        m_builder.solution({.name = "Ann_gemm_tiles", .definition = "gemm_n128", .author = "ann", .language = "python", .source = "import torch\n\ndef run(a):\n    # Tile by Tile\n    return a\n", .sourcePath = "main.py"});
        m_builder.solution({.name = "bob_norm", .definition = "norm_h64", .author = "bob", .language = "python", .source = "def run(x):\n    return x  # no tiles here\n", .sourcePath = "main.py"});
        m_builder.workload({.definition = "gemm_n128", .uuid = "abc-gemm-1"});
        const std::string file = "traces/all.jsonl";
        for (int i = 0; i < 3; ++i) m_builder.trace({.definition = "gemm_n128", .solution = "Ann_gemm_tiles", .uuid = "w" + std::to_string(i), .latencyMs = 1, .file = file});
        m_builder.trace({.definition = "norm_h64", .solution = "bob_norm", .uuid = "x", .status = Status::RuntimeError, .log = "line one\nCUDA error: an Illegal address was \"met\"\n", .file = file});
        m_builder.trace({.definition = "norm_h64", .solution = "bob_norm", .uuid = "y", .status = Status::RuntimeError, .log = "illegal instruction", .file = "traces/more.jsonl"});
        m_data = m_builder.load();
        QVERIFY(m_data);
        QCOMPARE(m_data->traces().size(), std::size_t{5});
    }

    void namesAreFoundBestFirst_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("hits");
        QTest::newRow("nothing") << "" << "";
        QTest::newRow("blanks only") << "  " << "";
        QTest::newRow("everywhere") << "gemm" << "op_type gemm | definition gemm_n128 | definition fused_gemm | solution Ann_gemm_tiles | workload abc-gemm-1";
        QTest::newRow("any case") << "ANN" << "author ann | solution Ann_gemm_tiles";
        QTest::newRow("two words in any order") << "tiles gemm" << "solution Ann_gemm_tiles";
        QTest::newRow("whole name first") << "bob_norm" << "solution bob_norm";
        QTest::newRow("inside of a word") << "orm" << "definition norm_h64 | solution bob_norm | op_type rmsnorm";
        QTest::newRow("no such thing") << "gemm nowhere" << "";
    }
    void namesAreFoundBestFirst()
    {
        QFETCH(QString, text);
        QTEST(textOf(searchNames(*m_data, text.toStdString(), 100)), "hits");
    }
    void noMoreThanAskedFor()
    {
        QCOMPARE(searchNames(*m_data, "gemm", 2).size(), std::size_t{2});
        QCOMPARE(searchSources(*m_data, "run", 1).size(), std::size_t{1});
        QCOMPARE(searchLogs(*m_data, "illegal", 1).size(), std::size_t{1});
    }

    void sourcesAreFoundByLine()
    {
        QCOMPARE(textOf(searchSources(*m_data, "tile", 100)), QStringLiteral("source Ann_gemm_tiles:4 # Tile by Tile | source bob_norm:2 return x  # no tiles here"));
        const auto hits = searchSources(*m_data, "Tile by", 100);
        QCOMPARE(hits.size(), std::size_t{1});
        QCOMPARE(hits.front().file, std::string("main.py"));
        QVERIFY(searchSources(*m_data, "", 100).empty());
        QVERIFY(searchSources(*m_data, "torch\n\ndef", 100).size() == 1);   // across lines: the first one is named
    }

    void logsAreFoundWithTheirTraces()
    {
        const auto hits = searchLogs(*m_data, "illegal", 100);
        QCOMPARE(textOf(hits), QStringLiteral("log bob_norm:2 CUDA error: an Illegal address was \"met\" | log bob_norm:1 illegal instruction"));
        for (const SearchHit& hit : hits) {
            QVERIFY(hit.row);
            QCOMPARE(m_data->traces().solutionName(m_data->traces().row(*hit.row)), std::string_view("bob_norm"));
        }
        QCOMPARE(m_data->traces().workloadUuid(m_data->traces().row(*hits[0].row)), std::string("x"));
        QCOMPARE(m_data->traces().workloadUuid(m_data->traces().row(*hits[1].row)), std::string("y"));
        QCOMPARE(searchLogs(*m_data, "was \"MET\"", 100).size(), std::size_t{1});   // escaped in the file
        // Names stand in every line, and are no logs.
        QVERIFY(searchLogs(*m_data, "bob_norm", 100).empty());
        QVERIFY(searchLogs(*m_data, "", 100).empty());
    }

    /// Lines longer than what is read at once, and hits across its border.
    void logsLongerThanABlock()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "s", .definition = "d"});
        const std::size_t block = std::size_t{4} << 20U;
        for (const std::size_t place : {block - 300, block - 5, block, 2 * block + 17}) {
            DatasetBuilder one;
            one.definition({.name = "d"}).solution({.name = "s", .definition = "d"});
            one.trace({.definition = "d", .solution = "s", .uuid = "w", .status = Status::RuntimeError, .log = std::string(place, 'x') + "needle" + std::string(block, 'y')});
            const auto data = one.load();
            const auto hits = searchLogs(*data, "Needle", 10);
            QCOMPARE(hits.size(), std::size_t{1});
            QVERIFY(hits.front().detail.size() <= 300 && hits.front().detail.find("needle") != std::string::npos);
        }
    }

    void searchesStopWhenAskedTo()
    {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(searchSources(*m_data, "run", 100, stop.get_token()).empty());
        QVERIFY(searchLogs(*m_data, "illegal", 100, stop.get_token()).empty());
    }

    void aFileThatWentAwayIsPassedOver()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "s", .definition = "d"});
        builder.trace({.definition = "d", .solution = "s", .uuid = "w", .status = Status::RuntimeError, .log = "one", .file = "traces/a.jsonl"});
        builder.trace({.definition = "d", .solution = "s", .uuid = "v", .status = Status::RuntimeError, .log = "one", .file = "traces/b.jsonl"});
        const auto data = builder.load();
        std::filesystem::remove(builder.root() / "traces" / "a.jsonl");
        const auto hits = searchLogs(*data, "one", 10);
        QCOMPARE(hits.size(), std::size_t{1});
        QCOMPARE(data->traces().workloadUuid(data->traces().row(*hits.front().row)), std::string("v"));
    }

private:
    DatasetBuilder m_builder;
    std::shared_ptr<const Dataset> m_data;
};

QTEST_GUILESS_MAIN(TestSearch)
#include "test_search.moc"
