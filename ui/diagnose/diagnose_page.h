// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "core/run/run_request.h"
#include "ui/diagnose/diagnosis_view.h"

class QListWidget;
class QStackedWidget;

namespace tracedeck::ui {

class ElidedLabel;
class NameBox;
class Workspace;
class WrappedLabel;

/// A closer look at one solution on one workload: chosen on top, the kinds of look on the left, what one found on the right.
class DiagnosePage : public QWidget {
    Q_OBJECT
public:
    enum class Look { Difference, Tolerance, Sanitizer, Code, Profile, Timeline };
    static constexpr int kLooks = 6;

    explicit DiagnosePage(Workspace* workspace, QWidget* parent = nullptr);
    ~DiagnosePage() override;

    /// Where device, interpreter and settings come from when a look starts.
    void setRequestSource(std::function<RunRequest()> source) { m_requestSource = std::move(source); }
    /// Chooses what is looked at. Empty names: what is chosen stays, or the first.
    void setTarget(const QString& definition, const QString& solution, const QString& workload);
    [[nodiscard]] QString definition() const { return m_definition; }
    [[nodiscard]] QString solution() const;
    [[nodiscard]] QString workload() const;   ///< uuid
    [[nodiscard]] DiagnosisView* view(Look look) const { return m_views[static_cast<std::size_t>(look)]; }
    [[nodiscard]] Look currentLook() const;
    [[nodiscard]] bool isBusy() const;

public slots:
    void showLook(tracedeck::ui::DiagnosePage::Look look);

signals:
    void textRequested(const QString& text, const QString& title);
    /// The pair is to be run again, in the ordinary way.
    void rerunRequested(const tracedeck::Selection& selection);

private:
    void buildTop();
    void fill();
    [[nodiscard]] Result<DiagnosisTarget> target() const;

    Workspace* m_workspace;
    std::function<RunRequest()> m_requestSource;
    QString m_definition;
    ElidedLabel* m_title;
    WrappedLabel* m_lack;   ///< what the definition has not, so that nothing can be looked into
    NameBox* m_solutions;
    NameBox* m_workloads;
    QListWidget* m_list;
    QStackedWidget* m_stack;
    std::vector<DiagnosisView*> m_views;
};

/// Fills a box with the workloads of a definition: axes to read, the uuid as data.
void fillWorkloads(QComboBox* box, const Workspace& workspace, const QString& definition);

}  // namespace tracedeck::ui
