// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/definition_header.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "ui/models/number_format.h"
#include "ui/pages/facts_table.h"
#include "ui/pages/shape_delegate.h"
#include "ui/settings/settings.h"
#include "ui/style/chips.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kCardsHeight = 132;
/// Letters of the name of the best solution: two lines of the card.
constexpr qsizetype kLongestBest = 40;
constexpr int kShapeColumn = 2;

/// The file's name of the element type.
QString dtypeOf(const TensorSpec& tensor)
{
    return tensor.dtypeName.empty() ? fromView(toString(tensor.dtype)) : QString::fromStdString(tensor.dtypeName);
}

/// `bf16` for bfloat16, `f8_e4m3fn` for float8_e4m3fn, `i32` for int32.
QString shortDtype(const TensorSpec& tensor)
{
    QString name = dtypeOf(tensor);
    for (const auto& [whole, brief] : {std::pair{QStringLiteral("bfloat"), QStringLiteral("bf")}, std::pair{QStringLiteral("float"), QStringLiteral("f")},
                                       std::pair{QStringLiteral("int"), QStringLiteral("i")}})
        if (name.startsWith(whole))
            return name.replace(0, whole.size(), brief);
    return name;
}

WrappedLabel* glanceLine(QWidget* parent)
{
    auto* label = new WrappedLabel(parent);
    label->setMinimumWidth(1);   // a long name would take the room of the cards beside
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    return label;
}

}  // namespace

DefinitionHeader::DefinitionHeader(QWidget* parent)
    : QWidget(parent), m_title(new ElidedLabel(this)), m_chips(new Chips(this)), m_description(new ElidedLabel(this)),
      m_runAll(new QPushButton(this)), m_copyJson(new QPushButton(tr("Copy JSON"), this)), m_toggleCards(new QToolButton(this)),
      m_cards(new QWidget(this)), m_axes(new FactsTable(tr("Axes of the definition"), this)),
      m_signature(new FactsTable(tr("Inputs and outputs of the definition"), this)), m_shapes(new ShapeDelegate(this)), m_best(glanceLine(this)), m_passed(glanceLine(this)),
      m_hardware(glanceLine(this))
{
    m_title->setFont(headingFont());
    m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_title->setElideMode(Qt::ElideMiddle);
    m_description->setMuted(true);
    m_runAll->setObjectName(QStringLiteral("runAllButton"));
    m_runAll->setIcon(icon(QStringLiteral("run")));
    m_runAll->setToolTip(tr("Run every solution of this definition on every workload"));
    m_copyJson->setIcon(icon(QStringLiteral("copy")));
    m_copyJson->setToolTip(tr("Copy the definition as the JSON of its file"));
    m_toggleCards->setAutoRaise(true);

    auto* titleRow = new QHBoxLayout;
    titleRow->setSpacing(Space::kWide);
    titleRow->addWidget(m_title);
    titleRow->addWidget(m_chips, 1);
    titleRow->addWidget(m_runAll);
    titleRow->addWidget(m_copyJson);
    titleRow->addWidget(m_toggleCards);

    auto* axesCard = new Card(tr("Axes and constraints"), m_cards);
    axesCard->setContent(m_axes);
    auto* signatureCard = new Card(tr("Inputs → outputs"), m_cards);
    signatureCard->setContent(m_signature);
    auto* glanceCard = new Card(tr("At a glance"), m_cards);
    auto* glance = new QWidget(glanceCard);
    auto* glanceLayout = new QVBoxLayout(glance);
    glanceLayout->setContentsMargins(0, 0, 0, 0);
    glanceLayout->setSpacing(Space::kTight);
    glanceLayout->addWidget(m_best);
    glanceLayout->addWidget(m_passed);
    glanceLayout->addWidget(m_hardware);
    glanceLayout->addStretch(1);
    glanceCard->setContent(glance);
    auto* cardsLayout = new QHBoxLayout(m_cards);
    cardsLayout->setContentsMargins(0, Space::kTight, 0, 0);
    cardsLayout->addWidget(axesCard, 3);
    cardsLayout->addWidget(signatureCard, 5);
    cardsLayout->addWidget(glanceCard, 4);
    // As high as the text at a glance wants to be; the tables beside scroll.
    for (FactsTable* table : {m_axes, m_signature})
        table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_cards->setMinimumHeight(kCardsHeight);
    m_cards->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Space::kPage, Space::kWide, Space::kPage, Space::kNormal);
    layout->setSpacing(Space::kTight);
    layout->addLayout(titleRow);
    layout->addWidget(m_description);
    layout->addWidget(m_cards);

    m_signature->setItemDelegateForColumn(kShapeColumn, m_shapes);
    connect(m_axes, &FactsTable::factPointedAt, this, [this](int row) { pointOutAxis(m_axisNames.value(row)); });
    connect(m_runAll, &QPushButton::clicked, this, &DefinitionHeader::runAllRequested);
    connect(m_copyJson, &QPushButton::clicked, this, &DefinitionHeader::copyJsonRequested);
    connect(m_toggleCards, &QToolButton::clicked, this, [this] { setCardsShown(m_cards->isHidden()); });
    setCardsShown(Settings::definitionCardsShown());
}

void DefinitionHeader::setCardsShown(bool shown)
{
    m_cards->setHidden(!shown);
    const QString name = shown ? tr("Hide axes, signature and summary") : tr("Show axes, signature and summary");
    m_toggleCards->setIcon(icon(shown ? QStringLiteral("collapse") : QStringLiteral("expand")));
    m_toggleCards->setToolTip(name);
    m_toggleCards->setAccessibleName(name);
    Settings::setDefinitionCardsShown(shown);
}

/// In every shape of the signature; empty: none.
void DefinitionHeader::pointOutAxis(const QString& axis)
{
    m_shapes->setAxis(axis);
    m_signature->viewport()->update();
    // The first tensor that has it comes into sight.
    for (int row = 0; !axis.isEmpty() && row < m_signature->rowCount(); ++row)
        if (const QTableWidgetItem* cell = m_signature->item(row, kShapeColumn); cell && ShapeDelegate::hasAxis(cell->text(), axis)) {
            m_signature->scrollToItem(cell);
            return;
        }
}

QString DefinitionHeader::tensorShape(const TensorSpec& tensor)
{
    if (tensor.isScalar())
        return tr("scalar");
    QStringList axes;
    for (const std::string& axis : *tensor.shape)
        axes << QString::fromStdString(axis);
    return QStringLiteral("[%1]").arg(axes.join(QStringLiteral(", ")));
}

QString DefinitionHeader::tensorToolTip(const TensorSpec& tensor)
{
    QStringList lines{QStringLiteral("%1  %2  %3").arg(QString::fromStdString(tensor.name), tensorShape(tensor), dtypeOf(tensor))};
    if (tensor.description)
        lines << QString::fromStdString(*tensor.description);
    return lines.join(QLatin1Char('\n'));
}

void DefinitionHeader::showDefinition(const Dataset& dataset, const QString& name)
{
    const Definition* definition = dataset.findDefinition(name.toStdString());
    m_title->setText(name);
    const auto solutions = dataset.solutionsOf(name.toStdString()).size();
    const auto workloads = dataset.workloadsOf(name.toStdString()).size();
    m_runAll->setText(tr("Run all %1 × %2").arg(solutions).arg(workloads));
    m_runAll->setVisible(true);
    m_runAll->setEnabled(definition && solutions > 0 && workloads > 0);
    m_copyJson->setVisible(definition);
    QStringList chips;
    QList<FactsTable::Fact> axes;
    QList<FactsTable::Fact> signature;
    m_axisNames.clear();
    if (definition) {
        chips << QString::fromStdString(definition->opType);
        for (const std::string& tag : definition->tags)
            chips << QString::fromStdString(tag);
        m_description->setText(QString::fromStdString(definition->description.value_or("")));
        for (const Axis& axis : definition->axes)
            m_axisNames << visibleText(QString::fromStdString(axis.name));
        for (const Axis& axis : definition->axes)
            axes << FactsTable::Fact{{QString::fromStdString(axis.name),
                                      axis.isConst()        ? QString::number(*axis.value)
                                      : axis.isExpression() ? QString::fromStdString(axis.expression->text())
                                                            : tr("variable")},
                                     QString::fromStdString(axis.description.value_or("")),
                                     false};
        for (const std::string& constraint : definition->constraints)
            axes << FactsTable::Fact{{QString::fromStdString(constraint)}, QString::fromStdString(constraint), true};
        const auto addTensors = [&signature](const std::vector<TensorSpec>& tensors, const QString& arrow) {
            for (const TensorSpec& tensor : tensors)
                signature << FactsTable::Fact{{arrow + QString::fromStdString(tensor.name), shortDtype(tensor), tensorShape(tensor)},
                                              tensorToolTip(tensor),
                                              false};
        };
        addTensors(definition->inputs, QString());
        addTensors(definition->outputs, QStringLiteral("→ "));
    } else {
        m_description->setText(tr("The dataset has no file for this definition; solutions, workloads or traces name it."));
    }
    m_chips->setTexts(chips);
    m_axes->setFacts(axes);
    m_signature->setFacts(signature);
    m_description->setVisible(!m_description->text().isEmpty());
    m_cards->setVisible(Settings::definitionCardsShown());
    m_toggleCards->setVisible(true);
    m_best->clear();
    m_passed->clear();
    m_hardware->clear();
}

void DefinitionHeader::showSummary(const DefinitionSummary& summary)
{
    if (summary.best >= 0) {
        const SolutionSummary& best = summary.solutions[static_cast<std::size_t>(summary.best)];
        const QString name = QString::fromStdString(best.name);
        m_best->setText(tr("Best: %1 by %2").arg(ratioText(best.speedup), shortened(nameWithoutDefinition(name, m_title->text()), kLongestBest)));
        m_best->setToolTip(plainToolTip(tr("%1\nHighest geometric mean of the speedup over the reference among the solutions that passed most workloads").arg(name)));
    } else {
        m_best->setText(summary.solutions.empty() ? tr("No solutions yet. Put their JSON files into the dataset's solutions/ folder.")
                        : summary.traces == 0     ? tr("Not run yet. Choose solutions and workloads, then Run selected.")
                                                  : tr("Nothing has passed yet."));
        m_best->setToolTip({});
    }
    int passing = 0;
    for (const SolutionSummary& solution : summary.solutions)
        passing += solution.attempted > 0 && solution.passed == solution.attempted ? 1 : 0;
    m_passed->setText(summary.traces == 0
                          ? QString()
                          : tr("%1 of %2 solutions pass everything · %3 of %4 traces passed")
                                .arg(passing)
                                .arg(summary.solutions.size())
                                .arg(countText(static_cast<qint64>(summary.passed)), countText(static_cast<qint64>(summary.traces))));
    QStringList hardware;
    for (const std::string& name : summary.hardware)
        hardware << QString::fromStdString(name);
    m_hardware->setText(hardware.isEmpty() ? QString() : tr("Measured on %1").arg(shortened(hardware.join(QStringLiteral(", ")), kLongestName)));
}

void DefinitionHeader::showNothing(const Dataset& dataset)
{
    m_title->setText(dataset.definitions().empty() ? tr("No definitions") : tr("No definition chosen"));
    m_description->setText(dataset.definitions().empty() && dataset.problems().empty() ? tr("The folder was read; it has no definitions.")
                           : dataset.definitions().empty()
                               ? tr("No definition could be read. The list of problems says which files are wrong, and why.")
                               : tr("Choose a definition in the dataset tree on the left."));
    m_description->setVisible(true);
    m_chips->setTexts({});
    m_runAll->setVisible(false);
    m_copyJson->setVisible(false);
    m_toggleCards->setVisible(false);
    m_cards->setVisible(false);
}

QString DefinitionHeader::glanceText() const
{
    QStringList lines{m_best->text(), m_passed->text(), m_hardware->text()};
    lines.removeAll(QString());
    return lines.join(QStringLiteral(" · "));
}

}  // namespace tracedeck::ui
