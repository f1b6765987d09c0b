// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/gui_test.h"
#include "tests/support/test_files.h"
#include "ui/dialogs/interchange_dialogs.h"
#include "ui/dialogs/kind_dialogs.h"
#include "ui/main_window.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;
namespace fs = std::filesystem;

namespace {

constexpr int kDialogWaitMs = 20'000;

void choose(const QDialog& dialog, const char* name, const char* value)
{
    auto* box = dialog.findChild<QComboBox*>(QString::fromLatin1(name));
    QVERIFY(box != nullptr);
    box->setCurrentIndex(box->findData(QString::fromLatin1(value)));
}

void type(const QDialog& dialog, const char* name, const QString& text)
{
    auto* field = dialog.findChild<QLineEdit*>(QString::fromLatin1(name));
    QVERIFY(field != nullptr);
    field->setText(text);
}

/// Presses the button and waits; whether it went well.
bool done(WorkDialog& dialog)
{
    QSignalSpy ends(&dialog, &WorkDialog::workEnded);
    dialog.findChild<QPushButton*>(QStringLiteral("workStart"))->click();
    return QTest::qWaitFor([&] { return ends.count() > 0; }, kDialogWaitMs) && ends[0][0].toBool();
}

}  // namespace

class TestInterchangeDialogs : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;
    QString path(const char* name) { return m_folder.filePath(QString::fromLatin1(name)); }

private slots:
    void initTestCase()
    {
        test::prepareGuiTest();
        qputenv("TRACEDECK_PYTHON", "/nonexistent/python");   // else the window would look for PyTorch
    }
    void init() { test::failOnQtWarnings(); }

    void aKindIsMadeGrowsAndComesBack()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        auto* addAction = window.findChild<QAction*>(QStringLiteral("addImplementationAction"));
        auto* exportAction = window.findChild<QAction*>(QStringLiteral("exportResultsAction"));
        QVERIFY(!addAction->isEnabled() && !exportAction->isEnabled());

        window.findChild<QAction*>(QStringLiteral("newDatasetAction"))->trigger();
        auto* making = window.findChild<NewDatasetDialog*>();
        QVERIFY(making != nullptr);
        QVERIFY(!done(*making));   // no folder yet
        QVERIFY(!making->outcome().isEmpty());
        choose(*making, "newKind", "rms_norm");
        choose(*making, "newSizes", "cpu");
        type(*making, "newTarget", path("kind"));
        QVERIFY2(done(*making), qPrintable(making->outcome()));
        making->findChild<QPushButton*>(QStringLiteral("workOpen"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(window.workspace()->isOpen() && window.isSettled(), kDialogWaitMs);
        QCOMPARE(window.workspace()->dataset()->definitions().size(), 1U);
        QVERIFY(addAction->isEnabled() && exportAction->isEnabled());

        test::writeBytes(path("mine.py").toStdString(), "def mine(x, weight):\n    return x\n");
        addAction->trigger();
        auto* adding = window.findChild<AddImplementationDialog*>();
        QVERIFY(adding != nullptr);
        type(*adding, "addFile", path("mine.py"));
        type(*adding, "addName", QStringLiteral("mine"));
        QVERIFY(!done(*adding));
        QVERIFY2(adding->outcome().contains(QStringLiteral("function")), qPrintable(adding->outcome()));
        type(*adding, "addFunction", QStringLiteral("mine"));
        QVERIFY2(done(*adding), qPrintable(adding->outcome()));
        QTRY_VERIFY_WITH_TIMEOUT(window.workspace()->dataset()->findSolution("mine") != nullptr, kDialogWaitMs);
        QVERIFY(!done(*adding));   // the name is taken
        choose(*adding, "addSource", "hub");
        QVERIFY(!adding->findChild<QLineEdit*>(QStringLiteral("addFile"))->isVisible());
        type(*adding, "addName", QStringLiteral("hub"));
        QVERIFY2(done(*adding), qPrintable(adding->outcome()));
        QTRY_VERIFY_WITH_TIMEOUT(window.workspace()->dataset()->findSolution("hub") != nullptr, kDialogWaitMs);
        adding->reject();
    }

    void resultsAreExportedAndImported_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("file");
        QTest::newRow("kernels-benchmarks") << QStringLiteral("hf") << QString();
        QTest::newRow("nvbench") << QStringLiteral("nvbench") << QStringLiteral("g.json");
    }
    void resultsAreExportedAndImported()
    {
        QFETCH(QString, form);
        QFETCH(QString, file);
        DatasetBuilder builder;
        builder.definition({.name = "g"}).definition({.name = "h"}).solution({.name = "s", .definition = "g", .author = "<b>ann</b>"});
        builder.trace({.definition = "g", .solution = "s", .uuid = "w1", .latencyMs = 0.5});
        builder.trace({.definition = "g", .solution = "s", .uuid = "w1", .latencyMs = 0.25, .hardware = "Other GPU"});
        Workspace workspace;
        QVERIFY(test::openDataset(workspace, builder.root()));
        workspace.setHardware(QStringLiteral("Other GPU"));
        workspace.setCurrentDefinition(QStringLiteral("g"));
        auto* exporting = new ExportDialog(&workspace, nullptr);
        const std::unique_ptr<ExportDialog> owner(exporting);
        exporting->setAttribute(Qt::WA_DeleteOnClose, false);
        exporting->show();
        choose(*exporting, "exportFormat", qPrintable(form));
        QVERIFY(!done(*exporting));
        const QString folder = m_folder.filePath(form);
        const QString target = file.isEmpty() ? folder : folder + QLatin1Char('/') + file;
        type(*exporting, file.isEmpty() ? "exportFolder" : "exportFile", target);
        QCOMPARE(exporting->request().definition, std::string("g"));
        QVERIFY2(done(*exporting), qPrintable(exporting->outcome()));
        QVERIFY(exporting->outcome().contains(QStringLiteral("Wrote 1 result ")));
        QVERIFY(exporting->outcome().contains(QStringLiteral("Not carried over")));

        ImportDialog importing(nullptr);
        importing.setAttribute(Qt::WA_DeleteOnClose, false);
        importing.show();
        QVERIFY(!done(importing));
        type(importing, "importFiles", file.isEmpty() ? folder + QStringLiteral("/g.jsonl") : target);
        QVERIFY(!done(importing));
        type(importing, "importTarget", m_folder.filePath(form + QStringLiteral("-in")));
        QVERIFY2(done(importing), qPrintable(importing.outcome()));
        const QSignalSpy opens(&importing, &ImportDialog::openWanted);
        importing.findChild<QPushButton*>(QStringLiteral("workOpen"))->click();
        QCOMPARE(opens.count(), 1);
        const auto dataset = Dataset::load(opens[0][0].toString().toStdString());
        QVERIFY(dataset);
        QCOMPARE((*dataset)->traces().size(), 1U);
        QCOMPARE(std::string((*dataset)->traces().hardwareName((*dataset)->traces().row(0))), std::string("Other GPU"));
    }

    void dialogsAreDrawnInBothThemes()
    {
        DatasetBuilder builder;
        builder.definition({.name = "g"}).solution({.name = "s", .definition = "g"}).trace({.definition = "g", .solution = "s", .uuid = "w1", .latencyMs = 0.5});
        Workspace workspace;
        QVERIFY(test::openDataset(workspace, builder.root()));
        const QString pictures = QString::fromLocal8Bit(qgetenv("TRACEDECK_TEST_PICTURES"));
        for (const auto& [theme, suffix] : {std::pair{ThemeChoice::Light, QStringLiteral("light.png")}, std::pair{ThemeChoice::Dark, QStringLiteral("dark.png")}}) {
            applyTheme(theme);
            NewDatasetDialog making(nullptr);
            AddImplementationDialog adding(&workspace, nullptr);
            ExportDialog exporting(&workspace, nullptr);
            ImportDialog importing(nullptr);
            for (WorkDialog* dialog : std::initializer_list<WorkDialog*>{&making, &adding, &exporting, &importing}) {
                dialog->setAttribute(Qt::WA_DeleteOnClose, false);
                dialog->show();
            }
            choose(adding, "addSource", "hub");
            done(adding);   // an error
            type(exporting, "exportFolder", m_folder.filePath(suffix));
            QVERIFY(done(exporting));
            type(importing, "importFiles", m_folder.filePath(suffix + QStringLiteral("/g.jsonl")));
            type(importing, "importTarget", m_folder.filePath(QStringLiteral("in-") + suffix));
            QVERIFY(done(importing));
            for (WorkDialog* dialog : std::initializer_list<WorkDialog*>{&making, &adding, &exporting, &importing}) {
                const QPixmap picture = dialog->grab();
                QVERIFY(!picture.isNull());
                if (!pictures.isEmpty()) QVERIFY(picture.save(QStringLiteral("%1/%2-%3").arg(pictures, dialog->objectName(), suffix)));
            }
        }
        applyTheme(ThemeChoice::Light);
    }

    void aFileThatIsNoneIsAnErrorThatCanBeMended()
    {
        test::writeBytes(path("no.json").toStdString(), "{\"a\": \"<b>\\u202e\"}");
        ImportDialog importing(nullptr);
        importing.setAttribute(Qt::WA_DeleteOnClose, false);
        importing.show();
        type(importing, "importFiles", path("no.json"));
        type(importing, "importTarget", path("never"));
        QVERIFY(!done(importing));
        QVERIFY2(importing.outcome().contains(QStringLiteral("no.json")), qPrintable(importing.outcome()));
        QVERIFY(!fs::exists(path("never").toStdString()));
        QVERIFY(!importing.findChild<QPushButton*>(QStringLiteral("workOpen"))->isVisible());
    }
};

QTEST_MAIN(TestInterchangeDialogs)
#include "test_interchange_dialogs.moc"
