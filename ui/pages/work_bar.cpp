// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/work_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>

#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kShowWorkAfterMs = 150;
constexpr int kWorkBarWidth = 220;
constexpr int kWorkSteps = 1000;
constexpr int kCautionIcon = 16;

}  // namespace

WorkBar::WorkBar(QWidget* parent) : QWidget(parent), m_text(new ElidedLabel(this)), m_bar(new QProgressBar(this)), m_showTimer(new QTimer(this))
{
    setObjectName(QStringLiteral("workBar"));
    auto* cancel = new QPushButton(tr("&Cancel"), this);
    cancel->setObjectName(QStringLiteral("workCancel"));
    cancel->setToolTip(tr("Stop this; what is shown stays"));
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(kWorkBarWidth);
    m_bar->setAccessibleName(tr("Progress"));
    m_showTimer->setSingleShot(true);
    m_showTimer->setInterval(kShowWorkAfterMs);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(Space::kWide, Space::kTight, Space::kWide, Space::kTight);
    layout->setSpacing(Space::kNormal);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_bar);
    layout->addWidget(cancel);
    hide();
    connect(cancel, &QPushButton::clicked, this, &WorkBar::cancelRequested);
    connect(m_showTimer, &QTimer::timeout, this, &QWidget::show);
}

void WorkBar::start(const QString& text)
{
    m_text->setText(text);
    setProgress(0, 0);
    if (isHidden())
        m_showTimer->start();
}

void WorkBar::setProgress(qulonglong done, qulonglong total)
{
    m_bar->setMaximum(total == 0 ? 0 : kWorkSteps);
    if (total > 0)
        m_bar->setValue(static_cast<int>(static_cast<double>(done) / static_cast<double>(total) * kWorkSteps));
}

void WorkBar::stop()
{
    m_showTimer->stop();
    hide();
}

CautionBar::CautionBar(QWidget* parent) : QWidget(parent), m_text(new WrappedLabel(this))
{
    setObjectName(QStringLiteral("cautionBar"));
    m_text->setObjectName(QStringLiteral("cautionText"));
    m_text->setMuted(false);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* sign = new QLabel(this);
    sign->setPixmap(icon(QStringLiteral("problems")).pixmap(kCautionIcon));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(Space::kWide, Space::kTight, Space::kWide, Space::kTight);
    layout->setSpacing(Space::kNormal);
    layout->addWidget(sign, 0, Qt::AlignTop);
    layout->addWidget(m_text, 1);
    hide();
}

void CautionBar::setText(const QString& text, const QString& details)
{
    m_text->setText(text);
    setToolTip(plainToolTip(details));
    setVisible(!text.isEmpty());
}

QString CautionBar::text() const { return m_text->text(); }

void CautionBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), themeColors().warningFill);
}

}  // namespace tracedeck::ui
