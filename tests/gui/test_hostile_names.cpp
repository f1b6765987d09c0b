// SPDX-License-Identifier: GPL-3.0-or-later
// Datasets come from strangers: whatever their names hold, the window keeps its size and shows them as they are.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QMetaEnum>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTest>
#include <QTextDocument>
#include <QTextLayout>
#include <QTreeView>
#include <functional>

#include "tests/support/gui_test.h"
#include "ui/main_window.h"
#include "ui/models/dataset_tree_model.h"
#include "ui/pages/dataset_panel.h"
#include "ui/pages/trace_details.h"
#include "ui/style/chips.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kWaitMs = 30'000;
constexpr QSize kSmallest(1280, 800);

using Naming = std::function<std::string(const std::string& plain)>;

/// A small dataset in which every text that can be chosen freely goes through `name`. Files have plain names.
void fillWith(DatasetBuilder& builder, const Naming& name)
{
    const std::string definition = name("defn");
    const std::string axis = name("axis");
    const Json tensor = {{"shape", {axis, "N"}}, {"dtype", "float32"}, {"description", name("about tensor")}};
    const auto write = [&](const std::string& path, const Json& json) { builder.file(path, json.dump()); };
    write("definitions/op/d.json", {{"name", definition},
                                    {"op_type", name("op")},
                                    {"description", name("about")},
                                    {"tags", {name("tag1"), name("tag2")}},
                                    {"axes", {{axis, {{"type", "var"}, {"description", name("about axis")}}}, {"N", {{"type", "const"}, {"value", 4}}}}},
                                    {"constraints", {"N > 0"}},
                                    {"inputs", {{name("input"), tensor}}},
                                    {"outputs", {{name("output"), tensor}}},
                                    {"reference", "def run(x):\n    return x\n"}});
    const std::string uuid = name("uuid");
    const Json workload = {{"axes", {{axis, 3}}}, {"inputs", {{name("input"), {{"type", "random"}}}}}, {"uuid", uuid}};
    builder.line("workloads/op/d.jsonl", Json{{"definition", definition}, {"workload", workload}, {"solution", nullptr}, {"evaluation", nullptr}}.dump());
    for (const std::string& plain : {std::string("baseline"), std::string("other")}) {
        const std::string solution = name(plain + "_solution");
        write("solutions/" + plain + ".json", {{"name", solution},
                                               {"definition", definition},
                                               {"author", name(plain)},
                                               {"description", name("about " + plain)},
                                               {"spec",
                                                {{"language", "python"},
                                                 {"target_hardware", {name("gpu")}},
                                                 {"entry_point", "main.py::run"},
                                                 {"dependencies", {name("package")}},
                                                 {"destination_passing_style", false}}},
                                               {"sources", Json::array({{{"path", "main.py"}, {"content", "def run(x):\n    return x\n"}}})}});
        const bool failed = plain == "other";
        Json evaluation = {{"status", failed ? "RUNTIME_ERROR" : "PASSED"},
                           {"environment", {{"hardware", name("hardware " + plain)}, {"libs", {{name("lib"), name("1.0")}}}}},
                           {"timestamp", "2026-01-01T00:00:00"},
                           {"log", name("log")},
                           {"correctness", nullptr},
                           {"performance", nullptr}};
        if (!failed) {
            evaluation["correctness"] = {{"max_relative_error", 0.0}, {"max_absolute_error", 0.0}, {"extra", {{name("key"), name("value")}}}};
            evaluation["performance"] = {{"latency_ms", 1.5}, {"reference_latency_ms", 3.0}, {"speedup_factor", 2.0}};
        }
        builder.line("traces/" + plain + ".jsonl",
                     Json{{"definition", definition}, {"workload", workload}, {"solution", solution}, {"evaluation", evaluation}}.dump());
    }
    builder.file("definitions/op/broken.json", "{");   // one problem to list
}

bool isRich(const QString& text) { return Qt::mightBeRichText(text); }

/// What a reader would see of a text that Qt may take for HTML.
QString asSeen(const QString& text)
{
    if (!isRich(text))
        return text;
    QTextDocument document;
    document.setHtml(text);
    return document.toPlainText();
}

/// Every text that a window shows, with the place where it stands.
void forEachText(QWidget* window, const std::function<void(const QString& place, const QString& text, bool mayBeRich)>& visit)
{
    const auto visitModel = [&](const QString& place, const QAbstractItemModel* model) {
        std::function<void(const QModelIndex&)> walk = [&](const QModelIndex& parent) {
            for (int row = 0; row < model->rowCount(parent); ++row)
                for (int column = 0; column < model->columnCount(parent); ++column) {
                    const QModelIndex index = model->index(row, column, parent);
                    visit(place, index.data(Qt::DisplayRole).toString(), false);
                    visit(place + QStringLiteral(" accessible"), index.data(Qt::AccessibleTextRole).toString(), false);
                    visit(place + QStringLiteral(" tool tip"), index.data(Qt::ToolTipRole).toString(), true);
                    if (column == 0)
                        walk(index);
                }
        };
        walk({});
        for (int column = 0; column < model->columnCount(); ++column) {
            visit(place + QStringLiteral(" header"), model->headerData(column, Qt::Horizontal).toString(), false);
            visit(place + QStringLiteral(" header tool tip"), model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString(), true);
        }
    };
    for (QWidget* widget : window->findChildren<QWidget*>()) {
        const QString place = QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char('/') + widget->objectName();
        visit(place + QStringLiteral(" accessible"), widget->accessibleName(), false);
        visit(place + QStringLiteral(" tool tip"), widget->toolTip(), true);
        if (const auto* label = qobject_cast<QLabel*>(widget))
            visit(place, label->text(), label->textFormat() != Qt::PlainText);
        else if (const auto* elided = qobject_cast<ElidedLabel*>(widget))
            visit(place, elided->shownText(), false);
        else if (const auto* button = qobject_cast<QAbstractButton*>(widget))
            visit(place, button->text(), false);
        else if (const auto* text = qobject_cast<QPlainTextEdit*>(widget))
            visit(place, text->toPlainText(), false);
        else if (const auto* tabs = qobject_cast<QTabBar*>(widget))
            for (int tab = 0; tab < tabs->count(); ++tab) {
                visit(place, tabs->tabText(tab), false);
                visit(place + QStringLiteral(" tool tip"), tabs->tabToolTip(tab), true);
            }
        else if (const auto* box = qobject_cast<QComboBox*>(widget))
            visitModel(place, box->model());
        else if (const auto* view = qobject_cast<QAbstractItemView*>(widget); view && view->model() && !qobject_cast<QHeaderView*>(widget))
            visitModel(place, view->model());
    }
    visit(QStringLiteral("window title"), window->windowTitle(), false);
}

}  // namespace

class TestHostileNames : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareGuiTest(); }
    void init()
    {
        QSettings().clear();
        m_builder = std::make_unique<DatasetBuilder>();
        m_window = std::make_unique<MainWindow>();
        m_window->resize(kSmallest);
        m_window->show();
    }
    void cleanup()
    {
        m_window.reset();
        m_builder.reset();
    }

    void longNamesDoNotWidenTheWindow_data()
    {
        QTest::addColumn<int>("letters");
        QTest::addColumn<QString>("filling");
        QTest::newRow("120 letters") << 120 << QStringLiteral("a_b");
        QTest::newRow("300 letters without a place to break") << 300 << QStringLiteral("W");
        QTest::newRow("300 letters with blanks") << 300 << QStringLiteral("word ");
        QTest::newRow("4,000 letters") << 4'000 << QStringLiteral("W");
    }
    void longNamesDoNotWidenTheWindow()
    {
        QFETCH(int, letters);
        QFETCH(QString, filling);
        fillWith(*m_builder, [&](const std::string& plain) {
            std::string name = plain;
            while (name.size() < static_cast<std::size_t>(letters))
                name += filling.toStdString();
            return name;
        });
        open();
        forEachPage([&](const QString& page) {
            const QSize least = m_window->minimumSizeHint().expandedTo(m_window->minimumSize());
            QVERIFY2(least.width() <= kSmallest.width() && least.height() <= kSmallest.height(),
                     qPrintable(QStringLiteral("%1 asks for %2×%3").arg(page).arg(least.width()).arg(least.height())));
            QCOMPARE(m_window->size(), kSmallest);
        });
    }

    void hiddenCharactersAreShown()
    {
        const QString hidden = QStringLiteral("\u202E\u2066\u200E\u061C\uFEFF\u001B\u0007\u009B\u2028");
        fillWith(*m_builder, [&](const std::string& plain) { return plain + hidden.toStdString(); });
        open();
        int seen = 0;
        forEachPage([&](const QString& page) {
            forEachText(m_window.get(), [&](const QString& place, const QString& text, bool) {
                for (const QChar c : hidden)
                    QVERIFY2(!text.contains(c), qPrintable(QStringLiteral("%1, %2: %3").arg(page, place, visibleText(text))));
                seen += text.contains(QStringLiteral("⟨U+202E⟩")) ? 1 : 0;
            });
        });
        QVERIFY(seen > 50);
        auto* tree = m_window->datasetPanel()->model();
        QVERIFY(tree->index(0, 0).data().toString().contains(QStringLiteral("⟨U+202E⟩⟨U+2066⟩")));
        QVERIFY(tree->index(0, 0).data(DatasetTreeModel::NameRole).toString().contains(QChar(0x202E)));   // the name itself stays as it is
    }

    void markupIsShownAsText()
    {
        const QString markup = QStringLiteral("<b>bold</b><img src='x.png'>&amp;");
        // An axis with such a name would be an expression that cannot be read.
        fillWith(*m_builder, [&](const std::string& plain) { return plain == "axis" ? plain : plain + markup.toStdString(); });
        open();
        int tips = 0;
        forEachPage([&](const QString& page) {
            forEachText(m_window.get(), [&](const QString& place, const QString& text, bool mayBeRich) {
                const QString plainly = QString(text).remove(QChar(0x200B));
                if (!mayBeRich || (!plainly.contains(QStringLiteral("bold"))))
                    return;
                // As text, all of the markup is still there for the eye.
                const QString shown = asSeen(text).remove(QChar(0x200B));
                QVERIFY2(shown.contains(QStringLiteral("<b>bold</b>")), qPrintable(QStringLiteral("%1, %2: %3").arg(page, place, text)));
                ++tips;
            });
        });
        QVERIFY(tips > 20);
    }

    void countsAreNeverCut()
    {
        m_builder->definition({.name = "gemm_with_a_name_that_is_far_too_long_for_the_tree"});
        m_builder->solution({.name = "s", .definition = "gemm_with_a_name_that_is_far_too_long_for_the_tree", .author = "baseline"});
        m_builder->workload({.definition = "gemm_with_a_name_that_is_far_too_long_for_the_tree", .uuid = "w"});
        std::string lines;
        const std::string line = Json{{"definition", "gemm_with_a_name_that_is_far_too_long_for_the_tree"},
                                      {"workload", {{"axes", {{"M", 1}}}, {"inputs", {{"x", {{"type", "random"}}}}}, {"uuid", "w"}}},
                                      {"solution", "s"},
                                      {"evaluation",
                                       {{"status", "TIMEOUT"},
                                        {"environment", {{"hardware", "GPU"}, {"libs", Json::object()}}},
                                        {"timestamp", "2026-01-01T00:00:00"},
                                        {"log", ""},
                                        {"correctness", nullptr},
                                        {"performance", nullptr}}}}
                                     .dump() +
                                 "\n";
        constexpr int kTraces = 40'040;
        for (int i = 0; i < kTraces; ++i)
            lines += line;
        m_builder->file("traces/t.jsonl", lines);
        open();
        const QTreeView* tree = m_window->datasetPanel()->tree();
        const QAbstractItemModel* model = tree->model();
        const QModelIndex definition = model->index(0, 0, model->index(0, 0));
        const QModelIndex count = definition.siblingAtColumn(DatasetTreeModel::CountColumn);
        QCOMPARE(count.data().toString(), QStringLiteral("40,040"));
        QStyleOptionViewItem option;
        option.initFrom(tree);
        option.widget = tree;
        option.font = count.data(Qt::FontRole).value<QFont>();
        option.fontMetrics = QFontMetrics(option.font);
        option.rect = QRect(0, 0, tree->columnWidth(DatasetTreeModel::CountColumn), 24);
        option.text = count.data().toString();
        option.features = QStyleOptionViewItem::HasDisplay;
        const int margin = tree->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, tree) + 1;
        const int room = tree->style()->subElementRect(QStyle::SE_ItemViewItemText, &option, tree).width() - 2 * margin;
        // As views measure before they elide.
        QTextLayout layout(option.text, option.font);
        layout.beginLayout();
        const QTextLine textLine = layout.createLine();
        layout.endLayout();
        QVERIFY2(textLine.naturalTextWidth() <= room, qPrintable(QStringLiteral("%1 > %2").arg(textLine.naturalTextWidth()).arg(room)));
    }

private:
    void open()
    {
        m_window->openPath(QString::fromStdString(m_builder->root().string()));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->workspace()->isOpen() && m_window->isSettled(), kWaitMs);
        QVERIFY(!m_window->workspace()->currentDefinition().isEmpty());
    }
    /// Visits all pages with each of the traces in the details, and with all docks shown.
    void forEachPage(const std::function<void(const QString&)>& visit)
    {
        const auto pages = QMetaEnum::fromType<MainWindow::Page>();
        for (QDockWidget* dock : m_window->findChildren<QDockWidget*>())
            dock->show();
        for (qint64 trace = 0; trace < 2; ++trace) {
            QSignalSpy shown(m_window->traceDetails(), &TraceDetails::traceShown);
            m_window->workspace()->setCurrentTrace(trace);
            QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 1, kWaitMs);
            for (int page = 0; page < pages.keyCount(); ++page) {
                m_window->showPage(static_cast<MainWindow::Page>(pages.value(page)));
                QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kWaitMs);
                QCoreApplication::processEvents();
                visit(QString::fromLatin1(pages.key(page)));
                if (QTest::currentTestFailed())
                    return;
            }
        }
    }

    std::unique_ptr<DatasetBuilder> m_builder;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestHostileNames)
#include "test_hostile_names.moc"
