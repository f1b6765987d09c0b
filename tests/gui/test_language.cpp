// SPDX-License-Identifier: GPL-3.0-or-later
// The translation is whole, and another language loses nothing that is open or running.
#include <QAction>
#include <QComboBox>
#include <QLibraryInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QProcess>
#include <QTabWidget>
#include <QXmlStreamReader>

#include "tests/support/gui_test.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/main_window.h"
#include "ui/models/run_queue_model.h"
#include "ui/pages/dataset_panel.h"
#include "ui/pages/definition_page.h"
#include "ui/pages/trace_filter_bar.h"
#include "ui/pages/traces_page.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_panel.h"
#include "ui/run/run_settings.h"
#include "ui/settings/settings.h"
#include "ui/window_host.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kWaitMs = 60'000;
const QString kTranslation = QStringLiteral(TRACEDECK_SOURCE_DIR "/resources/translations/tracedeck_zh_CN.ts");

struct Message {
    QString context;
    QString source;
    QString translation;
    QString state;   ///< empty: finished
};

QList<Message> messagesOf(const QString& path)
{
    QList<Message> messages;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return messages;
    QXmlStreamReader xml(&file);
    QString context;
    bool hasPlurals = false;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == u"name") {
            context = xml.readElementText();
        } else if (xml.name() == u"message") {
            hasPlurals = xml.attributes().value(QLatin1String("numerus")) == u"yes";
        } else if (xml.name() == u"source") {
            messages.append({context, xml.readElementText(), {}, {}});
        } else if (xml.name() == u"translation") {
            messages.last().state = xml.attributes().value(QLatin1String("type")).toString();
            const QString text = xml.readElementText(QXmlStreamReader::IncludeChildElements);
            messages.last().translation = hasPlurals ? text.trimmed() : text;   // Chinese has one form, an element of its own
        }
    }
    if (xml.hasError())
        return {};
    return messages;
}

/// `%1` to `%9` and `%n`, each once.
QSet<QString> placeholdersOf(const QString& text)
{
    static const QRegularExpression kPlaceholder(QStringLiteral("%(?:[1-9]|n)"));
    QSet<QString> found;
    auto matches = kPlaceholder.globalMatch(text);
    while (matches.hasNext())
        found.insert(matches.next().captured());
    return found;
}

/// The letter that a text underlines, in upper case; null when it has none.
QChar mnemonicOf(const QString& text)
{
    static const QRegularExpression kMnemonic(QStringLiteral("(?<!&)&([A-Za-z])"));
    const auto match = kMnemonic.match(text);
    return match.hasMatch() ? match.captured(1).front().toUpper() : QChar();
}

}  // namespace

class TestLanguage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        test::prepareGuiTest();
        m_python = test::useFakeJudge(m_judgeFolder);
    }
    void init()
    {
        QSettings().clear();
        applyLanguage(WindowLanguage::English);
        test::failOnQtWarnings();
    }
    void cleanup() { applyLanguage(WindowLanguage::English); }

    void translationIsWhole()
    {
        const QList<Message> messages = messagesOf(kTranslation);
        QVERIFY(messages.size() > 500);
        for (const Message& message : messages) {
            const QByteArray where = QStringLiteral("%1: %2 → %3").arg(message.context, message.source, message.translation).toUtf8();
            QVERIFY2(message.state.isEmpty(), where.constData());   // unfinished, obsolete, vanished
            QVERIFY2(!message.translation.isEmpty(), where.constData());
            QVERIFY2(placeholdersOf(message.source) == placeholdersOf(message.translation), where.constData());
            QVERIFY2(mnemonicOf(message.source) == mnemonicOf(message.translation), where.constData());
            QVERIFY2(message.source.count(QLatin1Char('\n')) == message.translation.count(QLatin1Char('\n')), where.constData());
            QVERIFY2(message.source.endsWith(QLatin1Char(' ')) == message.translation.endsWith(QLatin1Char(' ')), where.constData());
            QVERIFY2(message.source.contains(QStringLiteral("…")) == message.translation.contains(QStringLiteral("…")), where.constData());
        }
    }

    /// Every text of the sources is in the file: lupdate finds nothing new, and nothing that is gone.
    void translationFollowsTheSources()
    {
        QString lupdate = QStandardPaths::findExecutable(QStringLiteral("lupdate"), {QLibraryInfo::path(QLibraryInfo::BinariesPath), QStringLiteral("/usr/lib/qt6/bin")});
        if (lupdate.isEmpty())
            QSKIP("lupdate is not installed");
        const QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("tracedeck_zh_CN.ts"));
        QVERIFY(QFile::copy(kTranslation, copy));
        QProcess process;
        process.setWorkingDirectory(QStringLiteral(TRACEDECK_SOURCE_DIR));
        process.start(lupdate, {QStringLiteral("-I"), QStringLiteral("."), QStringLiteral("-locations"), QStringLiteral("none"), QStringLiteral("ui"),
                                QStringLiteral("app"), QStringLiteral("-ts"), copy});
        QVERIFY2(process.waitForFinished(kWaitMs) && process.exitCode() == 0, process.readAllStandardError().constData());
        QStringList changed;
        for (const Message& message : messagesOf(copy))
            if (!message.state.isEmpty())
                changed << QStringLiteral("%1 (%2): %3").arg(message.context, message.state, message.source);
        QVERIFY2(changed.isEmpty(), qPrintable(changed.join(QLatin1Char('\n'))));
        QCOMPARE(messagesOf(copy).size(), messagesOf(kTranslation).size());
    }

    void settingTextsReadBack_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("language");
        QTest::newRow("system") << QString() << static_cast<int>(WindowLanguage::System);
        QTest::newRow("English") << QStringLiteral("en") << static_cast<int>(WindowLanguage::English);
        QTest::newRow("Chinese") << QStringLiteral("zh_CN") << static_cast<int>(WindowLanguage::SimplifiedChinese);
        QTest::newRow("another") << QStringLiteral("xx") << -1;
    }
    void settingTextsReadBack()
    {
        QFETCH(QString, text);
        QFETCH(int, language);
        const auto read = languageFromText(text);
        QCOMPARE(read ? static_cast<int>(*read) : -1, language);
        if (read)
            QCOMPARE(toSettingText(*read), text);
    }

    void menuOfLanguagesMakesTheWindowAnew()
    {
        WindowHost host({});
        host.window()->show();
        QVERIFY(QTest::qWaitForWindowActive(host.window()));
        const auto firstMenu = [&host] { return host.window()->menuBar()->actions().front()->text(); };
        QCOMPARE(firstMenu(), QStringLiteral("&File"));
        QPointer<MainWindow> english = host.window();
        host.window()->findChild<QAction*>(QStringLiteral("languageChinese"))->trigger();
        QTRY_VERIFY(!english);
        QCOMPARE(firstMenu(), QStringLiteral("文件(&F)"));
        QVERIFY(host.window()->isVisible());
        QCOMPARE(Settings::language(), WindowLanguage::SimplifiedChinese);
        QVERIFY(host.window()->findChild<QAction*>(QStringLiteral("languageChinese"))->isChecked());
        // Back, from the settings this time.
        QPointer<MainWindow> chinese = host.window();
        host.window()->findChild<QAction*>(QStringLiteral("settingsAction"))->trigger();
        auto* dialog = host.window()->findChild<SettingsDialog*>();
        QVERIFY(dialog);
        auto* box = dialog->findChild<QComboBox*>(QStringLiteral("languageBox"));
        box->setCurrentIndex(1);
        emit box->activated(1);
        QTRY_VERIFY(!chinese);
        QCOMPARE(firstMenu(), QStringLiteral("&File"));
        QCOMPARE(Settings::language(), WindowLanguage::English);
    }

    void runInProgressAndWhatIsOpenGoOn()
    {
        if (m_python.isEmpty())
            QSKIP("there is no python3 to play the judge");
        DatasetBuilder builder;
        builder.definition({.name = "gemm_n4"});
        for (const char* name : {"pass_one", "z_fail"})
            builder.solution({.name = name, .definition = "gemm_n4"});
        builder.workload({.definition = "gemm_n4", .uuid = "w-small", .axes = {{"M", 1}}});
        builder.workload({.definition = "gemm_n4", .uuid = "w-large", .axes = {{"M", 64}}});
        WindowHost host(m_python);
        MainWindow* window = host.window();
        window->resize(1280, 800);
        window->show();
        QVERIFY(QTest::qWaitForWindowActive(window));
        window->openPath(QString::fromStdString(builder.root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(window->workspace()->isOpen() && window->isSettled(), kWaitMs);
        QTRY_VERIFY_WITH_TIMEOUT(window->runPanel()->settings()->areDevicesKnown(), kWaitMs);
        window->showSolution(QStringLiteral("pass_one"));
        window->showComparison(QStringLiteral("pass_one"), QStringLiteral("z_fail"));
        window->showPage(MainWindow::Page::Traces);
        window->definitionPage()->tracesPage()->setFilterText(QStringLiteral("pass"));
        window->datasetPanel()->filterEdit()->setText(QStringLiteral("gemm"));
        window->workspace()->setPolicy(SelectionPolicy::LowestMedian);
        Selection selection;
        selection.solutions = {"pass_one", "z_fail"};
        window->workspace()->setSelection(selection);
        window->runPanel()->settings()->setWarmups(7);
        window->runPanel()->runSelected();
        QPointer<RunController> controller = window->runController();
        QPointer<Workspace> workspace = window->workspace();
        controller->setPaused(true);   // it goes on when the window has changed
        QTRY_VERIFY_WITH_TIMEOUT(window->runPanel()->queue()->rowCount() == 4, kWaitMs);

        host.showIn(WindowLanguage::SimplifiedChinese);
        window = host.window();
        QVERIFY(window->isVisible());
        QCOMPARE(window->menuBar()->actions().front()->text(), QStringLiteral("文件(&F)"));
        QCOMPARE(window->runController(), controller.data());
        QCOMPARE(window->workspace(), workspace.data());
        QVERIFY(controller->isRunning() && controller->isPaused());
        QCOMPARE(window->runPanel()->queue()->rowCount(), 4);
        QCOMPARE(window->runPanel()->queue()->headerData(RunQueueModel::Solution, Qt::Horizontal).toString(), QStringLiteral("解法"));
        QVERIFY2(window->runPanel()->progressText().contains(QStringLiteral("已暂停")), qPrintable(window->runPanel()->progressText()));
        QCOMPARE(window->size(), QSize(1280, 800));
        const auto* tabs = window->findChild<QTabWidget*>(QStringLiteral("pageTabs"));
        QCOMPARE(tabs->count(), 4);
        QCOMPARE(tabs->tabText(2), QStringLiteral("pass_one"));
        QCOMPARE(window->currentPage(), MainWindow::Page::Traces);
        QCOMPARE(window->workspace()->currentDefinition(), QStringLiteral("gemm_n4"));
        QCOMPARE(window->definitionPage()->tracesPage()->filterBar()->filter().text, std::string("pass"));
        QCOMPARE(window->datasetPanel()->filterEdit()->text(), QStringLiteral("gemm"));
        RunRequest next = window->runPanel()->requestFor(selection);
        QCOMPARE(next.overrides.warmupRuns.value_or(-1), 7);
        QVERIFY(window->findChild<QAction*>(QStringLiteral("cancelRunAction"))->isEnabled());

        QSignalSpy finished(controller, &RunController::finished);
        window->findChild<QAction*>(QStringLiteral("pauseRunAction"))->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kWaitMs);
        QCOMPARE(window->runPanel()->queue()->counts().passed, std::size_t(2));   // each event counted once
        QCOMPARE(window->runPanel()->queue()->counts().failed, std::size_t(2));
        QTRY_COMPARE_WITH_TIMEOUT(workspace->dataset()->traces().size(), std::size_t(4), kWaitMs);
        QTRY_VERIFY_WITH_TIMEOUT(window->isSettled(), kWaitMs);
        QCOMPARE(window->definitionPage()->tracesPage()->view()->model()->rowCount(), 2);   // those of the filter
        host.showIn(WindowLanguage::English);
        QCOMPARE(host.window()->runPanel()->queue()->counts().passed, std::size_t(2));
        QVERIFY(host.window()->runPanel()->findChild<QPlainTextEdit*>(QStringLiteral("runProblems"))->toPlainText().contains(QStringLiteral("a note")));
    }

private:
    QTemporaryDir m_judgeFolder;
    QString m_python;
};

QTEST_MAIN(TestLanguage)
#include "test_language.moc"
