// SPDX-License-Identifier: GPL-3.0-or-later
// Clicks and types at random: nothing crashes, the window goes on answering, and no file of the dataset changes but traces.
// TRACEDECK_MONKEY_SECONDS: how long; TRACEDECK_MONKEY_SEED: the same walk again, as far as time does not enter.
#include <QAction>
#include <QApplication>
#include <QCryptographicHash>
#include <QDialog>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QMenu>
#include <QRandomGenerator>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>

#include "tests/support/gui_test.h"
#include "ui/main_window.h"
#include "ui/run/run_controller.h"
#include "ui/window_host.h"

using namespace tracedeck;
using namespace tracedeck::ui;

namespace {

constexpr int kWaitMs = 60'000;
constexpr int kUsualSeconds = 5;
constexpr int kStepsBetweenChecks = 25;
/// A menu or dialog that waits this long for an answer is closed.
constexpr int kPatienceMs = 1500;

/// Hash of each file below a folder, by its path in it.
QMap<QString, QByteArray> filesOf(const QString& folder, bool withTraces)
{
    QMap<QString, QByteArray> files;
    QDirIterator entries(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (entries.hasNext()) {
        const QString path = entries.next();
        const QString name = QDir(folder).relativeFilePath(path);
        QFile file(path);
        if ((!withTraces && name.startsWith(QStringLiteral("traces/"))) || !file.open(QIODevice::ReadOnly))
            continue;
        files.insert(name, QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha1));
    }
    return files;
}

void copyFolder(const QString& from, const QString& to)
{
    QDirIterator entries(from, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (entries.hasNext()) {
        const QString path = entries.next();
        const QString target = QDir(to).filePath(QDir(from).relativeFilePath(path));
        QVERIFY(QDir().mkpath(QFileInfo(target).absolutePath()) && QFile::copy(path, target));
        QVERIFY(QFile::setPermissions(target, QFile::ReadOwner | QFile::WriteOwner));
    }
}

/// One that never runs out of ideas.
class Monkey : public QObject {
public:
    Monkey(WindowHost& host, quint32 seed) : m_host(host), m_random(seed)
    {
        // Menus and dialogs may wait within a call of ours: nobody but a timer can end that.
        m_watch.setInterval(100);
        connect(&m_watch, &QTimer::timeout, this, &Monkey::endWaiting);
        m_watch.start();
    }

    void step()
    {
        if (QWidget* popup = QApplication::activePopupWidget()) {
            useMenu(popup);
            return;
        }
        if (auto* chooser = anyFileDialog()) {   // there are files behind it
            chooser->reject();
            return;
        }
        if (!window().isVisible())
            window().show();
        switch (m_random.bounded(20)) {
        case 0: resizeWindow(); break;
        case 1: case 2: turnWheel(); break;
        case 3: case 4: case 5: triggerAction(); break;
        case 6: case 7: case 8: case 9: case 10: case 11: type(); break;
        default: click();
        }
        QCoreApplication::processEvents();
    }

private:
    static bool saysOneOf(const QString& text, const QStringList& words)
    {
        return std::any_of(words.begin(), words.end(), [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    }
    /// What would open the original of the sample, start measuring, or end the test.
    static bool isForbidden(const QAction* action)
    {
        static const QSet<QString> kForbidden{QStringLiteral("openSampleAction"), QStringLiteral("quitAction"), QStringLiteral("runSelectedAction")};
        return kForbidden.contains(action->objectName()) || saysOneOf(action->text(), {QStringLiteral("run"), QStringLiteral("运行")});
    }
    static bool isForbidden(const QWidget* widget)
    {
        const QString name = widget->objectName();
        if (name.contains(QStringLiteral("run"), Qt::CaseInsensitive) && widget->inherits("QAbstractButton"))
            return true;
        return saysOneOf(widget->property("text").toString(), {QStringLiteral("sample"), QStringLiteral("示例")});
    }
    static QFileDialog* anyFileDialog()
    {
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* chooser = qobject_cast<QFileDialog*>(widget); chooser && chooser->isVisible())
                return chooser;
        return nullptr;
    }

    void endWaiting()
    {
        QWidget* waiting = QApplication::activePopupWidget() ? QApplication::activePopupWidget() : QApplication::activeModalWidget();
        if (waiting != m_waiting) {
            m_waiting = waiting;
            m_sinceWaiting.start();
            return;
        }
        if (!waiting || m_sinceWaiting.elapsed() < kPatienceMs)
            return;
        if (auto* dialog = qobject_cast<QDialog*>(waiting))
            dialog->reject();
        else
            waiting->close();
    }

    void useMenu(QWidget* popup)
    {
        if (auto* menu = qobject_cast<QMenu*>(popup); menu && m_random.bounded(3) > 0) {
            QList<QAction*> actions;
            for (QAction* action : menu->actions())
                if (action->isEnabled() && !action->isSeparator() && !action->menu() && !isForbidden(action))
                    actions << action;
            if (!actions.isEmpty()) {
                const QPointer<QMenu> alive(menu);
                QAction* action = actions.at(m_random.bounded(actions.size()));
                const QPoint spot = menu->actionGeometry(action).center();
                QTest::mouseClick(menu, Qt::LeftButton, {}, spot);
                if (alive)
                    alive->close();
                return;
            }
        }
        QTest::keyClick(popup, m_random.bounded(2) ? Qt::Key_Escape : Qt::Key_Down);
        if (m_random.bounded(3) == 0)
            popup->close();
    }

    /// The window, mostly, or a dialog that lies over it.
    QWidget* anyWindow()
    {
        if (QWidget* modal = QApplication::activeModalWidget())
            return modal;
        QWidgetList dialogs;
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (qobject_cast<QDialog*>(widget) && widget->isVisible())
                dialogs << widget;
        if (dialogs.isEmpty())
            return &window();
        if (dialogs.size() > 2 || m_random.bounded(8) == 0) {
            dialogs.front()->close();
            return &window();
        }
        return m_random.bounded(2) ? dialogs.at(m_random.bounded(dialogs.size())) : &window();
    }

    QWidget* anyWidget()
    {
        QWidgetList widgets;
        for (QWidget* widget : anyWindow()->findChildren<QWidget*>())
            if (widget->isVisible() && widget->isEnabled() && !widget->visibleRegion().isEmpty() && !isForbidden(widget) &&
                !(widget->parentWidget() && isForbidden(widget->parentWidget())))
                widgets << widget;
        return widgets.isEmpty() ? nullptr : widgets.at(m_random.bounded(widgets.size()));
    }

    QPoint anySpotIn(const QWidget* widget)
    {
        const QRect seen = widget->visibleRegion().boundingRect();
        return {seen.left() + m_random.bounded(seen.width()), seen.top() + m_random.bounded(seen.height())};
    }

    void click()
    {
        QWidget* widget = anyWidget();
        if (!widget)
            return;
        const QPoint spot = anySpotIn(widget);
        static constexpr Qt::KeyboardModifiers kModifiers[] = {Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier, Qt::ControlModifier};
        const auto modifiers = kModifiers[m_random.bounded(5)];
        switch (m_random.bounded(8)) {
        case 0: QTest::mouseClick(widget, Qt::RightButton, modifiers, spot); break;
        case 1: QTest::mouseDClick(widget, Qt::LeftButton, modifiers, spot); break;
        case 2: QTest::mouseClick(widget, Qt::MiddleButton, modifiers, spot); break;
        case 3: {
            const QPointer<QWidget> alive(widget);
            QTest::mousePress(widget, Qt::LeftButton, modifiers, spot);
            if (alive)
                QTest::mouseMove(widget, anySpotIn(widget));
            if (alive && alive->isVisible() && !alive->visibleRegion().isEmpty())
                QTest::mouseRelease(widget, Qt::LeftButton, modifiers, anySpotIn(widget));
            break;
        }
        default: QTest::mouseClick(widget, Qt::LeftButton, modifiers, spot);
        }
    }

    void type()
    {
        QWidget* target = QApplication::focusWidget() ? QApplication::focusWidget() : &window();
        if (isForbidden(target))
            return;
        static constexpr Qt::Key kKeys[] = {Qt::Key_Tab, Qt::Key_Backtab, Qt::Key_Return, Qt::Key_Space, Qt::Key_Escape, Qt::Key_Up, Qt::Key_Down, Qt::Key_Left,
                                            Qt::Key_Right, Qt::Key_Home, Qt::Key_End, Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Delete, Qt::Key_Backspace,
                                            Qt::Key_F1, Qt::Key_F5, Qt::Key_F8, Qt::Key_F11, Qt::Key_Menu};
        switch (m_random.bounded(4)) {
        case 0: {   // a shortcut of the house
            static constexpr char kLetters[] = "1234567KFDLCWJUPI0";
            const auto modifiers = m_random.bounded(3) ? Qt::KeyboardModifiers(Qt::ControlModifier) : Qt::ControlModifier | Qt::ShiftModifier;
            QTest::keyClick(target, static_cast<Qt::Key>(kLetters[m_random.bounded(static_cast<int>(sizeof kLetters) - 1)]), modifiers);
            break;
        }
        case 1: {
            static const QStringList kTexts{QStringLiteral("gemm"), QStringLiteral("h=512"), QStringLiteral("PASSED"), QStringLiteral("\u4e2d\u6587"), QStringLiteral("["),
                                            QStringLiteral("("), QStringLiteral("\\"), QStringLiteral("zzzz"), QStringLiteral("1e999"), QStringLiteral("%1 &")};
            for (const QChar c : kTexts.at(m_random.bounded(kTexts.size())))
                QTest::sendKeyEvent(QTest::Click, target, Qt::Key_unknown, QString(c), Qt::NoModifier);
            break;
        }
        default: QTest::keyClick(target, kKeys[m_random.bounded(static_cast<int>(std::size(kKeys)))]);
        }
    }

    void turnWheel()
    {
        QWidget* widget = anyWidget();
        if (!widget)
            return;
        const QPoint spot = anySpotIn(widget);
        const int turn = m_random.bounded(2) ? 240 : -240;
        const auto modifiers = m_random.bounded(4) ? Qt::NoModifier : Qt::ControlModifier;
        QWheelEvent wheel(spot, widget->mapToGlobal(spot), {}, {0, turn}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &wheel);
    }

    void triggerAction()
    {
        QList<QAction*> actions;
        for (QAction* action : window().findChildren<QAction*>())
            if (action->isEnabled() && !action->isSeparator() && !action->menu() && !isForbidden(action))
                actions << action;
        if (!actions.isEmpty())
            actions.at(m_random.bounded(actions.size()))->trigger();
    }

    void resizeWindow()
    {
        window().setWindowState(Qt::WindowNoState);
        window().resize(700 + m_random.bounded(1000), 500 + m_random.bounded(600));
    }

    /// Another one after a change of the language.
    MainWindow& window() const { return *m_host.window(); }

    WindowHost& m_host;
    QRandomGenerator m_random;
    QTimer m_watch;
    QPointer<QWidget> m_waiting;
    QElapsedTimer m_sinceWaiting;
};

}  // namespace

class TestMonkey : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QVERIFY(m_home.isValid());
        qputenv("HOME", m_home.path().toLocal8Bit());   // where file dialogs begin
        QVERIFY(QDir::setCurrent(m_home.path()));
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        test::prepareGuiTest();
    }

    void survivesRandomUse()
    {
        const QString sample = QStringLiteral(TRACEDECK_SOURCE_DIR "/resources/sample");
        const QString root = m_home.filePath(QStringLiteral("dataset"));
        copyFolder(sample, root);
        QFile bystander(m_home.filePath(QStringLiteral("bystander.txt")));
        QVERIFY(bystander.open(QIODevice::WriteOnly) && bystander.write("stays") == 5);
        bystander.close();
        const auto sampleBefore = filesOf(sample, true);
        const auto before = filesOf(root, false);
        QVERIFY(before.size() > 20);

        bool isNumber = false;
        const int seconds = qEnvironmentVariableIntValue("TRACEDECK_MONKEY_SECONDS", &isNumber);
        const qint64 limitMs = 1000LL * (isNumber && seconds > 0 ? seconds : kUsualSeconds);
        quint32 seed = qEnvironmentVariable("TRACEDECK_MONKEY_SEED").toUInt(&isNumber);
        if (!isNumber)
            seed = QRandomGenerator::system()->generate();
        qInfo("TRACEDECK_MONKEY_SEED=%u", seed);

        auto host = std::make_unique<WindowHost>(QString());
        MainWindow* window = host->window();
        window->resize(1280, 800);
        window->show();
        QVERIFY(QTest::qWaitForWindowActive(window));
        window->openPath(root);
        QTRY_VERIFY_WITH_TIMEOUT(window->workspace()->isOpen() && window->isSettled(), kWaitMs);
        int steps = 0;
        {
            Monkey monkey(*host, seed);
            QElapsedTimer timer;
            timer.start();
            while (timer.elapsed() < limitMs) {
                monkey.step();
                if (++steps % kStepsBetweenChecks != 0)
                    continue;
                bool answered = false;
                QTimer::singleShot(0, host.get(), [&answered] { answered = true; });
                QVERIFY2(QTest::qWaitFor([&answered] { return answered; }, kWaitMs), qPrintable(QStringLiteral("no answer after %1 steps").arg(steps)));
                QCOMPARE(QFileInfo(host->window()->workspace()->root()).canonicalFilePath(), QFileInfo(root).canonicalFilePath());
            }
        }
        qInfo("%d steps", steps);
        QVERIFY(steps > 20);
        host->window()->runController()->cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!host->window()->runController()->isRunning(), kWaitMs);
        host.reset();
        QCOMPARE(filesOf(root, false), before);
        QCOMPARE(filesOf(sample, true), sampleBefore);
        QVERIFY(bystander.open(QIODevice::ReadOnly));
        QCOMPARE(bystander.readAll(), QByteArray("stays"));
    }

private:
    QTemporaryDir m_home;
};

QTEST_MAIN(TestMonkey)
#include "test_monkey.moc"
