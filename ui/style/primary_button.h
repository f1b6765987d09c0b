// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace tracedeck::ui {

/// The one thing to do next: filled with the accent colour.
class PrimaryButton : public QPushButton {
    Q_OBJECT
public:
    PrimaryButton(const QIcon& icon, const QString& text, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace tracedeck::ui
