// SPDX-License-Identifier: GPL-3.0-or-later
// The report page as the program writes it, and what a real browser makes of it.
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <set>

#include "core/io/child_process.h"
#include "core/model/json.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/program.h"
#include "tests/support/test_files.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

const QString kSample = QStringLiteral(TRACEDECK_SOURCE_DIR "/resources/sample");

std::string readText(const QString& path) { return test::readBytes(path.toStdString()); }

QString browser()
{
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
        if (const QString path = QStandardPaths::findExecutable(name); !path.isEmpty()) return path;
    }
    return {};
}

/// The page's elements after its script ran. Empty where the browser failed.
std::string elementsOf(const QString& file, const QString& profile)
{
    ChildSpec spec;
    for (const QString& part : {browser(), QStringLiteral("--headless"), QStringLiteral("--no-sandbox"), QStringLiteral("--disable-gpu"), QStringLiteral("--disable-dev-shm-usage"),
                                QStringLiteral("--user-data-dir=") + profile, QStringLiteral("--dump-dom"), QStringLiteral("file://") + file}) {
        spec.command.push_back(part.toStdString());
    }
    const auto run = runCaptured(spec, {.timeoutSeconds = 60, .capBytes = std::size_t{64} << 20U});
    return run && run->exit.exitCode == 0 ? run->output : std::string();
}

/// Every number that the page has with all its digits.
std::set<std::string> exactNumbers(const std::string& html)
{
    std::set<std::string> numbers;
    const std::string key = "data-v=\"";
    for (auto at = html.find(key); at != std::string::npos; at = html.find(key, at)) {
        at += key.size();
        numbers.insert(html.substr(at, html.find('"', at) - at));
    }
    return numbers;
}

bool holdsNumber(const std::set<std::string>& numbers, double value)
{
    return std::any_of(numbers.begin(), numbers.end(), [value](const std::string& text) { return std::stod(text) == value; });
}

/// A dataset whose names and logs try to run scripts.
void fillHostile(DatasetBuilder& builder)
{
    const std::string evil = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">";
    builder.definition({.name = "g"});
    builder.file("solutions/a/gemm/g/s.json", Json{{"name", evil}, {"definition", "g"}, {"author", evil}, {"spec", {{"language", "python"}, {"target_hardware", {"cpu"}}, {"entry_point", "m.py::run"}}},
                                                   {"sources", {{{"path", "m.py"}, {"content", evil}}}}}.dump());
    for (const char* uuid : {"a", "b"}) builder.trace({.definition = "g", .solution = evil, .uuid = uuid, .latencyMs = uuid[0] == 'a' ? 30.0 : 4.0, .axes = {{"M", uuid[0] - 'a' + 1}}, .hardware = evil});
    builder.trace({.definition = "g", .solution = evil, .uuid = "c", .status = Status::RuntimeError, .axes = {{"M", 3}}, .hardware = evil, .log = evil});
}

}  // namespace

class TestReportHtml : public QObject {
    Q_OBJECT
private slots:
    void pageHasTheNumbersOfTheDocuments()
    {
        QTemporaryDir place;
        const QString path = place.filePath("report.html");
        QElapsedTimer timer;
        timer.start();
        const auto run = test::runTracedeck({"report", "html", "--local", kSample, "--out", path});
        std::fprintf(stderr, "page of the sample dataset: %lld ms\n", static_cast<long long>(timer.elapsed()));
        QCOMPARE(run.exit.exitCode, 0);
        const std::string html = readText(path);
        const std::set<std::string> numbers = exactNumbers(html);
        const Json ranks = Json::parse(test::runTracedeck({"report", "rank", "--local", kSample, "--json"}).output);
        QVERIFY(ranks.at("rows").size() > 3);
        for (const Json& row : ranks.at("rows")) {
            for (const char* key : {"score", "win_rate", "success_rate", "coverage"}) QVERIFY2(holdsNumber(numbers, row.at(key).get<double>()), (row.at("name").get<std::string>() + " " + key).c_str());
        }
        const Json groups = Json::parse(test::runTracedeck({"report", "groups", "--by", "author", "--local", kSample, "--json"}).output);
        for (const Json& group : groups.at("groups")) QVERIFY(holdsNumber(numbers, group.at("speedup_factor").at("geomean").get<double>()));
        const Json map = Json::parse(test::runTracedeck({"report", "heatmap", "--definition", "gemm_n128_k128", "--local", kSample, "--json"}).output);
        for (const Json& line : map.at("cells")) {
            for (const Json& cell : line) {
                if (!cell.is_null() && cell.at("ratio").is_number()) QVERIFY(holdsNumber(numbers, cell.at("ratio").get<double>()));
            }
        }
        // Nothing is loaded from anywhere, and only the page's own script and style count.
        QVERIFY(html.find("http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;") == std::string::npos);
        QVERIFY(html.find("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-") != std::string::npos);
        const QRegularExpression loads(QStringLiteral("<(link|iframe|object|embed|img|base|form)\\b|\\s(src|href)=\"(?!#)|@import|url\\("));
        const auto found = loads.match(QString::fromStdString(html));
        QVERIFY2(!found.hasMatch(), qPrintable(found.captured(0)));
        QCOMPARE(test::runTracedeck({"report", "html", "--local", kSample}).output, html);
    }
    void scopesAndFormsWork()
    {
        const auto run = [](QStringList arguments) { return test::runTracedeck(QStringList{"report"} + arguments + QStringList{"--local", kSample}); };
        const auto page = run({"html", "--definition", "rmsnorm_h512", "--author", "ada", "--date", "today"});
        QCOMPARE(page.exit.exitCode, 0);
        QVERIFY(page.output.find("Scope: definition rmsnorm_h512, author ada. Results up to today.") != std::string::npos);
        QVERIFY(page.output.find("grace_") == std::string::npos);
        QCOMPARE(run({"html", "--author", "nobody"}).exit.exitCode, 2);
        QCOMPARE(run({"html", "--run", "99"}).exit.exitCode, 2);
        QVERIFY(run({"markdown"}).output.starts_with("# Benchmark report: sample\n"));
        QVERIFY(run({"rank", "--format", "markdown"}).output.starts_with("| Rank | Tied | Author |"));
        QVERIFY(run({"summary", "--format", "latex"}).output.starts_with("\\begin{tabular}{rlrrrrr}\n"));
        QVERIFY(run({"best", "--format", "csv"}).output.starts_with("definition,solution,workload_uuid,latency_ms,"));
        QVERIFY(run({"fastp", "--format", "csv"}).output.starts_with("name,share_at_0.95,share_at_1,geometric_mean,"));
        QVERIFY(run({"groups", "--by", "author", "--format", "markdown"}).output.starts_with("| author | Traces |"));
        QCOMPARE(Json::parse(run({"csv", "--format", "json"}).output).size(), std::size_t{892});
        QCOMPARE(run({"csv", "--format", "csv"}).output, run({"csv"}).output);
        QCOMPARE(run({"rank", "--format", "json"}).output, run({"rank", "--json"}).output);
        QCOMPARE(run({"rank", "--format", "yaml"}).exit.exitCode, 2);
    }
    void chartsGoIntoAFolder()
    {
        QTemporaryDir place;
        const QString folder = place.filePath("charts");
        const auto run = test::runTracedeck({"report", "charts", "--local", kSample, "--definition", "rmsnorm_h512", "--out", folder});
        QCOMPARE(run.exit.exitCode, 0);
        const QStringList files = QDir(folder).entryList(QDir::Files);
        QVERIFY2(files.contains("fast_p.svg") && files.contains("latency-rmsnorm_h512-on-NVIDIA-H200.svg"), qPrintable(files.join(' ')));
    }
    void aBrowserShowsItAndRunsOnlyItsOwnScript()
    {
        if (browser().isEmpty()) QSKIP("no Chromium is installed: apt-get install chromium");
        QTemporaryDir place;
        DatasetBuilder builder;
        fillHostile(builder);
        const QString page = place.filePath("report.html");
        QCOMPARE(test::runTracedeck({"report", "html", "--local", QString::fromStdString(builder.root().string()), "--out", page}).exit.exitCode, 0);
        const std::string elements = elementsOf(page, place.filePath("profile"));
        QVERIFY2(!elements.empty(), "the browser gave nothing back");
        QVERIFY(elements.find("<title>Benchmark report: ") != std::string::npos);
        QVERIFY(elements.find("<title>owned") == std::string::npos);
        QVERIFY(elements.find("<img") == std::string::npos);
        // The policy lets the page's own script run: it made the titles of tables clickable.
        QVERIFY(elements.find("<button type=\"button\">Latency (ms)</button>") != std::string::npos);

        // A click on a title sorts: the same page with a finger on it.
        std::string clicked = readText(page);
        const auto policy = clicked.find("<meta http-equiv");
        clicked.erase(policy, clicked.find('\n', policy) - policy);
        clicked.insert(clicked.find("</body>"), "<script>for (const b of document.querySelectorAll('th button')) if (b.textContent === 'Latency (ms)') b.click();</script>");
        const QString pressed = place.filePath("pressed.html");
        test::writeBytes(pressed.toStdString(), clicked);
        const std::string sorted = elementsOf(pressed, place.filePath("profile"));
        const auto table = sorted.find("aria-sort=\"descending\"");
        QVERIFY(table != std::string::npos);
        const auto largest = sorted.find("data-v=\"30\">30", table);
        const auto smallest = sorted.find("data-v=\"4\">4", table);
        QVERIFY2(largest != std::string::npos && smallest != std::string::npos && largest < smallest, "the greatest latency does not come first");
    }
};

QTEST_GUILESS_MAIN(TestReportHtml)
#include "test_report_html.moc"
