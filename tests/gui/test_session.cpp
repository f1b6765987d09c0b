// SPDX-License-Identifier: GPL-3.0-or-later
// What is open survives another language and another day; named layouts; windows side by side; tensors of a workload; axes that stand out.
#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QInputDialog>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTreeView>

#include "tests/support/gui_test.h"
#include "tests/support/test_files.h"
#include "ui/charts/chart_legend.h"
#include "ui/main_window.h"
#include "ui/models/dataset_tree_model.h"
#include "ui/models/workload_tensor_model.h"
#include "ui/pages/charts_page.h"
#include "ui/pages/dataset_panel.h"
#include "ui/pages/definition_header.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/facts_table.h"
#include "ui/pages/leaderboard_page.h"
#include "ui/pages/recent_delegate.h"
#include "ui/pages/shape_delegate.h"
#include "ui/pages/table_tools.h"
#include "ui/pages/trace_details.h"
#include "ui/pages/traces_page.h"
#include "ui/pages/workload_page.h"
#include "ui/settings/recent_datasets.h"
#include "ui/settings/settings.h"
#include "ui/style/labels.h"
#include "ui/window_host.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kWaitMs = 20'000;
/// Nothing to look into: an interpreter with PyTorch takes seconds to say what it has.
const QString kNoPython = QStringLiteral("/bin/false");
constexpr int kChangeMs = 5'000;

void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "gemm_a", .varAxes = {"M", "K"}}).definition({.name = "norm_b", .opType = "rmsnorm"});
    for (const char* name : {"a_base", "a_fast", "a_slow"})
        builder.solution({.name = name, .definition = "gemm_a", .author = name[2] == 'b' ? "baseline" : "ann"});
    builder.solution({.name = "b_base", .definition = "norm_b", .author = "baseline"});
    for (const char* uuid : {"w1", "w2", "w3"}) {
        const std::int64_t size = std::int64_t{1} << (4 * (uuid[1] - '0'));
        builder.workload({.definition = "gemm_a", .uuid = uuid, .axes = {{"M", size}, {"K", 8}}});
        double latency = 1;
        for (const char* solution : {"a_base", "a_fast", "a_slow"})
            builder.trace({.definition = "gemm_a", .solution = solution, .uuid = uuid, .latencyMs = latency++, .axes = {{"M", size}, {"K", 8}}});
    }
}

QString rootOf(const DatasetBuilder& builder) { return QString::fromStdString(builder.root().string()); }

bool settled(MainWindow& window)
{
    return QTest::qWaitFor([&] { return window.workspace()->isOpen() && window.isSettled(); }, kWaitMs);
}

QComboBox* box(const MainWindow& window, const char* name) { return window.findChild<QComboBox*>(QString::fromLatin1(name)); }

/// Leaves nothing as it is at first.
void change(MainWindow& window)
{
    window.showSolution(QStringLiteral("a_fast"));
    window.showComparison(QStringLiteral("a_fast"), QStringLiteral("a_base"));
    window.showTensors(QStringLiteral("gemm_a"), window.workspace()->dataset()->workloadsOf("gemm_a").at(1).workload);
    window.showPage(MainWindow::Page::Charts);
    window.definitionPage()->chartsPage()->setAxis(QStringLiteral("K"));
    window.definitionPage()->chartsPage()->setMeasure(ChartMeasure::SpeedupToReference);
    window.definitionPage()->chartsPage()->legend()->toggle(QStringLiteral("a_slow"));
    auto* log = window.findChild<QCheckBox*>(QStringLiteral("chartLogY"));
    if (!log->isChecked())
        log->click();
    QComboBox* scope = box(window, "leaderboardScope");
    scope->setCurrentIndex(scope->count() - 1);
    auto* model = window.datasetPanel()->model();
    window.datasetPanel()->tree()->collapseAll();
    window.datasetPanel()->tree()->expand(model->index(1, 0));
    for (TableTools* tools : window.findChildren<TableTools*>())
        if (tools->name() == u"workloads")
            tools->restoreSort({QStringLiteral("-axis M")});
}

/// All of it in words, so that a failure says what is not as before.
QString stateOf(MainWindow& window)
{
    QStringList hidden(window.definitionPage()->chartsPage()->legend()->hidden().values());
    hidden.sort();
    QString text = QStringLiteral("axis %1, measure %2, log %3, hidden %4, scope %5, expanded %6, %7 tabs, page %8")
                       .arg(box(window, "chartX")->currentData().toString())
                       .arg(box(window, "chartY")->currentData().toInt())
                       .arg(window.findChild<QCheckBox*>(QStringLiteral("chartLogY"))->isChecked())
                       .arg(hidden.join(QLatin1Char(' ')), box(window, "leaderboardScope")->currentData(Qt::UserRole + 1).toString(),
                            window.datasetPanel()->expandedKeys().join(QLatin1Char(' ')))
                       .arg(window.findChild<QTabWidget*>(QStringLiteral("pageTabs"))->count())
                       .arg(static_cast<int>(window.currentPage()));
    for (TableTools* tools : window.findChildren<TableTools*>())
        if (tools->name() == u"workloads")
            text += QStringLiteral(", sorted by %1").arg(tools->sortState().join(QLatin1Char(' ')));
    return text;
}

}  // namespace

class TestSession : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareGuiTest(); }
    void init()
    {
        test::failOnQtWarnings();
        QSettings().clear();
        m_builder = std::make_unique<DatasetBuilder>();
        fill(*m_builder);
    }
    void cleanup() { applyLanguage(WindowLanguage::English); }

    void anotherLanguageKeepsWhatIsSet()
    {
        WindowHost host(kNoPython);
        host.window()->resize(1280, 800);
        host.window()->show();
        host.window()->openPath(rootOf(*m_builder));
        QVERIFY(settled(*host.window()));
        change(*host.window());
        QVERIFY(settled(*host.window()));
        const QString before = stateOf(*host.window());
        QVERIFY2(before.startsWith(QStringLiteral("axis K, measure 1, log 1, hidden a_slow, scope rmsnorm,")), qPrintable(before));
        QVERIFY2(before.contains(QStringLiteral(", 5 tabs, page 4, sorted by -axis M")), qPrintable(before));
        host.showIn(WindowLanguage::SimplifiedChinese);
        QTRY_VERIFY_WITH_TIMEOUT(host.window()->isSettled(), kWaitMs);
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(*host.window()), before, kChangeMs);
    }

    void anotherDayFindsWhatWasOpen()
    {
        QString before;
        {
            MainWindow window(kNoPython);
            window.resize(1280, 800);
            window.show();
            window.openPath(rootOf(*m_builder));
            QVERIFY(settled(window));
            window.workspace()->setPolicy(SelectionPolicy::LowestMedian);
            change(window);
            QVERIFY(settled(window));
            before = stateOf(window);
            window.close();
        }
        MainWindow window(kNoPython);
        window.resize(1280, 800);
        window.show();
        QVERIFY(window.reopenSession());
        QVERIFY(settled(window));
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(window), before, kChangeMs);
        QVERIFY(window.workspace()->policy() == SelectionPolicy::LowestMedian);
        QCOMPARE(window.workspace()->root(), rootOf(*m_builder));
    }

    void aSessionOfAFolderThatIsGoneIsNotReopened()
    {
        MainWindow window(kNoPython);
        QVERIFY(!window.reopenSession());
        Settings::setSession({{QStringLiteral("root"), QStringLiteral("/no/such/folder")}});
        QVERIFY(!window.reopenSession());
    }

    void layoutsAreSavedChosenAndDeleted()
    {
        MainWindow window(kNoPython);
        window.resize(1280, 800);
        window.show();
        window.openPath(rootOf(*m_builder));
        QVERIFY(settled(window));
        auto* dataset = window.findChild<QDockWidget*>(QStringLiteral("datasetDock"));
        auto* runs = window.findChild<QDockWidget*>(QStringLiteral("runsDock"));
        QVERIFY(dataset->features().testFlag(QDockWidget::DockWidgetFloatable) && dataset->features().testFlag(QDockWidget::DockWidgetClosable));
        dataset->hide();
        runs->show();
        window.findChild<QAction*>(QStringLiteral("saveLayoutAction"))->trigger();
        auto* dialog = window.findChild<QInputDialog*>(QStringLiteral("layoutName"));
        QVERIFY(dialog);
        dialog->setTextValue(QStringLiteral("wide & low/50%"));
        dialog->accept();
        QCOMPARE(Settings::layoutNames(), QStringList{QStringLiteral("wide & low/50%")});
        window.resetLayout();
        QVERIFY(!dataset->isHidden() && runs->isHidden());
        dataset->setFloating(true);
        window.resetLayout();
        QVERIFY(!dataset->isFloating());
        QMenu* layouts = nullptr;
        for (QMenu* menu : window.findChildren<QMenu*>())
            if (menu->actions().contains(window.findChild<QAction*>(QStringLiteral("saveLayoutAction"))))
                layouts = menu;
        QVERIFY(layouts);
        emit layouts->aboutToShow();
        QCOMPARE(layouts->actions().at(2)->text(), QStringLiteral("wide && low/50%"));
        layouts->actions().at(2)->trigger();
        QVERIFY(dataset->isHidden() && !runs->isHidden());
        layouts->actions().back()->menu()->actions().front()->trigger();
        auto* question = window.findChild<QMessageBox*>();
        QVERIFY(question);
        for (QAbstractButton* button : question->buttons())
            if (question->buttonRole(button) == QMessageBox::DestructiveRole)
                button->click();
        QVERIFY(Settings::layoutNames().isEmpty());
    }

    void datasetsOpenSideBySide()
    {
        DatasetBuilder other;
        other.definition({.name = "other"});
        WindowHost host(kNoPython);
        host.window()->show();
        host.window()->openPath(rootOf(*m_builder));
        QVERIFY(settled(*host.window()));
        emit host.window()->windowWanted(rootOf(other));
        QTRY_COMPARE_WITH_TIMEOUT(host.windows().size(), std::size_t(2), kWaitMs);
        QPointer<MainWindow> second = host.windows().back();
        QVERIFY(settled(*second));
        QCOMPARE(second->workspace()->root(), rootOf(other));
        QCOMPARE(host.window()->workspace()->root(), rootOf(*m_builder));
        host.showIn(WindowLanguage::SimplifiedChinese);   // both of them
        QTRY_VERIFY_WITH_TIMEOUT(!second, kWaitMs);
        QCOMPARE(host.windows().size(), std::size_t(2));
        QVERIFY(settled(*host.windows().back()));
        QCOMPARE(host.windows().back()->workspace()->root(), rootOf(other));
        second = host.windows().back();
        second->close();
        QTRY_VERIFY_WITH_TIMEOUT(!second, kWaitMs);
        QCOMPARE(host.windows().size(), std::size_t(1));
        QVERIFY(host.window()->isVisible());
    }

    void tensorsOfAWorkloadAreShown()
    {
        const std::string header = Json({{"t", {{"dtype", "F32"}, {"shape", {2}}, {"data_offsets", {0, 8}}}}}).dump();
        const std::uint64_t length = header.size();
        std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
        for (const float value : {1.0F, 3.0F})
            bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        bytes.insert(8, header);
        m_builder->file("blob/t.safetensors", bytes);
        const auto line = [](const char* uuid, const char* path) {
            const Json input = {{"type", "safetensors"}, {"path", path}, {"tensor_key", "t"}};
            const Json json = {{"definition", "norm_b"}, {"workload", {{"axes", {{"M", 2}}}, {"inputs", {{"x", input}}}, {"uuid", uuid}}}, {"solution", nullptr}, {"evaluation", nullptr}};
            return json.dump();
        };
        m_builder->file("workloads/rmsnorm/norm_b.jsonl", line("stored", "blob/t.safetensors") + "\n" + line("gone", "blob/gone.safetensors") + "\n");
        MainWindow window(kNoPython);
        window.resize(1280, 800);
        window.show();
        window.openPath(rootOf(*m_builder));
        QVERIFY(settled(window));
        QVERIFY(window.select(QStringLiteral("gone")));
        window.findChild<QAction*>(QStringLiteral("tensorsAction"))->trigger();
        QVERIFY(settled(window));
        auto* tabs = window.findChild<QTabWidget*>(QStringLiteral("pageTabs"));
        auto* page = qobject_cast<WorkloadPage*>(tabs->currentWidget());
        QVERIFY(page);
        QVERIFY(window.currentPage() == MainWindow::Page::Tensors);
        const QAbstractItemModelTester tester(page->table()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto* message = page->findChild<WrappedLabel*>(QStringLiteral("tensorMessage"));
        QVERIFY2(message->text().contains(QStringLiteral("blob/gone.safetensors")), qPrintable(message->text()));
        QVERIFY(page->table()->model()->index(0, WorkloadTensorModel::SourceColumn).data(Qt::ToolTipRole).toString().contains(QStringLiteral("gone.safetensors")));
        // From the table of workloads, by Enter.
        QVERIFY(window.select(QStringLiteral("stored")));
        tabs->setCurrentIndex(0);
        emit window.definitionPage()->workloadTable()->activated(window.definitionPage()->workloadTable()->currentIndex());
        QVERIFY(settled(window));
        page = qobject_cast<WorkloadPage*>(tabs->currentWidget());
        QVERIFY(page);
        QCOMPARE(page->uuid(), QStringLiteral("stored"));
        QVERIFY(page->findChild<QPlainTextEdit*>(QStringLiteral("tensorValues"))->toPlainText().startsWith(QStringLiteral("1  3")));
        page->selectTensor(QStringLiteral("y"));
        QVERIFY(page->findChild<WrappedLabel*>(QStringLiteral("tensorMessage"))->text().contains(QStringLiteral("The kernel writes this tensor")));
        // From a trace.
        tabs->setCurrentIndex(0);
        window.workspace()->setCurrentDefinition(QStringLiteral("gemm_a"));
        window.workspace()->setCurrentTrace(0);
        QVERIFY(settled(window));
        auto* ofTrace = window.traceDetails()->findChild<QTableView*>(QStringLiteral("traceTensors"));
        QCOMPARE(ofTrace->model()->rowCount(), 2);
        emit ofTrace->activated(ofTrace->model()->index(0, 0));
        QVERIFY(settled(window));
        page = qobject_cast<WorkloadPage*>(tabs->currentWidget());
        QVERIFY(page);
        QCOMPARE(page->definitionName(), QStringLiteral("gemm_a"));
        QVERIFY(page->findChild<WrappedLabel*>(QStringLiteral("tensorMessage"))->text().contains(QStringLiteral("Random")));
        m_builder->file("blob/gone.safetensors", bytes);   // as the message asks
        window.workspace()->reload();
        QVERIFY(settled(window));
    }

    void anAxisStandsOutInEveryShape()
    {
        QVERIFY(ShapeDelegate::hasAxis(QStringLiteral("[M, K, N]"), QStringLiteral("K")));
        QVERIFY(!ShapeDelegate::hasAxis(QStringLiteral("[MK, N]"), QStringLiteral("K")));
        QVERIFY(!ShapeDelegate::hasAxis(QStringLiteral("scalar"), QStringLiteral("scalar")));
        MainWindow window(kNoPython);
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.openPath(rootOf(*m_builder));
        QVERIFY(settled(window));
        const auto tables = window.definitionPage()->header()->findChildren<FactsTable*>();
        QCOMPARE(tables.size(), 2);
        auto* axes = tables[0];
        auto* shapes = qobject_cast<ShapeDelegate*>(tables[1]->itemDelegateForColumn(2));
        QVERIFY(shapes);
        QTest::mouseMove(axes->viewport(), axes->visualItemRect(axes->item(1, 0)).center());
        QTRY_COMPARE_WITH_TIMEOUT(shapes->axis(), QStringLiteral("K"), kWaitMs);
        window.grab();   // draws it
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(axes->viewport(), &leave);
        QCOMPARE(shapes->axis(), QString());
        axes->setFocus(Qt::TabFocusReason);
        axes->setCurrentCell(0, 0);
        QCOMPARE(shapes->axis(), QStringLiteral("M"));
        QTest::keyClick(axes, Qt::Key_Down);
        QCOMPARE(shapes->axis(), QStringLiteral("K"));
        tables[1]->setFocus(Qt::TabFocusReason);
        QCOMPARE(shapes->axis(), QString());
    }

    void recentDatasetsShowHowTheirTracesEnded()
    {
        RecentDataset recent;
        recent.path = rootOf(*m_builder);
        recent.definitions = 12;
        recent.solutions = 34;
        recent.traces = 1000;
        recent.statuses[static_cast<std::size_t>(Status::Passed)] = 900;
        recent.statuses[static_cast<std::size_t>(Status::IncorrectNumerical)] = 60;
        recent.statuses[static_cast<std::size_t>(Status::Timeout)] = 40;
        RecentDatasets::add(recent);
        QCOMPARE(RecentDatasets::all().front().statuses, recent.statuses);
        MainWindow window(kNoPython);
        window.resize(1280, 800);
        window.show();
        auto* list = window.findChild<QListWidget*>(QStringLiteral("recentList"));
        QTRY_COMPARE_WITH_TIMEOUT(list->count(), 1, kWaitMs);
        const QListWidgetItem* item = list->item(0);
        QCOMPARE(item->data(RecentDelegate::CountsRole).toString(), QStringLiteral("12 definitions · 34 solutions · 1,000 traces"));
        QVERIFY(item->data(RecentDelegate::ShareRole).toString().startsWith(QStringLiteral("90.0")));
        const QString words = item->data(Qt::AccessibleDescriptionRole).toString();
        QVERIFY2(words.contains(QStringLiteral("900 passed")) && words.contains(QStringLiteral("40 timeout")), qPrintable(words));
        // As an older version kept it.
        QSettings().clear();
        QSettings settings;
        settings.beginWriteArray(QStringLiteral("recent"), 1);
        settings.setArrayIndex(0);
        settings.setValue(QStringLiteral("path"), recent.path);
        settings.setValue(QStringLiteral("traces"), 10);
        settings.setValue(QStringLiteral("passed"), 7);
        settings.endArray();
        QCOMPARE(RecentDatasets::all().front().passed(), 7);
        QCOMPARE(RecentDatasets::all().front().statuses[static_cast<std::size_t>(Status::RuntimeError)], 3);
    }

private:
    std::unique_ptr<DatasetBuilder> m_builder;
};

QTEST_MAIN(TestSession)
#include "test_session.moc"
