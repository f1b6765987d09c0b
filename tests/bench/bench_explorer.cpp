// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the window on the dataset that TRACEDECK_BENCH_DATASET names (make_dataset.py makes one): how long the thread that paints is
// busy at most with one event, and how long an answer takes. Prints a table, and JSON with --json FILE.
#include <sys/resource.h>
#include <time.h>

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QProcess>
#include <QScrollBar>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "ui/main_window.h"
#include "ui/models/run_queue_model.h"
#include "ui/models/workspace.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/traces_page.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_panel.h"
#include "ui/style/theme.h"

using namespace tracedeck::ui;

namespace {

constexpr double kFrameMs = 16;
constexpr double kAnswerMs = 100;
constexpr double kStartMs = 300;
constexpr int kWaitMs = 60'000;
constexpr int kStarts = 5;
constexpr int kSettleMs = 50;

double monotonicMs()
{
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Knows the longest time that one event took, painting and what it calls included.
class MeasuredApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_depth++ > 0) {
            const bool handled = QApplication::notify(receiver, event);
            --m_depth;
            return handled;
        }
        const double begin = monotonicMs();
        const bool handled = QApplication::notify(receiver, event);
        longest = std::max(longest, monotonicMs() - begin);
        --m_depth;
        return handled;
    }
    double longest = 0;

private:
    int m_depth = 0;
};

MeasuredApplication* application() { return static_cast<MeasuredApplication*>(qApp); }

struct Figure {
    QString name;
    double busyMs = 0;     ///< longest event
    double answerMs = 0;   ///< until the answer is on the screen
    double busyLimit = kFrameMs;
    double answerLimit = kAnswerMs;
};

void show(std::vector<Figure>& figures, const Figure& figure)
{
    std::printf("%-44s busy %7.1f ms (<= %.0f)   answer %8.1f ms%s\n", qPrintable(figure.name), figure.busyMs, figure.busyLimit, figure.answerMs,
                figure.answerLimit > 0 ? qPrintable(QStringLiteral(" (<= %1)").arg(figure.answerLimit)) : "");
    std::fflush(stdout);
    figures.push_back(figure);
}

/// Does something, and waits until the table shows the answer.
Figure measure(const QString& name, MainWindow& window, const std::function<void()>& act, double answerLimit = kAnswerMs)
{
    TracesPage* page = window.definitionPage()->tracesPage();
    QTest::qWait(kSettleMs);
    bool shown = false;
    const auto connection = QObject::connect(page, &TracesPage::rowsShown, page, [&shown] { shown = true; });
    application()->longest = 0;
    const double begin = monotonicMs();
    // As an event of its own, which is measured like those of a user.
    QTimer::singleShot(0, page, act);
    QElapsedTimer limit;
    limit.start();
    while (!shown && limit.elapsed() < kWaitMs)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    page->view()->viewport()->repaint();
    const double answer = monotonicMs() - begin;
    QTest::qWait(kSettleMs);   // what follows the answer counts as busy, too
    QObject::disconnect(connection);
    return {name, application()->longest, answer, kFrameMs, answerLimit};
}

/// A process from nothing to a painted window that takes keys. Fastest of some: the file cache is warm after the first.
double coldStartMs(const QString& program)
{
    double best = 1e9;
    for (int i = 0; i < kStarts; ++i) {
        QProcess child;
        child.start(program, {QStringLiteral("--start"), QString::number(monotonicMs(), 'f', 3)});
        child.waitForFinished(kWaitMs);
        bool isNumber = false;
        const double ms = child.readAllStandardOutput().trimmed().toDouble(&isNumber);
        if (isNumber)
            best = std::min(best, ms);
    }
    return best;
}

/// A run of ten thousand pairs on eight devices, whose events arrive thirty times a second: how long one delivery keeps the window.
Figure followRun(MainWindow& window)
{
    using namespace tracedeck;
    constexpr std::size_t kPairs = 10'000;
    constexpr std::size_t kDevices = 8;
    constexpr std::size_t kPairsInBatch = 20;
    const auto dataset = window.workspace()->dataset();
    const std::string definition = window.workspace()->currentDefinition().toStdString();
    const auto& workloads = dataset->workloadsOf(definition);
    RunPlan plan;
    for (std::size_t i = 0; i < kPairs && !workloads.empty(); ++i)
        plan.pairs.push_back({definition, "solution_" + std::to_string(i / workloads.size()), i % workloads.size(), workloads[i % workloads.size()].workload.uuid});
    window.showPage(MainWindow::Page::Run);
    window.runPanel()->queue()->show(dataset, plan);
    QTest::qWait(kSettleMs);
    application()->longest = 0;
    const double begin = monotonicMs();
    std::size_t done = 0;
    while (done < plan.pairs.size()) {
        auto batch = std::make_shared<std::vector<RunEvent>>();
        for (std::size_t i = 0; i < kPairsInBatch && done < plan.pairs.size(); ++i, ++done) {
            // Each device has its own part of the queue.
            const std::size_t pair = done % kDevices * (kPairs / kDevices) + done / kDevices;
            const std::string device = "cuda:" + std::to_string(done % kDevices);
            batch->emplace_back(StartEvent{device, pair});
            for (const Stage stage : {Stage::Inputs, Stage::Reference, Stage::Check, Stage::Time, Stage::Verify})
                batch->emplace_back(StageEvent{device, pair, stage});
            ResultEvent result;
            result.device = device;
            result.pair = pair;
            result.trace.evaluation = Evaluation();
            result.trace.evaluation->performance = Performance{0.25, 0.5, 2, Json::object()};
            batch->emplace_back(std::move(result));
        }
        QTimer::singleShot(0, &window, [&window, batch] { emit window.runController()->events(*batch); });
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();   // what it repaints
    }
    return {QStringLiteral("run: events of 10,000 pairs on 8 devices"), application()->longest, monotonicMs() - begin, kFrameMs, 0};
}

int reportStart(double since)
{
    MainWindow window;
    window.resize(1280, 800);
    window.show();
    while (!QTest::qWaitForWindowExposed(&window)) {
    }
    window.repaint();
    QTimer::singleShot(0, &window, [since] {
        std::printf("%.1f\n", monotonicMs() - since);
        std::fflush(stdout);
        QApplication::exit();
    });
    return QApplication::exec();
}

}  // namespace

int main(int argc, char* argv[])
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    MeasuredApplication app(argc, argv);
    const QTemporaryDir settings;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    installStyle();
    applyTheme(ThemeChoice::Light);
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() == 3 && arguments[1] == u"--start")
        return reportStart(arguments[2].toDouble());
    const QString folder = qEnvironmentVariable("TRACEDECK_BENCH_DATASET");
    if (folder.isEmpty()) {
        std::fputs("TRACEDECK_BENCH_DATASET must name a dataset folder\n", stderr);
        return 2;
    }
    std::vector<Figure> figures;
    show(figures, {QStringLiteral("cold start to a usable window"), 0, coldStartMs(QApplication::applicationFilePath()), kFrameMs, kStartMs});

    MainWindow window;
    window.resize(1280, 800);
    window.show();
    if (!QTest::qWaitForWindowExposed(&window))
        return 1;
    application()->longest = 0;
    const double opened = monotonicMs();
    window.openPath(folder);
    if (!QTest::qWaitFor([&window] { return window.workspace()->isOpen() && window.isSettled(); }, kWaitMs)) {
        std::fputs("the dataset did not open\n", stderr);
        return 1;
    }
    show(figures, {QStringLiteral("open the dataset, every page shown"), application()->longest, monotonicMs() - opened, kFrameMs, 0});

    window.showPage(MainWindow::Page::Traces);
    TracesPage* page = window.definitionPage()->tracesPage();
    auto* scope = page->findChild<QComboBox*>(QStringLiteral("traceScope"));
    auto* filter = page->findChild<QLineEdit*>(QStringLiteral("traceFilter"));
    show(figures, measure(QStringLiteral("show every trace of the dataset"), window, [scope] { scope->setCurrentIndex(0); }, 0));
    std::printf("rows: %d\n", page->view()->model()->rowCount());
    filter->setFocus();
    for (const char letter : {'p', 'a', 's'})
        show(figures, measure(QStringLiteral("filter: key '%1'").arg(QLatin1Char(letter)), window, [filter, letter] { QTest::keyClick(filter, letter); }));
    show(figures, measure(QStringLiteral("filter: axis, pasted"), window, [filter] { filter->setText(QStringLiteral("M=16")); }));
    show(figures, measure(QStringLiteral("filter: cleared"), window, [filter] { filter->clear(); }));
    QHeaderView* header = page->view()->horizontalHeader();
    for (const int column : {4, 2, 11}) {
        const QString title = page->view()->model()->headerData(column, Qt::Horizontal).toString();
        show(figures, measure(QStringLiteral("sort by %1").arg(title), window, [header, column] { emit header->sectionClicked(column); }, 0));
    }
    // Every page of the table is painted at once: what a user would see of a scroll bar that is dragged.
    constexpr int kPages = 300;
    QScrollBar* bar = page->view()->verticalScrollBar();
    double slowest = 0;
    const double begin = monotonicMs();
    for (int i = 0; i < kPages; ++i) {
        const double frame = monotonicMs();
        bar->setValue(static_cast<int>(static_cast<qint64>(bar->maximum()) * ((i * 7919) % kPages) / kPages));
        page->view()->viewport()->repaint();
        slowest = std::max(slowest, monotonicMs() - frame);
    }
    show(figures, {QStringLiteral("scroll: a page anywhere, painted (mean)"), slowest, (monotonicMs() - begin) / kPages, kFrameMs, kFrameMs});
    show(figures, measure(QStringLiteral("filter in a sorted table: key 'x'"), window, [filter] { QTest::keyClick(filter, 'x'); }));

    show(figures, followRun(window));

    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    std::printf("resident memory at most: %ld MiB\n", usage.ru_maxrss / 1024);
    if (const qsizetype at = arguments.indexOf(QStringLiteral("--json")); at >= 0 && at + 1 < arguments.size()) {
        QJsonObject document{{QStringLiteral("resident_kib"), static_cast<qint64>(usage.ru_maxrss)}};
        for (const Figure& figure : figures)
            document.insert(figure.name, QJsonObject{{QStringLiteral("busy_ms"), figure.busyMs}, {QStringLiteral("answer_ms"), figure.answerMs}});
        QFile file(arguments[at + 1]);
        if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(document).toJson()) < 0)
            return 1;
    }
    return 0;
}
