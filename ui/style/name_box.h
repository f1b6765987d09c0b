// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace tracedeck::ui {

/// A box to choose from that grows with its texts up to a bound: names of a dataset, however long, must not widen the window.
/// The text chosen is elided where it does not fit and stands whole in the tool tip.
class NameBox : public QComboBox {
    Q_OBJECT
public:
    /// `tip` says what is chosen here.
    explicit NameBox(const QString& tip, QWidget* parent = nullptr);

    /// Offers a name, shown as visibleText() shows it; itemData() is the name itself.
    void addName(const QString& name);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QSize bounded(QSize size, int letters) const;
    QString m_tip;
};

}  // namespace tracedeck::ui
