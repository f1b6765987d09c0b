// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/findings_list.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>

#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kMarkSize = 16;
constexpr int kTextColumn = 2;

struct Mark {
    QString iconName;
    QString word;
    Status colorOf;
};

Mark markOf(Finding::Level level)
{
    switch (level) {
    case Finding::Level::Ok: return {QStringLiteral("status-passed"), FindingsList::tr("found"), Status::Passed};
    case Finding::Level::Warning: return {QStringLiteral("problems"), FindingsList::tr("warning"), Status::IncorrectNumerical};
    case Finding::Level::Missing: break;
    }
    return {QStringLiteral("status-error"), FindingsList::tr("missing"), Status::RuntimeError};
}

}  // namespace

FindingsList::FindingsList(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(Space::kWide);
    m_grid->setVerticalSpacing(Space::kTight);
    m_grid->setColumnStretch(kTextColumn, 1);
}

void FindingsList::clear()
{
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

void FindingsList::showMessage(const QString& text)
{
    m_findings.clear();
    clear();
    m_grid->addWidget(new MutedLabel(text, this), 0, 0, 1, kTextColumn + 1);
}

void FindingsList::showFindings(const std::vector<Finding>& findings)
{
    m_findings = findings;
    rebuild();
}

void FindingsList::rebuild()
{
    clear();
    int row = 0;
    for (const Finding& finding : m_findings) {
        const Mark mark = markOf(finding.level);
        auto* picture = new QLabel(this);
        picture->setPixmap(icon(mark.iconName, statusColor(mark.colorOf, isDarkTheme())).pixmap(kMarkSize, kMarkSize));
        picture->setAccessibleName(mark.word);
        picture->setToolTip(mark.word);
        auto* subject = new QLabel(visibleText(QString::fromStdString(finding.subject)), this);
        subject->setTextFormat(Qt::PlainText);
        QString text = QString::fromStdString(finding.found);
        if (!finding.remedy.empty())
            text += QLatin1Char('\n') + QString::fromStdString(finding.remedy);
        auto* words = new WrappedLabel(this);
        words->setMuted(true);
        words->setText(text);
        words->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_grid->addWidget(picture, row, 0, Qt::AlignTop);
        m_grid->addWidget(subject, row, 1, Qt::AlignTop);
        m_grid->addWidget(words, row, kTextColumn, Qt::AlignTop);
        ++row;
    }
}

QString FindingsList::text() const
{
    QStringList lines;
    for (const Finding& finding : m_findings)
        lines << QStringList{QString::fromStdString(finding.subject), markOf(finding.level).word, QString::fromStdString(finding.found),
                             QString::fromStdString(finding.remedy)}
                     .join(QLatin1Char('\t'));
    return lines.join(QLatin1Char('\n'));
}

void FindingsList::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    // The marks are drawn in the theme's colours.
    if (event->type() == QEvent::PaletteChange && !m_findings.empty())
        rebuild();
}

}  // namespace tracedeck::ui
