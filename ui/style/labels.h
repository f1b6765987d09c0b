// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace tracedeck::ui {

/// Secondary text in the theme's muted colour; always plain text.
class MutedLabel : public QLabel {
    Q_OBJECT
public:
    explicit MutedLabel(const QString& text, QWidget* parent = nullptr);
    /// Ordinary colour instead.
    void setMuted(bool muted);

protected:
    void changeEvent(QEvent* event) override;

private:
    void updateColor();
    bool m_updating = false;
    bool m_muted = true;
};

/// Plain text on as many lines as it needs; no word in it, however long, asks for more width than a short one.
class WrappedLabel : public MutedLabel {
    Q_OBJECT
public:
    explicit WrappedLabel(QWidget* parent = nullptr);

    /// Characters that cannot be seen are shown as visibleLines() shows them.
    void setText(const QString& text);
    [[nodiscard]] QSize minimumSizeHint() const override;
};

/// One line of plain text that ends in … when there is no room; the whole text is in the tool tip.
class ElidedLabel : public QWidget {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    void setText(const QString& text);
    [[nodiscard]] const QString& text() const { return m_text; }
    /// The whole text as it is shown where there is room: see visibleText().
    [[nodiscard]] const QString& shownText() const { return m_shown; }
    /// In the theme's muted colour.
    void setMuted(bool muted);
    void setElideMode(Qt::TextElideMode mode) { m_mode = mode; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
    QString m_shown;
    Qt::TextElideMode m_mode = Qt::ElideRight;
    bool m_muted = false;
};

/// A page's heading: larger and bolder than text.
[[nodiscard]] QFont headingFont();

}  // namespace tracedeck::ui
