// SPDX-License-Identifier: GPL-3.0-or-later
// Any file or text in the viewer: what it is, what is wrong in it, and that nothing freezes or crashes.
#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <Qsci/qsciscintilla.h>
#include <cstring>

#include "tests/support/gui_test.h"
#include "tests/support/test_files.h"
#include "ui/main_window.h"
#include "ui/models/document_problems_model.h"
#include "ui/models/tensor_table_model.h"
#include "ui/pages/code_view.h"
#include "ui/pages/log_panel.h"
#include "ui/pages/log_view.h"
#include "ui/pages/notice_bar.h"
#include "ui/pages/tensor_view.h"
#include "ui/pages/viewer_page.h"
#include "ui/style/labels.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace fs = std::filesystem;

namespace {

constexpr int kWaitMs = 20'000;
const char* const kDefinition = R"({
  "name": "gemm",
  "op_type": "gemm",
  "axes": {"M": {"type": "var"}},
  "inputs": {"x": {"shape": ["M"], "dtype": "float99"}},
  "outputs": {"y": {"shape": ["M"], "dtype": "float32"}},
  "reference": "def run(x):\n    return x\n"
})";

QString kindOf(const ViewerPage& page) { return page.findChild<ElidedLabel*>(QStringLiteral("viewerKind"))->text(); }
QTableView* problemsOf(const ViewerPage& page) { return page.findChild<QTableView*>(QStringLiteral("viewerProblems")); }
int lineOfCursor(const ViewerPage& page)
{
    int line = -1;
    int column = -1;
    page.code()->editor()->getCursorPosition(&line, &column);
    return line + 1;
}

}  // namespace

class TestViewer : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareGuiTest(); }
    void init()
    {
        test::failOnQtWarnings();
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
    }
    void cleanup() { m_folder.reset(); }

    void clickingAProblemGoesToItsLine()
    {
        ViewerPage page;
        page.resize(900, 700);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        page.showText(QString::fromLatin1(kDefinition), QStringLiteral("pasted text"));
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), kWaitMs);
        QVERIFY2(kindOf(page).startsWith(QStringLiteral("Definition gemm")), qPrintable(kindOf(page)));
        QVERIFY(kindOf(page).contains(QStringLiteral("1 problem")));
        QCOMPARE(page.code()->code(), QString::fromLatin1(kDefinition));
        QCOMPARE(lineOfCursor(page), 1);
        QTableView* problems = problemsOf(page);
        QVERIFY(problems->isVisible());
        const QModelIndex first = problems->model()->index(0, DocumentProblemsModel::ReasonColumn);
        QTest::mouseClick(problems->viewport(), Qt::LeftButton, {}, problems->visualRect(first).center());
        QCOMPARE(lineOfCursor(page), 5);
        QVERIFY(page.code()->editor()->hasSelectedText());
        // By keys, too.
        page.showLine(1);
        problems->setFocus();
        problems->setCurrentIndex(first);
        QTest::keyClick(problems, Qt::Key_Return);
        QCOMPARE(lineOfCursor(page), 5);
    }

    void filesSayWhatTheyAre_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("problems");
        const QByteArray workload = R"({"definition":"gemm","workload":{"uuid":"w","axes":{"M":1},"inputs":{"x":{"type":"random"}}},"solution":null,"evaluation":null})";
        QTest::newRow("workload lines") << QStringLiteral("w.jsonl") << QByteArray(workload + "\n" + workload + "\n") << QStringLiteral("2 workloads") << 0;
        QTest::newRow("one line, torn") << QStringLiteral("w.jsonl") << QByteArray(workload + "\n{\"de") << QStringLiteral("1 unreadable record") << 2;
        QTest::newRow("comments") << QStringLiteral("a.json") << QByteArray("{\"a\": 1, // yes\n}") << QStringLiteral("JSON of no kind") << 2;
        QTest::newRow("hub record") << QStringLiteral("h.json") << QByteArray(R"({"impl":"x","wl":{"name":"w"},"lat_ms":null,"ok":true,"err":null})")
                                    << QStringLiteral("Record of kernels-benchmarks") << 1;
        QTest::newRow("prose") << QStringLiteral("README.md") << QByteArray("# Hello") << QStringLiteral("Text") << 1;
        QTest::newRow("empty") << QStringLiteral("a.json") << QByteArray() << QStringLiteral("Text") << 1;
    }
    void filesSayWhatTheyAre()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, kind);
        QFETCH(int, problems);
        ViewerPage page;
        page.showFile(write(name, content), 0);
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), kWaitMs);
        QVERIFY2(kindOf(page).contains(kind), qPrintable(kindOf(page)));
        QCOMPARE(problemsOf(page)->model()->rowCount(), problems);
        QAbstractItemModelTester tester(problemsOf(page)->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    }

    void hostileFilesGiveAMessageOrTheirText_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<bool>("isShown");
        QTest::newRow("deep nesting") << QStringLiteral("a.json") << QByteArray(500'000, '[') << true;
        QTest::newRow("zeros") << QStringLiteral("a.json") << QByteArray(500'000, '\0') << true;
        QTest::newRow("no UTF-8") << QStringLiteral("a.json") << QByteArray(500'000, '\xFE') << true;
        QTest::newRow("a text of ten megabytes") << QStringLiteral("a.jsonl") << QByteArray("{\"a\":[1,2,3]}\n").repeated(600'000) << true;
        QTest::newRow("one endless line") << QStringLiteral("a.json") << QByteArray("{\"a\":\"") + QByteArray(3'000'000, 'x') + "\"}" << true;
        QTest::newRow("empty safetensors") << QStringLiteral("a.safetensors") << QByteArray() << false;
        QTest::newRow("safetensors cut in the header") << QStringLiteral("a.safetensors") << QByteArray("\x40\0\0\0\0\0\0\0{\"t\"", 12) << false;
        QTest::newRow("safetensors with a huge header") << QStringLiteral("a.bin") << QByteArray("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0{", 9) << false;
        QTest::newRow("safetensors cut in the data") << QStringLiteral("a.safetensors") << tensorFile().chopped(4) << false;
    }
    void hostileFilesGiveAMessageOrTheirText()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(bool, isShown);
        ViewerPage page;
        page.resize(800, 600);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        page.showFile(write(name, content), 3);
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), kWaitMs);
        const auto* message = page.findChild<WrappedLabel*>(QStringLiteral("viewerMessage"));
        QCOMPARE(message->isVisible(), !isShown);
        if (!isShown)
            QVERIFY(!message->text().isEmpty());
        QVERIFY(!page.grab().isNull());
    }

    void whatCannotBeReadSaysWhy_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("missing") << QStringLiteral("/nonexistent/file.json");
        QTest::newRow("a folder") << QStringLiteral("/tmp");
        QTest::newRow("a device") << QStringLiteral("/dev/zero");
    }
    void whatCannotBeReadSaysWhy()
    {
        QFETCH(QString, path);
        ViewerPage page;
        page.showFile(path, 0);
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), kWaitMs);
        QVERIFY2(page.findChild<WrappedLabel*>(QStringLiteral("viewerMessage"))->text().contains(path), qPrintable(kindOf(page)));
    }

    void largeTextsOpenAtALine()
    {
        QByteArray text;
        for (int i = 1; i <= 100'000; ++i)
            text += "{\"line\": " + QByteArray::number(i) + "}\n";
        ViewerPage page;
        page.resize(800, 600);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        page.showFile(write(QStringLiteral("large.jsonl"), text), 77'777);
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), kWaitMs);
        QVERIFY(page.largeText());
        QTRY_COMPARE_WITH_TIMEOUT(page.largeText()->view()->selectedText(), QStringLiteral("{\"line\": 77777}"), kWaitMs);
        const int first = page.largeText()->view()->firstVisibleRow();
        QVERIFY(first <= 77'776 && first > 77'700);
        page.showFind();
        QTRY_VERIFY(QApplication::focusWidget() && QApplication::focusWidget()->objectName() == QStringLiteral("findInLog"));
    }

    void tensorsAreListedWithTheirValues()
    {
        ViewerPage page;
        page.resize(1000, 600);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        page.showFile(write(QStringLiteral("t.safetensors"), tensorFile()), 0);
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), kWaitMs);
        QVERIFY2(kindOf(page).startsWith(QStringLiteral("Safetensors, 2 tensors")), qPrintable(kindOf(page)));
        QTableView* table = page.tensors()->table();
        QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(table->model()->rowCount(), 2);
        const auto cell = [table](int row, int column) { return table->model()->index(row, column).data().toString(); };
        QCOMPARE(cell(0, TensorTableModel::NameColumn), QStringLiteral("a"));
        QCOMPARE(cell(0, TensorTableModel::DtypeColumn), QStringLiteral("F32"));
        QCOMPARE(cell(0, TensorTableModel::ShapeColumn), QStringLiteral("[2, 2]"));
        QCOMPARE(cell(0, TensorTableModel::BytesColumn), QStringLiteral("16"));
        QCOMPARE(cell(1, TensorTableModel::ShapeColumn), QStringLiteral("scalar"));
        auto* values = page.findChild<QPlainTextEdit*>(QStringLiteral("tensorValues"));
        QTRY_COMPARE_WITH_TIMEOUT(values->toPlainText(), QStringLiteral("1  2  NaN  -4.5"), kWaitMs);
        auto* facts = page.findChild<QTableWidget*>(QStringLiteral("tensorFacts"));
        QCOMPARE(facts->item(0, 1)->text(), QStringLiteral("4"));
        QCOMPARE(facts->item(1, 1)->text(), QStringLiteral("-4.500"));
        table->setCurrentIndex(table->model()->index(1, 0));
        QTRY_COMPARE_WITH_TIMEOUT(values->toPlainText(), QStringLiteral("7"), kWaitMs);
    }

    void theWindowOpensFilesPastesAndTakesDrops()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* tabs = window.findChild<QTabWidget*>(QStringLiteral("pageTabs"));
        const int before = tabs->count();
        const auto action = [&window](const char* name) { return window.findChild<QAction*>(QString::fromLatin1(name)); };
        // Paste.
        QApplication::clipboard()->setText(QString::fromLatin1(kDefinition));
        action("pasteIntoViewerAction")->trigger();
        QCOMPARE(tabs->count(), before + 1);
        QCOMPARE(tabs->tabText(before), QStringLiteral("pasted text"));
        QVERIFY(tabs->isVisible());   // instead of the start page
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kWaitMs);
        // A drop of a file, twice: one tab.
        const QString path = write(QStringLiteral("dropped.json"), kDefinition);
        for (int i = 0; i < 2; ++i) {
            QMimeData data;
            data.setUrls({QUrl::fromLocalFile(path)});
            QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(&window, &enter);
            QVERIFY(enter.isAccepted());
            QVERIFY(window.findChild<QLabel*>(QStringLiteral("dropHint"))->text().contains(QStringLiteral("dropped.json")));
            QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(&window, &drop);
        }
        QCOMPARE(tabs->count(), before + 2);
        QCOMPARE(tabs->tabText(before + 1), QStringLiteral("dropped.json"));
        // A drop of text.
        QMimeData text;
        text.setText(QStringLiteral("{}"));
        QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &drop);
        QCOMPARE(tabs->count(), before + 3);
        // The chooser.
        action("viewFileAction")->trigger();
        QFileDialog* chooser = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((chooser = window.findChild<QFileDialog*>(QStringLiteral("viewFileChooser"))) != nullptr, kWaitMs);
        emit chooser->fileSelected(write(QStringLiteral("chosen.json"), "[1, 2"));
        chooser->reject();
        QCOMPARE(tabs->count(), before + 4);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kWaitMs);
        // With the last of them closed, the start page is back.
        while (tabs->count() > before) {
            tabs->setCurrentIndex(tabs->count() - 1);
            action("closeTabAction")->trigger();
        }
        QVERIFY(!tabs->isVisible());
        // Nothing to paste: said.
        QApplication::clipboard()->clear();
        action("pasteIntoViewerAction")->trigger();
        QVERIFY(window.findChild<NoticeBar*>()->text().contains(QStringLiteral("clipboard")));
    }

    void aDatasetOpensBesideTheViewer()
    {
        DatasetBuilder builder;
        builder.definition({.name = "gemm_a"}).solution({.name = "mine", .definition = "gemm_a", .author = "me"});
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.openPath(write(QStringLiteral("a.json"), "{}"));
        window.openPath(QString::fromStdString(builder.root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(window.workspace()->isOpen() && window.isSettled(), kWaitMs);
        QCOMPARE(window.findChildren<ViewerPage*>().size(), 1);
        QVERIFY(window.findChild<QWidget*>(QStringLiteral("datasetDock"))->isVisible());
        // Find in the viewer.
        window.viewFile(write(QStringLiteral("b.json"), "{\"needle\": 1}"));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kWaitMs);
        window.findChild<QAction*>(QStringLiteral("findAction"))->trigger();
        auto* find = window.findChildren<ViewerPage*>().back()->code()->findChild<QWidget*>(QStringLiteral("findEdit"));
        QTRY_VERIFY(find->isVisible());
        QTest::keyClicks(find, QStringLiteral("needle"));
        QCOMPARE(window.findChildren<ViewerPage*>().back()->code()->editor()->selectedText(), QStringLiteral("needle"));
        window.findChild<QAction*>(QStringLiteral("findNextAction"))->trigger();
        QCOMPARE(window.findChildren<ViewerPage*>().back()->code()->editor()->selectedText(), QStringLiteral("needle"));
    }

    void hiddenCharactersOfNamesAreShown()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const QChar turned(0x202E);
        QByteArray text(kDefinition);
        text.replace("float99", "float" + QString(turned).toUtf8());
        window.viewFile(write(QStringLiteral("a%1nosj.json").arg(turned), text));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kWaitMs);
        const auto* page = window.findChild<ViewerPage*>();
        const auto* tabs = window.findChild<QTabWidget*>(QStringLiteral("pageTabs"));
        QVERIFY(!tabs->tabText(tabs->currentIndex()).contains(turned));
        for (const QLabel* label : page->findChildren<QLabel*>())
            QVERIFY2(!label->text().contains(turned), qPrintable(label->text()));
        QVERIFY(!page->findChild<ElidedLabel*>(QStringLiteral("viewerKind"))->shownText().contains(turned));
        const QAbstractItemModel* problems = problemsOf(*page)->model();
        QVERIFY(problems->rowCount() > 0);
        for (int column = 0; column < problems->columnCount(); ++column)
            for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole})
                QVERIFY(!problems->index(0, column).data(role).toString().contains(turned));
    }

    void aLargeTextIsShownAndChecked()
    {
        ViewerPage page;
        page.resize(800, 600);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        page.showFile(write(QStringLiteral("a.jsonl"), QByteArray("{\"workload\": {}}\n").repeated(70'000)), 0);
        QTRY_VERIFY_WITH_TIMEOUT(page.largeText() && page.largeText()->view()->text().lineCount() == 70'000, kWaitMs);
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), kWaitMs);
        QVERIFY2(kindOf(page).contains(QStringLiteral("70,000 problems")) && kindOf(page).contains(QStringLiteral("the first 1,000")), qPrintable(kindOf(page)));
        // Another file replaces a check that is under way.
        page.showFile(write(QStringLiteral("a.jsonl"), QByteArray("{\"workload\": {}}\n").repeated(70'000)), 0);
        page.showText(QStringLiteral("[1]"), QStringLiteral("pasted text"));
        QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), kWaitMs);
        QVERIFY(kindOf(page).startsWith(QStringLiteral("JSON of no kind")));
        QVERIFY(!problemsOf(page)->isVisible());
    }

    void closingWhileReadingIsSafe()
    {
        for (int i = 0; i < 5; ++i) {
            auto page = std::make_unique<ViewerPage>();
            page->showFile(write(QStringLiteral("a.jsonl"), QByteArray("{\"a\":[1,2,3]}\n").repeated(200'000)), 5);
            QVERIFY(page->isBusy());
        }
    }

private:
    QString write(const QString& name, const QByteArray& content)
    {
        const QString path = m_folder->filePath(name);
        test::writeBytes(path.toStdString(), content.toStdString());
        return path;
    }
    static QByteArray tensorFile()
    {
        QByteArray header = R"({"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"b":{"dtype":"I32","shape":[],"data_offsets":[16,20]}})";
        while (header.size() % 8 != 0)
            header += ' ';
        const auto size = static_cast<quint64>(header.size());
        const std::array<float, 4> a{1, 2, std::numeric_limits<float>::quiet_NaN(), -4.5F};
        const qint32 b = 7;
        return QByteArray(reinterpret_cast<const char*>(&size), sizeof size) + header + QByteArray(reinterpret_cast<const char*>(a.data()), sizeof a) +
               QByteArray(reinterpret_cast<const char*>(&b), sizeof b);
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_MAIN(TestViewer)
#include "test_viewer.moc"
