// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/doctor_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "core/run/python_environment.h"
#include "ui/models/latest_job.h"
#include "ui/pages/findings_list.h"
#include "ui/style/icons.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {

DoctorDialog::DoctorDialog(const QString& pythonSetting, const QString& pythonOption, QWidget* parent)
    : QDialog(parent), m_pythonSetting(pythonSetting), m_pythonOption(pythonOption), m_list(new FindingsList(this)),
      m_again(new QPushButton(tr("Look &again"), this)), m_copy(new QPushButton(icon(QStringLiteral("copy")), tr("&Copy"), this)),
      m_job(new LatestJob(this))
{
    setWindowTitle(tr("What this machine can run"));
    resize(720, 460);
    auto* page = new QWidget(this);
    auto* pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(Space::kWide, Space::kWide, Space::kWide, Space::kWide);
    pageLayout->addWidget(m_list);
    pageLayout->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setAccessibleName(tr("What was found on this machine"));
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_again, QDialogButtonBox::ActionRole);
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(scroll, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_again, &QPushButton::clicked, this, &DoctorDialog::start);
    connect(m_copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(m_list->text()); });
    start();
}

DoctorDialog::~DoctorDialog() = default;

void DoctorDialog::start()
{
    m_again->setEnabled(false);
    m_copy->setEnabled(false);
    m_list->showMessage(tr("Looking at what this machine can run …"));
    m_job->start<std::vector<Finding>>(
        [setting = m_pythonSetting.toStdString(), option = m_pythonOption.toStdString()](std::stop_token stop) {
            return diagnose(choosePython(setting, option), stop);
        },
        [this](const std::vector<Finding>& findings) {
            m_list->showFindings(findings);
            m_again->setEnabled(true);
            m_copy->setEnabled(true);
        });
}

}  // namespace tracedeck::ui
