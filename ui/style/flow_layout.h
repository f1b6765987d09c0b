// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

class QLineEdit;

namespace tracedeck::ui {

/// Controls in a row, and in further rows below where the window is too narrow for one: none is ever squeezed. What wants to be
/// wide (a filter) takes what its row has left.
class FlowLayout : public QLayout {
    Q_OBJECT
public:
    explicit FlowLayout(QWidget* parent = nullptr);
    ~FlowLayout() override;

    /// A field behind its label, which stay together; the label's text names the field for screen readers, too, unless it has a name.
    void addField(const QString& label, QWidget* field, QWidget* parent);

    /// A line to type a filter into, as wide as there is room; what it says while it is empty is never cut.
    void addFilter(QLineEdit* line);

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override;
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    /// Height that the rows take; `moves`: items are put where they belong.
    int arrange(const QRect& rect, bool moves) const;
    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

}  // namespace tracedeck::ui
