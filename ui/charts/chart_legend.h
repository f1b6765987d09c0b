// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QTreeWidget>
#include <vector>

#include "core/store/query.h"

namespace tracedeck::ui {

/// The lines of a chart as a list: a click switches one off or on, a double click or Ctrl+click shows it alone (again: all),
/// the pointer over it makes it stand out. Space and Enter do the same from the keyboard.
class ChartLegend : public QTreeWidget {
    Q_OBJECT
public:
    explicit ChartLegend(QWidget* parent = nullptr);
    ~ChartLegend() override;

    /// Keeps what is switched off.
    void setSeries(const std::vector<Series>& series, const QString& definition = {});
    [[nodiscard]] const QSet<QString>& hidden() const { return m_hidden; }

public slots:
    void toggle(const QString& solution);
    /// Only this one; all of them when it is the only one already.
    void isolate(const QString& solution);
    void showAll();

signals:
    void hiddenChanged(const QSet<QString>& hidden);
    /// Empty: none.
    void emphasisChanged(const QString& solution);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    void setHidden(const QSet<QString>& hidden);
    void updateItems();
    void showMenu(const QPoint& position);
    [[nodiscard]] QString solutionAt(const QPoint& position) const;
    [[nodiscard]] QSet<QString> allSolutions() const;

    QSet<QString> m_hidden;
    QSet<QString> m_hiddenBeforeClick;
    bool m_endsDoubleClick = false;
};

}  // namespace tracedeck::ui
