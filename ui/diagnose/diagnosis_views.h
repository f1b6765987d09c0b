// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of look that the Diagnose page offers.
#pragma once

#include <memory>
#include <vector>

#include "core/diagnose/generated_code.h"
#include "core/diagnose/profile.h"
#include "core/diagnose/sanitizer.h"
#include "core/diagnose/timeline.h"
#include "core/model/tensor_difference.h"
#include "ui/diagnose/diagnosis_view.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QTableView;

namespace tracedeck::ui {

class ErrorHistogramView;
class ErrorMapView;
class PlainTableModel;

/// Worst elements, error map and histogram of each output.
class DifferenceView : public DiagnosisView {
    Q_OBJECT
public:
    explicit DifferenceView(QWidget* parent = nullptr);
    void start() override;
    void show(const DifferenceReport& report);
    [[nodiscard]] PlainTableModel* worst() const { return m_worst; }

private:
    void showOutput();
    DifferenceReport m_report;
    QComboBox* m_outputs;
    WrappedLabel* m_summary;
    PlainTableModel* m_worst;
    ErrorMapView* m_map;
    ErrorHistogramView* m_histogram;
};

/// Whether what computes nothing passes.
class ToleranceView : public DiagnosisView {
    Q_OBJECT
public:
    explicit ToleranceView(QWidget* parent = nullptr);
    void start() override;
    void show(const ToleranceReport& report);
    [[nodiscard]] PlainTableModel* table() const { return m_table; }

private:
    WrappedLabel* m_summary;
    PlainTableModel* m_table;
};

/// Findings of compute-sanitizer.
class SanitizerView : public DiagnosisView {
    Q_OBJECT
public:
    explicit SanitizerView(QWidget* parent = nullptr);
    void start() override;
    void show(const std::vector<SanitizerReport>& reports);
    [[nodiscard]] PlainTableModel* table() const { return m_table; }

private:
    std::vector<std::pair<SanitizerCheck, QCheckBox*>> m_checks;
    WrappedLabel* m_summary;
    PlainTableModel* m_table;
    QString m_log;
};

/// Registers, shared memory, spills; SASS and PTX in pages of their own.
class GeneratedCodeView : public DiagnosisView {
    Q_OBJECT
public:
    explicit GeneratedCodeView(QWidget* parent = nullptr);
    void start() override;
    void show(const GeneratedCode& code);
    [[nodiscard]] PlainTableModel* table() const { return m_table; }

private:
    GeneratedCode m_code;
    WrappedLabel* m_summary;
    PlainTableModel* m_table;
    QPushButton* m_sass;
    QPushButton* m_ptx;
};

/// Key figures of Nsight Compute.
class ProfileView : public DiagnosisView {
    Q_OBJECT
public:
    explicit ProfileView(QWidget* parent = nullptr);
    void start() override;
    void show(const ProfileReport& report);
    [[nodiscard]] PlainTableModel* table() const { return m_kernels; }

private:
    void showKernel(int row);
    void openReport();
    ProfileReport m_report;
    QComboBox* m_set;
    QPushButton* m_open;
    WrappedLabel* m_summary;
    PlainTableModel* m_kernels;
    PlainTableModel* m_details;
};

/// What the GPU did in one call.
class TimelineView : public DiagnosisView {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);
    void start() override;
    void show(const Timeline& timeline);
    [[nodiscard]] PlainTableModel* table() const { return m_table; }

private:
    void keep();
    std::shared_ptr<DiagnosisTarget> m_recorded;   ///< what the timeline shown is of
    std::shared_ptr<const Timeline> m_timeline;
    QPushButton* m_keep;
    WrappedLabel* m_summary;
    PlainTableModel* m_table;
    LatestJob* m_keepJob;
};

}  // namespace tracedeck::ui
