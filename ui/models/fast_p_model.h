// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QSet>
#include <memory>

#include "core/score/fast_p.h"
#include "ui/models/ordered_table_model.h"

namespace tracedeck::ui {

/// The curves of a fast_p report ranked at one p. Ranks stay whatever the table is sorted by. The check marks say which curves are drawn.
class FastPModel : public OrderedTableModel {
    Q_OBJECT
public:
    enum Column { Rank, Name, Share, Wins, Workloads, Coverage, Mean, ColumnCount };

    explicit FastPModel(QObject* parent = nullptr);
    ~FastPModel() override;

    void show(std::shared_ptr<const FastPReport> report, std::vector<FastPRank> ranks);
    [[nodiscard]] const QSet<QString>& hidden() const { return m_hidden; }
    void setHidden(const QSet<QString>& names);
    [[nodiscard]] QString nameAt(int row) const;
    void refreshLooks();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

signals:
    void hiddenChanged(const QSet<QString>& names);

protected:
    [[nodiscard]] bool isLess(std::size_t a, std::size_t b, const SortKey& key) const override;

private:
    [[nodiscard]] const FastPCurve& curveOf(std::size_t element) const { return m_report->curves[m_ranks[element].curve]; }
    [[nodiscard]] double number(std::size_t element, int column) const;
    [[nodiscard]] QString shownText(std::size_t element, int column) const;

    std::shared_ptr<const FastPReport> m_report;
    std::vector<FastPRank> m_ranks;
    QSet<QString> m_hidden;
    QFont m_numberFont;
};

}  // namespace tracedeck::ui
