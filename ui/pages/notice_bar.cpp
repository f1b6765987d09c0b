// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/notice_bar.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "ui/models/number_format.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kShowAfterMs = 150;
constexpr int kShowAtLeastMs = 300;
constexpr int kProgressWidth = 260;
/// Longer messages are in the tool tip and in what is copied.
constexpr qsizetype kLongestMessage = 600;

void paintStrip(QWidget* widget, const QColor& fill)
{
    QPainter painter(widget);
    painter.fillRect(widget->rect(), fill);
    painter.setPen(themeColors().line);
    painter.drawLine(widget->rect().bottomLeft(), widget->rect().bottomRight());
}

}  // namespace

NoticeBar::NoticeBar(QWidget* parent) : QWidget(parent), m_icon(new QLabel(this)), m_text(new WrappedLabel(this)), m_answers(new QHBoxLayout)
{
    setObjectName(QStringLiteral("noticeBar"));
    m_text->setObjectName(QStringLiteral("noticeText"));
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* copy = new QToolButton(this);
    copy->setIcon(icon(QStringLiteral("copy")));
    copy->setAutoRaise(true);
    copy->setToolTip(tr("Copy this message"));
    copy->setAccessibleName(tr("Copy this message"));
    auto* close = new QToolButton(this);
    close->setIcon(icon(QStringLiteral("close")));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(tr("Close this message"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(Space::kPage, Space::kTight, Space::kNormal, Space::kTight);
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    m_answers->setSpacing(Space::kNormal);
    layout->addLayout(m_answers);
    layout->addWidget(copy);
    layout->addWidget(close);
    connect(copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(m_message); });
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    hide();
}

void NoticeBar::showError(const QString& text) { showErrorWith(text, {}); }

void NoticeBar::showErrorWith(const QString& text, const std::vector<Answer>& answers)
{
    m_icon->setPixmap(icon(QStringLiteral("status-error"), statusColor(Status::RuntimeError, isDarkTheme())).pixmap(16, 16));
    m_isOffer = false;
    showText(text, answers);
}

void NoticeBar::showOffer(const QString& text, const std::vector<Answer>& answers)
{
    m_icon->setPixmap(icon(QStringLiteral("info"), themeColors().accent).pixmap(16, 16));
    m_isOffer = true;
    showText(text, answers);
}

void NoticeBar::showText(const QString& text, const std::vector<Answer>& answers)
{
    while (QLayoutItem* item = m_answers->takeAt(0)) {
        item->widget()->deleteLater();   // a click on it may be what brought us here
        delete item;
    }
    for (const Answer& answer : answers) {
        auto* button = new QPushButton(answer.text, this);
        button->setObjectName(answer.name);
        button->setToolTip(answer.tip);
        m_answers->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, action = answer.action] {
            hide();
            action();
        });
    }
    m_message = text;
    m_text->setText(shortened(text, kLongestMessage));
    m_text->setToolTip(plainToolTip(text));
    show();
    QAccessibleEvent spoken(m_text, QAccessible::Alert);
    QAccessible::updateAccessibility(&spoken);
}

QString NoticeBar::text() const { return m_message; }

void NoticeBar::paintEvent(QPaintEvent*) { paintStrip(this, m_isOffer ? themeColors().chip : themeColors().errorFill); }

LoadBar::LoadBar(QWidget* parent)
    : QWidget(parent), m_text(new ElidedLabel(this)), m_bar(new QProgressBar(this)), m_cancel(new QPushButton(tr("Cancel"), this)),
      m_showTimer(new QTimer(this)), m_hideTimer(new QTimer(this))
{
    setObjectName(QStringLiteral("loadBar"));
    m_bar->setFixedWidth(kProgressWidth);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Loading"));
    m_cancel->setObjectName(QStringLiteral("cancelLoadButton"));
    m_cancel->setToolTip(tr("Stop loading and keep what is open"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(Space::kPage, Space::kTight, Space::kNormal, Space::kTight);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_bar);
    layout->addWidget(m_cancel);
    m_showTimer->setSingleShot(true);
    m_showTimer->setInterval(kShowAfterMs);
    m_hideTimer->setSingleShot(true);
    connect(m_showTimer, &QTimer::timeout, this, [this] {
        m_shown.start();
        show();
    });
    connect(m_hideTimer, &QTimer::timeout, this, &QWidget::hide);
    connect(m_cancel, &QPushButton::clicked, this, &LoadBar::cancelRequested);
    hide();
}

void LoadBar::start(const QString& path)
{
    m_path = QFileInfo(path).fileName();
    m_hideTimer->stop();
    m_bar->setRange(0, 0);
    m_text->setText(tr("Looking for files in %1 …").arg(m_path));
    if (isHidden())
        m_showTimer->start();
}

void LoadBar::setProgress(qulonglong filesDone, qulonglong filesTotal, qulonglong traces)
{
    if (filesTotal == 0)
        return;
    constexpr qulonglong kSteps = 1000;
    m_bar->setRange(0, static_cast<int>(kSteps));
    m_bar->setValue(std::max(m_bar->value(), static_cast<int>(filesDone * kSteps / filesTotal)));
    m_text->setText(tr("Loading %1: %2 of %3 files, %4 traces")
                        .arg(m_path, countText(static_cast<qint64>(filesDone)), countText(static_cast<qint64>(filesTotal)),
                             countText(static_cast<qint64>(traces))));
}

void LoadBar::stop()
{
    m_showTimer->stop();
    if (isHidden())
        return;
    m_hideTimer->start(std::max(0, kShowAtLeastMs - static_cast<int>(m_shown.elapsed())));
}

void LoadBar::paintEvent(QPaintEvent*) { paintStrip(this, themeColors().chip); }

}  // namespace tracedeck::ui
