// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <optional>

#include "ui/settings/language.h"
#include "ui/style/theme.h"

/// Everything that the window remembers between sessions. Keys live in settings.cpp alone; writing an equal value does nothing.
namespace tracedeck::ui::Settings {

/// Raised when docks or tool bars change, so that an old layout is not forced onto a new window.
inline constexpr int kLayoutVersion = 1;

[[nodiscard]] ThemeChoice theme();
void setTheme(ThemeChoice theme);

[[nodiscard]] WindowLanguage language();
void setLanguage(WindowLanguage language);

/// Points added to the system's font size: -2 … 8.
[[nodiscard]] int fontStep();
void setFontStep(int step);

/// Interpreter for references and Python solutions; empty: chosen automatically.
[[nodiscard]] QString pythonInterpreter();
void setPythonInterpreter(const QString& path);

/// Folder of the CUDA Toolkit, or its nvcc; empty: found automatically.
[[nodiscard]] QString cudaToolkit();
void setCudaToolkit(const QString& path);

/// How far solutions are kept from everything else: auto, full, partial, none.
[[nodiscard]] QString confinement();
void setConfinement(const QString& degree);

[[nodiscard]] QByteArray windowGeometry();
void setWindowGeometry(const QByteArray& geometry);
[[nodiscard]] QByteArray windowLayout();
void setWindowLayout(const QByteArray& layout);
/// True until the Details pane was shown or hidden by choice: in a narrow window it appears with the first trace that is chosen.
[[nodiscard]] bool detailsWait();
void setDetailsWait(bool wait);

/// Arrangements of the panes that the user named, in alphabetical order.
[[nodiscard]] QStringList layoutNames();
/// Empty: there is none of this name.
[[nodiscard]] QByteArray layout(const QString& name);
void setLayout(const QString& name, const QByteArray& layout);
void removeLayout(const QString& name);

/// What was open when the last window closed.
[[nodiscard]] QJsonObject session();
void setSession(const QJsonObject& session);
/// Whether a start without a folder shows it again.
[[nodiscard]] bool restoresSession();
void setRestoresSession(bool restores);

/// Baseline author chosen for the dataset at `root`; empty: never chosen.
[[nodiscard]] QString baselineAuthor(const QString& root);
void setBaselineAuthor(const QString& root, const QString& author);

/// Name of the policy (toString) chosen for the dataset at `root`, and the hardware; empty: never chosen, all hardware.
[[nodiscard]] QString policy(const QString& root);
void setPolicy(const QString& root, const QString& policy);
[[nodiscard]] QString hardware(const QString& root);
void setHardware(const QString& root, const QString& hardware);

/// Baselines pinned for the dataset at `root`, in order: pinText().
[[nodiscard]] QStringList pins(const QString& root);
void setPins(const QString& root, const QStringList& pins);

/// Charts and notes kept for the dataset at `root` (ChartBoard).
[[nodiscard]] QJsonObject board(const QString& root);
void setBoard(const QString& root, const QJsonObject& board);

/// The cards above a definition's tabs.
[[nodiscard]] bool definitionCardsShown();
void setDefinitionCardsShown(bool shown);

/// Whether the user chose to see a column of a table, both by names that no language changes; nullopt: never chosen.
[[nodiscard]] std::optional<bool> columnShown(const QString& table, const QString& column);
void setColumnShown(const QString& table, const QString& column, bool shown);
void forgetColumns(const QString& table);

}  // namespace tracedeck::ui::Settings
