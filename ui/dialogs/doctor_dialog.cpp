// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/doctor_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/models/latest_job.h"
#include "ui/style/icons.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {

DoctorDialog::DoctorDialog(const QString& pythonSetting, const QString& pythonOption, QWidget* parent)
    : QDialog(parent), m_pythonSetting(pythonSetting), m_pythonOption(pythonOption), m_list(new QTreeWidget(this)),
      m_again(new QPushButton(tr("Look &again"), this)), m_job(new LatestJob(this))
{
    setWindowTitle(tr("What this machine can run"));
    resize(760, 420);
    m_list->setAccessibleName(tr("What was found on this machine"));
    m_list->setColumnCount(3);
    m_list->setHeaderLabels({tr("Part"), tr("Found"), tr("What to do")});
    m_list->setRootIsDecorated(false);
    m_list->setWordWrap(true);
    m_list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(2, QHeaderView::Stretch);
    auto* copyButton = new QPushButton(icon(QStringLiteral("copy")), tr("&Copy"), this);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_again, QDialogButtonBox::ActionRole);
    buttons->addButton(copyButton, QDialogButtonBox::ActionRole);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_list, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_again, &QPushButton::clicked, this, &DoctorDialog::start);
    connect(copyButton, &QPushButton::clicked, this, &DoctorDialog::copy);
    start();
}

DoctorDialog::~DoctorDialog() = default;

void DoctorDialog::start()
{
    m_again->setEnabled(false);
    m_list->clear();
    new QTreeWidgetItem(m_list, {tr("Looking …")});
    m_job->start<std::vector<Finding>>(
        [setting = m_pythonSetting.toStdString(), option = m_pythonOption.toStdString()](std::stop_token) {
            return diagnose(choosePython(setting, option));
        },
        [this](const std::vector<Finding>& findings) { showFindings(findings); });
}

void DoctorDialog::showFindings(const std::vector<Finding>& findings)
{
    m_again->setEnabled(true);
    m_list->clear();
    const bool dark = isDarkTheme();
    for (const Finding& finding : findings) {
        auto* item = new QTreeWidgetItem(m_list, {QString::fromStdString(finding.subject), QString::fromStdString(finding.found),
                                                  QString::fromStdString(finding.remedy)});
        switch (finding.level) {
        case Finding::Level::Ok: item->setIcon(0, icon(QStringLiteral("status-passed"), statusColor(Status::Passed, dark))); break;
        case Finding::Level::Warning:
            item->setIcon(0, icon(QStringLiteral("problems"), statusColor(Status::IncorrectNumerical, dark)));
            break;
        case Finding::Level::Missing:
            item->setIcon(0, icon(QStringLiteral("status-error"), statusColor(Status::RuntimeError, dark)));
            break;
        }
        for (int column = 1; column < 3; ++column)
            item->setToolTip(column, plainToolTip(item->text(column)));
    }
}

void DoctorDialog::copy() const
{
    QStringList lines;
    for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
        const QTreeWidgetItem* item = m_list->topLevelItem(row);
        lines << QStringList{item->text(0), item->text(1), item->text(2)}.join(QLatin1Char('\t'));
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace tracedeck::ui
