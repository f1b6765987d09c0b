// SPDX-License-Identifier: GPL-3.0-or-later
// Solutions that cheat, break in, or die in every way (tests/e2e/faults), and honest ones that might look like them: each gets what
// it deserves, and neither the run, nor the dataset, nor any other evaluation notices.
#include <QtTest>

#include <QTemporaryDir>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "tests/support/dataset_builder.h"
#include "tests/support/program.h"

using namespace tracedeck;
namespace fs = std::filesystem;

namespace {

/// One file of tests/e2e/faults: a source whose first comment lines say `key: value`.
struct Fault {
    std::string name;
    std::string source;
    bool isNative = false;
    std::map<std::string, std::string> facts;

    [[nodiscard]] std::string fact(const std::string& key) const
    {
        const auto found = facts.find(key);
        return found == facts.end() ? std::string() : found->second;
    }
};

std::vector<std::string> alternatives(const std::string& text)
{
    std::vector<std::string> list;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, '|');) list.push_back(part);
    return list;
}

std::string contentOf(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<Fault> readFaults()
{
    std::vector<Fault> faults;
    for (const auto& entry : fs::directory_iterator(fs::path(TRACEDECK_SOURCE_DIR) / "tests/e2e/faults")) {
        Fault fault{entry.path().stem().string(), contentOf(entry.path()), entry.path().extension() == ".cpp", {}};
        const std::string mark = fault.isNative ? "// " : "# ";
        std::istringstream lines(fault.source);
        for (std::string line; std::getline(lines, line) && line.starts_with(mark);) {
            const auto colon = line.find(": ");
            if (colon != std::string::npos) fault.facts[line.substr(mark.size(), colon - mark.size())] = line.substr(colon + 2);
        }
        faults.push_back(std::move(fault));
    }
    std::ranges::sort(faults, {}, &Fault::name);
    return faults;
}

/// Whether a machine has one of the walls that a fault needs to be harmless: `view|landlock`, `landlock 6`.
bool hasWall(const Json& walls, const std::string& needs)
{
    if (needs.empty()) return true;
    for (const std::string& wanted : alternatives(needs)) {
        const auto space = wanted.find(' ');
        for (const Json& wall : walls) {
            const auto name = wall.get<std::string>();
            const bool isEnough = space == std::string::npos || (name.find(' ') != std::string::npos && std::stoi(name.substr(name.find(' '))) >= std::stoi(wanted.substr(space)));
            if (name.substr(0, name.find(' ')) == wanted.substr(0, space) && isEnough) return true;
        }
    }
    return false;
}

/// Path → content of all files below a folder, without what the run is to write.
std::map<std::string, std::string> snapshot(const fs::path& root)
{
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        const std::string path = fs::relative(entry.path(), root).string();
        if (!path.starts_with("traces")) files[path] = entry.is_regular_file() ? contentOf(entry.path()) : std::string("a folder");
    }
    return files;
}

/// A socket that listens on a port of this machine, and the port.
std::pair<FileDescriptor, int> listenLocally()
{
    FileDescriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), length) != 0 || ::listen(listener.get(), 1) != 0 ||
        ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0) {
        throw std::runtime_error("no port to listen on");
    }
    return {std::move(listener), ntohs(address.sin_port)};
}

const char* const kHonest = "def run(x):\n    return x * 2 + 1\n";
const char* const kFollower = "_then_an_honest_one";

}  // namespace

class TestFaults : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void coversTheCatalogue();
    void everyoneGetsWhatTheyDeserve_data();
    void everyoneGetsWhatTheyDeserve();
    void fullConfinementOrNothing();

private:
    struct Outcome {
        std::vector<Json> results;   ///< in the order of the run
        std::string said;
        int exitCode = -1;
    };
    /// A dataset of the given faults, each that does not pass followed by an honest solution.
    void fill(test::DatasetBuilder& builder, const std::vector<Fault>& faults);
    Outcome run(const fs::path& root, QStringList options);
    /// The walls that a run puts up.
    Json wallsOf(const QStringList& options);
    [[nodiscard]] std::string filledIn(std::string text, const fs::path& root) const;

    QTemporaryDir m_home;
    QTemporaryDir m_temporary;
    FileDescriptor m_listener;
    int m_port = 0;
    bool m_canBuild = false;
};

void TestFaults::initTestCase()
{
    QVERIFY(test::adoptOrphans());
    if (const auto why = test::whyNoPython(false); !why.empty()) QSKIP(why.c_str());
    m_canBuild = test::whyNoPython(true).empty() && !findProgram("g++").empty();
    std::tie(m_listener, m_port) = listenLocally();
    std::ofstream(m_home.path().toStdString() + "/secret.h") << "static const int secret = 42;\n";
    QVERIFY(QDir(m_home.path()).mkdir("home"));
}

std::string TestFaults::filledIn(std::string text, const fs::path& root) const
{
    const std::string home = m_home.path().toStdString();
    for (const auto& [mark, value] : std::map<std::string, std::string>{{"@ROOT@", root.string()}, {"@HOME@", home + "/home"}, {"@SECRET@", home + "/secret.h"}, {"@PORT@", std::to_string(m_port)}}) {
        for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size())) text.replace(at, mark.size(), value);
    }
    return text;
}

void TestFaults::fill(test::DatasetBuilder& builder, const std::vector<Fault>& faults)
{
    builder.definition({.name = "affine", .opType = "elementwise", .constAxes = {{"N", 64}}, .reference = "def run(x):\n    return x * 2 + 1\n"});
    builder.workload({.definition = "affine", .uuid = "w1", .axes = {{"M", 32}}});
    for (const Fault& fault : faults) {
        builder.solution({.name = fault.name,
                          .definition = "affine",
                          .language = fault.isNative ? "cpp" : "python",
                          .source = filledIn(fault.source, builder.root()),
                          .sourcePath = fault.isNative ? "main.cpp" : "main.py",
                          .destinationPassingStyle = fault.fact("style") == "dps"});
        if (fault.fact("expect") != "PASSED") builder.solution({.name = fault.name + kFollower, .definition = "affine", .source = kHonest});
    }
}

TestFaults::Outcome TestFaults::run(const fs::path& root, QStringList options)
{
    auto spec = test::tracedeckCommand(QStringList{"run", "--local", QString::fromStdString(root.string()), "--device", "cpu", "--warmup-runs", "2", "--iterations", "8",
                                                   "--num-trials", "2", "--host-memory", "2", "--json"} + options);
    const std::string home = m_home.path().toStdString() + "/home";
    spec.environment = {{"HOME", home}, {"TMPDIR", m_temporary.path().toStdString()}, {"XDG_CACHE_HOME", m_home.path().toStdString() + "/cache"},
                        {"XDG_DATA_HOME", m_home.path().toStdString() + "/data"},   // where the program keeps its record of runs
                        {"TRACEDECK_PYTHON", choosePython("", "").interpreter.string()}};   // found before the home was exchanged
    const auto done = runCaptured(spec, {.timeoutSeconds = 500, .capBytes = std::size_t{64} << 20U});
    if (!done || done->timedOut) throw std::runtime_error("tracedeck did not end");
    Outcome outcome{{}, done->errorOutput, done->exit.exitCode};
    for (const Json& event : test::jsonLines(done->output)) {
        if (event.at("event") == "result") outcome.results.push_back(event.at("trace"));
        if (event.at("event") == "problem") outcome.said += event.dump() + "\n";
    }
    return outcome;
}

Json TestFaults::wallsOf(const QStringList& options)
{
    test::DatasetBuilder builder;
    Fault honest{"honest", kHonest, false, {{"expect", "PASSED"}}};
    fill(builder, {honest});
    const Outcome outcome = run(builder.root(), options);
    if (outcome.results.size() != 1 || outcome.results.front().at("evaluation").at("status") != "PASSED") throw std::runtime_error("an honest solution fails: " + outcome.said);
    return outcome.results.front().at("evaluation").at("judge").at("walls");
}

/// Every row of the catalogue of cheats that can be written for a CPU, and enough of them.
void TestFaults::coversTheCatalogue()
{
    const auto faults = readFaults();
    QVERIFY(faults.size() >= 100);
    std::set<std::string> rows;
    for (const Fault& fault : faults) {
        QVERIFY2(!fault.fact("row").empty() && !fault.fact("expect").empty(), fault.name.c_str());
        QVERIFY2(fault.fact("expect") == "PASSED" || !fault.fact("verdict").empty() || fault.fact("expect") == "COMPILE_ERROR", fault.name.c_str());
        QRegularExpressionMatchIterator found = QRegularExpression("C\\d+").globalMatch(QString::fromStdString(fault.fact("row")));
        while (found.hasNext()) rows.insert(found.next().captured().toStdString());
    }
    for (const int row : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 24, 25, 26, 28, 30, 31}) QVERIFY2(rows.contains("C" + std::to_string(row)), std::to_string(row).c_str());
}

void TestFaults::everyoneGetsWhatTheyDeserve_data()
{
    QTest::addColumn<QString>("confinement");
    QTest::addColumn<bool>("isShort");
    QTest::newRow("as much confinement as there is") << "auto" << false;
    QTest::newRow("until the time is over") << "auto" << true;
    QTest::newRow("no namespaces") << "partial" << false;
}

void TestFaults::everyoneGetsWhatTheyDeserve()
{
    QFETCH(QString, confinement);
    QFETCH(bool, isShort);
    const QStringList options{"--confinement", confinement, "--timeout", isShort ? "3" : "60", "--build-timeout", "60"};
    const Json walls = wallsOf(options);
    std::vector<Fault> faults;
    for (Fault& fault : readFaults()) {
        const std::string needs = fault.fact("needs");
        const bool isWanted = (fault.fact("timeout") == "short") == isShort && hasWall(walls, needs) && (m_canBuild || !fault.isNative);
        // Without namespaces only what they would have stopped is told apart once more.
        if (isWanted && (confinement == "auto" || !needs.empty() || fault.name.starts_with("honest"))) faults.push_back(std::move(fault));
    }
    QVERIFY(!faults.empty());
    test::DatasetBuilder builder;
    fill(builder, faults);
    const auto before = snapshot(builder.root());
    const auto homeBefore = snapshot(m_home.path().toStdString() + "/home");
    const Outcome outcome = run(builder.root(), options);
    QCOMPARE(outcome.exitCode, 0);
    std::map<std::string, Json> evaluations;
    for (const Json& trace : outcome.results) evaluations[trace.at("solution").get<std::string>()] = trace.at("evaluation");

    QStringList wrong;
    for (const Fault& fault : faults) {
        const auto found = evaluations.find(fault.name);
        if (found == evaluations.end()) {
            wrong << QString::fromStdString(fault.name) + ": no result. " + QString::fromStdString(outcome.said);
            continue;
        }
        const Json& evaluation = found->second;
        const auto status = evaluation.at("status").get<std::string>();
        const auto expected = alternatives(fault.fact("expect"));
        const auto verdicts = alternatives(fault.fact("verdict"));
        bool isJudged = verdicts.empty();
        if (evaluation.contains("judge")) {
            for (const Json& verdict : evaluation.at("judge").at("verdicts")) isJudged = isJudged || std::ranges::find(verdicts, verdict.at("id").get<std::string>()) != verdicts.end();
        }
        const bool isSaid = evaluation.at("log").get<std::string>().find(fault.fact("says")) != std::string::npos;
        if (std::ranges::find(expected, status) == expected.end() || !isJudged || !isSaid) {
            wrong << QString::fromStdString(fault.name + ": " + evaluation.dump(1, ' ', false, Json::error_handler_t::replace).substr(0, 3000));
        }
        if (fault.fact("expect") == "PASSED") continue;
        const auto follower = evaluations.find(fault.name + kFollower);
        if (follower == evaluations.end() || follower->second.at("status") != "PASSED") {
            wrong << QString::fromStdString("after " + fault.name + ": " + (follower == evaluations.end() ? "no result" : follower->second.dump(1).substr(0, 3000)));
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("\n\n")));
    QVERIFY(snapshot(builder.root()) == before);
    QVERIFY(snapshot(m_home.path().toStdString() + "/home") == homeBefore);
    QCOMPARE(QDir(m_temporary.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList());
    QTRY_VERIFY_WITH_TIMEOUT(test::nothingIsLeftOver(), 10000);
}

void TestFaults::fullConfinementOrNothing()
{
    test::DatasetBuilder builder;
    fill(builder, {{"honest", kHonest, false, {{"expect", "PASSED"}}}});
    const Outcome none = run(builder.root(), {"--confinement", "none"});
    QCOMPARE(none.results.size(), std::size_t{1});
    QCOMPARE(none.results.front().at("evaluation").at("judge").at("confinement").get<std::string>(), std::string("none"));
    QVERIFY(none.results.front().at("evaluation").at("judge").at("walls").empty());
    const Outcome full = run(builder.root(), {"--confinement", "full"});
    if (full.results.empty()) {
        QVERIFY2(full.said.find("full confinement is asked for") != std::string::npos, full.said.c_str());
    } else {
        QCOMPARE(full.results.front().at("evaluation").at("judge").at("confinement").get<std::string>(), std::string("full"));
    }
}

QTEST_GUILESS_MAIN(TestFaults)
#include "test_faults.moc"
