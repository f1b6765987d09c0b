// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pinned_table_model.h"

#include <QCoreApplication>
#include <cmath>
#include <utility>

#include "ui/models/number_format.h"
#include "ui/models/policy_text.h"
#include "ui/models/table_roles.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr double kPinPercent = 100;
constexpr qsizetype kLongestPinName = 14;
constexpr int kUuidLetters = 8;

}  // namespace

QString pinTitle(const Pin& pin)
{
    const QString name = QString::fromStdString(pin.name);
    switch (pin.kind) {
    case Pin::Kind::Trace: return QStringLiteral("%1 · %2").arg(name, QString::fromStdString(pin.workload).left(kUuidLetters));
    case Pin::Kind::Solution: return name;
    case Pin::Kind::Author: return QCoreApplication::translate("PinnedTableModel", "%1 (author)").arg(name);
    case Pin::Kind::Run: break;
    }
    return QCoreApplication::translate("PinnedTableModel", "run of %1").arg(runTitle(pin.moment));
}

QString pinEntity(const Pin& pin)
{
    const bool hasOwnName = pin.kind == Pin::Kind::Solution || pin.kind == Pin::Kind::Author;
    return QString::fromStdString(hasOwnName ? pin.name : pinText(pin));
}

PinnedTableModel::PinnedTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void PinnedTableModel::replacePinned(std::shared_ptr<const PinnedLatencies> pinned, const std::function<void()>& swap)
{
    const int first = firstPinColumn();
    const bool same = pinned->pins() == m_pinned->pins();
    if (!same && pinCount() > 0) {
        beginRemoveColumns({}, first, first + pinCount() - 1);
        m_pinned = std::make_shared<const PinnedLatencies>();
        endRemoveColumns();
    }
    if (swap)
        swap();
    if (!same && pinned->size() > 0) {
        beginInsertColumns({}, first, first + static_cast<int>(pinned->size()) - 1);
        m_pinned = std::move(pinned);
        endInsertColumns();
        return;
    }
    m_pinned = std::move(pinned);
    if (pinCount() > 0 && rowCount() > 0)
        emit dataChanged(index(0, first), index(rowCount() - 1, first + pinCount() - 1));
}

void PinnedTableModel::setPinsWithin(const QString& definition)
{
    if (std::exchange(m_within, definition) != definition && pinCount() > 0)
        emit headerDataChanged(Qt::Horizontal, firstPinColumn(), firstPinColumn() + pinCount() - 1);
}

QVariant PinnedTableModel::pinHeader(int section, int role) const
{
    const Pin& pin = m_pinned->pins()[pinOf(section)];
    const QString title = visibleText(pinTitle(pin));
    switch (role) {
    case Qt::DisplayRole: {
        // Narrow: the chip tells the colour, the tool tip the whole name.
        const QString name = QString::fromStdString(pin.name);
        const QString words = pin.kind == Pin::Kind::Run ? title : visibleText(pin.kind == Pin::Kind::Author ? name : nameWithoutDefinition(name, m_within));
        return tr("vs %1 (%)").arg(shortened(words, pin.kind == Pin::Kind::Run ? title.size() : kLongestPinName));
    }
    case Qt::DecorationRole: return seriesChip(pinEntity(pin));
    case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | Qt::AlignRight));
    case kColumnKeyRole: return QStringLiteral("pin ") + QString::fromStdString(pinText(pin));
    case Qt::ToolTipRole:
        return plainToolTip(tr("How much more (+) or less (−) time than %1, which is pinned, on the same workload and hardware").arg(title));
    default: return {};
    }
}

QVariant PinnedTableModel::pinCell(int column, const PinnedChange& change, int role) const
{
    const bool isKnown = std::isfinite(change.change);
    const double percent = change.change * kPinPercent;
    const QString text = QString::number(std::abs(percent), 'f', 1);
    const bool isZero = isKnown && text == QLatin1String("0.0");
    const auto shown = [&] { return !isKnown ? QString() : change.isBase ? tr("base") : isZero ? text : (percent > 0 ? QStringLiteral("+") : QStringLiteral("−")) + text; };
    switch (role) {
    case Qt::DisplayRole: return shown();
    case kCellRole: return isKnown ? QVariant(percent) : QVariant();
    case Qt::FontRole: return monospacedFont();
    case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | Qt::AlignRight));
    case Qt::ForegroundRole:
        if (!isKnown || change.isBase || isZero)
            return themeColors().muted;
        return statusColor(percent < 0 ? Status::Passed : Status::RuntimeError, isDarkTheme());
    case Qt::AccessibleTextRole:
    case Qt::ToolTipRole: {
        const QString name = visibleText(pinTitle(m_pinned->pins()[pinOf(column)]));
        QString tip;
        if (!isKnown)
            tip = tr("%1 has no time on the same workload and hardware.").arg(name);
        else if (change.isBase)
            tip = tr("This is %1, which is pinned.").arg(name);
        else if (isZero)
            tip = tr("As fast as %1").arg(name);
        else
            tip = percent < 0 ? tr("%1 % less time than %2").arg(text, name) : tr("%1 % more time than %2").arg(text, name);
        if (change.pairs > 1)
            tip += QLatin1Char('\n') + tr("Geometric mean over %n pair(s) of workload and hardware", nullptr, static_cast<int>(change.pairs));
        return role == Qt::ToolTipRole ? plainToolTip(tip) : tip;
    }
    default: return {};
    }
}

}  // namespace tracedeck::ui
