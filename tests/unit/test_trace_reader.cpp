// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>
#include <bit>
#include <filesystem>
#include <fstream>
#include <map>
#include <iterator>

#include "core/io/fast_trace_line.h"
#include "core/io/json_codec.h"
#include "core/io/trace_reader.h"

using namespace tracedeck;

namespace fs = std::filesystem;

namespace {

constexpr const char* kLine =
    R"({"definition":"d","workload":{"axes":{"N":7,"M":2},"inputs":{"A":{"type":"random"},"s":{"type":"scalar","value":1e-6},)"
    R"("t":{"type":"safetensors","path":"p","tensor_key":"k"}},"uuid":"w"},"solution":"s","evaluation":{"status":"PASSED",)"
    R"("environment":{"hardware":"h","libs":{"torch":"2"}},"timestamp":"2026-01-01T00:00:00","log":"l\n\u00e9","correctness":{"max_relative_error":0.25,)"
    R"("max_absolute_error":1,"extra":{"tvd":null}},"performance":{"latency_ms":0.5,"reference_latency_ms":1.0,"speedup_factor":2.0},"judge":{}}})";

/// The same as SOL-ExecBench writes it.
constexpr const char* kSolLine =
    R"({"definition":"d","workload":{"axes":{"M":2},"inputs":{"A":{"type":"random"}},"uuid":"w","tolerance":{"max_atol":0.01,"max_rtol":1,)"
    R"("required_matched_ratio":0.99,"max_error_cap":null,"allow_negative_inf":false}},"solution":"s","evaluation":{"status":"PASSED",)"
    R"("environment":{"hardware":"h","libs":{}},"timestamp":"2026-01-01T00:00:00","log":"","correctness":{"max_relative_error":0.0,"max_absolute_error":0.0,)"
    R"("has_nan":false,"has_inf":false,"extra":null},"performance":{"latency_ms":0.5,"reference_latency_ms":0.0,"speedup_factor":0.0}}})";

/// A line of our own judge.
std::string judgedLine()
{
    std::string line = kSolLine;
    const std::string record = R"(,"judge":{"version":1,"time":{"p50":0.5,"method":"cupti","launch_bound":true,"ci95":[1,2]},"verdicts":[]}}})";
    return line.replace(line.size() - 2, 2, record);
}

/// Everything that a table keeps, as text that can be compared.
QString summaryOf(const TraceFields& fields)
{
    QStringList parts{QString::fromUtf8(fields.definition.data(), static_cast<int>(fields.definition.size())),
                      QString::fromUtf8(fields.workloadUuid.data(), static_cast<int>(fields.workloadUuid.size()))};
    for (const auto& [name, value] : fields.axes) {
        parts << QString::fromUtf8(name.data(), static_cast<int>(name.size())) + "=" + QString::number(value);
    }
    parts << (fields.solution ? QString::fromStdString("solution " + std::string(*fields.solution)) : QString("none"))
          << QString::fromStdString(std::string(fields.hardware)) << QString::fromStdString(std::string(fields.timestamp))
          << QString::fromStdString(std::string(toString(fields.status)))
          << QString::number(fields.hasEvaluation) + QString::number(fields.hasCorrectness) + QString::number(fields.hasPerformance) +
                 QString::number(static_cast<int>(fields.timingMethod)) + QString::number(fields.isLaunchBound);
    for (const double number : {fields.latencyMs, fields.referenceLatencyMs, fields.speedupFactor, fields.maxAbsoluteError, fields.maxRelativeError}) {
        parts << (number != number ? QString("NaN") : QString::number(std::bit_cast<std::uint64_t>(number), 16));
    }
    return parts.join("|");
}

/// A line with the padding that the fast reader asks for. Noise follows: it must not matter.
class PaddedLine {
public:
    explicit PaddedLine(const std::string& line) : m_text(line + std::string(FastTraceLine::kPadding, '}')), m_size(line.size()) {}
    [[nodiscard]] std::string_view view() const { return std::string_view(m_text).substr(0, m_size); }

private:
    std::string m_text;
    std::size_t m_size;
};

/// Compares the two readers on one line. Returns whether the fast one took it; `difference` says where they disagree.
bool compareReaders(FastTraceLine& fast, const std::string& line, QString& difference)
{
    const PaddedLine padded(line);
    TraceFields fields;
    if (!fast.read(padded.view(), fields)) return false;
    const auto decoded = decodeTrace(line, ReadMode::Tolerant);
    const auto strict = decodeTrace(line, ReadMode::Strict);
    if (!decoded) {
        difference = "the codec refuses: " + QString::fromStdString(decoded.error().toString());
    } else if (!strict) {
        difference = "the strict codec refuses: " + QString::fromStdString(strict.error().toString());
    } else if (!decoded->warnings.empty()) {
        difference = "the codec warns: " + QString::fromStdString(decoded->warnings.front().error.toString());
    } else if (decoded->value.isWorkloadTrace()) {
        difference = "the codec sees a workload";
    } else if (summaryOf(fieldsOf(decoded->value)) != summaryOf(fields)) {
        difference = "the codec reads " + summaryOf(fieldsOf(decoded->value)) + ", the fast reader " + summaryOf(fields);
    }
    return true;
}

void collectPointers(const Json& json, const std::string& prefix, std::vector<std::string>& pointers)
{
    if (!prefix.empty()) pointers.push_back(prefix);
    if (!json.is_object()) return;
    for (const auto& [key, value] : json.items()) collectPointers(value, prefix + "/" + key, pointers);
}

class Collector : public TraceLineSink {
public:
    void onTrace(const TraceFields& fields, std::uint64_t byteOffset, std::int64_t line) override
    {
        events << "trace " + QString::fromStdString(std::string(fields.workloadUuid)) + " @" + QString::number(byteOffset) + " line " + QString::number(line);
        offsets.push_back(byteOffset);
    }
    void onWorkload(Trace workload, std::int64_t line) override
    {
        events << "workload " + QString::fromStdString(workload.workload.uuid) + " line " + QString::number(line);
    }
    void onProblem(Problem problem) override
    {
        events << QString(problem.severity == Severity::Error ? "error" : "warning") + " line " + QString::number(problem.error.line);
        reasons << QString::fromStdString(problem.error.reason);
    }
    QStringList events;
    QStringList reasons;
    std::vector<std::uint64_t> offsets;
};

std::string traceLine(const std::string& uuid)
{
    std::string line = kLine;
    return line.replace(line.find("\"uuid\":\"w\""), 10, "\"uuid\":\"" + uuid + "\"");
}

/// The end of a line in the form of today's writers.
constexpr const char* kPassedTail =
    "\"log\":\"short log\",\"correctness\":{\"max_relative_error\":0.5,\"max_absolute_error\":1e-05,\"extra\":null},"
    "\"performance\":{\"latency_ms\":0.25,\"reference_latency_ms\":12,\"speedup_factor\":48.0}}}";
constexpr const char* kFailedTail = "\"log\":\"\",\"correctness\":null,\"performance\":null}}";

constexpr const char* kLogTail =
    "\"log\":\"line 1\\n\\ttab \\\"quoted\\\" C:\\\\x \\/ \xE2\x80\x98g++\xE2\x80\x99 \xC3\xA9\xF0\x9F\x98\x80 \x7F end\\r\\n\",\"correctness\":null,\"performance\":null}}";

/// The beginning of such a line.
std::string usualLine(const std::string& status)
{
    return "{\"definition\":\"d\",\"workload\":{\"axes\":{\"M\":2,\"N\":3},\"inputs\":{\"x\":{\"type\":\"random\"},\"s\":{\"type\":\"scalar\","
           "\"value\":1}},\"uuid\":\"w\"},\"solution\":\"s\",\"evaluation\":{\"status\":\"" + status +
           "\",\"environment\":{\"hardware\":\"card\",\"libs\":{\"torch\":\"2\"}},\"timestamp\":\"2026-01-01T00:00:00\",";
}

std::string timeoutLine(const std::string& uuid, int axis)
{
    return "{\"definition\":\"d\",\"workload\":{\"axes\":{\"M\":" + std::to_string(axis) + "},\"inputs\":{},\"uuid\":\"" + uuid +
           "\"},\"solution\":\"s\",\"evaluation\":{\"status\":\"TIMEOUT\",\"environment\":{\"hardware\":\"h" + std::to_string(axis % 7) +
           "\",\"libs\":{}},\"timestamp\":\"2026-01-01T00:00:00\"," + kFailedTail;
}

std::string workloadLine(const std::string& uuid)
{
    return R"({"definition":"d","workload":{"axes":{},"inputs":{},"uuid":")" + uuid + R"("},"solution":null,"evaluation":null})";
}

}  // namespace

class TestTraceReader : public QObject {
    Q_OBJECT
private slots:
    void fastReaderTakesTodaysLines()
    {
        FastTraceLine fast;
        QString difference;
        for (const char* line : {kLine, kSolLine}) {
            QVERIFY(compareReaders(fast, line, difference));
            QVERIFY2(difference.isEmpty(), qPrintable(difference));
        }
    }

    void knowsHowTimesWereTaken_data()
    {
        QTest::addColumn<QString>("record");
        QTest::addColumn<int>("method");
        QTest::addColumn<bool>("launchBound");
        const auto add = [](const char* name, const char* record, TimingMethod method, bool launchBound) {
            QTest::newRow(name) << QString::fromUtf8(record) << static_cast<int>(method) << launchBound;
        };
        add("cupti", R"({"time":{"method":"cupti"}})", TimingMethod::Cupti, false);
        add("events, launch-bound", R"({"time":{"launch_bound":true,"method":"cuda_event"}})", TimingMethod::CudaEvent, true);
        add("the judge's clock", R"({"evaluator":"default","time":{"method":"judge","launch_bound":false}})", TimingMethod::Judge, false);
        add("a method of tomorrow", R"({"time":{"method":"laser"}})", TimingMethod::Unknown, false);
        add("no times", R"({"time":null})", TimingMethod::Unknown, false);
        add("another shape", R"(["judge"])", TimingMethod::Unknown, false);
        add("values of other kinds", R"({"time":{"method":7,"launch_bound":"true"}})", TimingMethod::Unknown, false);
    }
    void knowsHowTimesWereTaken()
    {
        QFETCH(QString, record);
        std::string line = kSolLine;
        line.replace(line.size() - 2, 2, ",\"judge\":" + record.toStdString() + "}}");
        FastTraceLine fast;
        QString difference;
        QVERIFY(compareReaders(fast, line, difference));
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
        const PaddedLine padded(line);
        TraceFields fields;
        QVERIFY(fast.read(padded.view(), fields));
        QTEST(static_cast<int>(fields.timingMethod), "method");
        QTEST(fields.isLaunchBound, "launchBound");
    }

    /// What is good in some places only is left to the codec, which knows its place.
    void fastReaderLeavesWhatTheStrictCodecRefuses()
    {
        FastTraceLine fast;
        std::string custom = kSolLine;
        custom.replace(custom.find("\"random\""), 8, "\"custom\"");
        QVERIFY(decodeTrace(custom, ReadMode::Tolerant));
        QVERIFY(!decodeTrace(custom, ReadMode::Strict));
        // Also after a line with the same workload: what was read by the codec is no known part of a line.
        for (int i = 0; i < 2; ++i) {
            QString difference;
            QVERIFY(!compareReaders(fast, custom, difference));
            QVERIFY2(difference.isEmpty(), qPrintable(difference));
        }
    }

    void readersAgreeOnChangedLines_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("FlashInfer-Trace") << kLine;
        QTest::newRow("SOL-ExecBench") << kSolLine;
        QTest::newRow("with the judge's record") << QString::fromStdString(judgedLine());
    }
    void readersAgreeOnChangedLines()
    {
        QFETCH(QString, text);
        const Json line = *parseJson(text.toStdString());
        std::vector<std::string> pointers;
        collectPointers(line, "", pointers);
        const char* const values[] = {"null", "true", "0", "-0", "-0.0", "-1", "7", "1.5", "-2.5", "1e3", "5e-324", "1e-400", "1e308", "1e999",
                                      "NaN", "-Infinity", "9223372036854775807", "9223372036854775808", "18446744073709551615",
                                      "18446744073709551616", "184467440737095516161.0", "-184467440737095516161.0", "1844674407370955161612e3", "0.1234567890123456789", "\"\"", "\" \"", "\"7\"", "\"Infinity\"", "\"-Infinity\"",
                                      "\"NaN\"", "\"nan\"", "\"inf\"", "\"PASSED\"", "\"passed\"", "\"INCORRECT\"", "\"INCORRECT_NUMERICAL\"",
                                      "\"TIMEOUT\"", "\"REWARD_HACK\"", "\"INVALID_REFERENCE\"", "\"OTHER\"", "\"MELTED\"",
                                      "false", "{\"max_atol\":1}", "{\"required_match_ratio\":1}", "\"custom\"", "\"random\"", "\"scalar\"", "\"safetensors\"", "\"\\ud800\"", "\"\\udc00\"",
                                      "\"\\ud83d\\ude00\"", "\"\\u0000\"", "\"\\uD83D\\uDE00\"", "\"\xC3\xA9\"", "[]", "[1]", "{}", "{\"a\":1}",
                                      "{\"type\":\"random\"}", "{\"type\":null}", "{\"value\":1}"};
        FastTraceLine fast;
        int taken = 0;
        int left = 0;
        for (const std::string& pointer : pointers) {
            for (const char* value : values) {
                // The text is put in by hand, so that odd numbers arrive as they are.
                Json changed = line;
                changed[Json::json_pointer(pointer)] = "@@";
                std::string other = changed.dump();
                other.replace(other.find("\"@@\""), 4, value);
                QString difference;
                ++(compareReaders(fast, other, difference) ? taken : left);
                QVERIFY2(difference.isEmpty(), qPrintable(QString::fromStdString(pointer + " " + value + ": ") + difference));
            }
        }
        QVERIFY(taken > 200);
        QVERIFY(left > 200);
    }

    void readersAgreeOnRepeatedAndMissingKeys_data() { readersAgreeOnChangedLines_data(); }
    void readersAgreeOnRepeatedAndMissingKeys()
    {
        QFETCH(QString, text);
        const Json line = *parseJson(text.toStdString());
        std::vector<std::string> pointers;
        collectPointers(line, "", pointers);
        FastTraceLine fast;
        for (const std::string& pointer : pointers) {
            const Json::json_pointer place(pointer);
            Json without = line;
            without[place.parent_pointer()].erase(place.back());
            QString difference;
            compareReaders(fast, without.dump(), difference);
            QVERIFY2(difference.isEmpty(), qPrintable(QString::fromStdString(pointer + " missing: ") + difference));

            for (const char* second : {"null", "3", "true", "false", "\"x\"", "{}", "{\"type\":\"random\"}"}) {
                Json doubled = line;
                doubled[place.parent_pointer()]["@@"] = nullptr;
                std::string other = doubled.dump();
                other.replace(other.find("\"@@\":null"), 9, "\"" + place.back() + "\":" + second);
                compareReaders(fast, other, difference);
                QVERIFY2(difference.isEmpty(), qPrintable(QString::fromStdString(pointer + " twice with " + second + ": ") + difference));
            }
            for (const char* added : {"device", "log_file", "error", "matched_ratio", "key", "seed", "type", "value", "unknown", "tolerance", "has_nan", "has_inf",
                                      "required_match_ratio", "max_atol"}) {
                Json extended = line;
                if (!extended[place].is_object() || extended[place].contains(added)) continue;
                extended[place][added] = 1;
                compareReaders(fast, extended.dump(), difference);
                QVERIFY2(difference.isEmpty(), qPrintable(QString::fromStdString(pointer + " with " + added + ": ") + difference));
            }
        }
    }

    void readersAgreeOnBrokenText()
    {
        FastTraceLine fast;
        const std::string line = kLine;
        for (std::size_t i = 0; i < line.size(); ++i) {
            for (const char c : {'\0', '"', '\\', '{', '}', ',', ':', ' ', '\n', '\x01', '\xFF', '0', 'e', '-'}) {
                std::string changed = line;
                changed[i] = c;
                QString difference;
                compareReaders(fast, changed, difference);
                QVERIFY2(difference.isEmpty(), qPrintable(QString("byte %1 as %2: ").arg(i).arg(int{c}) + difference));
            }
            QString difference;
            QVERIFY(!compareReaders(fast, line.substr(0, i), difference));
        }
        const std::string deep = std::string(150, '[') + std::string(150, ']');
        for (const std::string& text : {line + "{}", line + " ", "\xEF\xBB\xBF" + line, line + std::string(1, '\0'),
                                        std::string(line).replace(line.find("\"judge\":{}"), 10, "\"judge\":" + deep)}) {
            QString difference;
            compareReaders(fast, text, difference);
            QVERIFY2(difference.isEmpty(), qPrintable(difference));
        }
    }

    void readersAgreeOnLinesInTheUsualForm_data()
    {
        QTest::addColumn<QByteArray>("tail");
        QTest::newRow("passed") << QByteArray(kPassedTail);
        QTest::newRow("failed") << QByteArray(kFailedTail);
        QTest::newRow("with a log") << QByteArray(kLogTail);
    }
    void readersAgreeOnLinesInTheUsualForm()
    {
        QFETCH(QByteArray, tail);
        const std::string status = tail.contains("latency") ? "PASSED" : "RUNTIME_ERROR";
        const std::string line = usualLine(status) + tail.toStdString();
        FastTraceLine fast;
        QString difference;
        // The second time the workload and the environment are known.
        for (int i = 0; i < 3; ++i) {
            QVERIFY(compareReaders(fast, line, difference));
            QVERIFY2(difference.isEmpty(), qPrintable(difference));
        }
        int taken = 0;
        for (std::size_t i = 0; i < line.size(); ++i) {
            for (const char c : {'\0', '"', '\\', '{', '}', ',', ':', ' ', '\n', '\x01', '\x7F', '\xFF', '0', '7', 'e', 'E', '-', '+', '.', 'N'}) {
                std::string changed = line;
                changed[i] = c;
                if (compareReaders(fast, changed, difference)) ++taken;
                QVERIFY2(difference.isEmpty(), qPrintable(QString("byte %1 as %2: ").arg(i).arg(int{c}) + difference));
                compareReaders(fast, std::string(line).insert(i, 1, c), difference);
                QVERIFY2(difference.isEmpty(), qPrintable(QString("%2 before byte %1: ").arg(i).arg(int{c}) + difference));
            }
            QVERIFY(!compareReaders(fast, line.substr(0, i), difference));
        }
        QVERIFY(taken > 300);
        const auto latency = line.find("0.25");
        for (const char* number : {"0", "-0", "00", "01", "1.", ".5", "1.e1", "1e", "1e+", "1E-2", "1e5", "0e0", "0.0", "123456789012345", "1234567890123456",
                                   "9223372036854775808", "18446744073709551616", "1e999", "5e-324", "1e-400", "NaN", "Infinity", "inf", "nan", "0x10",
                                   "null", "true", "\"NaN\"", "\"Infinity\"", "0.1234567890123456789012345678901234567890", "1 ", " 1", "1_0", "+1"}) {
            if (latency == std::string::npos) break;
            compareReaders(fast, std::string(line).replace(latency, 4, number), difference);
            QVERIFY2(difference.isEmpty(), qPrintable(QString(number) + ": " + difference));
        }
        for (const std::string& more : {std::string("{}"), std::string(" "), std::string("}"), std::string(1, '\0')}) {
            compareReaders(fast, line + more, difference);
            QVERIFY2(difference.isEmpty(), qPrintable(difference));
        }
    }

    void repeatedWorkloadsAreToldApart()
    {
        FastTraceLine fast;
        TraceFields fields;
        QString difference;
        // Equal beginnings, one being all of the other but its end; the same uuid with other axes; changing order.
        std::map<std::pair<std::string, int>, std::uint32_t> numbers;
        for (int round = 0; round < 40; ++round) {
            for (int i = 0; i < 12; ++i) {
                const int which = round % 3 == 0 ? i : (i * 7 + round) % 12;
                const std::string uuid(static_cast<std::size_t>(1 + which % 4), 'u');
                const std::string text = timeoutLine(uuid, which);
                QVERIFY(compareReaders(fast, text, difference));
                QVERIFY2(difference.isEmpty(), qPrintable(difference));
                const std::string padded = text + std::string(FastTraceLine::kPadding, ' ');
                QVERIFY(fast.read(std::string_view(padded).substr(0, text.size()), fields));
                if (fields.workloadRepeat == TraceFields::kNoRepeat) continue;
                for (const auto& [known, number] : numbers) QVERIFY((number == fields.workloadRepeat) <= (known == std::pair(uuid, which)));
                numbers[{uuid, which}] = fields.workloadRepeat;
            }
        }
        QCOMPARE(numbers.size(), std::size_t{12});
    }

    void readersAgreeOnRealLines()
    {
        QDirIterator files(TRACEDECK_SHARED_DATASETS, {"*.jsonl"}, QDir::Files, QDirIterator::Subdirectories);
        if (!files.hasNext()) QSKIP("the real datasets are not here");
        FastTraceLine fast;
        int taken = 0;
        int left = 0;
        while (files.hasNext()) {
            std::ifstream stream(files.next().toStdString(), std::ios::binary);
            for (std::string line; std::getline(stream, line);) {
                QString difference;
                ++(compareReaders(fast, line, difference) ? taken : left);
                QVERIFY2(difference.isEmpty(), qPrintable(files.filePath() + ": " + difference));
            }
        }
        // Today's evaluated lines go the fast way: 23 + 68 + 108 + 54 + 100 of them.
        QCOMPARE(taken, 353);
        QVERIFY(left > 0);
    }

    void linesAreReadAndCounted_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QStringList>("events");
        const QByteArray a = QByteArray::fromStdString(traceLine("a"));
        const QByteArray b = QByteArray::fromStdString(traceLine("b"));
        const QByteArray w = QByteArray::fromStdString(workloadLine("w"));
        const QString second = QString("trace b @%1 line 2").arg(a.size() + 1);
        QTest::newRow("empty") << QByteArray() << QStringList{};
        QTest::newRow("LF") << a + "\n" + b + "\n" << QStringList{"trace a @0 line 1", second};
        QTest::newRow("no final line end") << a + "\n" + b << QStringList{"trace a @0 line 1", second};
        QTest::newRow("CR LF") << a + "\r\n" + b + "\r\n" << QStringList{"trace a @0 line 1", QString("trace b @%1 line 2").arg(a.size() + 2)};
        QTest::newRow("CR") << a + "\r" + b + "\r" << QStringList{"trace a @0 line 1", second};
        QTest::newRow("blank lines") << "\n  \n" + a + "\n\xC2\xA0\n" + b
                                     << QStringList{"trace a @4 line 3", QString("trace b @%1 line 5").arg(a.size() + 8)};
        QTest::newRow("blanks around") << " \xE2\x80\xA8" + a + "\xC2\x85 \n" << QStringList{"trace a @4 line 1"};
        QTest::newRow("workload") << w + "\n" + a << QStringList{"workload w line 1", QString("trace a @%1 line 2").arg(w.size() + 1)};
        QTest::newRow("bad line between") << a + "\n{\"definition\":1}\n" + b
                                          << QStringList{"trace a @0 line 1", "error line 2", QString("trace b @%1 line 3").arg(a.size() + 18)};
        QTest::newRow("not UTF-8 between") << a + "\n\xFF\n" + b
                                           << QStringList{"trace a @0 line 1", "error line 2", QString("trace b @%1 line 3").arg(a.size() + 3)};
        QTest::newRow("NUL line") << QByteArray(3, '\0') + "\n" + a << QStringList{"error line 1", "trace a @4 line 2"};
        QTest::newRow("torn") << a + "\n" + b.left(100) << QStringList{"trace a @0 line 1", "error line 2"};
        QTest::newRow("glued") << a + b + "\n" << QStringList{"trace a @0 line 1", QString("trace b @%1 line 1").arg(a.size()), "warning line 1"};
        QTest::newRow("glued, second torn") << a + b.left(100) << QStringList{"trace a @0 line 1", "error line 1", "warning line 1"};
        QTest::newRow("glued, first torn") << a.left(100) + b << QStringList{"error line 1"};
        QTest::newRow("byte order mark") << "\xEF\xBB\xBF" + a << QStringList{"warning line 1", "trace a @3 line 1"};
        QTest::newRow("byte order mark further on") << a + "\n\xEF\xBB\xBF" + b << QStringList{"trace a @0 line 1", "warning line 2", second};
    }
    void linesAreReadAndCounted()
    {
        QFETCH(QByteArray, content);
        QFETCH(QStringList, events);
        const fs::path path = writeFile(content);
        Collector found;
        const auto lines = readTraceLines(path, {}, found);
        QVERIFY(lines);
        QCOMPARE(found.events, events);
        // Every record can be read back from its place.
        for (const std::uint64_t offset : found.offsets) QVERIFY(readTraceAt(path, offset));
    }

    void tornLastLineIsCalledThat()
    {
        const fs::path path = writeFile(QByteArray::fromStdString(traceLine("a") + "\n" + traceLine("b").substr(0, 80)));
        Collector found;
        QVERIFY(readTraceLines(path, {}, found));
        QCOMPARE(found.reasons.size(), 1);
        QVERIFY2(found.reasons.front().contains("cut off"), qPrintable(found.reasons.front()));
    }

    void rangesTogetherReadEveryLineOnce()
    {
        QByteArray content;
        for (int i = 0; i < 40; ++i) content += QByteArray::fromStdString(traceLine("u" + std::to_string(i))) + (i % 3 == 0 ? "\r\n" : "\n");
        const fs::path path = writeFile(content);
        Collector whole;
        QVERIFY(readTraceLines(path, {}, whole));
        QCOMPARE(whole.offsets.size(), std::size_t{40});
        for (std::uint64_t size : {std::uint64_t{1}, std::uint64_t{333}, std::uint64_t{500}, std::uint64_t{5000}, whole.offsets[1]}) {
            std::vector<std::uint64_t> offsets;
            std::int64_t lines = 0;
            const auto end = static_cast<std::uint64_t>(content.size());
            for (std::uint64_t begin = 0; begin < end; begin += size) {
                Collector part;
                const auto count = readTraceLines(path, ByteRange{begin, begin + size}, part);
                QVERIFY(count);
                lines += *count;
                offsets.insert(offsets.end(), part.offsets.begin(), part.offsets.end());
            }
            QVERIFY(offsets == whole.offsets);
            QCOMPARE(lines, std::int64_t{40});
        }
    }

    void linesLongerThanABlockAreRead()
    {
        std::string longLine = traceLine("long");
        longLine.insert(longLine.find("l\\n"), std::string(5000000, 'x'));
        const fs::path path = writeFile(QByteArray::fromStdString(traceLine("a") + "\n" + longLine + "\n" + traceLine("b")));
        Collector found;
        QVERIFY(readTraceLines(path, {}, found));
        QCOMPARE(found.offsets.size(), std::size_t{3});
        const auto read = readTraceAt(path, found.offsets[1]);
        QVERIFY(read);
        QVERIFY(read->evaluation->log.size() > 5000000);
    }

    void readingStops()
    {
        std::stop_source source;
        source.request_stop();
        Collector found;
        const auto stopped = readTraceLines(writeFile(QByteArray::fromStdString(traceLine("a"))), {}, found, source.get_token());
        QVERIFY(!stopped);
        QVERIFY(stopped.error().code == ErrorCode::Cancelled);
    }

    void missingRecordsAreErrors()
    {
        const fs::path path = writeFile(QByteArray::fromStdString(traceLine("a") + "\n"));
        QVERIFY(!readTraceAt(path, 5));
        QVERIFY(!readTraceAt(path, 100000));
        QVERIFY(readTraceAt(path.string() + "-none", 0).error().code == ErrorCode::NotFound);
    }

private:
    fs::path writeFile(const QByteArray& content)
    {
        const fs::path path = fs::path(m_folder.path().toStdString()) / ("f" + std::to_string(m_files++) + ".jsonl");
        std::ofstream stream(path, std::ios::binary);
        stream.write(content.constData(), content.size());
        return path;
    }
    QTemporaryDir m_folder;
    int m_files = 0;
};

QTEST_GUILESS_MAIN(TestTraceReader)
#include "test_trace_reader.moc"
