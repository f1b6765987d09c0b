// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "core/io/json_codec.h"
#include "dataset_builder.h"
#include "ui/models/workspace.h"
#include "ui/style/theme.h"

namespace tracedeck::test {

/// Call in initTestCase of a test with widgets: house style, light theme, C locale, settings in a temporary folder.
inline void prepareGuiTest()
{
    static const QTemporaryDir settings;
    qputenv("TRACEDECK_DATA_PATH", settings.filePath(QStringLiteral("data")).toUtf8());   // nothing of the user's is touched
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    QStandardPaths::setTestModeEnabled(true);
    QLocale::setDefault(QLocale::c());
    ui::installStyle();
    ui::applyTheme(ui::ThemeChoice::Light);
}

/// Runs meet a judge that a script plays, as files in `folder` tell it. The python3 that it needs; empty where there is none.
inline QString useFakeJudge(const QTemporaryDir& folder)
{
    qputenv("TRACEDECK_WORKER", TRACEDECK_SOURCE_DIR "/tests/support/fake_judge.py");
    qputenv("FAKE_JUDGE_FOLDER", folder.path().toUtf8());
    return QStandardPaths::findExecutable(QStringLiteral("python3"));
}

/// Call in init: a warning of these categories fails the test.
inline void failOnQtWarnings()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral("QObject::|QAbstractItemModel|QSortFilter|QPainter::|QLayout")));
}

/// Opens a dataset and waits until it is there; false with a message when that fails.
inline bool openDataset(ui::Workspace& workspace, const std::filesystem::path& root)
{
    QSignalSpy opened(&workspace, &ui::Workspace::datasetOpened);
    workspace.open(QString::fromStdString(root.string()));
    return QTest::qWaitFor([&] { return opened.count() > 0; }, 30'000);
}

/// Every line of a dataset's trace files.
inline std::vector<Json> traceLinesOnDisk(const std::filesystem::path& root)
{
    std::vector<Json> lines;
    if (!std::filesystem::exists(root / "traces")) return lines;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "traces")) {
        if (entry.path().extension() != ".jsonl") continue;
        std::ifstream in(entry.path());
        for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
    }
    return lines;
}

/// Appends one evaluated trace line to the dataset on disk, as a run does, and returns what a runner reports about it.
inline Dataset::AddedTrace landTrace(DatasetBuilder& builder, const TraceSpec& spec)
{
    const auto file = builder.root() / spec.file;
    const std::uint64_t offset = std::filesystem::exists(file) ? std::filesystem::file_size(file) : 0;
    builder.trace(spec);
    std::ifstream in(file, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(offset));
    std::string line;
    std::getline(in, line);
    auto decoded = decodeTrace(line, ReadMode::Strict);
    if (!decoded) throw std::runtime_error(decoded.error().toString());
    return {decoded->value, file, offset};
}

}  // namespace tracedeck::test
