// SPDX-License-Identifier: GPL-3.0-or-later
// Two sources side by side: alignment, marks, keys, and what a dataset can do to it.
#include <Qsci/qsciscintilla.h>

#include <QAction>
#include <QCheckBox>
#include <QScrollBar>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

#include "tests/support/gui_test.h"
#include "ui/main_window.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/diff_view.h"
#include "ui/style/labels.h"
#include "ui/style/name_box.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kWaitMs = 20'000;
constexpr int kWordIndicator = 8;

QStringList linesOf(const CodeView* view) { return view->editor()->text().split(QLatin1Char('\n')); }

}  // namespace

class TestComparePage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareGuiTest(); }
    void init()
    {
        test::failOnQtWarnings();
        QSettings().clear();
        m_builder = std::make_unique<DatasetBuilder>();
        m_builder->definition({.name = "gemm_a"}).definition({.name = "norm_b", .opType = "rmsnorm"});
        m_builder->solution({.name = "first", .definition = "gemm_a", .author = "ann", .language = "python", .source = "import torch\n\ndef run(a):\n    tile = 16\n    return a * tile\n", .sourcePath = "main.py"});
        m_builder->solution({.name = "second", .definition = "gemm_a", .author = "baseline", .language = "triton", .source = "import torch\nimport triton\n\ndef run(a):\n    tile = 32\n    return a * tile\n", .sourcePath = "main.py"});
        m_builder->solution({.name = "third", .definition = "gemm_a", .author = "cleo", .language = "python", .source = "import torch\n\ndef run(a):\n        tile = 16\n    return a * tile\n", .sourcePath = "main.py"});
        m_builder->solution({.name = "elsewhere", .definition = "norm_b", .author = "dora"});
    }

    void linesStandLevelAndWordsAreMarked()
    {
        Workspace workspace;
        QVERIFY(test::openDataset(workspace, m_builder->root()));
        ComparePage page(&workspace, QStringLiteral("first"), QStringLiteral("second"));
        QTRY_VERIFY_WITH_TIMEOUT(!page.view()->isBusy(), kWaitMs);
        QCOMPARE(linesOf(page.view()->left()), (QStringList{QStringLiteral("import torch"), QString(), QString(), QStringLiteral("def run(a):"), QStringLiteral("    tile = 16"), QStringLiteral("    return a * tile")}));
        QCOMPARE(linesOf(page.view()->right()), (QStringList{QStringLiteral("import torch"), QStringLiteral("import triton"), QString(), QStringLiteral("def run(a):"), QStringLiteral("    tile = 32"), QStringLiteral("    return a * tile")}));
        QCOMPARE(page.view()->differences(), (std::vector<int>{1, 4}));
        const auto markedWord = [](const CodeView* view) {
            QString word;
            for (int i = 0; i < view->editor()->length(); ++i)
                if (view->editor()->SendScintilla(QsciScintilla::SCI_INDICATORVALUEAT, kWordIndicator, i) != 0)
                    word += view->editor()->text(i, i + 1);
            return word;
        };
        QCOMPARE(markedWord(page.view()->left()), QStringLiteral("16"));
        QCOMPARE(markedWord(page.view()->right()), QStringLiteral("32"));
        const auto* summary = page.findChild<MutedLabel*>(QStringLiteral("compareSummary"));
        QCOMPARE(summary->text(), QStringLiteral("1 line(s) changed · 0 removed · 1 added · language: python → triton"));
    }

    void blanksCanBeIgnoredAndSidesSwapped()
    {
        Workspace workspace;
        QVERIFY(test::openDataset(workspace, m_builder->root()));
        ComparePage page(&workspace, QStringLiteral("first"), QStringLiteral("third"));
        QTRY_VERIFY_WITH_TIMEOUT(!page.view()->isBusy(), kWaitMs);
        QVERIFY(!page.view()->diff().isSame());
        page.findChild<QCheckBox*>()->setChecked(true);
        QTRY_VERIFY_WITH_TIMEOUT(page.view()->diff().isSame(), kWaitMs);
        QVERIFY(page.findChild<MutedLabel*>(QStringLiteral("compareSummary"))->text().startsWith(QStringLiteral("No difference")));
        QSignalSpy changed(&page, &ComparePage::namesChanged);
        for (QToolButton* button : page.findChildren<QToolButton*>())
            if (button->accessibleName() == QStringLiteral("Swap the sides"))
                button->click();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(page.leftName(), QStringLiteral("third"));
        QCOMPARE(page.rightName(), QStringLiteral("first"));
    }

    void rivalsAreOfferedFirst()
    {
        Workspace workspace;
        QVERIFY(test::openDataset(workspace, m_builder->root()));
        ComparePage page(&workspace, QStringLiteral("first"), QStringLiteral("second"));
        const NameBox* box = page.findChildren<NameBox*>().front();
        QStringList names;
        for (int i = 0; i < box->count(); ++i)
            names << box->itemText(i);
        QCOMPARE(names, (QStringList{QStringLiteral("first"), QStringLiteral("second"), QStringLiteral("third"), QString(), QStringLiteral("elsewhere")}));
    }

    void theWindowComparesWithTheBaselineAndWalksThroughDifferences()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        window.openPath(QString::fromStdString(m_builder->root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kWaitMs);
        window.showSolution(QStringLiteral("first"));
        const auto* tabs = window.findChild<QTabWidget*>(QStringLiteral("pageTabs"));
        auto* next = window.findChild<QAction*>(QStringLiteral("nextDifferenceAction"));
        QVERIFY(!next->isEnabled());
        window.findChild<QAction*>(QStringLiteral("compareAction"))->trigger();
        auto* page = qobject_cast<ComparePage*>(tabs->currentWidget());
        QVERIFY(page);
        QCOMPARE(page->leftName(), QStringLiteral("first"));
        QCOMPARE(page->rightName(), QStringLiteral("second"));   // the baseline author's
        QTRY_VERIFY_WITH_TIMEOUT(!page->view()->isBusy(), kWaitMs);
        QVERIFY(next->isEnabled());
        int line = -1;
        int column = 0;
        next->trigger();
        page->view()->right()->editor()->getCursorPosition(&line, &column);
        QCOMPARE(line, 1);
        next->trigger();
        page->view()->right()->editor()->getCursorPosition(&line, &column);
        QCOMPARE(line, 4);
        next->trigger();   // the last one: stays
        page->view()->right()->editor()->getCursorPosition(&line, &column);
        QCOMPARE(line, 4);
        window.findChild<QAction*>(QStringLiteral("previousDifferenceAction"))->trigger();
        page->view()->left()->editor()->getCursorPosition(&line, &column);
        QCOMPARE(line, 1);
        // Asked again it is the same tab; Back leads to where it was opened, Forward to it.
        const int count = tabs->count();
        window.showComparison(QStringLiteral("first"), QStringLiteral("second"));
        QCOMPARE(tabs->count(), count);
        window.findChild<QAction*>(QStringLiteral("backAction"))->trigger();
        QVERIFY(!qobject_cast<ComparePage*>(tabs->currentWidget()));
        window.findChild<QAction*>(QStringLiteral("forwardAction"))->trigger();
        QCOMPARE(tabs->currentWidget(), page);
        window.findChild<QAction*>(QStringLiteral("closeTabAction"))->trigger();
        QCOMPARE(tabs->count(), count - 1);
    }

    /// A solution that goes while it is compared leaves a page that says nothing wrong.
    void aSolutionThatGoesLeavesAnotherOne()
    {
        Workspace workspace;
        QVERIFY(test::openDataset(workspace, m_builder->root()));
        ComparePage page(&workspace, QStringLiteral("first"), QStringLiteral("second"));
        QTRY_VERIFY_WITH_TIMEOUT(!page.view()->isBusy(), kWaitMs);
        std::size_t removed = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(m_builder->root() / "solutions"))
            if (entry.path().stem() == "second") removed += std::filesystem::remove(entry.path()) ? std::size_t{1} : std::size_t{0};
        QCOMPARE(removed, std::size_t{1});
        QSignalSpy changed(&workspace, &Workspace::datasetChanged);
        workspace.reload();
        QTRY_VERIFY_WITH_TIMEOUT(changed.count() > 0 && !page.view()->isBusy(), kWaitMs);
        QCOMPARE(page.leftName(), QStringLiteral("first"));
        QCOMPARE(page.rightName(), QStringLiteral("first"));
        QVERIFY(page.view()->diff().isSame());
    }

    void sidesScrollTogether()
    {
        std::string text;
        for (int i = 0; i < 500; ++i) text += "line " + std::to_string(i) + "\n";
        DiffView view;
        view.resize(800, 300);
        view.show();
        view.setTexts({QString::fromStdString(text)}, {QString::fromStdString("more\n" + text)}, false);
        QTRY_VERIFY_WITH_TIMEOUT(!view.isBusy(), kWaitMs);
        view.left()->editor()->verticalScrollBar()->setValue(100);
        QCOMPARE(view.right()->editor()->verticalScrollBar()->value(), 100);
        view.right()->editor()->verticalScrollBar()->setValue(7);
        QCOMPARE(view.left()->editor()->verticalScrollBar()->value(), 7);
    }

private:
    std::unique_ptr<DatasetBuilder> m_builder;
};

QTEST_MAIN(TestComparePage)
#include "test_compare_page.moc"
