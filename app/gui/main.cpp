// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <QSocketNotifier>
#include <QTemporaryDir>
#include <QTimer>
#include <fcntl.h>
#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <optional>

#include "app/end_signals.h"
#include "ui/main_window.h"
#include "ui/models/workspace.h"
#include "ui/pages/report_pdf.h"
#include "ui/settings/settings.h"
#include "ui/style/icons.h"
#include "ui/style/theme.h"
#include "ui/window_host.h"

namespace {

using tracedeck::ui::WindowLanguage;
using tracedeck::ui::MainWindow;
using tracedeck::ui::ThemeChoice;

// The program's exit codes (those of the command line).
constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kUsageError = 2;
constexpr int kUnreadable = 3;

constexpr int kPollMs = 40;
/// So many polls in a row must find nothing to do before a picture is taken.
constexpr int kQuietPolls = 4;
constexpr int kGrabLimitMs = 300'000;

struct Options {
    QStringList folders;   ///< several: shown as one dataset
    QString select;
    std::optional<MainWindow::Page> page;
    std::optional<ThemeChoice> theme;
    QSize size;
    QString picture;
    QString reportFolder;   ///< not empty: print what is in it, no window
    QString reportFile;     ///< as this PDF; empty: its pictures as PNG
    QString python;
    std::optional<WindowLanguage> language;
};

/// The off-screen platform remarks on every window what it cannot do; a user who reads the output of --grab looks for faults there.
void printMessage(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    if (message != QLatin1String("This plugin does not support propagateSizeHints()") && !message.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set")))
        std::fputs((qFormatLogMessage(type, context, message) + QLatin1Char('\n')).toLocal8Bit().constData(), stderr);
}

void print(FILE* stream, const QString& text) { std::fputs((text + QLatin1Char('\n')).toLocal8Bit().constData(), stream); }

/// What the arguments say, or the exit code to leave with. Works without a display.
std::optional<Options> parseArguments(const QStringList& arguments, int& exitCode)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Explorer and runner for FlashInfer-Trace datasets."));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Show this help."));
    const QCommandLineOption version({QStringLiteral("v"), QStringLiteral("version")}, QStringLiteral("Show the version."));
    const QCommandLineOption select(QStringLiteral("select"), QStringLiteral("Show this definition, solution, workload or op_type."), QStringLiteral("NAME"));
    const QCommandLineOption page(QStringLiteral("page"), QStringLiteral("overview, code, workloads, traces, charts, leaderboard, run, compare, results, heatmap, errors, fastp, history, failures, tensors, diagnose, duel, pastruns or board."), QStringLiteral("PAGE"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("light or dark, for this time only."), QStringLiteral("THEME"));
    const QCommandLineOption language(QStringLiteral("language"), QStringLiteral("en or zh_CN, for this time only."), QStringLiteral("LANGUAGE"));
    const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("Size of the window, for example 1280x800."), QStringLiteral("WxH"));
    const QCommandLineOption grab(QStringLiteral("grab"), QStringLiteral("Save a picture of the window once everything is shown, and exit."), QStringLiteral("FILE.png"));
    const QCommandLineOption python(QStringLiteral("python"), QStringLiteral("Python interpreter for references and Python solutions."), QStringLiteral("PROGRAM"));
    // For `tracedeck report pdf|charts`: the command line has no Qt.
    QCommandLineOption printFolder(QStringLiteral("print-report"), QStringLiteral("Write the report in this folder as a PDF (--out), or its pictures as PNG."), QStringLiteral("FOLDER"));
    QCommandLineOption printFile(QStringLiteral("out"), QStringLiteral("The PDF of --print-report."), QStringLiteral("FILE.pdf"));
    printFolder.setFlags(QCommandLineOption::HiddenFromHelp);
    printFile.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOptions({help, version, select, page, theme, language, size, grab, python, printFolder, printFile});
    parser.addPositionalArgument(QStringLiteral("DIR"), QStringLiteral("Dataset folder to open, or a file for the viewer; several folders are shown as one dataset."), QStringLiteral("[DIR…]"));

    const auto refuse = [&exitCode](const QString& reason) {
        print(stderr, QStringLiteral("tracedeck-gui: %1\nTry 'tracedeck-gui --help'.").arg(reason));
        exitCode = kUsageError;
        return std::nullopt;
    };
    if (!parser.parse(arguments))
        return refuse(parser.errorText());
    if (parser.isSet(help)) {
        // Without an application object the parser does not know the program's name.
        print(stdout, parser.helpText().replace(QStringLiteral("<executable_name>"), QStringLiteral("tracedeck-gui")));
        exitCode = kDone;
        return std::nullopt;
    }
    if (parser.isSet(version)) {
        print(stdout, QStringLiteral("tracedeck-gui " TRACEDECK_VERSION));
        exitCode = kDone;
        return std::nullopt;
    }
    Options options;
    options.folders = parser.positionalArguments();
    for (const QString& path : options.folders)
        if (options.folders.size() > 1 && QFileInfo(path).isFile())
            return refuse(QStringLiteral("%1 is a file; only folders can be shown together").arg(path));
    options.select = parser.value(select);
    options.picture = parser.value(grab);
    options.python = parser.value(python);
    options.reportFolder = parser.value(printFolder);
    options.reportFile = parser.value(printFile);
    if (parser.isSet(page)) {
        options.page = MainWindow::pageFromName(parser.value(page));
        if (!options.page)
            return refuse(QStringLiteral("there is no page '%1'").arg(parser.value(page)));
    }
    if (parser.isSet(theme)) {
        if (parser.value(theme) != u"light" && parser.value(theme) != u"dark")
            return refuse(QStringLiteral("the theme is 'light' or 'dark', not '%1'").arg(parser.value(theme)));
        options.theme = tracedeck::ui::themeChoiceFromText(parser.value(theme));
    }
    if (parser.isSet(language)) {
        options.language = parser.value(language).isEmpty() ? std::nullopt : tracedeck::ui::languageFromText(parser.value(language));
        if (!options.language)
            return refuse(QStringLiteral("the language is 'en' or 'zh_CN', not '%1'").arg(parser.value(language)));
    }
    if (parser.isSet(size)) {
        const auto match = QRegularExpression(QStringLiteral("^([1-9][0-9]{2,3})x([1-9][0-9]{2,3})$")).match(parser.value(size));
        if (!match.hasMatch())
            return refuse(QStringLiteral("the size is WIDTHxHEIGHT such as 1280x800, not '%1'").arg(parser.value(size)));
        options.size = QSize(match.captured(1).toInt(), match.captured(2).toInt());
    }
    if (options.folders.isEmpty() && !options.select.isEmpty())
        return refuse(QStringLiteral("--select needs a dataset folder"));
    if (parser.isSet(grab) && options.picture.isEmpty())
        return refuse(QStringLiteral("--grab needs a file name"));
    return options;
}

int g_signalPipe[2] = {-1, -1};
std::atomic<int> g_signals{0};
static_assert(std::atomic<int>::is_always_lock_free);

/// Only what is allowed in a signal handler: the event loop hears of it through a pipe. A second signal ends at once.
void onSignal(int signal)
{
    const auto number = static_cast<unsigned char>(signal);
    if (g_signals.fetch_add(1) > 0 || ::write(g_signalPipe[1], &number, 1) != 1)
        ::_exit(tracedeck::exitCodeOfSignal(signal));
}

/// A signal that asks the program to end leaves the event loop: a run is cancelled and its processes and folders are gone before the
/// program ends, with the exit code that shells give.
void endInOrderOnSignals()
{
    if (::pipe2(g_signalPipe, O_CLOEXEC) != 0)
        return;   // then a signal ends the program as it does without this
    tracedeck::handleEndSignals(onSignal);
}

/// Lets the event loop hear of signals.
void watchSignals(QObject* parent)
{
    if (g_signalPipe[0] < 0)
        return;
    auto* notifier = new QSocketNotifier(g_signalPipe[0], QSocketNotifier::Read, parent);
    QObject::connect(notifier, &QSocketNotifier::activated, parent, [notifier] {
        unsigned char number = 0;
        notifier->setEnabled(false);
        if (::read(g_signalPipe[0], &number, 1) == 1)
            QApplication::exit(128 + number);
    });
}

/// Waits until the window has settled, saves a picture and leaves the program.
class Grabber : public QObject {
public:
    Grabber(MainWindow* window, const QString& picture) : QObject(window), m_window(window), m_picture(picture)
    {
        connect(&m_timer, &QTimer::timeout, this, &Grabber::poll);
        m_timer.start(kPollMs);
        QTimer::singleShot(kGrabLimitMs, this, [] {
            print(stderr, QStringLiteral("tracedeck-gui: the window did not settle in time"));
            QApplication::exit(kFailed);
        });
    }

private:
    void poll()
    {
        m_quiet = m_window->isSettled() ? m_quiet + 1 : 0;
        if (m_quiet < kQuietPolls)
            return;
        m_timer.stop();
        const bool saved = m_window->grab().save(m_picture);
        if (!saved)
            print(stderr, QStringLiteral("tracedeck-gui: %1 could not be written; check that the folder exists and the name ends in .png").arg(m_picture));
        QApplication::exit(saved ? kDone : kFailed);
    }

    MainWindow* m_window;
    QString m_picture;
    QTimer m_timer;
    int m_quiet = 0;
};

/// Opens what the arguments name and goes where they say.
void openAsAsked(MainWindow& window, const Options& options)
{
    using tracedeck::ui::Workspace;
    const bool unattended = !options.picture.isEmpty();
    const auto goThere = [&window, options, unattended] {
        if (!options.select.isEmpty() && !window.select(options.select)) {
            print(stderr, QStringLiteral("tracedeck-gui: %1 has nothing named '%2'").arg(options.folders.join(QStringLiteral(" + ")), options.select));
            if (unattended)
                QApplication::exit(kUsageError);
        }
        if (options.page)
            window.showPage(*options.page);
    };
    if (options.folders.isEmpty()) {
        const bool reopened = !unattended && tracedeck::ui::Settings::restoresSession() && window.reopenSession();
        if (options.page && reopened)
            QObject::connect(&window, &MainWindow::datasetShown, &window, goThere, Qt::SingleShotConnection);
        else if (options.page)
            window.showPage(*options.page);
        return;
    }
    QObject::connect(&window, &MainWindow::datasetShown, &window, goThere, Qt::SingleShotConnection);
    if (unattended)
        QObject::connect(window.workspace(), &Workspace::loadFailed, &window, [](const QString& path, const QString& reason) {
            print(stderr, QStringLiteral("tracedeck-gui: %1: %2").arg(path, reason));
            QApplication::exit(kUnreadable);
        });
    if (options.folders.size() == 1)
        window.openPath(options.folders.front());
    else
        window.openTogether(options.folders);
}

/// Without a display a picture is drawn off-screen. False, with a word about it, when a window was to be shown.
bool choosePlatform(bool isPicture)
{
    if (qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") || qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        return true;
    if (isPicture)
        return qputenv("QT_QPA_PLATFORM", "offscreen");
    print(stderr, QStringLiteral("tracedeck-gui: there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set). "
                                 "The command line, tracedeck, needs none, nor does --grab FILE.png."));
    return false;
}

/// Without a window.
int printReport(const Options& options, char** argv)
{
    int qtArgc = 1;   // our options are not Qt's
    const QGuiApplication application(qtArgc, argv);
    const auto written = options.reportFile.isEmpty() ? tracedeck::ui::rasterizeFolder(options.reportFolder) : tracedeck::ui::printReportFolder(options.reportFolder, options.reportFile);
    if (!written)
        print(stderr, QStringLiteral("tracedeck-gui: %1").arg(QString::fromStdString(written.error().toString())));
    return written ? kDone : kFailed;
}

}  // namespace

int main(int argc, char* argv[])
{
    qInstallMessageHandler(printMessage);
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    QCoreApplication::setApplicationName(QStringLiteral("tracedeck"));
    QCoreApplication::setOrganizationName(QStringLiteral("tracedeck"));
    QCoreApplication::setApplicationVersion(QStringLiteral(TRACEDECK_VERSION));
    int exitCode = kDone;
    const std::optional<Options> options = parseArguments(arguments, exitCode);
    if (!options)
        return exitCode;

    if (!choosePlatform(!options->picture.isEmpty() || !options->reportFolder.isEmpty()))
        return kFailed;
    if (!options->reportFolder.isEmpty())
        return printReport(*options, argv);
    endInOrderOnSignals();
    // Our options are not Qt's: it sees the program's name only.
    int qtArgc = 1;
    QApplication application(qtArgc, argv);
    QGuiApplication::setDesktopFileName(QStringLiteral("tracedeck"));
    QApplication::setWindowIcon(tracedeck::ui::applicationIcon());
    tracedeck::ui::installStyle();
    tracedeck::ui::applyLanguage(options->language.value_or(tracedeck::ui::Settings::language()));
    tracedeck::ui::applyTheme(options->theme.value_or(tracedeck::ui::Settings::theme()));
    // Taking a picture leaves the user's settings and recent datasets alone: what is written meanwhile goes with this folder.
    QTemporaryDir settingsOfPicture;
    if (!options->picture.isEmpty()) {
        if (!settingsOfPicture.isValid()) {
            print(stderr, QStringLiteral("tracedeck-gui: no temporary folder can be made: %1").arg(settingsOfPicture.errorString()));
            return kFailed;
        }
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settingsOfPicture.path());
    }

    watchSignals(&application);
    tracedeck::ui::WindowHost host(options->python);
    MainWindow& window = *host.window();
    if (options->size.isValid())
        window.resize(options->size);
    window.show();
    if (!options->picture.isEmpty()) {
        window.resetLayout();   // a picture shows the same whatever was moved before
        new Grabber(&window, options->picture);
    }
    QTimer::singleShot(0, &window, [&window, &options] {
        openAsAsked(window, *options);
        if (options->picture.isEmpty())
            window.offerToResume();
    });
    return QApplication::exec();
}
