// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QRandomGenerator>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QTreeView>

#include "core/run/run_request.h"
#include "tests/support/dataset_builder.h"
#include "ui/models/dataset_tree_model.h"
#include "ui/models/run_choice.h"
#include "ui/models/workspace.h"
#include "ui/pages/dataset_panel.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kWaitMs = 20'000;

void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "gemm_n4", .constAxes = {{"N", 4}, {"num_heads", 32}}})
        .definition({.name = "gemm_n16", .constAxes = {{"N", 16}}})
        .definition({.name = "norm_h8", .opType = "rmsnorm", .constAxes = {{"hidden_size", 8}}});
    builder.solution({.name = "n4_base", .definition = "gemm_n4", .author = "baseline"})
        .solution({.name = "n4_triton", .definition = "gemm_n4", .author = "ann", .language = "triton"})
        .solution({.name = "n16_base", .definition = "gemm_n16", .author = "baseline"})
        .solution({.name = "h8_base", .definition = "norm_h8", .author = "baseline"})
        .solution({.name = "h8_bob", .definition = "norm_h8", .author = "bob"});
    builder.workload({.definition = "gemm_n4", .uuid = "aaaa", .axes = {{"M", 1}}})
        .workload({.definition = "gemm_n4", .uuid = "bbbb", .axes = {{"M", 64}}})
        .workload({.definition = "gemm_n16", .uuid = "cccc", .axes = {{"M", 7}}})
        .workload({.definition = "norm_h8", .uuid = "dddd", .axes = {{"M", 1}}})
        .workload({.definition = "norm_h8", .uuid = "eeee", .axes = {{"M", 2}}});
    builder.trace({.definition = "gemm_n4", .solution = "n4_base", .uuid = "aaaa"})
        .trace({.definition = "gemm_n4", .solution = "n4_triton", .uuid = "aaaa"})
        .trace({.definition = "gemm_n4", .solution = "n4_triton", .uuid = "bbbb"});
}

/// The tree as indented text: box, name, count.
QString dump(const QAbstractItemModel& model, const QModelIndex& parent = {}, int depth = 0)
{
    QString text;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        const QVariant box = index.data(Qt::CheckStateRole);
        const QString mark = !box.isValid()                         ? QStringLiteral("   ")
                             : box.toInt() == Qt::Checked           ? QStringLiteral("[x]")
                             : box.toInt() == Qt::PartiallyChecked ? QStringLiteral("[-]")
                                                                    : QStringLiteral("[ ]");
        text += QString(depth * 2, QLatin1Char(' ')) + mark + QLatin1Char(' ') + index.data().toString();
        const QString count = index.siblingAtColumn(1).data().toString();
        if (!count.isEmpty())
            text += QLatin1Char(' ') + count;
        text += QLatin1Char('\n') + dump(model, index, depth + 1);
    }
    return text;
}

std::vector<QModelIndex> allNodes(const QAbstractItemModel& model, const QModelIndex& parent = {})
{
    std::vector<QModelIndex> nodes;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        nodes.push_back(index);
        const auto below = allNodes(model, index);
        nodes.insert(nodes.end(), below.begin(), below.end());
    }
    return nodes;
}

/// What the ticked boxes say: ticked solutions times ticked workloads of each definition.
std::set<std::pair<std::string, std::string>> tickedPairs(const DatasetTreeModel& model)
{
    std::map<QString, std::pair<std::set<std::string>, std::set<std::string>>> byDefinition;
    for (const QModelIndex& index : allNodes(model)) {
        if (index.data(Qt::CheckStateRole).toInt() != Qt::Checked)
            continue;
        const auto kind = index.data(DatasetTreeModel::KindRole).value<DatasetTreeModel::NodeKind>();
        auto& [solutions, workloads] = byDefinition[index.data(DatasetTreeModel::DefinitionRole).toString()];
        const std::string name = index.data(DatasetTreeModel::NameRole).toString().toStdString();
        if (kind == DatasetTreeModel::NodeKind::Solution)
            solutions.insert(name);
        else if (kind == DatasetTreeModel::NodeKind::Workload)
            workloads.insert(name);
    }
    std::set<std::pair<std::string, std::string>> pairs;
    for (const auto& [definition, ticked] : byDefinition)
        for (const std::string& solution : ticked.first)
            for (const std::string& workload : ticked.second)
                pairs.emplace(solution, workload);
    return pairs;
}

}  // namespace

class TestTreeModel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void showsOpTypesDefinitionsAndTheirParts();
    void keepsTheModelContract();
    void definitionsWithoutAFileAreShownApart();
    void filters_data();
    void filters();
    void boxesSayWhatWouldBeRun();
    void tickingOneSolutionRunsItOnAllWorkloads();
    void untickingOneSolutionOfAnOpTypeKeepsTheRest();
    void tickingUnderAFilterTicksWhatIsShown();
    void anySequenceOfTicksAgreesWithTheRunner();
    void growthKeepsIndexesAndUpdatesCounts();
    void panelKeepsExpansionAndCurrentThroughAReload();
    void panelFilterKeepsWhatTheUserOpened();
    void indexesOutsideAreInvalid();

private:
    QModelIndex find(const QString& name, DatasetTreeModel::NodeKind kind) const;
    void tick(const QString& name, DatasetTreeModel::NodeKind kind, bool on);
    void open();

    std::unique_ptr<DatasetBuilder> m_builder;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<DatasetTreeModel> m_model;
};

using Kind = DatasetTreeModel::NodeKind;

void TestTreeModel::initTestCase() { QStandardPaths::setTestModeEnabled(true); }

void TestTreeModel::init()
{
    QSettings().clear();
    m_builder = std::make_unique<DatasetBuilder>();
    m_workspace = std::make_unique<Workspace>();
    m_model = std::make_unique<DatasetTreeModel>(m_workspace.get());
    fill(*m_builder);
    open();
}

void TestTreeModel::cleanup()
{
    m_model.reset();
    m_workspace.reset();
    m_builder.reset();
}

void TestTreeModel::open()
{
    QSignalSpy opened(m_workspace.get(), &Workspace::datasetOpened);
    m_workspace->open(QString::fromStdString(m_builder->root().string()));
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kWaitMs);
}

QModelIndex TestTreeModel::find(const QString& name, Kind kind) const
{
    for (const QModelIndex& index : allNodes(*m_model))
        if (index.data(DatasetTreeModel::KindRole).value<Kind>() == kind && index.data(DatasetTreeModel::NameRole).toString() == name)
            return index;
    return {};
}

void TestTreeModel::tick(const QString& name, Kind kind, bool on)
{
    const QModelIndex index = find(name, kind);
    QVERIFY2(index.isValid(), qPrintable(name));
    QVERIFY(m_model->setData(index, on ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole));
}

void TestTreeModel::showsOpTypesDefinitionsAndTheirParts()
{
    QCOMPARE(dump(*m_model), QStringLiteral("[ ] gemm 2\n"
                                            "  [ ] gemm_n4 3\n"
                                            "    [ ] Solutions 2\n"
                                            "      [ ] n4_triton 2\n"
                                            "      [ ] n4_base 1\n"
                                            "    [ ] Workloads 2\n"
                                            "      [ ] M=1\n"
                                            "      [ ] M=64\n"
                                            "        Traces 3\n"
                                            "  [ ] gemm_n16 0\n"
                                            "    [ ] Solutions 1\n"
                                            "      [ ] n16_base 0\n"
                                            "    [ ] Workloads 1\n"
                                            "      [ ] M=7\n"
                                            "        Traces 0\n"
                                            "[ ] rmsnorm 1\n"
                                            "  [ ] norm_h8 0\n"
                                            "    [ ] Solutions 2\n"
                                            "      [ ] h8_base 0\n"
                                            "      [ ] h8_bob 0\n"
                                            "    [ ] Workloads 2\n"
                                            "      [ ] M=1\n"
                                            "      [ ] M=2\n"
                                            "        Traces 0\n"));
}

void TestTreeModel::keepsTheModelContract()
{
    QAbstractItemModelTester tester(m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    m_model->setFilterText(QStringLiteral("gemm"));
    tick(QStringLiteral("gemm_n4"), Kind::Definition, true);
    m_model->setFilterText(QString());
    tick(QStringLiteral("rmsnorm"), Kind::OpType, true);
    open();
    QCOMPARE(m_model->rowCount(), 2);
}

void TestTreeModel::definitionsWithoutAFileAreShownApart()
{
    m_builder->solution({.name = "lost", .definition = "nowhere"});
    open();
    const QModelIndex last = m_model->index(m_model->rowCount() - 1, 0);
    QCOMPARE(last.data().toString(), QStringLiteral("without a definition"));
    QVERIFY(!last.data(Qt::CheckStateRole).isValid());
    const QModelIndex definition = m_model->index(0, 0, last);
    QCOMPARE(definition.data().toString(), QStringLiteral("nowhere"));
    QVERIFY(!m_model->setData(definition, Qt::Checked, Qt::CheckStateRole));
}

void TestTreeModel::filters_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("definitions");
    QTest::addColumn<QStringList>("solutions");
    QTest::newRow("nothing typed shows all") << QString() << QStringList{QStringLiteral("gemm_n4"), QStringLiteral("gemm_n16"), QStringLiteral("norm_h8")}
                                             << QStringList{QStringLiteral("n4_triton"), QStringLiteral("n4_base"), QStringLiteral("n16_base"), QStringLiteral("h8_base"), QStringLiteral("h8_bob")};
    QTest::newRow("op_type, any case") << QStringLiteral("RMSNorm") << QStringList{QStringLiteral("norm_h8")} << QStringList{QStringLiteral("h8_base"), QStringLiteral("h8_bob")};
    QTest::newRow("language narrows to solutions") << QStringLiteral("triton") << QStringList{QStringLiteral("gemm_n4")} << QStringList{QStringLiteral("n4_triton")};
    QTest::newRow("author") << QStringLiteral("bob") << QStringList{QStringLiteral("norm_h8")} << QStringList{QStringLiteral("h8_bob")};
    QTest::newRow("part of a definition's name") << QStringLiteral("n16") << QStringList{QStringLiteral("gemm_n16")} << QStringList{QStringLiteral("n16_base")};
    QTest::newRow("constant axis by full name") << QStringLiteral("hidden_size=8") << QStringList{QStringLiteral("norm_h8")} << QStringList{QStringLiteral("h8_base"), QStringLiteral("h8_bob")};
    QTest::newRow("constant axis by the start of a word") << QStringLiteral("h=32") << QStringList{QStringLiteral("gemm_n4")} << QStringList{QStringLiteral("n4_triton"), QStringLiteral("n4_base")};
    QTest::newRow("variable axis narrows to workloads") << QStringLiteral("m=64") << QStringList{QStringLiteral("gemm_n4")} << QStringList{QStringLiteral("n4_triton"), QStringLiteral("n4_base")};
    QTest::newRow("all words must match") << QStringLiteral("gemm baseline") << QStringList{QStringLiteral("gemm_n4"), QStringLiteral("gemm_n16")} << QStringList{QStringLiteral("n4_base"), QStringLiteral("n16_base")};
    QTest::newRow("no match") << QStringLiteral("gemm bob") << QStringList{} << QStringList{};
    QTest::newRow("a number that is none") << QStringLiteral("m=x") << QStringList{} << QStringList{};
    QTest::newRow("uuid") << QStringLiteral("cccc") << QStringList{QStringLiteral("gemm_n16")} << QStringList{QStringLiteral("n16_base")};
}

void TestTreeModel::filters()
{
    QFETCH(QString, text);
    QFETCH(QStringList, definitions);
    QFETCH(QStringList, solutions);
    m_model->setFilterText(text);
    QStringList shownDefinitions;
    QStringList shownSolutions;
    for (const QModelIndex& index : allNodes(*m_model)) {
        const auto kind = index.data(DatasetTreeModel::KindRole).value<Kind>();
        if (kind == Kind::Definition)
            shownDefinitions << index.data(DatasetTreeModel::NameRole).toString();
        if (kind == Kind::Solution)
            shownSolutions << index.data(DatasetTreeModel::NameRole).toString();
    }
    QCOMPARE(shownDefinitions, definitions);
    QCOMPARE(shownSolutions, solutions);
    if (text == u"m=64")
        QCOMPARE(m_model->rowCount(m_model->index(1, 0, find(QStringLiteral("gemm_n4"), Kind::Definition))), 1);
}

void TestTreeModel::boxesSayWhatWouldBeRun()
{
    Selection selection;
    selection.opTypes = {"rmsnorm"};
    selection.solutions = {"n4_base"};
    selection.workloads = {"bbbb"};
    m_workspace->setSelection(selection);
    const auto box = [this](const char* name, Kind kind) { return find(QString::fromLatin1(name), kind).data(Qt::CheckStateRole).toInt(); };
    QCOMPARE(box("gemm", Kind::OpType), int{Qt::PartiallyChecked});
    QCOMPARE(box("gemm_n4", Kind::Definition), int{Qt::PartiallyChecked});
    QCOMPARE(box("n4_base", Kind::Solution), int{Qt::Checked});
    QCOMPARE(box("n4_triton", Kind::Solution), int{Qt::Unchecked});
    QCOMPARE(box("aaaa", Kind::Workload), int{Qt::Unchecked});
    QCOMPARE(box("bbbb", Kind::Workload), int{Qt::Checked});
    QCOMPARE(box("gemm_n16", Kind::Definition), int{Qt::Unchecked});
    QCOMPARE(box("rmsnorm", Kind::OpType), int{Qt::Checked});
    QCOMPARE(box("h8_bob", Kind::Solution), int{Qt::Checked});
}

void TestTreeModel::tickingOneSolutionRunsItOnAllWorkloads()
{
    tick(QStringLiteral("n4_triton"), Kind::Solution, true);
    QCOMPARE(m_workspace->selection().solutions, (std::set<std::string>{"n4_triton"}));
    QVERIFY(m_workspace->selection().workloads.empty());
    QCOMPARE(tickedPairs(*m_model), (std::set<std::pair<std::string, std::string>>{{"n4_triton", "aaaa"}, {"n4_triton", "bbbb"}}));
    tick(QStringLiteral("aaaa"), Kind::Workload, false);
    QCOMPARE(tickedPairs(*m_model), (std::set<std::pair<std::string, std::string>>{{"n4_triton", "bbbb"}}));
    tick(QStringLiteral("n4_triton"), Kind::Solution, false);
    QVERIFY(m_workspace->selection().empty());
}

void TestTreeModel::untickingOneSolutionOfAnOpTypeKeepsTheRest()
{
    tick(QStringLiteral("gemm"), Kind::OpType, true);
    QCOMPARE(m_workspace->selection().opTypes, (std::set<std::string>{"gemm"}));
    tick(QStringLiteral("n4_base"), Kind::Solution, false);
    QVERIFY(m_workspace->selection().opTypes.empty());
    QCOMPARE(m_workspace->selection().definitions, (std::set<std::string>{"gemm_n16"}));
    QCOMPARE(m_workspace->selection().solutions, (std::set<std::string>{"n4_triton"}));
    tick(QStringLiteral("n4_base"), Kind::Solution, true);
    QCOMPARE(m_workspace->selection().opTypes, (std::set<std::string>{"gemm"}));
    QVERIFY(m_workspace->selection().solutions.empty());
}

void TestTreeModel::tickingUnderAFilterTicksWhatIsShown()
{
    m_model->setFilterText(QStringLiteral("baseline"));
    tick(QStringLiteral("gemm"), Kind::OpType, true);
    m_model->setFilterText(QString());
    QCOMPARE(tickedPairs(*m_model),
             (std::set<std::pair<std::string, std::string>>{{"n4_base", "aaaa"}, {"n4_base", "bbbb"}, {"n16_base", "cccc"}}));
    m_model->setFilterText(QStringLiteral("triton m=64"));
    tick(QStringLiteral("gemm_n4"), Kind::Definition, true);
    m_model->setFilterText(QString());
    QCOMPARE(tickedPairs(*m_model), (std::set<std::pair<std::string, std::string>>{{"n4_triton", "bbbb"}, {"n16_base", "cccc"}}));
}

void TestTreeModel::anySequenceOfTicksAgreesWithTheRunner()
{
    QRandomGenerator random(20260101);
    for (int step = 0; step < 300; ++step) {
        const auto nodes = allNodes(*m_model);
        const QModelIndex index = nodes[static_cast<std::size_t>(random.bounded(static_cast<int>(nodes.size())))];
        if (!(index.flags() & Qt::ItemIsUserCheckable))
            continue;
        const bool on = index.data(Qt::CheckStateRole).toInt() != Qt::Checked;
        QVERIFY(m_model->setData(index, on ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole));
        QCOMPARE(index.data(Qt::CheckStateRole).toInt(), on ? int{Qt::Checked} : int{Qt::Unchecked});
        const auto expected = expandSelection(*m_workspace->dataset(), m_workspace->selection());
        QCOMPARE(tickedPairs(*m_model), expected);
        QCOMPARE(RunChoice(m_workspace->dataset(), m_workspace->selection()).pairCount(), expected.size());
    }
}

void TestTreeModel::growthKeepsIndexesAndUpdatesCounts()
{
    QAbstractItemModelTester tester(m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QPersistentModelIndex solution(find(QStringLiteral("n4_base"), Kind::Solution));
    QSignalSpy reset(m_model.get(), &QAbstractItemModel::modelReset);
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    auto trace = m_workspace->dataset()->readTrace(0);
    QVERIFY(trace.has_value());
    trace->solution = "n4_base";
    QSignalSpy grown(m_workspace.get(), &Workspace::datasetChanged);
    m_workspace->addTraces({{*trace, m_builder->root() / m_workspace->dataset()->traceFile(0), 123456}});
    QTRY_COMPARE_WITH_TIMEOUT(grown.count(), 1, kWaitMs);
    QCOMPARE(reset.count(), 0);
    QVERIFY(changed.count() > 0);
    QVERIFY(solution.isValid());
    QCOMPARE(QModelIndex(solution).siblingAtColumn(1).data().toString(), QStringLiteral("2"));
    QCOMPARE(find(QStringLiteral("gemm_n4"), Kind::Definition).siblingAtColumn(1).data().toString(), QStringLiteral("4"));
}

void TestTreeModel::panelKeepsExpansionAndCurrentThroughAReload()
{
    DatasetPanel panel(m_workspace.get());
    QTreeView* tree = panel.tree();
    const auto nodeOf = [&panel](const char* definition) { return panel.model()->indexOfDefinition(QString::fromLatin1(definition)); };
    tree->expand(nodeOf("gemm_n4").parent());
    tree->expand(nodeOf("gemm_n4"));
    tree->setCurrentIndex(panel.model()->index(1, 0, nodeOf("gemm_n4")));
    QCOMPARE(m_workspace->currentDefinition(), QStringLiteral("gemm_n4"));
    m_builder->definition({.name = "gemm_n1"});
    open();
    QVERIFY(tree->isExpanded(nodeOf("gemm_n4")));
    QVERIFY(tree->isExpanded(nodeOf("gemm_n4").parent()));
    QVERIFY(!tree->isExpanded(nodeOf("norm_h8").parent()));
    QCOMPARE(tree->currentIndex(), panel.model()->index(1, 0, nodeOf("gemm_n4")));
}

void TestTreeModel::panelFilterKeepsWhatTheUserOpened()
{
    DatasetPanel panel(m_workspace.get());
    const auto nodeOf = [&panel](const char* definition) { return panel.model()->indexOfDefinition(QString::fromLatin1(definition)); };
    panel.tree()->expand(nodeOf("norm_h8").parent());
    panel.filterEdit()->setText(QStringLiteral("gemm"));
    QTRY_COMPARE(panel.model()->rowCount(), 1);
    QVERIFY(panel.tree()->isExpanded(nodeOf("gemm_n4")));   // few hits are opened
    QTest::keyClick(panel.filterEdit(), Qt::Key_Escape);
    QTRY_COMPARE(panel.model()->rowCount(), 2);
    QVERIFY(panel.tree()->isExpanded(nodeOf("norm_h8").parent()));
    QVERIFY(!panel.tree()->isExpanded(nodeOf("gemm_n4")));
}

void TestTreeModel::indexesOutsideAreInvalid()
{
    QVERIFY(!m_model->index(m_model->rowCount(), 0).isValid());
    QVERIFY(!m_model->index(-1, 0).isValid());
    QVERIFY(!m_model->index(0, DatasetTreeModel::ColumnCount).isValid());
    QVERIFY(!m_model->data({}, Qt::DisplayRole).isValid());
    QVERIFY(!m_model->indexOfKey(QStringLiteral("no key")).isValid());
}

QTEST_MAIN(TestTreeModel)
#include "test_tree_model.moc"
