// SPDX-License-Identifier: GPL-3.0-or-later
// Walks through every page of every dataset at hand, in both languages, in the smallest window in which everything must work: no text is
// cut, no page is empty without saying why, no table scrolls sideways. TRACEDECK_WALK_PICTURES=FOLDER keeps a picture of each page.
#include <QDir>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTreeView>
#include <qcustomplot.h>

#include "tests/support/gui_test.h"
#include "tests/support/legibility.h"
#include "ui/charts/heat_map_view.h"
#include "ui/main_window.h"
#include "ui/pages/code_view.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/traces_page.h"
#include "ui/settings/language.h"

using namespace tracedeck;
using namespace tracedeck::ui;

namespace {

constexpr int kWaitMs = 60'000;
constexpr int kQuietPolls = 3;
/// In a window of 1280 px with both panes.
constexpr int kRoomBetweenPanes = 670;
constexpr int kPollMs = 15;

const QStringList kPages{QStringLiteral("overview"), QStringLiteral("code"), QStringLiteral("workloads"), QStringLiteral("traces"), QStringLiteral("charts"),
                         QStringLiteral("heatmap"), QStringLiteral("leaderboard"), QStringLiteral("compare"), QStringLiteral("results"), QStringLiteral("fastp"),
                         QStringLiteral("history"), QStringLiteral("failures"), QStringLiteral("tensors"), QStringLiteral("diagnose"), QStringLiteral("duel"),
                         QStringLiteral("pastruns"), QStringLiteral("run")};

/// Every dataset at hand: the sample, and real ones where they lie beside.
QStringList datasets()
{
    QStringList found{QStringLiteral(TRACEDECK_SOURCE_DIR "/resources/sample")};
    const QDir shared(QStringLiteral(TRACEDECK_SHARED_DATASETS));
    if (shared.exists(QStringLiteral("flashinfer-trace")))
        found << shared.absoluteFilePath(QStringLiteral("flashinfer-trace"));
    const QDir real(shared.absoluteFilePath(QStringLiteral("real-traces")));
    for (const QString& name : real.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
        if (name != QStringLiteral("contest-eval-summaries") && name != QStringLiteral("sol-rocm-mi355x"))   // no datasets: files for the viewer
            found << real.absoluteFilePath(name);
    return found;
}

}  // namespace

class TestWalk : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        test::prepareGuiTest();
        m_pictures = qEnvironmentVariable("TRACEDECK_WALK_PICTURES");
    }

    void init()
    {
        QSettings().clear();
        test::failOnQtWarnings();
    }

    void cleanup()
    {
        m_window.reset();
        applyLanguage(WindowLanguage::English);
        applyTheme(ThemeChoice::Light);
    }

    void everythingCanBeRead_data()
    {
        QTest::addColumn<QString>("root");
        QTest::addColumn<WindowLanguage>("language");
        QTest::addColumn<QSize>("size");
        for (const QString& root : datasets())
            for (const auto language : {WindowLanguage::English, WindowLanguage::SimplifiedChinese})
                for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)})
                    if (size.width() == 1280 || !m_pictures.isEmpty())
                        QTest::newRow(qPrintable(QStringLiteral("%1, %2, %3").arg(QFileInfo(root).fileName(), toSettingText(language)).arg(size.width()))) << root << language << size;
    }

    void everythingCanBeRead()
    {
        QFETCH(QString, root);
        QFETCH(WindowLanguage, language);
        QFETCH(QSize, size);
        applyLanguage(language);
        m_window = std::make_unique<MainWindow>(QStringLiteral("/bin/false"));
        m_window->resize(size);
        m_window->show();
        m_window->openPath(root);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->workspace()->isOpen(), kWaitMs);
        QVERIFY(settled());
        const auto dataset = m_window->workspace()->dataset();
        // The definition with the most to show.
        std::size_t most = 0;
        std::string definition;
        for (const auto& candidate : dataset->definitions()) {
            const std::size_t rows = 1 + dataset->workloadsOf(candidate->name).size() + 1000 * dataset->solutionsOf(candidate->name).size();
            if (rows > std::exchange(most, std::max(most, rows)))
                definition = candidate->name;
        }
        m_window->workspace()->setCurrentDefinition(QString::fromStdString(definition));
        QStringList faults;
        const auto look = [&](const QString& page, const QString& suffix) {
            m_window->showPage(*MainWindow::pageFromName(page));
            QVERIFY(settled());
            for (const QString& text : test::cutTexts(m_window.get(), !suffix.isEmpty()))
                faults << page + suffix + QStringLiteral(": ") + text;
            if (!saysSomething())
                faults << page + suffix + QStringLiteral(": is empty and does not say why");
            keepPicture(QFileInfo(root).fileName(), page + suffix, language, size);
        };
        for (const QString& page : kPages)
            look(page, {});
        // A page that asks for more would press the panes beside it.
        for (const QWidget* page : m_window->findChild<QTabWidget*>(QStringLiteral("pageTabs"))->findChild<QStackedWidget*>()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
            if (page->minimumSizeHint().width() > kRoomBetweenPanes)
                faults << QStringLiteral("%1 wants %2 px at least").arg(test::placeOf(page)).arg(page->minimumSizeHint().width());
        // With a trace in hand its pane takes room from the pages.
        m_window->showPage(MainWindow::Page::Traces);
        QVERIFY(settled());
        QTableView* traces = m_window->definitionPage()->tracesPage()->view();
        if (traces->model()->rowCount() > 0) {
            traces->selectRow(0);
            for (const QString& page : kPages)
                look(page, QStringLiteral("+trace"));
        }
        faults.removeDuplicates();
        for (const QString& fault : std::as_const(faults))   // a message of QVERIFY2 has too little room
            qInfo("%s", qPrintable(fault));
        QCOMPARE(faults.size(), 0);
    }

    /// Folders of single results are no datasets: that is said, with a way to look at them.
    void foldersOfSingleFilesAreExplained_data()
    {
        QTest::addColumn<QString>("folder");
        for (const char* name : {"contest-eval-summaries", "sol-rocm-mi355x"})
            QTest::newRow(name) << QDir(QStringLiteral(TRACEDECK_SHARED_DATASETS)).absoluteFilePath(QStringLiteral("real-traces/") + QString::fromLatin1(name));
    }

    void foldersOfSingleFilesAreExplained()
    {
        QFETCH(QString, folder);
        if (!QDir(folder).exists())
            QSKIP("the data is not here");
        m_window = std::make_unique<MainWindow>(QStringLiteral("/bin/false"));
        m_window->resize(1280, 800);
        m_window->show();
        QSignalSpy failed(m_window->workspace(), &Workspace::loadFailed);
        m_window->openPath(folder);
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kWaitMs);
        QVERIFY(settled());
        auto* help = m_window->findChild<QPushButton*>(QStringLiteral("noticeHelp"));
        QVERIFY(help && help->isVisible());
        QStringList faults = test::cutTexts(m_window.get());
        const QStringList files = QDir(folder).entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
        for (const QString& file : files.mid(0, 6)) {
            m_window->viewFile(QDir(folder).absoluteFilePath(file));
            QVERIFY(settled());
            for (const QString& text : test::cutTexts(m_window.get()))
                faults << file + QStringLiteral(": ") + text;
            if (!saysSomething())
                faults << file + QStringLiteral(": shows nothing");
        }
        for (const QString& fault : std::as_const(faults))
            qInfo("%s", qPrintable(fault));
        QCOMPARE(faults.size(), 0);
    }

private:
    /// The page of the tab that is shown has rows, curves or text, or a sentence that says what is missing.
    bool saysSomething() const
    {
        const QWidget* page = m_window->findChild<QTabWidget*>(QStringLiteral("pageTabs"))->currentWidget();
        for (const QWidget* widget : page->findChildren<QWidget*>()) {
            if (!widget->isVisible())
                continue;
            if (const auto* view = qobject_cast<const QAbstractItemView*>(widget); view && view->model() && view->model()->rowCount() > 0 && !widget->inherits("tracedeck::ui::FactsTable"))
                return true;
            if (const auto* plot = qobject_cast<const QCustomPlot*>(widget); plot && plot->plottableCount() > 0)
                return true;
            if (const auto* code = qobject_cast<const CodeView*>(widget); code && !code->code().isEmpty())
                return true;
            if (const auto* text = qobject_cast<const QPlainTextEdit*>(widget); text && !text->toPlainText().isEmpty())
                return true;
            if (qobject_cast<const HeatMapView*>(widget) || widget->inherits("tracedeck::ui::DiffView"))
                return true;
            const QString name = widget->objectName();
            const auto* label = qobject_cast<const QLabel*>(widget);
            if (label && ((!label->text().isEmpty() && name.contains(QStringLiteral("mpty"))) || (label->text().size() > 20 && label->wordWrap())))
                return true;
        }
        return false;
    }

    bool settled()
    {
        int quiet = 0;
        for (int waited = 0; waited < kWaitMs && quiet < kQuietPolls; waited += kPollMs) {
            QTest::qWait(kPollMs);
            quiet = m_window->isSettled() ? quiet + 1 : 0;
        }
        return quiet == kQuietPolls;
    }

    void keepPicture(const QString& dataset, const QString& page, WindowLanguage language, const QSize& size)
    {
        if (m_pictures.isEmpty())
            return;
        QVERIFY(QDir().mkpath(m_pictures));
        for (const ThemeChoice theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
            applyTheme(theme);
            QVERIFY(settled());
            QVERIFY(m_window->grab().save(QStringLiteral("%1/%2-%3-%4-%5-%6.png").arg(m_pictures, dataset, page, toSettingText(language), toSettingText(theme)).arg(size.width())));
        }
    }

    std::unique_ptr<MainWindow> m_window;
    QString m_pictures;
};

QTEST_MAIN(TestWalk)
#include "test_walk.moc"
