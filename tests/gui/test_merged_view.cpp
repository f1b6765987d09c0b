// SPDX-License-Identifier: GPL-3.0-or-later
// Several dataset folders shown as one: what is in them, what differs, whose a trace is, where a run would go.
#include <QAction>
#include <QDockWidget>
#include <QFileDialog>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <algorithm>

#include "tests/support/gui_test.h"
#include "ui/main_window.h"
#include "ui/models/problem_tree_model.h"
#include "ui/models/trace_table_model.h"
#include "ui/pages/check_list_button.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/problems_panel.h"
#include "ui/pages/trace_details.h"
#include "ui/pages/traces_page.h"
#include "ui/run/run_controller.h"
#include "ui/settings/recent_datasets.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kWaitMs = 20'000;

void fill(DatasetBuilder& builder, const std::string& name)
{
    builder.definition({.name = "gemm_a"}).solution({.name = "s_" + name, .definition = "gemm_a"}).workload({.definition = "gemm_a", .uuid = "w_" + name});
    builder.solution({.name = "both", .definition = "gemm_a", .author = "bob", .source = "def run(x):\n    return x + 1  # " + name + "\n"});
    builder.trace({.definition = "gemm_a", .solution = "s_" + name, .uuid = "w_" + name});
    builder.trace({.definition = "gemm_a", .solution = "both", .uuid = "w_" + name});
}

QString rootOf(const DatasetBuilder& builder) { return QString::fromStdString(builder.root().string()); }

bool settled(MainWindow& window)
{
    return QTest::qWaitFor([&] { return window.workspace()->isOpen() && window.isSettled(); }, kWaitMs);
}

}  // namespace

class TestMergedView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        test::prepareGuiTest();
    }

    void init()
    {
        test::failOnQtWarnings();
        QSettings().clear();
        m_first = std::make_unique<DatasetBuilder>();
        m_second = std::make_unique<DatasetBuilder>();
        fill(*m_first, "a");
        fill(*m_second, "b");
        m_window = std::make_unique<MainWindow>(QStringLiteral("/bin/false"));
        m_window->resize(1280, 800);
        m_window->show();
    }

    void cleanup() { m_window.reset(); }

    void theActionShowsBothAndSaysWhatDiffers()
    {
        auto* action = m_window->findChild<QAction*>(QStringLiteral("openMergedAction"));
        QVERIFY(action && !action->shortcut().isEmpty());
        QVERIFY(!action->isEnabled());
        m_window->openPath(rootOf(*m_first));
        QVERIFY(settled(*m_window));
        QVERIFY(action->isEnabled());
        const QList<QAction*> file = m_window->menuBar()->actions().first()->menu()->actions();
        QVERIFY(file.contains(action));
        action->trigger();
        auto* chooser = m_window->findChild<QFileDialog*>(QStringLiteral("mergeChooser"));
        QVERIFY(chooser);
        emit chooser->fileSelected(rootOf(*m_second));
        chooser->close();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->workspace()->dataset()->isJoined(), kWaitMs);
        QVERIFY(settled(*m_window));
        const auto dataset = m_window->workspace()->dataset();
        QCOMPARE(dataset->solutionsOf("gemm_a").size(), std::size_t{3});
        QCOMPARE(m_window->workspace()->roots(), QStringList({rootOf(*m_first), rootOf(*m_second)}));
        for (const JoinedFolder& folder : dataset->folders()) QVERIFY(m_window->windowTitle().contains(QString::fromStdString(folder.name)));
        const auto& items = m_window->problemsPanel()->model()->items();
        const bool namesBoth = std::any_of(items.begin(), items.end(), [this](const ProblemItem& item) {
            return item.file.startsWith(rootOf(*m_second)) && item.reason.contains(rootOf(*m_first)) && item.reason.contains(QStringLiteral("both"));
        });
        QVERIFY(namesBoth);
        QVERIFY(RecentDatasets::all().size() == 1);   // not the two as one
    }

    void aTraceSaysItsDataset()
    {
        showBoth();
        m_window->showPage(MainWindow::Page::Traces);
        QVERIFY(settled(*m_window));
        auto* view = m_window->findChild<QTableView*>(QStringLiteral("traceTable"));
        const int column = TraceTableModel::columnOf(TraceColumn::Folder);
        QVERIFY(!view->isColumnHidden(column));
        QCOMPARE(view->model()->rowCount(), 3);
        QStringList names;
        for (int row = 0; row < view->model()->rowCount(); ++row) names << view->model()->index(row, column).data().toString();
        const auto dataset = m_window->workspace()->dataset();
        const QString first = QString::fromStdString(dataset->folders()[0].name);
        const QString second = QString::fromStdString(dataset->folders()[1].name);
        QCOMPARE(names, QStringList({first, first, second}));
        auto* filter = m_window->findChild<CheckListButton*>(QStringLiteral("traceFolderFilter"));
        QVERIFY(filter->isVisible());
        filter->setChecked({second});
        QTRY_COMPARE_WITH_TIMEOUT(view->model()->rowCount(), 1, kWaitMs);
        m_window->workspace()->setCurrentTrace(2);
        QVERIFY(settled(*m_window));
        QVERIFY2(m_window->traceDetails()->reproductionCommand().contains(rootOf(*m_second)), qPrintable(m_window->traceDetails()->reproductionCommand()));
        filter->setChecked({});
        m_window->openPath(rootOf(*m_first));
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->workspace()->dataset()->isJoined(), kWaitMs);
        QVERIFY(settled(*m_window));
        QVERIFY(view->isColumnHidden(column));
        QVERIFY(!filter->isVisible());
    }

    void whatChangesInEitherFolderShowsUp()
    {
        showBoth();
        QCOMPARE(m_window->workspace()->dataset()->traces().size(), std::size_t{3});
        m_second->trace({.definition = "gemm_a", .solution = "s_b", .uuid = "w_b", .timestamp = "2026-05-01T00:00:00"});
        QTRY_COMPARE_WITH_TIMEOUT(m_window->workspace()->dataset()->traces().size(), std::size_t{4}, kWaitMs);
        m_first->solution({.name = "s_new", .definition = "gemm_a"});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->workspace()->dataset()->findSolution("s_new") != nullptr, kWaitMs);
        QVERIFY(settled(*m_window));
    }

    void resultsOfARunAreShownWhereTheyAre()
    {
        showBoth();
        Workspace* workspace = m_window->workspace();
        const Dataset::AddedTrace added = test::landTrace(*m_second, {.definition = "gemm_a", .solution = "s_b", .uuid = "w_b", .timestamp = "2026-05-01T00:00:00",
                                                                      .file = "traces/ann/gemm/gemm_a.jsonl"});
        workspace->addTraces({added});
        QCOMPARE(workspace->dataset()->traces().size(), std::size_t{4});
        QCOMPARE(workspace->dataset()->folderOf(workspace->dataset()->traces().row(3)), m_second->root());
        // The watcher tells of it, too: it is not there twice, and a run that begins now knows of it.
        QTRY_COMPARE_WITH_TIMEOUT(workspace->dataset()->folders()[1].dataset->traces().size(), std::size_t{3}, kWaitMs);
        QCOMPARE(workspace->dataset()->traces().size(), std::size_t{4});
    }

    void aRunAcrossFoldersIsRefusedInWords()
    {
        showBoth();
        RunController* controller = m_window->runController();
        QSignalSpy failed(controller, &RunController::failedToStart);
        RunRequest request;
        request.dataset = m_window->workspace()->dataset();
        request.pairs = {{"s_a", "w_b"}};
        controller->start(request);
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kWaitMs);
        const QString reason = failed.front().front().toString();
        for (const JoinedFolder& folder : request.dataset->folders()) QVERIFY2(reason.contains(QString::fromStdString(folder.name)), qPrintable(reason));
        QVERIFY(!controller->isRunning());
    }

    void theSessionShowsThemTogetherAgain()
    {
        showBoth();
        m_window->close();
        m_window = std::make_unique<MainWindow>(QStringLiteral("/bin/false"));
        m_window->show();
        QVERIFY(m_window->reopenSession());
        QVERIFY(settled(*m_window));
        QCOMPARE(m_window->workspace()->roots(), QStringList({rootOf(*m_first), rootOf(*m_second)}));
        QCOMPARE(m_window->workspace()->dataset()->traces().size(), std::size_t{3});
    }

    void whatIsOpenAlreadyIsNotOpenedTwice()
    {
        m_window->openPath(rootOf(*m_first));
        QVERIFY(settled(*m_window));
        QSignalSpy failed(m_window->workspace(), &Workspace::loadFailed);
        m_window->openTogether({rootOf(*m_first), rootOf(*m_first)});
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kWaitMs);
        QVERIFY(!m_window->workspace()->dataset()->isJoined());
    }

private:
    void showBoth()
    {
        m_window->openTogether({rootOf(*m_first), rootOf(*m_second)});
        QVERIFY(settled(*m_window));
        QVERIFY(m_window->workspace()->dataset()->isJoined());
    }

    std::unique_ptr<DatasetBuilder> m_first;
    std::unique_ptr<DatasetBuilder> m_second;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestMergedView)
#include "test_merged_view.moc"
