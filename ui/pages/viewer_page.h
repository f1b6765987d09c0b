// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>

#include "ui/models/loaded_document.h"

class QLabel;
class QStackedWidget;
class QTableView;

namespace tracedeck::ui {

class CodeView;
class DocumentProblemsModel;
class ElidedLabel;
class LatestJob;
class LogPanel;
class TensorView;
class WrappedLabel;

/// Any JSON, JSONL or safetensors file, or a pasted text: what it is, what is wrong in it, and the text or the tensors.
class ViewerPage : public QWidget {
    Q_OBJECT
public:
    explicit ViewerPage(QWidget* parent = nullptr);

    /// Reads the file (again); goes to the line when it is not 0.
    void showFile(const QString& path, qint64 line);
    void showText(const QString& text, const QString& title);
    /// Of the file; empty for a text that is none.
    [[nodiscard]] const QString& path() const { return m_path; }
    [[nodiscard]] const QString& title() const { return m_title; }
    [[nodiscard]] bool isBusy() const;
    [[nodiscard]] CodeView* code() const { return m_code; }
    [[nodiscard]] TensorView* tensors() const { return m_tensors; }
    /// The text is shown; what is wrong in it is still being found out.
    [[nodiscard]] bool isChecking() const;
    /// The view for large texts while it is shown; else nullptr.
    [[nodiscard]] LogPanel* largeText() const;

public slots:
    void showFind();
    void showLine(qint64 line);

signals:
    void titleChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void start(const QString& path, const QString& title, const std::function<LoadedDocument()>& load, qint64 line);
    void showDocument(const LoadedDocument& document, qint64 line);
    void showTensors(const std::shared_ptr<const SafetensorsFile>& file);
    void showCheck(const DocumentCheck& check, std::size_t size);
    void showMessage(const QString& text);

    QString m_path;
    QString m_title;
    QLabel* m_heading;
    ElidedLabel* m_kind;
    QStackedWidget* m_stack;
    WrappedLabel* m_message;
    QWidget* m_textPage;
    QStackedWidget* m_texts;
    CodeView* m_code;
    LogPanel* m_large;
    QTableView* m_problemTable;
    DocumentProblemsModel* m_problems;
    TensorView* m_tensors;
    LatestJob* m_job;
    LatestJob* m_checkJob;
};

}  // namespace tracedeck::ui
