// SPDX-License-Identifier: GPL-3.0-or-later
// The walls around processes that run strangers' code: which there can be, what they let through, and where control groups are made.
#include <QtTest>

#include <QTemporaryDir>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "core/confine/abilities.h"
#include "core/confine/confined_program.h"
#include "core/io/child_process.h"
#include "core/judge/limit_watch.h"

using namespace tracedeck;
using namespace tracedeck::confine;
namespace fs = std::filesystem;


namespace {

const char* const kWorker = TRACEDECK_BIN_DIR "/tracedeck-worker";

}  // namespace

class TestConfinement : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void findsWhereGroupsCanBeMade_data();
    void findsWhereGroupsCanBeMade();
    void makesGroupsInATreeOfFiles();
    void fallsBackToTreesOfTheFirstVersion();
    void keepsOnlyGroupsThatCanBeJoined();
    void removesGroupsOfDeadJudges();
    void realGroupsLimitFreezeAndKill();
    void plansSurviveTheirText();
    void refusesPlansThatMakeNoSense();
    void levelsFollowFromTheWalls_data();
    void levelsFollowFromTheWalls();
    void wishesRestrict();
    void showsNothingButThePlan_data();
    void showsNothingButThePlan();
    void programsEndAsTheyWould_data();
    void programsEndAsTheyWould();
    void saysWhyAWallCannotBePutUp();
    void forbiddenNamespacesLeaveTheOtherWalls();
    void watchKillsWhatTakesTooMuch_data();
    void watchKillsWhatTakesTooMuch();

private:
    /// Runs a shell script behind walls.
    CapturedRun confined(const Plan& plan, const std::string& script)
    {
        ChildSpec spec;
        spec.command = {kWorker, "confined", encodePlan(plan), "/bin/sh", "-c", script};
        spec.workingFolder = m_scratch;
        auto run = runCaptured(spec, {.timeoutSeconds = 60, .mergeErrorOutput = true});
        if (!run) throw std::runtime_error(run.error().toString());
        return *run;
    }
    /// As strict a plan as this machine allows, or one of its parts.
    Plan plan(bool withNamespaces) const
    {
        Plan made;
        made.namespaces = withNamespaces ? m_abilities.namespaces : Namespaces::None;
        made.landlock = m_abilities.landlock;
        made.filtersCalls = m_abilities.filtersCalls;
        made.viewFolder = m_view;
        made.writable = {m_scratch};
        return made;
    }

    QTemporaryDir m_folder;
    std::string m_scratch;
    std::string m_view;
    std::string m_secret;
    Abilities m_abilities;
};

void TestConfinement::initTestCase()
{
    const fs::path root = m_folder.path().toStdString();
    for (const char* name : {"scratch", "view", "hidden"}) fs::create_directory(root / name);
    m_scratch = root / "scratch";
    m_view = root / "view";
    m_secret = root / "hidden/secret";
    std::ofstream(m_secret) << "forty-two\n";
    auto abilities = askAbilities(kWorker, root, {});
    QVERIFY2(abilities.has_value(), abilities ? "" : abilities.error().toString().c_str());
    m_abilities = std::move(*abilities);
    QVERIFY(fs::is_empty(root / "view"));
}

void TestConfinement::findsWhereGroupsCanBeMade_data()
{
    QTest::addColumn<QString>("mounts");
    QTest::addColumn<QString>("own");
    QTest::addColumn<GroupPlaces>("places");

    QTest::newRow("version 2 alone, as on a desktop")
        << "24 30 0:22 / /proc rw,nosuid - proc proc rw\n35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
        << "0::/user.slice/user-1000.slice/user@1000.service/app.slice/term.scope\n"
        << GroupPlaces{{}, {}, {"/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/term.scope",
                                "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice",
                                "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service", "/sys/fs/cgroup/user.slice/user-1000.slice",
                                "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"}};
    QTest::newRow("hybrid: limits in trees of the first version")
        << "30 29 0:25 / /sys/fs/cgroup ro - tmpfs tmpfs ro\n31 30 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
           "32 30 0:27 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n33 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
           "34 30 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
        << "9:name=systemd:/\n8:pids:/\n4:memory:/jobs/one\n2:cpu,cpuacct:/\n0::/\n"
        << GroupPlaces{"/sys/fs/cgroup/memory/jobs/one", "/sys/fs/cgroup/pids/", {"/sys/fs/cgroup/unified"}};
    QTest::newRow("a container that sees its own group as the root")
        << "35 24 0:30 /docker/abc /sys/fs/cgroup ro,nosuid master:9 - cgroup2 cgroup rw\n" << "0::/docker/abc\n" << GroupPlaces{{}, {}, {"/sys/fs/cgroup"}};
    QTest::newRow("a group outside of what is mounted")
        << "35 24 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n" << "0::/../../elsewhere\n" << GroupPlaces{{}, {}, {"/sys/fs/cgroup"}};
    QTest::newRow("blanks in a path") << "31 30 0:26 / /my\\040groups rw - cgroup cgroup rw,memory\n" << "4:memory:/a b\n" << GroupPlaces{"/my groups/a b", {}, {}};
    QTest::newRow("a colon in a group's name") << "31 30 0:26 / /m rw - cgroup cgroup rw,memory\n" << "4:memory:/a:b\n" << GroupPlaces{"/m/a:b", {}, {}};
    QTest::newRow("no groups at all") << "24 30 0:22 / /proc rw - proc proc rw\n" << "" << GroupPlaces{};
    QTest::newRow("nonsense") << "a b c\n - \n1 2 3 4 5 - x\n" << ":\n::\nx\n" << GroupPlaces{};
}

void TestConfinement::findsWhereGroupsCanBeMade()
{
    QFETCH(QString, mounts);
    QFETCH(QString, own);
    QFETCH(GroupPlaces, places);
    const GroupPlaces found = findGroupPlaces(mounts.toStdString(), own.toStdString());
    QCOMPARE(found.memory, places.memory);
    // A tree's own root, with or without a slash, is one place.
    QCOMPARE(fs::path(found.pids + "/").lexically_normal(), fs::path(places.pids + "/").lexically_normal());
    QCOMPARE(found.unified, places.unified);
}

void TestConfinement::makesGroupsInATreeOfFiles()
{
    // Folders stand in for the kernel's tree; they have none of its files, so nothing can be limited there.
    const QTemporaryDir tree;
    const std::string root = tree.path().toStdString();
    fs::create_directories(root + "/slice/scope");
    ControlGroups groups({{}, {}, {root + "/slice/scope", root + "/slice"}});
    auto group = groups.make({std::uint64_t{1} << 30U, 10});
    QVERIFY(group);
    QCOMPARE(group->folders().size(), std::size_t{1});
    QVERIFY(group->folders().front().starts_with(root + "/slice/scope/tracedeck-" + std::to_string(::getpid())));
    QVERIFY(!group->limitsMemory() && !group->limitsProcesses());
    QVERIFY(!group->freeze() && !group->kill() && !group->hasRunOutOfMemory() && !group->wantedMoreProcesses());
    const std::string folder = group->folders().front();
    QVERIFY(fs::is_directory(folder));
    group.reset();
    QVERIFY(!fs::exists(folder));
    QVERIFY(fs::is_empty(root + "/slice/scope"));
    ControlGroups nowhere({"/nonexistent/memory", "/nonexistent/pids", {"/nonexistent/unified"}});
    QVERIFY(!nowhere.make({1, 1}));
}

void TestConfinement::fallsBackToTreesOfTheFirstVersion()
{
    const QTemporaryDir tree;
    const std::string root = tree.path().toStdString();
    for (const char* name : {"memory", "pids", "unified"}) fs::create_directory(root + "/" + name);
    ControlGroups groups({root + "/memory", root + "/pids", {root + "/unified"}});
    const auto group = groups.make({4096, 10});
    QVERIFY(group);
    // The kernel makes the files of a new group; here they are missing, which is no limit.
    QCOMPARE(group->folders().size(), std::size_t{3});
    QVERIFY(!group->limitsMemory() && !group->limitsProcesses());
}

void TestConfinement::keepsOnlyGroupsThatCanBeJoined()
{
    const QTemporaryDir tree;
    const std::string root = tree.path().toStdString();
    for (const char* name : {"memory", "pids", "unified"}) fs::create_directory(root + "/" + name);
    ControlGroups groups({root + "/memory", root + "/pids", {root + "/unified"}});
    auto trial = groups.make({4096, 10});
    groups.keepOnly(*trial, {trial->folders().front()});
    trial.reset();
    const auto group = groups.make({4096, 10});
    QVERIFY(group);
    QCOMPARE(group->folders().size(), std::size_t{1});
    QVERIFY(group->folders().front().starts_with(root + "/unified/"));
    groups.keepOnly(*group, {});
    QVERIFY(!groups.make({4096, 10}));
}

void TestConfinement::removesGroupsOfDeadJudges()
{
    const QTemporaryDir tree;
    const std::string root = tree.path().toStdString();
    const pid_t dead = ::fork();
    if (dead == 0) ::_exit(0);
    QCOMPARE(::waitpid(dead, nullptr, 0), dead);
    const std::string left = root + "/tracedeck-" + std::to_string(dead) + "-1";
    const std::string living = root + "/tracedeck-" + std::to_string(::getppid()) + "-1";
    for (const std::string& folder : {left, living, root + "/other", root + "/tracedeck-x"}) fs::create_directory(folder);
    const ControlGroups groups({{}, {}, {root}});
    QVERIFY(!fs::exists(left));
    QVERIFY(fs::exists(living) && fs::exists(root + "/other") && fs::exists(root + "/tracedeck-x"));
}

void TestConfinement::realGroupsLimitFreezeAndKill()
{
    ControlGroups groups(findGroupPlaces());
    const auto abilities = findAbilities(kWorker, m_folder.path().toStdString(), groups, {std::uint64_t{1} << 30U, 20});
    QVERIFY(abilities);
    auto group = groups.make({std::uint64_t{1} << 30U, 20});
    if (!group) QSKIP("no control group can be made here");
    Plan joined;
    joined.groups = group->folders();
    if (group->limitsProcesses()) {
        const auto run = confined(joined, "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do sleep 5 & done; echo all");
        QVERIFY2(!run.exit.succeeded() || run.output.find("ork") != std::string::npos, run.output.c_str());
        QVERIFY(group->wantedMoreProcesses());
    }
    ChildSpec spec;
    spec.command = {kWorker, "confined", encodePlan(joined), "/bin/sh", "-c", "while :; do :; done"};
    auto child = ChildProcess::spawn(spec);
    QVERIFY(child);
    QTRY_VERIFY(judge::processorNsOfTrees({child->pid()}) > 20'000'000);
    if (group->freeze()) {
        const auto before = judge::processorNsOfTrees({child->pid()});
        QTest::qWait(50);
        QCOMPARE(judge::processorNsOfTrees({child->pid()}), before);
        group->thaw();
        QTRY_VERIFY(judge::processorNsOfTrees({child->pid()}) > before);
        QTRY_VERIFY(judge::wantProcessors({child->pid()}));
        QVERIFY(group->kill());
        QVERIFY(child->wait(10));
    }
    child->killTree();
    const auto folders = group->folders();
    group.reset();
    for (const std::string& folder : folders) QVERIFY2(!fs::exists(folder), folder.c_str());
}

void TestConfinement::plansSurviveTheirText()
{
    Plan whole;
    whole.namespaces = Namespaces::Processes;
    whole.usesGpu = true;
    whole.readable = {"/a b", "/ä"};
    whole.writable = {"/c"};
    whole.viewFolder = "/v";
    whole.landlock = 7;
    whole.filtersCalls = true;
    whole.groups = {"/g1", "/g2"};
    whole.processLimit = 12;
    whole.dataBytes = std::uint64_t{1} << 40U;
    whole.judge = 77;
    whole.hidesMemory = true;
    const auto read = decodePlan(encodePlan(whole));
    QVERIFY(read);
    QCOMPARE(encodePlan(*read), encodePlan(whole));
    QCOMPARE(read->readable, whole.readable);
    QCOMPARE(read->dataBytes, whole.dataBytes);
}

void TestConfinement::refusesPlansThatMakeNoSense()
{
    for (const char* text : {"", "{}", "[1]", "{\"namespaces\":3}", "nonsense"}) {
        QVERIFY(!decodePlan(text));
        ChildSpec spec;
        spec.command = {kWorker, "confined", text, "/bin/true"};
        const auto run = runCaptured(spec, {.timeoutSeconds = 20, .mergeErrorOutput = true});
        QVERIFY(run);
        QCOMPARE(run->exit.exitCode, kUnconfinedExitCode);
        QVERIFY(run->output.find("not understood") != std::string::npos);
    }
}

void TestConfinement::levelsFollowFromTheWalls_data()
{
    QTest::addColumn<QString>("namespaces");
    QTest::addColumn<int>("landlock");
    QTest::addColumn<bool>("filters");
    QTest::addColumn<QString>("level");
    QTest::newRow("all") << "full" << 7 << true << "full";
    QTest::newRow("without the second line") << "full" << 0 << true << "full";
    QTest::newRow("calls not filtered") << "full" << 7 << false << "partial";
    QTest::newRow("the outer /proc") << "processes" << 7 << true << "partial";
    QTest::newRow("no namespaces") << "none" << 7 << true << "partial";
    QTest::newRow("a filter alone") << "none" << 0 << true << "partial";
    QTest::newRow("nothing") << "none" << 0 << false << "none";
}

void TestConfinement::levelsFollowFromTheWalls()
{
    QFETCH(QString, namespaces);
    QFETCH(int, landlock);
    QFETCH(bool, filters);
    QFETCH(QString, level);
    Abilities abilities;
    abilities.namespaces = namespacesFromString(namespaces.toStdString());
    abilities.landlock = landlock;
    abilities.filtersCalls = filters;
    QCOMPARE(QString(abilities.level()), level);
    QCOMPARE(abilities.missing().empty(), level == "full");
}

void TestConfinement::wishesRestrict()
{
    Abilities all;
    all.namespaces = Namespaces::Full;
    all.landlock = 7;
    all.filtersCalls = true;
    QCOMPARE(restrictTo(all, Wish::Auto)->level(), "full");
    QCOMPARE(restrictTo(all, Wish::Full)->level(), "full");
    QCOMPARE(restrictTo(all, Wish::Partial)->names(), (std::vector<std::string>{"landlock 7", "calls"}));
    QCOMPARE(restrictTo(all, Wish::None)->level(), "none");
    Abilities some = all;
    some.namespaces = Namespaces::None;
    some.whyNotFull = "namespaces are refused: Operation not permitted";
    const auto refused = restrictTo(some, Wish::Full);
    QVERIFY(!refused);
    QVERIFY(refused.error().reason.find("Operation not permitted") != std::string::npos && refused.error().reason.find("doctor") != std::string::npos);
    QVERIFY(!wishFromString("strict"));
    QVERIFY(wishFromString("partial") && *wishFromString("partial") == Wish::Partial);
}

void TestConfinement::showsNothingButThePlan_data()
{
    QTest::addColumn<bool>("withNamespaces");
    QTest::newRow("all walls") << true;
    QTest::newRow("no namespaces") << false;
}

void TestConfinement::showsNothingButThePlan()
{
    QFETCH(bool, withNamespaces);
    if (m_abilities.landlock == 0 && (!withNamespaces || m_abilities.namespaces == Namespaces::None)) QSKIP("no wall around files can be put up here");
    const Plan walls = plan(withNamespaces);
    const auto run = confined(walls, "cat '" + m_secret + "' && echo read; echo x > '" + m_secret + "' && echo wrote; rm '" + m_secret + "' && echo deleted; "
                                     "echo mine > note && cat note; ls /usr > /dev/null && echo usr; echo x > /usr/tracedeck && echo usr-written; "
                                     "echo x > /proc/sys/kernel/hostname && echo proc-written; exit 7");
    QCOMPARE(run.exit.exitCode, 7);
    for (const char* never : {"forty-two", "read\n", "wrote", "deleted", "usr-written", "proc-written"}) QVERIFY2(run.output.find(never) == std::string::npos, run.output.c_str());
    for (const char* always : {"mine\n", "usr\n"}) QVERIFY2(run.output.find(always) != std::string::npos, run.output.c_str());
    std::ifstream secret(m_secret);
    QCOMPARE((std::string{std::istreambuf_iterator<char>(secret), std::istreambuf_iterator<char>()}), std::string("forty-two\n"));
    // What it was given to read it may read, and no more.
    Plan more = walls;
    more.readable = {m_secret};
    const auto shown = confined(more, "cat '" + m_secret + "'; echo x >> '" + m_secret + "' || echo kept");
    QVERIFY2(shown.output.starts_with("forty-two\n") && shown.output.find("kept") != std::string::npos, shown.output.c_str());
    // A link is followed, and what it leads to is shown as it is: read-only.
    const fs::path link = fs::path(m_secret).parent_path() / "link";
    std::error_code ignored;
    fs::create_symlink("secret", link, ignored);
    more.readable = {link.string()};
    QVERIFY(confined(more, "cat '" + link.string() + "'").output.starts_with("forty-two\n"));
}

void TestConfinement::programsEndAsTheyWould_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("signal");
    QTest::newRow("success") << "exit 0" << 0 << 0;
    QTest::newRow("failure") << "exit 3" << 3 << 0;
    QTest::newRow("signal") << "kill -SEGV $$" << -1 << SIGSEGV;
    QTest::newRow("killed") << "kill -KILL $$" << -1 << SIGKILL;
    QTest::newRow("a daemon that it leaves behind ends with it") << "(setsid sleep 1000 > /dev/null 2>&1 &) ; exit 4" << 4 << 0;
}

void TestConfinement::programsEndAsTheyWould()
{
    QFETCH(QString, script);
    QFETCH(int, code);
    QFETCH(int, signal);
    const auto run = confined(plan(true), script.toStdString());
    QCOMPARE(run.exit.exitCode, code);
    QCOMPARE(run.exit.signal, signal);
    QVERIFY(!run.timedOut);
}

void TestConfinement::saysWhyAWallCannotBePutUp()
{
    Plan impossible = plan(true);
    impossible.groups = {"/nonexistent/group"};
    const auto run = confined(impossible, "echo it runs");
    QCOMPARE(run.exit.exitCode, kUnconfinedExitCode);
    QVERIFY2(run.output.find("/nonexistent/group") != std::string::npos && run.output.find("it runs") == std::string::npos, run.output.c_str());
    if (m_abilities.namespaces == Namespaces::None) return;
    impossible = plan(true);
    impossible.viewFolder = "/nonexistent/view";
    const auto blind = confined(impossible, "echo it runs");
    QCOMPARE(blind.exit.exitCode, kUnconfinedExitCode);
    QVERIFY2(blind.output.find("/nonexistent/view") != std::string::npos && blind.output.find("it runs") == std::string::npos, blind.output.c_str());
}

/// As on a system whose administrator allows no user namespaces: there is one around the whole, in which no other can be made.
void TestConfinement::forbiddenNamespacesLeaveTheOtherWalls()
{
    if (m_abilities.namespaces == Namespaces::None) QSKIP("they are forbidden here: every other test shows it");
    const fs::path unshare = findProgram("unshare");
    if (unshare.empty()) QSKIP("there is no unshare program");
    const QTemporaryDir view;
    ChildSpec spec;
    spec.command = {unshare.string(), "--user", "--map-root-user", "/bin/sh", "-c",
                    "echo 0 > /proc/sys/user/max_user_namespaces && exec " + std::string(kWorker) + " probe " + view.path().toStdString()};
    const auto run = runCaptured(spec, {.timeoutSeconds = 20});
    QVERIFY(run);
    if (!run->exit.succeeded()) QSKIP("namespaces can't be forbidden for a part of this system");
    const auto answer = QJsonDocument::fromJson(QByteArray::fromStdString(run->output)).object();
    QCOMPARE(answer["namespaces"].toString(), QString("none"));
    QVERIFY(!answer["why_not_full"].toString().isEmpty());
    QCOMPARE(answer["landlock"].toInt(), m_abilities.landlock);
    QCOMPARE(answer["why_no_filter"].toString().isEmpty(), m_abilities.filtersCalls);
}

void TestConfinement::watchKillsWhatTakesTooMuch_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("reason");
    QTest::newRow("too many processes") << "for i in 1 2 3 4 5 6 7 8; do sleep 1000 & done; wait" << "limit ";
    QTest::newRow("too much memory") << "x=0123456789abcdef; while :; do x=$x$x; done" << "oom ";
    QTest::newRow("little of both") << "sleep 0.3" << "";
}

void TestConfinement::watchKillsWhatTakesTooMuch()
{
    QFETCH(QString, script);
    QFETCH(QString, reason);
    judge::LimitWatch watch;
    ChildSpec spec;
    spec.command = {"/bin/sh", "-c", script.toStdString()};
    auto child = ChildProcess::spawn(spec);
    QVERIFY(child);
    const auto entry = watch.add(child->pid(), -1, {.memoryBytes = std::uint64_t{200} << 20U, .processes = 6, .watchesMemory = true, .watchesProcesses = true});
    QVERIFY(entry);
    const auto exit = child->wait(60);
    QVERIFY(exit);
    QCOMPARE(exit->signal, reason.isEmpty() ? 0 : SIGKILL);
    QVERIFY(QString::fromStdString(watch.brokenLimit(*entry)).startsWith(reason));
    QCOMPARE(watch.brokenLimit(*entry).empty(), reason.isEmpty());
    watch.remove(entry);
    QVERIFY(!watch.add(child->pid(), -1, {}));
}

QTEST_GUILESS_MAIN(TestConfinement)
#include "test_confinement.moc"
