// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that are read without a search for their end first: they must be those that a search finds.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/io/fast_trace_line.h"
#include "core/io/line_window.h"
#include "core/io/trace_reader.h"

using namespace tracedeck;

namespace fs = std::filesystem;

namespace {

class Collector : public TraceLineSink {
public:
    void onTrace(const TraceFields& fields, std::uint64_t byteOffset, std::int64_t line) override
    {
        events << QString("trace %1 of %2, axes %3, line %4")
                      .arg(QString::fromStdString(std::string(fields.workloadUuid)), QString::fromStdString(std::string(fields.definition)))
                      .arg(fields.axes.size())
                      .arg(line);
        offsets.push_back(byteOffset);
        repeats.push_back(fields.workloadRepeat);
    }
    void onWorkload(Trace workload, std::int64_t line) override { events << "workload " + QString::fromStdString(workload.workload.uuid) + " line " + QString::number(line); }
    void onProblem(Problem problem) override { events << (problem.severity == Severity::Error ? "error line " : "warning line ") + QString::number(problem.error.line); }
    void onUnterminatedLine(std::uint64_t byteOffset, std::int64_t lines, std::string_view before) override
    {
        events << QString("open line at %1 behind %2 lines, %3").arg(byteOffset).arg(lines).arg(QString::fromLatin1(QByteArray(before.data(), static_cast<int>(before.size())).right(4).toHex()));
    }
    void onFileEnd(std::uint64_t byteOffset, std::string_view before) override
    {
        events << QString("end at %1 behind %2").arg(byteOffset).arg(before.size());
    }

    QStringList events;
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> repeats;
};

/// As today's writers write it.
std::string usualLine(const std::string& uuid, const std::string& log = "a log\\n")
{
    return "{\"definition\":\"d\",\"workload\":{\"axes\":{\"M\":2,\"N\":3},\"inputs\":{\"x\":{\"type\":\"random\"},\"s\":{\"type\":\"scalar\",\"value\":1.5},"
           "\"t\":{\"type\":\"safetensors\",\"path\":\"p\",\"tensor_key\":\"k\"}},\"uuid\":\"" + uuid + "\"},\"solution\":\"s\",\"evaluation\":{\"status\":\"PASSED\","
           "\"environment\":{\"hardware\":\"card\",\"libs\":{\"torch\":\"2\"}},\"timestamp\":\"2026-01-01T00:00:00.123456\",\"log\":\"" + log +
           "\",\"correctness\":{\"max_relative_error\":0.5,\"max_absolute_error\":1e-05,\"extra\":null},"
           "\"performance\":{\"latency_ms\":0.25,\"reference_latency_ms\":12.5,\"speedup_factor\":50.0}}}";
}

}  // namespace

class TestLinesAhead : public QObject {
    Q_OBJECT

private slots:
    void linesOfTheUsualFormAreTakenWhole()
    {
        FastTraceLine fast;
        TraceFields fields;
        const std::string line = usualLine("w");
        std::string uuid;
        const auto ahead = [&](const std::string& behind) {
            const std::string padded = line + behind + std::string(FastTraceLine::kPadding, '\n');
            const std::size_t size = fast.readAhead(std::string_view(padded).substr(0, line.size() + behind.size()), fields);
            uuid = fields.workloadUuid;   // the text of the line ends here
            return size;
        };
        for (int i = 0; i < 2; ++i) QCOMPARE(ahead("\n" + line), line.size());   // the second time the workload is known
        QCOMPARE(uuid, std::string("w"));
        // Where it does not end with its LF, or does not end yet, it must be looked for.
        for (const char* behind : {"", " \n", "\r\n", "{}\n", "}\n", "x"}) QCOMPARE(ahead(behind), std::size_t{0});
        for (std::size_t size = 0; size < line.size(); ++size) {
            const std::string padded = line.substr(0, size) + std::string(FastTraceLine::kPadding, '\n');
            QCOMPARE(fast.readAhead(std::string_view(padded).substr(0, size), fields), std::size_t{0});
        }
    }

    /// A blank before the line end makes the reader look for that first; it changes nothing else.
    void anyByteInAnyPlaceIsReadAsAlways()
    {
        const std::string first = usualLine("first");
        const std::string line = usualLine("first");   // the same workload, which is then known
        for (std::size_t i = 0; i < line.size(); ++i) {
            for (const char c : {'\n', '\r', '"', '\\', '}', '\0', '\xFF'}) {
                if (c == '\r' && i + 1 == line.size()) continue;   // CR LF is one line end, but two with a blank between them
                std::string changed = line;
                changed[i] = c;
                Collector ahead;
                Collector searched;
                const std::string last = usualLine("last");
                QVERIFY(readTraceLines(writeFile(first + "\n" + first + "\n" + changed + "\n" + last + "\n"), {}, ahead));
                QVERIFY(readTraceLines(writeFile(first + " \n" + first + " \n" + changed + " \n" + last + " \n"), {}, searched));
                ahead.events.removeLast();   // where the file ends
                searched.events.removeLast();
                QVERIFY2(ahead.events == searched.events, qPrintable(QString("byte %1 as %2: %3 | %4").arg(i).arg(int{c}).arg(ahead.events.join(", "), searched.events.join(", "))));
            }
        }
    }

    void linesThatLieAcrossBlocksAreRead()
    {
        std::string content;
        std::vector<std::uint64_t> offsets;
        for (std::size_t i = 0; content.size() < 5 * kBlockBytes; ++i) {
            offsets.push_back(content.size());
            const std::size_t size = i % 97 == 0 ? kBlockBytes / 2 + i : i % 50 == 0 ? kBlockBytes + i : i * 31 % 3000;
            content += usualLine("u" + std::to_string(i % 7), std::string(size, 'x')) + (i % 13 == 0 ? "\r\n" : "\n");
        }
        const fs::path path = writeFile(content);
        Collector found;
        const auto lines = readTraceLines(path, {}, found);
        QVERIFY(lines);
        QCOMPARE(*lines, static_cast<std::int64_t>(offsets.size()));
        QVERIFY(found.offsets == offsets);
        QCOMPARE(found.events.back(), QString("end at %1 behind 4096").arg(content.size()));
        // In ranges of any size, each line once.
        for (const std::uint64_t size : {std::uint64_t{1000}, std::uint64_t{kBlockBytes}, offsets[3], offsets[60]}) {
            std::vector<std::uint64_t> together;
            for (std::uint64_t begin = 0; begin < content.size(); begin += size) {
                Collector part;
                QVERIFY(readTraceLines(path, ByteRange{begin, begin + size}, part));
                together.insert(together.end(), part.offsets.begin(), part.offsets.end());
            }
            QVERIFY(together == offsets);
        }
    }

    void lastLinesWithoutLineEndAreOpen()
    {
        const std::string line = usualLine("w");
        Collector found;
        QVERIFY(readTraceLines(writeFile(line + "\n" + line + "\n" + line), {}, found));
        const QString open = QString("open line at %1 behind 2 lines, %2").arg(2 * line.size() + 2).arg("7d7d7d0a");
        QCOMPARE(found.events, (QStringList{"trace w of d, axes 2, line 1", "trace w of d, axes 2, line 2", open, "trace w of d, axes 2, line 3", found.events.back()}));
        QVERIFY(found.events.back().startsWith("end at"));
    }

    /// Memory that has seen other files says nothing about this one.
    void memoryIsUsedForOneFileAfterTheOther()
    {
        TraceReaderMemory memory;
        const fs::path longLines = writeFile(usualLine("long", std::string(3 * kBlockBytes, 'x')) + "\n" + usualLine("b") + "\n");
        const fs::path shortLines = writeFile(usualLine("b") + "\n" + usualLine("a") + "\n" + usualLine("b") + "\n");
        for (int round = 0; round < 3; ++round) {
            for (const fs::path& path : {longLines, shortLines}) {
                Collector again;
                Collector alone;
                QVERIFY(readTraceLines(path, {}, again, memory));
                QVERIFY(readTraceLines(path, {}, alone));
                QCOMPARE(again.events, alone.events);
                QVERIFY(again.offsets == alone.offsets);
                QVERIFY(again.repeats == alone.repeats);
            }
        }
        // Also a document of records with line ends in them: what is one there is none in a file of lines.
        std::string spread = usualLine("w");
        spread.replace(spread.find("\"axes\":{"), 8, "\"axes\":{\n");
        Collector document;
        QVERIFY(readTraceDocument(writeFile("[\n" + spread + "]\n"), document, memory));
        QCOMPARE(document.offsets.size(), std::size_t{1});
        Collector lines;
        Collector alone;
        const fs::path torn = writeFile(spread + "\n" + spread + "\n");
        QVERIFY(readTraceLines(torn, {}, lines, memory));
        QVERIFY(readTraceLines(torn, {}, alone));
        QVERIFY(lines.offsets.empty());
        for (const char* line : {"1", "2", "3", "4"}) QVERIFY(lines.events.contains(QString("error line ") + line));
        QCOMPARE(lines.events, alone.events);
    }

private:
    fs::path writeFile(const std::string& content)
    {
        const fs::path path = fs::path(m_folder.path().toStdString()) / ("f" + std::to_string(m_files++) + ".jsonl");
        std::ofstream stream(path, std::ios::binary);
        stream.write(content.data(), static_cast<std::streamsize>(content.size()));
        return path;
    }
    QTemporaryDir m_folder;
    int m_files = 0;
};

QTEST_GUILESS_MAIN(TestLinesAhead)
#include "test_lines_ahead.moc"
