// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAbstractItemView;
class QAbstractScrollArea;

namespace tracedeck::ui {

class WrappedLabel;

/// A sentence in the middle of a list or text that has nothing to show: what is missing and what to do about it.
class EmptyHint : public QObject {
    Q_OBJECT
public:
    /// Shown by setShown().
    explicit EmptyHint(QAbstractScrollArea* area);
    /// Shown while the view's model, which is set already, has no rows.
    EmptyHint(QAbstractItemView* view, const QString& text);

    void setText(const QString& text);
    void setShown(bool shown);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    QAbstractScrollArea* m_area;
    WrappedLabel* m_label;
};

}  // namespace tracedeck::ui
