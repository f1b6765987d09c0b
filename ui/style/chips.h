// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

namespace tracedeck::ui {

/// Short texts in rounded fills on one line; what does not fit is counted at the end and listed in the tool tip.
class Chips : public QWidget {
    Q_OBJECT
public:
    explicit Chips(QWidget* parent = nullptr);

    void setTexts(const QStringList& texts);
    [[nodiscard]] const QStringList& texts() const { return m_texts; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int chipWidth(const QString& text) const;
    QStringList m_texts;
    QStringList m_shown;   ///< visible and of bounded length
};

/// A panel on the base colour with a hairline around it and a small title.
class Card : public QWidget {
    Q_OBJECT
public:
    explicit Card(const QString& title, QWidget* parent = nullptr);
    /// Puts the content below the title.
    void setContent(QWidget* content);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace tracedeck::ui
