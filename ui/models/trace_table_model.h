// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QIcon>
#include <array>
#include <memory>
#include <utility>

#include "core/score/light_times.h"
#include "core/store/query.h"
#include "ui/models/pinned_table_model.h"

class QTimer;

namespace tracedeck::ui {

/// Traces of a snapshot in the order of a row index. Owns neither traces nor the query: filtering and sorting make a new
/// index elsewhere and hand it over here.
class TraceTableModel : public PinnedTableModel {
    Q_OBJECT
public:
    /// Columns of what traces hold; after them the share of the speed of light, then the pins.
    static constexpr std::array kColumns{
        TraceColumn::Definition, TraceColumn::Solution, TraceColumn::Axes, TraceColumn::Status, TraceColumn::Latency,
        TraceColumn::Speedup, TraceColumn::ReferenceLatency, TraceColumn::Author, TraceColumn::MaxAbsoluteError,
        TraceColumn::MaxRelativeError, TraceColumn::Hardware, TraceColumn::Timestamp, TraceColumn::Workload,
        TraceColumn::OpType, TraceColumn::Language, TraceColumn::Folder};

    static constexpr int kLightColumn = static_cast<int>(kColumns.size());

    enum Role {
        TraceRowRole = Qt::UserRole   ///< quint32: row in Dataset::traces()
    };

    explicit TraceTableModel(QObject* parent = nullptr);
    ~TraceTableModel() override;

    /// Another set of rows: selection and scroll position are the view's business.
    void show(std::shared_ptr<const Dataset> dataset, RowIndex rows);
    /// The same rows in another order; persistent indexes follow.
    void reorder(RowIndex rows);
    /// A grown snapshot: `rows` holds all the rows shown so far in the same order, and new ones anywhere between.
    /// Returns false, and shows all anew, when that does not hold or too much is new at once.
    bool grow(std::shared_ptr<const Dataset> dataset, RowIndex rows);
    /// Rows that just landed: tinted for a moment, unless motion is reduced.
    void flash(std::uint32_t firstTraceRow);

    /// Traces that the policy passes over, or that other hardware than `hardware` (unless empty) measured, are muted.
    void setCounted(CountedTraces counted, SelectionPolicy policy, const QString& hardware);

    [[nodiscard]] const std::shared_ptr<const Dataset>& dataset() const { return m_dataset; }
    [[nodiscard]] const RowIndex& rows() const { return m_rows; }
    /// Table row that shows a trace; -1 when it is not shown.
    [[nodiscard]] int findRow(quint32 traceRow) const;
    /// What a share of the speed of light is made from; empty while nobody needs it.
    void setLight(std::shared_ptr<const LightTimes> light);
    [[nodiscard]] const std::shared_ptr<const LightTimes>& light() const { return m_light; }
    void setPinned(std::shared_ptr<const PinnedLatencies> pinned) { replacePinned(std::move(pinned)); }
    [[nodiscard]] int firstPinColumn() const override { return kLightColumn + 1; }
    [[nodiscard]] static int columnOf(TraceColumn column);
    [[nodiscard]] static bool isNumber(TraceColumn column);
    /// Name of the column in settings.
    [[nodiscard]] static QString key(TraceColumn column);
    /// Title as the header shows it, with the unit.
    [[nodiscard]] static QString title(TraceColumn column);
    /// Icons and fonts depend on the theme.
    void refreshLooks();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString displayText(const TraceRow& row, TraceColumn column) const;
    [[nodiscard]] QVariant cell(const TraceRow& row, TraceColumn column) const;
    [[nodiscard]] QString fullText(const TraceRow& row, TraceColumn column) const;
    [[nodiscard]] QString accessibleText(const TraceRow& row, TraceColumn column) const;
    void endFlash();
    [[nodiscard]] bool counts(quint32 traceRow, const TraceRow& row) const;
    [[nodiscard]] QString toolTip(quint32 traceRow, const TraceRow& row, TraceColumn column) const;

    [[nodiscard]] QVariant lightCell(const TraceRow& row, int role) const;

    std::shared_ptr<const Dataset> m_dataset;
    std::shared_ptr<const LightTimes> m_light = std::make_shared<const LightTimes>();
    RowIndex m_rows;
    QFont m_numberFont;
    std::array<QIcon, kStatusCount> m_statusIcons;
    std::array<QColor, kStatusCount> m_statusColors;
    QIcon m_launchBoundIcon;
    QColor m_mutedColor;
    QColor m_flashColor;
    quint32 m_flashFrom = StringPool::kNone;
    QTimer* m_flashTimer;
    CountedTraces m_counted;
    SelectionPolicy m_policy = SelectionPolicy::All;
    std::string m_hardware;
};

}  // namespace tracedeck::ui
