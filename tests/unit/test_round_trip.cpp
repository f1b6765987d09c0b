// SPDX-License-Identifier: GPL-3.0-or-later
// Every real file is loaded, written again and compared with what stood there; then flashinfer-bench itself loads what we wrote.
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/io/dataset_scanner.h"
#include "core/io/json_codec.h"
#include "core/io/json_parse.h"
#include "core/io/read_file.h"
#include "core/model/text.h"
#include "core/store/dataset.h"

using namespace tracedeck;

namespace fs = std::filesystem;

namespace {

const fs::path kShared = TRACEDECK_SHARED_DATASETS;
/// An interpreter with flashinfer-bench, for the check against the real one.
constexpr const char* kPythonVariable = "TRACEDECK_FLASHINFER_BENCH_PYTHON";

constexpr const char* kLoadScript = R"(
import sys
from flashinfer_bench.data import TraceSet
loaded = TraceSet.from_path(sys.argv[1])
count = lambda lists: sum(len(items) for items in lists.values())
print(len(loaded.definitions), count(loaded.solutions), count(loaded.workloads), count(loaded.traces))
)";

/// Keys that old files have for what today's call otherwise (data model §5.3).
const std::map<std::string, std::string> kRenamed{{"type", "op_type"}, {"device", "hardware"}, {"key", "tensor_key"}, {"error", "log"}};

bool isDefault(const Json& value)
{
    return value.is_null() || (value.is_array() && value.empty()) || (value.is_object() && value.empty());
}

/// The first place where the file says something that what we wrote does not say; empty when there is none.
std::string lostPlace(const Json& file, const Json& written, const std::string& path)
{
    if (file.is_object() && written.is_object()) {
        for (const auto& [key, value] : file.items()) {
            auto found = written.find(key);
            if (found == written.end() && kRenamed.contains(key)) found = written.find(kRenamed.at(key));
            if (found == written.end()) {
                const bool isMoved = key == "matched_ratio" && written.contains("extra");
                if (isDefault(value) || isMoved) continue;
                return path + "/" + key + " is gone";
            }
            if (auto lost = lostPlace(value, *found, path + "/" + key); !lost.empty()) return lost;
        }
        return {};
    }
    if (file.is_array() && written.is_array() && file.size() == written.size()) {
        for (std::size_t i = 0; i < file.size(); ++i) {
            if (auto lost = lostPlace(file[i], written[i], path + "/" + std::to_string(i)); !lost.empty()) return lost;
        }
        return {};
    }
    if (file == written || (isDefault(file) && isDefault(written))) return {};
    if (file.is_null() && written == Json("Infinity")) return {};                       // what old writers made of it
    if (file.is_null() && written == Json("")) return {};
    if (file.is_string() && file.get_ref<const std::string&>().empty() && written.is_null()) return {};   // old workload lines
    if (file.is_number_float() && written.is_string()) return {};                       // NaN and Infinity tokens
    if (file.is_string() && written.is_string() &&
        asciiLower(trimWhitespace(file.get_ref<const std::string&>())) == asciiLower(written.get_ref<const std::string&>())) {
        return {};                                                                      // names that were folded
    }
    if (path == "/spec/entry_point" && written.is_string() && written.get_ref<const std::string&>().ends_with("::" + file.get<std::string>())) {
        return {};                                                                      // the function alone, in the only file
    }
    return path + ": " + file.dump().substr(0, 60) + " became " + written.dump().substr(0, 60);
}

void writeText(const fs::path& path, const std::string& text)
{
    fs::create_directories(path.parent_path());
    std::ofstream stream(path, std::ios::binary);
    stream << text;
    QVERIFY(stream.flush().good());
}

}  // namespace

class TestRoundTrip : public QObject {
    Q_OBJECT

    /// Rewrites a dataset file by file; the number of records, or -1 after a failure that was reported.
    static int rewrite(const fs::path& root, const fs::path& target)
    {
        int records = 0;
        QString failure;
        const auto scanned = scanDataset(root);
        if (!scanned) return -1;
        const auto check = [&failure](const std::string& file, const Json& json, const Json& written) {
            const std::string lost = lostPlace(json, written, {});
            if (!lost.empty() && failure.isEmpty()) failure = QString::fromStdString(file + ": " + lost);
        };
        const auto object = [&](const std::string& file, const auto& decode, const auto& encode) {
            const auto text = readWholeFile(root / file, 1U << 26U);
            const auto decoded = text ? decode(*text) : decode(std::string());
            if (!decoded) {
                failure = QString::fromStdString(file + ": " + decoded.error().toString());
                return;
            }
            const Json written = encode(decoded->value);
            check(file, *parseJson(*text, ReadMode::Tolerant), written);
            writeText(target / file, writeObjectFile(written));
            ++records;
        };
        for (const std::string& file : scanned->definitions) {
            object(file, [](const std::string& text) { return decodeDefinition(text, ReadMode::Tolerant); }, encodeDefinition);
        }
        for (const std::string& file : scanned->solutions) {
            object(file, [](const std::string& text) { return decodeSolution(text, ReadMode::Tolerant); }, encodeSolution);
        }
        std::map<std::string, std::string> lines;   // by file
        for (const auto* files : {&scanned->workloads, &scanned->traces}) {
            for (const std::string& file : *files) {
                std::ifstream stream(root / file, std::ios::binary);
                for (std::string line; std::getline(stream, line);) {
                    if (trimWhitespace(line).empty()) continue;
                    const auto decoded = decodeTrace(line, ReadMode::Tolerant);
                    if (!decoded) {
                        failure = QString::fromStdString(file + ": " + decoded.error().toString());
                        break;
                    }
                    const Json written = encodeTrace(decoded->value);
                    check(file, *parseJson(line, ReadMode::Tolerant), written);
                    // Old files have workloads among their traces, which today's loader refuses: each goes where its content belongs.
                    const std::string place = file.substr(file.find('/'));
                    lines[(decoded->value.isWorkloadTrace() ? "workloads" : "traces") + place] += writeLine(written) + "\n";
                    ++records;
                }
            }
        }
        for (const auto& [file, text] : lines) writeText(target / file, text);
        if (failure.isEmpty()) return records;
        qWarning("%s", qPrintable(failure));
        return -1;
    }

private slots:
    void initTestCase()
    {
        if (!fs::is_directory(kShared / "flashinfer-trace")) QSKIP("the real datasets are not here");
    }

    void realFilesMeanTheSameWhenTheyAreWrittenAgain_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<int>("records");
        const auto row = [](const char* folder, int records) {
            QTest::newRow(folder) << folder << records;
        };
        row("flashinfer-trace", 156 + 663);
        row("real-traces/fib-2025-08-b200", 7 + 8 + 688 + 305);
        row("real-traces/fib-2026-03-a800-dsa-runtime-errors", 41 + 41 + 686 + 23);
        row("real-traces/fib-2026-03-a800-gpt5", 11 + 19 + 273 + 68);
        row("real-traces/fib-2026-03-kernel-generator", 8 + 74 + 196 + 108);
        row("real-traces/gdn-decode-gb200", 1 + 1 + 54 + 54);
        row("real-traces/gdn-prefill-gb200", 1 + 1 + 100 + 100);
    }
    void realFilesMeanTheSameWhenTheyAreWrittenAgain()
    {
        QFETCH(QString, folder);
        QFETCH(int, records);
        QTemporaryDir target;
        QCOMPARE(rewrite(kShared / folder.toStdString(), target.path().toStdString()), records);
        const auto loaded = Dataset::load(target.path().toStdString());
        QVERIFY(loaded);
        for (const Problem& problem : (*loaded)->problems()) {
            QVERIFY2(problem.severity == Severity::Warning, qPrintable(QString::fromStdString(problem.error.toString())));
        }
    }

    void flashInferBenchLoadsWhatWeWrite_data() { realFilesMeanTheSameWhenTheyAreWrittenAgain_data(); }
    void flashInferBenchLoadsWhatWeWrite()
    {
        const QString python = qEnvironmentVariable(kPythonVariable);
        if (python.isEmpty()) QSKIP("TRACEDECK_FLASHINFER_BENCH_PYTHON names no Python that has flashinfer-bench");
        QFETCH(QString, folder);
        QFETCH(int, records);
        QTemporaryDir target;
        QCOMPARE(rewrite(kShared / folder.toStdString(), target.path().toStdString()), records);
        const auto ours = Dataset::load(target.path().toStdString());
        QVERIFY(ours);
        QProcess program;
        program.start(python, {"-c", kLoadScript, target.path()});
        QVERIFY2(program.waitForFinished(120'000), qPrintable(program.errorString()));
        const QString said = QString::fromUtf8(program.readAllStandardError());
        QVERIFY2(program.exitCode() == 0, qPrintable(said.right(2000)));
        const Dataset& dataset = **ours;
        QCOMPARE(QString::fromUtf8(program.readAllStandardOutput()).trimmed(),
                 QStringLiteral("%1 %2 %3 %4").arg(dataset.definitions().size()).arg(dataset.solutions().size()).arg(dataset.workloadCount()).arg(dataset.traces().size()));
    }
};

QTEST_GUILESS_MAIN(TestRoundTrip)
#include "test_round_trip.moc"
