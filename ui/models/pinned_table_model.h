// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "core/score/pins.h"

namespace tracedeck::ui {

/// What a pin is called: "fast", "ann (author)", "run of 2026-02-01 00:00", "fast · 1a2b3c4d".
[[nodiscard]] QString pinTitle(const Pin& pin);
/// What its colour belongs to: the entity that has the same colour everywhere else, or the pin itself.
[[nodiscard]] QString pinEntity(const Pin& pin);

/// A table with a column for each pinned baseline at its right end: how much more or less time than it a row takes, in per cent.
class PinnedTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit PinnedTableModel(QObject* parent = nullptr);

    /// First of the columns; all from it on are pins.
    [[nodiscard]] virtual int firstPinColumn() const = 0;
    [[nodiscard]] const std::shared_ptr<const PinnedLatencies>& pinned() const { return m_pinned; }
    [[nodiscard]] std::size_t pinOf(int column) const { return static_cast<std::size_t>(column - firstPinColumn()); }
    [[nodiscard]] bool isPinColumn(int column) const { return column >= firstPinColumn() && pinOf(column) < m_pinned->size(); }
    /// Where the rows are all of one definition its name in those of solutions says nothing.
    void setPinsWithin(const QString& definition);
    [[nodiscard]] int pinCount() const { return static_cast<int>(m_pinned->size()); }

protected:
    /// Other pins, or other times of the same. `swap` exchanges what the cells are made from; the columns come and go around it.
    void replacePinned(std::shared_ptr<const PinnedLatencies> pinned, const std::function<void()>& swap = {});
    /// Within a reset of the model.
    void resetPinned(std::shared_ptr<const PinnedLatencies> pinned) { m_pinned = std::move(pinned); }
    [[nodiscard]] QVariant pinHeader(int section, int role) const;
    /// A cell in any role that the columns of pins answer. `pairs`: over how many workloads and hardware; 1 for a single time.
    [[nodiscard]] QVariant pinCell(int column, const PinnedChange& change, int role) const;

private:
    QString m_within;
    std::shared_ptr<const PinnedLatencies> m_pinned = std::make_shared<const PinnedLatencies>();
};

}  // namespace tracedeck::ui
