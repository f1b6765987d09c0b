// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QStringList>
#include <functional>
#include <stop_token>

#include "core/model/result.h"

class QComboBox;
class QFormLayout;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace tracedeck::ui {

class LatestJob;
class NoticeBar;
class WrappedLabel;

/// A form with something that is done with it on another thread: what came of it is shown below the fields, and the dialog stays, so that it can be read and
/// mended. Closing cancels.
class WorkDialog : public QDialog {
    Q_OBJECT
public:
    ~WorkDialog() override;
    [[nodiscard]] bool isRunning() const;
    /// What is shown of the last time; empty while nothing was done.
    [[nodiscard]] QString outcome() const;

public slots:
    /// Does it with what is in the fields, as the button does.
    void startWork();

signals:
    /// After each time.
    void workEnded(bool done);

protected:
    enum class PathKind { Folder, ExistingFile, ExistingFiles, NewFile };
    WorkDialog(const QString& title, const QString& startText, const QString& openText, QWidget* parent);

    /// Explains above the fields.
    void setIntroduction(const QString& text);
    QLineEdit* addText(const char* name, const QString& title, const QString& tip, const QString& placeholder = {});
    QComboBox* addChoice(const char* name, const QString& title, const QString& tip, const QList<QPair<QString, QString>>& choices);
    /// Several paths stand one after the other with `;` between them.
    QLineEdit* addPath(const char* name, const QString& title, const QString& tip, PathKind kind, const QStringList& filters = {});
    /// Hides or shows a field with its title.
    void setFieldVisible(QWidget* field, bool visible);

    struct Outcome {
        QString text;
        QString open;   ///< a folder that can be opened now; empty: none
    };
    using Work = std::function<Result<Outcome>(const std::stop_token&)>;
    /// What is to be done, from the fields; on the dialog's thread. Error: a field is not right.
    [[nodiscard]] virtual Result<Work> work() = 0;
    /// A folder that was made is to be opened.
    virtual void openFolder(const QString& path) = 0;

private:
    void choosePath(QLineEdit* field, const QString& title, PathKind kind, const QStringList& filters);
    void end(const Result<Outcome>& outcome);
    void showText(const QString& text, bool isError);
    void addField(const char* name, const QString& title, const QString& tip, QWidget* field, QWidget* row);

    WrappedLabel* m_introduction;
    QFormLayout* m_form;
    NoticeBar* m_error;
    QPlainTextEdit* m_text;
    QProgressBar* m_progress;
    QPushButton* m_start;
    QPushButton* m_open;
    QString m_folder;
    LatestJob* m_job;
};

}  // namespace tracedeck::ui
