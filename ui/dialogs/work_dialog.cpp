// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/work_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/latest_job.h"
#include "ui/pages/notice_bar.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {

WorkDialog::WorkDialog(const QString& title, const QString& startText, const QString& openText, QWidget* parent)
    : QDialog(parent), m_introduction(new WrappedLabel(this)), m_form(new QFormLayout), m_error(new NoticeBar(this)), m_text(new QPlainTextEdit(this)), m_progress(new QProgressBar(this)),
      m_start(new QPushButton(startText, this)), m_open(new QPushButton(icon(QStringLiteral("open")), openText, this)), m_job(new LatestJob(this))
{
    setWindowTitle(title);
    setAttribute(Qt::WA_DeleteOnClose);
    resize(640, 420);
    m_introduction->hide();
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    m_text->setObjectName(QStringLiteral("workText"));
    m_text->setAccessibleName(tr("What came of it"));
    m_text->hide();
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Working"));
    m_progress->hide();
    m_start->setDefault(true);
    m_start->setObjectName(QStringLiteral("workStart"));
    m_open->setObjectName(QStringLiteral("workOpen"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_start, QDialogButtonBox::ActionRole);
    buttons->addButton(m_open, QDialogButtonBox::ActionRole);
    m_open->hide();   // the box shows what is put into it
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(Space::kWide);
    layout->addWidget(m_introduction);
    layout->addLayout(m_form);
    layout->addWidget(m_progress);
    layout->addWidget(m_error);
    layout->addWidget(m_text, 1);
    layout->addStretch(0);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_start, &QPushButton::clicked, this, &WorkDialog::startWork);
    connect(m_open, &QPushButton::clicked, this, [this] {
        const QString folder = m_folder;
        accept();
        openFolder(folder);
    });
}

WorkDialog::~WorkDialog() = default;

bool WorkDialog::isRunning() const { return m_job->isRunning(); }

QString WorkDialog::outcome() const { return m_error->isHidden() ? m_text->toPlainText() : m_error->text(); }

void WorkDialog::setIntroduction(const QString& text)
{
    m_introduction->setText(text);
    m_introduction->show();
}

void WorkDialog::addField(const char* name, const QString& title, const QString& tip, QWidget* field, QWidget* row)
{
    field->setObjectName(QString::fromLatin1(name));
    field->setToolTip(tip);
    field->setAccessibleName(QString(title).remove(QLatin1Char('&')));
    field->setAccessibleDescription(tip);
    m_form->addRow(title, row);
    if (auto* label = qobject_cast<QLabel*>(m_form->labelForField(row)))
        label->setBuddy(field);
}

QLineEdit* WorkDialog::addText(const char* name, const QString& title, const QString& tip, const QString& placeholder)
{
    auto* field = new QLineEdit(this);
    field->setPlaceholderText(placeholder);
    addField(name, title, tip, field, field);
    return field;
}

QComboBox* WorkDialog::addChoice(const char* name, const QString& title, const QString& tip, const QList<QPair<QString, QString>>& choices)
{
    auto* field = new QComboBox(this);
    field->setItemDelegate(new VisibleTextDelegate(field));
    for (const auto& [value, text] : choices)
        field->addItem(text, value);
    addField(name, title, tip, field, field);
    return field;
}

QLineEdit* WorkDialog::addPath(const char* name, const QString& title, const QString& tip, PathKind kind, const QStringList& filters)
{
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* field = new QLineEdit(row);
    auto* choose = new QPushButton(tr("Choose…"), row);
    choose->setAutoDefault(false);
    choose->setToolTip(tip);
    choose->setAccessibleName(tr("Choose: %1").arg(QString(title).remove(QLatin1Char('&'))));
    layout->addWidget(field, 1);
    layout->addWidget(choose);
    addField(name, title, tip, field, row);
    connect(choose, &QPushButton::clicked, this, [this, field, tip, kind, filters] { choosePath(field, tip, kind, filters); });
    return field;
}

void WorkDialog::setFieldVisible(QWidget* field, bool visible) { m_form->setRowVisible(field->parentWidget() == this ? field : field->parentWidget(), visible); }

void WorkDialog::choosePath(QLineEdit* field, const QString& title, PathKind kind, const QStringList& filters)
{
    auto* chooser = new QFileDialog(this, title, field->text().section(QLatin1Char(';'), 0, 0));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    switch (kind) {
    case PathKind::Folder: chooser->setFileMode(QFileDialog::Directory); break;
    case PathKind::ExistingFile: chooser->setFileMode(QFileDialog::ExistingFile); break;
    case PathKind::ExistingFiles: chooser->setFileMode(QFileDialog::ExistingFiles); break;
    case PathKind::NewFile:
        chooser->setFileMode(QFileDialog::AnyFile);
        chooser->setAcceptMode(QFileDialog::AcceptSave);
        break;
    }
    if (!filters.isEmpty())
        chooser->setNameFilters(filters);
    connect(chooser, &QFileDialog::filesSelected, this, [field](const QStringList& paths) { field->setText(paths.join(QLatin1Char(';'))); });
    chooser->open();
}

void WorkDialog::startWork()
{
    if (isRunning())
        return;
    const auto todo = work();
    if (!todo)
        return end(todo.error());
    m_error->hide();
    m_text->hide();
    m_open->hide();
    m_start->setEnabled(false);
    m_progress->show();
    m_job->start<Result<Outcome>>([todo = *todo](const std::stop_token& stop) { return todo(stop); }, [this](Result<Outcome> outcome) { end(outcome); });
}

void WorkDialog::end(const Result<Outcome>& outcome)
{
    m_start->setEnabled(true);
    m_progress->hide();
    m_folder = outcome ? outcome->open : QString();
    m_open->setVisible(!m_folder.isEmpty());
    if (!m_folder.isEmpty())
        m_open->setDefault(true);
    showText(outcome ? outcome->text : QString::fromStdString(outcome.error().toString()), !outcome);
    emit workEnded(outcome.has_value());
}

void WorkDialog::showText(const QString& text, bool isError)
{
    if (isError)
        m_error->showError(text);
    m_error->setVisible(isError);
    m_text->setPlainText(isError ? QString() : visibleLines(text).trimmed());
    m_text->setVisible(!isError);
}

}  // namespace tracedeck::ui
