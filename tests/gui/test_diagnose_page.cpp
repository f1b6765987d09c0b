// SPDX-License-Identifier: GPL-3.0-or-later
// The Diagnose and Duel pages, and the settings of what runs solutions. What tools print is read elsewhere (unit.test_diagnosis_output); here their
// results are made by hand and shown.
#include <QtTest>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <cmath>
#include <filesystem>

#include "tests/support/gui_test.h"
#include "core/build/cuda_toolkit.h"
#include "tests/support/program.h"
#include "ui/diagnose/diagnose_page.h"
#include "ui/diagnose/diagnosis_views.h"
#include "ui/diagnose/duel_page.h"
#include "ui/diagnose/plain_table_model.h"
#include "ui/dialogs/running_settings.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/main_window.h"
#include "ui/settings/settings.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using namespace tracedeck::test;

namespace {

constexpr const char* kHostile = "<b>bold</b>\u202E=1+1";

QString cell(const PlainTableModel* model, int row, int column) { return model->index(row, column).data().toString(); }

bool hasTorch() { return whyNoPython(false).empty(); }

}  // namespace

class TestDiagnosePage : public QObject {
    Q_OBJECT

    DatasetBuilder m_builder;

private slots:
    void initTestCase();
    void differencesAreShown();
    void differencesWithoutOutputsSayWhy();
    void tolerancesAreShown();
    void findingsAreShownAsPlainText();
    void generatedCodeOpensInPagesOfItsOwn();
    void profilesAreShown();
    void timelinesHaveBars();
    void rowsAreCopied();
    void thePairInHandIsDiagnosed();
    void looksNeedSomethingToLookAt();
    void aFailingSolutionIsLookedAt();
    void looksCanBeStopped();
    void duelsNeedTwo();
    void aDuelIsFought();
    void toolkitsThatAreChosenAreTried();
    void confinementIsKept();
    void cachesAreClearedAfterAQuestion();
};

void TestDiagnosePage::initTestCase()
{
    prepareGuiTest();
    if (!qEnvironmentVariableIsSet("TRACEDECK_WORKER")) qputenv("TRACEDECK_WORKER", TRACEDECK_BIN_DIR "/tracedeck-worker");
    m_builder.definition({.name = "add_n4", .opType = "activation"});
    m_builder.solution({.name = "right", .definition = "add_n4"});
    m_builder.solution({.name = "slow", .definition = "add_n4", .source = "import time\ndef run(x):\n    time.sleep(0.03)\n    return x + 1\n"});
    m_builder.solution({.name = "wrong", .definition = "add_n4", .source = "def run(x):\n    return x + 2\n"});
    m_builder.workload({.definition = "add_n4", .uuid = "w1", .axes = {{"M", 16}}});
    m_builder.workload({.definition = "add_n4", .uuid = "w2", .axes = {{"M", 32}}});
    m_builder.trace({.definition = "add_n4", .solution = "wrong", .uuid = "w2", .status = Status::IncorrectNumerical, .axes = {{"M", 32}}});
}

void TestDiagnosePage::differencesAreShown()
{
    DifferenceView view;
    QAbstractItemModelTester tester(view.worst());
    TensorDifference output;
    output.output = kHostile;
    output.dtype = "float32";
    output.shape = {2, 3};
    output.elements = output.lookedAt = 6;
    output.wrong = 1;
    output.worst = {{4, {1, 1}, 1.5, std::nan(""), std::nan(""), std::nan(""), true}, {0, {0, 0}, 1, 1.001, 0.001, 0.001, false}};
    output.map = {2, 3, 2, 3, {0, 0, 0, 0, 1, 0}, {0.001, 0, 0, 0, INFINITY, 0}};
    output.histogram = {{0, 0, 4}, {0, 1e-9, 0}, {1e-4, 1e-3, 1}, {INFINITY, INFINITY, 1}};
    DifferenceReport report{"INCORRECT_NUMERICAL", "", 0, "", {output, output}};
    view.show(report);
    QCOMPARE(view.worst()->rowCount(), 2);
    QCOMPARE(cell(view.worst(), 0, 0), QStringLiteral("[1, 1]"));
    QCOMPARE(cell(view.worst(), 0, 5), QStringLiteral("wrong"));
    QCOMPARE(cell(view.worst(), 1, 5), QStringLiteral("within"));
    const QString summary = view.findChild<QLabel*>(QStringLiteral("differenceSummary"))->text();
    QVERIFY(summary.contains(QStringLiteral("1 of 6")));
    QVERIFY2(!summary.contains(QChar(0x202E)), qPrintable(summary));
    view.resize(900, 600);
    QVERIFY(!view.grab().isNull());   // paints without a warning
}

void TestDiagnosePage::differencesWithoutOutputsSayWhy()
{
    DifferenceView view;
    view.show(DifferenceReport{"RUNTIME_ERROR", "ValueError: no luck", -1, "no call came to its end", {}});
    QVERIFY(view.message().contains(QStringLiteral("no call came to its end")));
    QVERIFY(view.message().contains(QStringLiteral("no luck")));
}

void TestDiagnosePage::tolerancesAreShown()
{
    ToleranceView view;
    QAbstractItemModelTester tester(view.table());
    view.show(ToleranceReport{"default", 0.01, 0.01, 3, "", {{"y", "zeros", true, 1, 0.005, 1, ""}, {"y", "input x", false, 0.2, 3, 1, "output `y`: 0.2 match"}}});
    QCOMPARE(cell(view.table(), 0, 2), QStringLiteral("passes"));
    QCOMPARE(cell(view.table(), 1, 1), QStringLiteral("a copy of the input x"));
    QVERIFY(view.findChild<QLabel*>(QStringLiteral("toleranceSummary"))->text().contains(QStringLiteral("proves nothing")));
    view.show(ToleranceReport{"sampling", 0.01, 0.01, 0, "the evaluator `sampling` does not compare", {}});
    QVERIFY(view.message().contains(QStringLiteral("does not compare")));
}

void TestDiagnosePage::findingsAreShownAsPlainText()
{
    SanitizerView view;
    QAbstractItemModelTester tester(view.table());
    SanitizerReport report;
    report.output.hasSummary = true;
    report.output.errors = 3;
    report.output.findings = {{"Invalid __global__ write of size 4 bytes", kHostile, "a.cu", 7, "thread (0,0,0) in block (0,0,0)", "0x10", {"is out of bounds"}, 3}};
    report.confinement = "the file system only";
    view.show({report});
    QCOMPARE(cell(view.table(), 0, 1), QStringLiteral("3"));
    QCOMPARE(cell(view.table(), 0, 4), QStringLiteral("a.cu:7"));
    QVERIFY(!cell(view.table(), 0, 3).contains(QChar(0x202E)));
    const QString tip = view.table()->index(0, 3).data(Qt::ToolTipRole).toString();
    QVERIFY2(!tip.contains(QStringLiteral("<b>bold")), qPrintable(tip));
}

void TestDiagnosePage::generatedCodeOpensInPagesOfItsOwn()
{
    GeneratedCodeView view;
    QAbstractItemModelTester tester(view.table());
    GeneratedCode code;
    code.architecture = "9.0";
    code.kernels = {{"_Z1kv", "k()", "sm_90a", 32, 1024, 880, 0, 536, 120, 4, 957}};
    code.sass = "EXIT ;";
    view.show(code);
    QCOMPARE(cell(view.table(), 0, 6), QStringLiteral("957"));
    QSignalSpy texts(&view, &DiagnosisView::textRequested);
    for (QPushButton* button : view.findChildren<QPushButton*>())
        if (button->text().remove(u'&') == QStringLiteral("Show SASS")) button->click();
    QCOMPARE(texts.count(), 1);
    QCOMPARE(texts.front().front().toString(), QStringLiteral("EXIT ;"));
}

void TestDiagnosePage::profilesAreShown()
{
    ProfileView view;
    QAbstractItemModelTester tester(view.table());
    ProfileReport report;
    KernelProfile kernel;
    kernel.name = "k()";
    kernel.durationUs = 5.25;
    kernel.computePercent = 12.34;
    kernel.stalls = {{"long_scoreboard", 7.5}};
    kernel.metrics = {{"gpu__time_duration.sum", "5250 nsecond"}};
    report.kernels = {kernel};
    view.show(report);
    QCOMPARE(cell(view.table(), 0, 1), QStringLiteral("5.250"));
    QCOMPARE(cell(view.table(), 0, 2), QStringLiteral("12.3"));
    QCOMPARE(cell(view.table(), 0, 3), QStringLiteral("–"));
    QCOMPARE(cell(view.table(), 0, 10), QStringLiteral("long_scoreboard 7.5"));
    report.kernels.clear();
    report.error = "this user may not read the counters";
    view.show(report);
    QVERIFY(view.message().contains(QStringLiteral("may not read")));
}

void TestDiagnosePage::timelinesHaveBars()
{
    TimelineView view;
    QAbstractItemModelTester tester(view.table());
    Timeline timeline;
    timeline.entries = {{TimelineEntry::Kind::Kernel, "k()", 0, 2, {8, 1, 1}, {256, 1, 1}, 32, 1024, 0, 0, 7}, {TimelineEntry::Kind::Copy, "device to device", 3, 1, {}, {}, 0, 0, 0, 4096, 7}};
    timeline.spanUs = 4;
    timeline.busyUs = 3;
    view.show(timeline);
    QCOMPARE(view.table()->index(0, 2).data(PlainTableModel::BarToRole).toDouble(), 0.5);
    QCOMPARE(view.table()->index(1, 2).data(PlainTableModel::BarFromRole).toDouble(), 0.75);
    QCOMPARE(cell(view.table(), 0, 4), QStringLiteral("8×1×1"));
    view.resize(900, 400);
    QVERIFY(!view.grab().isNull());
}

void TestDiagnosePage::rowsAreCopied()
{
    PlainTableModel model;
    model.setColumns({{QStringLiteral("a")}, {QStringLiteral("b"), true}});
    model.setRows({{{.text = QStringLiteral("x")}, {.text = QStringLiteral("1.2"), .exact = QStringLiteral("1.23456")}}});
    QCOMPARE(model.textOf({model.index(0, 0)}, false), QStringLiteral("x\t1.2"));
    QCOMPARE(model.textOf({model.index(0, 0)}, true), QStringLiteral("x\t1.23456"));
}

void TestDiagnosePage::thePairInHandIsDiagnosed()
{
    MainWindow window;
    QVERIFY(openDataset(*window.workspace(), m_builder.root()));
    QTRY_COMPARE(window.workspace()->currentDefinition(), QStringLiteral("add_n4"));
    window.showPage(MainWindow::Page::Diagnose);
    auto* page = window.findChild<DiagnosePage*>();
    QVERIFY(page);
    QCOMPARE(window.currentPage(), MainWindow::Page::Diagnose);
    QCOMPARE(page->definition(), QStringLiteral("add_n4"));
    QVERIFY(!page->solution().isEmpty() && page->workload() == QStringLiteral("w1"));
    // A trace that is looked at decides.
    window.workspace()->setCurrentTrace(0);
    QTRY_VERIFY(window.isSettled());
    window.showPage(MainWindow::Page::Diagnose);
    QCOMPARE(page->solution(), QStringLiteral("wrong"));
    QCOMPARE(page->workload(), QStringLiteral("w2"));
    for (const char* name : {"rerunAction", "diagnoseDifference", "diagnoseTolerance", "diagnoseSanitizer", "diagnoseCode", "diagnoseProfile", "diagnoseTimeline", "duelAction"})
        QVERIFY2(window.findChild<QAction*>(QString::fromLatin1(name)), name);
}

void TestDiagnosePage::looksNeedSomethingToLookAt()
{
    MainWindow window;
    window.findChild<QAction*>(QStringLiteral("diagnoseDifference"))->trigger();
    QVERIFY(!window.findChild<DiagnosePage*>());   // a notice says why
    Workspace workspace;
    DiagnosePage page(&workspace);
    page.view(DiagnosePage::Look::Difference)->start();
    QVERIFY(!page.isBusy());
    QVERIFY(page.view(DiagnosePage::Look::Difference)->message().contains(QStringLiteral("Open a dataset")));
}

void TestDiagnosePage::aFailingSolutionIsLookedAt()
{
    if (!hasTorch()) QSKIP("no Python with torch");
    MainWindow window;
    QVERIFY(openDataset(*window.workspace(), m_builder.root()));
    QTRY_COMPARE(window.workspace()->currentDefinition(), QStringLiteral("add_n4"));
    window.workspace()->setCurrentTrace(0);
    QTRY_VERIFY(window.isSettled());
    window.findChild<QAction*>(QStringLiteral("diagnoseDifference"))->trigger();
    auto* page = window.findChild<DiagnosePage*>();
    auto* view = static_cast<DifferenceView*>(page->view(DiagnosePage::Look::Difference));
    QVERIFY(view->isBusy());
    QTRY_VERIFY_WITH_TIMEOUT(!view->isBusy(), 120'000);
    QVERIFY2(view->message().isEmpty(), qPrintable(view->message()));
    QCOMPARE(view->worst()->rowCount(), 32);
    QCOMPARE(cell(view->worst(), 0, 5), QStringLiteral("wrong"));
}

void TestDiagnosePage::looksCanBeStopped()
{
    if (!hasTorch()) QSKIP("no Python with torch");
    MainWindow window;
    QVERIFY(openDataset(*window.workspace(), m_builder.root()));
    QTRY_COMPARE(window.workspace()->currentDefinition(), QStringLiteral("add_n4"));
    window.findChild<QAction*>(QStringLiteral("diagnoseTolerance"))->trigger();
    auto* page = window.findChild<DiagnosePage*>();
    DiagnosisView* view = page->view(DiagnosePage::Look::Tolerance);
    QVERIFY(view->isBusy());
    view->findChild<QPushButton*>(QStringLiteral("stopLook"))->click();
    QVERIFY(!view->isBusy());
    QCOMPARE(view->message(), QStringLiteral("Stopped."));
    // And it can be started anew.
    view->findChild<QPushButton*>(QStringLiteral("startLook"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(!view->isBusy(), 120'000);
    QVERIFY(static_cast<ToleranceView*>(view)->table()->rowCount() > 2);
}

void TestDiagnosePage::duelsNeedTwo()
{
    MainWindow window;
    QVERIFY(openDataset(*window.workspace(), m_builder.root()));
    QTRY_COMPARE(window.workspace()->currentDefinition(), QStringLiteral("add_n4"));
    window.showPage(MainWindow::Page::Duel);
    auto* page = window.findChild<DuelPage*>();
    page->setTarget(QStringLiteral("add_n4"), {QStringLiteral("right")}, QStringLiteral("w1"));
    page->start();
    QVERIFY(!page->isBusy());
    QVERIFY(page->verdictText().contains(QStringLiteral("two")));
}

void TestDiagnosePage::aDuelIsFought()
{
    if (!hasTorch()) QSKIP("no Python with torch");
    MainWindow window;
    QVERIFY(openDataset(*window.workspace(), m_builder.root()));
    QTRY_COMPARE(window.workspace()->currentDefinition(), QStringLiteral("add_n4"));
    Selection selection;
    selection.solutions = {"right", "slow"};
    window.workspace()->setSelection(selection);
    window.findChild<QAction*>(QStringLiteral("duelAction"))->trigger();
    auto* page = window.findChild<DuelPage*>();
    QCOMPARE(page->ticked(), (QStringList{QStringLiteral("right"), QStringLiteral("slow")}));
    page->setLimits(600, 4);
    page->start();
    QVERIFY(page->isBusy());
    QTRY_VERIFY_WITH_TIMEOUT(!page->isBusy(), 240'000);
    QVERIFY(page->report());
    QCOMPARE(page->report()->rounds, 4U);
    QCOMPARE(page->report()->sides[page->report()->leader].solution, std::string("right"));
    QVERIFY2(page->verdictText().contains(QStringLiteral("right")), qPrintable(page->verdictText()));
    window.resize(1280, 800);
    QVERIFY(!page->grab().isNull());
}

void TestDiagnosePage::toolkitsThatAreChosenAreTried()
{
    SettingsDialog dialog({});
    auto* edit = dialog.findChild<QLineEdit*>(QStringLiteral("toolkitEdit"));
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.running()->isBusy(), 60'000);
    edit->setText(QStringLiteral("/nowhere/cuda"));
    emit edit->editingFinished();
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.running()->isBusy(), 60'000);
    QVERIFY2(dialog.running()->toolkitState().contains(QStringLiteral("/nowhere/cuda")), qPrintable(dialog.running()->toolkitState()));
    QCOMPARE(Settings::cudaToolkit(), QStringLiteral("/nowhere/cuda"));
    QVERIFY(!findCudaToolkit());
    edit->clear();
    emit edit->editingFinished();
    QVERIFY(chosenCudaToolkit().empty());
}

void TestDiagnosePage::confinementIsKept()
{
    SettingsDialog dialog({});
    auto* box = dialog.findChild<QComboBox*>(QStringLiteral("confinementBox"));
    QCOMPARE(box->currentData().toString(), QStringLiteral("auto"));
    const int partial = box->findData(QStringLiteral("partial"));
    box->setCurrentIndex(partial);
    emit box->activated(partial);
    QCOMPARE(Settings::confinement(), QStringLiteral("partial"));
    Settings::setConfinement(QStringLiteral("auto"));
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.running()->isBusy(), 60'000);
}

void TestDiagnosePage::cachesAreClearedAfterAQuestion()
{
    const QTemporaryDir cache;
    const QByteArray before = qgetenv("TRACEDECK_CACHE_PATH");
    qputenv("TRACEDECK_CACHE_PATH", cache.path().toUtf8());
    const std::filesystem::path root = cache.path().toStdString();
    std::filesystem::create_directories(root / "native" / "ab");
    std::filesystem::create_directories(root / "native" / "building-1");
    std::ofstream(root / "native" / "ab" / "library.so") << std::string(2048, 'x');
    std::ofstream(root / "native" / "building-1" / "main.o") << "x";
    SettingsDialog dialog({});
    auto* size = dialog.findChild<QLabel*>(QStringLiteral("cacheSize_builds"));
    auto* clear = dialog.findChild<QPushButton*>(QStringLiteral("clearCache_builds"));
    QTRY_COMPARE(size->text(), QStringLiteral("2.0 KiB"));
    QVERIFY(clear->isEnabled());
    QVERIFY(!dialog.findChild<QPushButton*>(QStringLiteral("clearCache_kernels"))->isEnabled());
    clear->click();
    auto* question = dialog.findChild<QMessageBox*>(QStringLiteral("clearQuestion"));
    QVERIFY(question);
    question->button(QMessageBox::Cancel)->click();
    QVERIFY(std::filesystem::exists(root / "native" / "ab" / "library.so"));
    clear->click();
    question = dialog.findChildren<QMessageBox*>(QStringLiteral("clearQuestion")).back();
    for (QAbstractButton* button : question->buttons())
        if (question->buttonRole(button) == QMessageBox::DestructiveRole) button->click();
    QTRY_VERIFY(!std::filesystem::exists(root / "native" / "ab"));
    QVERIFY(std::filesystem::exists(root / "native" / "building-1" / "main.o"));   // a build in progress stays
    QTRY_VERIFY(!dialog.running()->isBusy());
    if (before.isNull()) qunsetenv("TRACEDECK_CACHE_PATH");
    else qputenv("TRACEDECK_CACHE_PATH", before);
}

QTEST_MAIN(TestDiagnosePage)
#include "test_diagnose_page.moc"
