// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <limits>
#include <thread>

#include "core/io/frame.h"

using namespace tracedeck;

namespace {

struct Pair {
    FrameSocket one;
    FrameSocket two;
};

Pair makePair(std::size_t maxBytes = kMaxHostFrameBytes)
{
    auto ends = FrameSocket::makePair();
    return {FrameSocket(std::move(ends->first), maxBytes), FrameSocket(std::move(ends->second), maxBytes)};
}

/// A socket whose other end is written to byte by byte.
struct RawPair {
    FrameSocket frames;
    FileDescriptor raw;
};

RawPair makeRawPair(std::size_t maxBytes = kMaxHostFrameBytes)
{
    auto ends = FrameSocket::makePair();
    return {FrameSocket(std::move(ends->first), maxBytes), std::move(ends->second)};
}

bool writeAll(int descriptor, const std::string& bytes)
{
    return ::write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
}

std::string header(std::uint32_t length)
{
    std::string bytes(4, '\0');
    for (std::size_t i = 0; i < 4; ++i) bytes[i] = static_cast<char>(length >> (8 * i) & 0xFFU);
    return bytes;
}

}  // namespace

class TestFrame : public QObject {
    Q_OBJECT

private slots:
    void sendsAndReceivesInOrder();
    void carriesDescriptorsWithTheirFrame();
    void keepsAHalfFrameOverATimeout();
    void carriesLargeFramesThroughASmallSocket();
    void sendingTimesOutWhenNobodyReads();
    void saysThatTheOtherEndIsGone();
    void refusesBrokenStreams_data();
    void refusesBrokenStreams();
    void refusesToSendTooMuch();
    void replacesInvalidUtf8();
    void parsesWhateverTheGrouping_data();
    void parsesWhateverTheGrouping();
    void expectsAnOp();
    void deadlinesAreBounded();
};

void TestFrame::sendsAndReceivesInOrder()
{
    Pair pair = makePair();
    for (int i = 0; i < 3; ++i) QVERIFY(pair.one.send({{"op", "count"}, {"i", i}}, deadlineAfter(5)).has_value());
    for (int i = 0; i < 3; ++i) {
        const auto frame = pair.two.receive(deadlineAfter(5));
        QVERIFY(frame.has_value());
        QCOMPARE(frame->op(), std::string("count"));
        QCOMPARE(frame->body.at("i").get<int>(), i);
        QVERIFY(frame->descriptors.empty());
    }
    QVERIFY(!pair.two.waitReadable(deadlineAfter(0.01)));
}

void TestFrame::carriesDescriptorsWithTheirFrame()
{
    Pair pair = makePair();
    const FileDescriptor block(::memfd_create("test", MFD_CLOEXEC));
    QVERIFY(writeAll(block.get(), "shared"));
    const std::vector<int> two{block.get(), block.get()};
    QVERIFY(pair.one.send({{"op", "plain"}}, deadlineAfter(5)).has_value());
    QVERIFY(pair.one.send({{"op", "blocks"}}, deadlineAfter(5), two).has_value());
    QVERIFY(pair.one.send({{"op", "plain"}}, deadlineAfter(5)).has_value());
    QCOMPARE(pair.two.receive(deadlineAfter(5))->descriptors.size(), std::size_t{0});
    const auto frame = pair.two.receive(deadlineAfter(5));
    QVERIFY(frame.has_value());
    QCOMPARE(frame->descriptors.size(), std::size_t{2});
    for (const FileDescriptor& descriptor : frame->descriptors) {
        QVERIFY(descriptor.get() != block.get());
        QVERIFY((::fcntl(descriptor.get(), F_GETFD) & FD_CLOEXEC) != 0);
        char text[6] = {};
        QCOMPARE(::pread(descriptor.get(), text, sizeof text, 0), static_cast<ssize_t>(sizeof text));
        QCOMPARE(std::string(text, sizeof text), std::string("shared"));
    }
    QCOMPARE(pair.two.receive(deadlineAfter(5))->descriptors.size(), std::size_t{0});
}

void TestFrame::keepsAHalfFrameOverATimeout()
{
    RawPair pair = makeRawPair();
    const std::string bytes = encodeFrame({{"op", "slow"}, {"text", std::string(100, 'x')}});
    QVERIFY(writeAll(pair.raw.get(), bytes.substr(0, 2)));
    QCOMPARE(pair.frames.receive(deadlineAfter(0.01)).error().code, ErrorCode::TimedOut);
    QVERIFY(writeAll(pair.raw.get(), bytes.substr(2, 48)));
    QCOMPARE(pair.frames.receive(deadlineAfter(0.01)).error().code, ErrorCode::TimedOut);
    QVERIFY(writeAll(pair.raw.get(), bytes.substr(50)));
    const auto frame = pair.frames.receive(deadlineAfter(5));
    QVERIFY(frame.has_value());
    QCOMPARE(frame->body.at("text").get<std::string>().size(), std::size_t{100});
}

void TestFrame::carriesLargeFramesThroughASmallSocket()
{
    Pair pair = makePair(kMaxProgramFrameBytes);
    const std::string text(std::size_t{8} << 20, 'y');
    std::thread sender([&] { static_cast<void>(pair.one.send({{"op", "large"}, {"text", text}}, deadlineAfter(60))); });
    const auto frame = pair.two.receive(deadlineAfter(60));
    sender.join();
    QVERIFY(frame.has_value());
    QCOMPARE(frame->body.at("text").get<std::string>(), text);
}

void TestFrame::sendingTimesOutWhenNobodyReads()
{
    Pair pair = makePair(kMaxProgramFrameBytes);
    const auto sent = pair.one.send({{"op", "large"}, {"text", std::string(std::size_t{8} << 20, 'z')}}, deadlineAfter(0.05));
    QVERIFY(!sent.has_value());
    QCOMPARE(sent.error().code, ErrorCode::TimedOut);
}

void TestFrame::saysThatTheOtherEndIsGone()
{
    Pair pair = makePair();
    pair.two.close();
    QCOMPARE(pair.one.receive(deadlineAfter(5)).error().code, ErrorCode::ProcessFailed);
    QCOMPARE(pair.one.receive(deadlineAfter(5)).error().code, ErrorCode::ProcessFailed);
    QCOMPARE(pair.one.send({{"op", "hello"}}, deadlineAfter(5)).error().code, ErrorCode::ProcessFailed);
}

void TestFrame::refusesBrokenStreams_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, const std::string& bytes, const char* reason) {
        QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())) << QString::fromUtf8(reason);
    };
    const auto framed = [](const std::string& text) { return header(static_cast<std::uint32_t>(text.size())) + text; };
    row("no length", header(0), "0 bytes");
    row("too long", header(1025), "1025 bytes");
    row("absurdly long", header(0xFFFFFFFFU), "4294967295 bytes");
    row("not JSON", framed("op"), "not JSON");
    row("half a JSON", framed("{\"op\":"), "not JSON");
    row("a list", framed("[1]"), "`op`");
    row("no op", framed("{\"v\":1}"), "`op`");
    row("op is a number", framed("{\"op\":1}"), "`op`");
    row("nested too deeply", framed(std::string(400, '[') + std::string(400, ']')), "not JSON");
}

void TestFrame::refusesBrokenStreams()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, reason);
    RawPair pair = makeRawPair(1024);
    QVERIFY(writeAll(pair.raw.get(), bytes.toStdString()));
    const auto frame = pair.frames.receive(deadlineAfter(5));
    QVERIFY(!frame.has_value());
    QCOMPARE(frame.error().code, ErrorCode::InvalidInput);
    QVERIFY2(QString::fromStdString(frame.error().reason).contains(reason), frame.error().reason.c_str());
    // Nothing that follows is believed any more.
    QVERIFY(writeAll(pair.raw.get(), encodeFrame({{"op", "fine"}})));
    QCOMPARE(pair.frames.receive(deadlineAfter(5)).error().code, ErrorCode::InvalidInput);
}

void TestFrame::refusesToSendTooMuch()
{
    Pair pair = makePair();
    const std::vector<int> many(kMaxFrameDescriptors + 1, 0);
    QCOMPARE(pair.one.send({{"op", "many"}}, deadlineAfter(5), many).error().code, ErrorCode::InvalidInput);
    QCOMPARE(pair.one.send({{"op", "large"}, {"text", std::string(kMaxProgramFrameBytes, 'x')}}, deadlineAfter(5)).error().code, ErrorCode::InvalidInput);
}

void TestFrame::replacesInvalidUtf8()
{
    Pair pair = makePair();
    QVERIFY(pair.one.send({{"op", "text"}, {"text", "a\xFF" "b"}}, deadlineAfter(5)).has_value());
    QCOMPARE(pair.two.receive(deadlineAfter(5))->body.at("text").get<std::string>(), std::string("a\xEF\xBF\xBD" "b"));
}

void TestFrame::parsesWhateverTheGrouping_data()
{
    QTest::addColumn<int>("size");
    for (const int size : {1, 2, 3, 4, 5, 7, 64, 1000}) QTest::addRow("%d bytes at a time", size) << size;
}

void TestFrame::parsesWhateverTheGrouping()
{
    QFETCH(int, size);
    const std::string bytes = encodeFrame({{"op", "one"}}) + encodeFrame({{"op", "two"}, {"list", {1, 2, 3}}}) + encodeFrame({{"op", "three"}});
    FrameParser parser(1024);
    std::vector<std::string> ops;
    for (std::size_t begin = 0; begin < bytes.size(); begin += static_cast<std::size_t>(size)) {
        const std::string_view part = std::string_view(bytes).substr(begin, static_cast<std::size_t>(size));
        std::span<const char> rest(part.data(), part.size());
        while (!rest.empty()) {
            QVERIFY(parser.wanted() > 0);
            auto message = parser.feed(rest);
            QVERIFY(message.has_value());
            if (*message) ops.push_back((*message)->at("op").get<std::string>());
        }
    }
    QCOMPARE(ops, (std::vector<std::string>{"one", "two", "three"}));
    QVERIFY(parser.isIdle());
}

void TestFrame::expectsAnOp()
{
    Frame frame{{{"op", "fatal"}, {"message", "no torch"}}, {}};
    QVERIFY(expectOp(frame, "fatal").has_value());
    const auto unexpected = expectOp(frame, "hello");
    QVERIFY(!unexpected.has_value());
    QVERIFY(unexpected.error().reason.find("no torch") != std::string::npos);
}

void TestFrame::deadlinesAreBounded()
{
    const auto now = FrameClock::now();
    const Deadline past = deadlineAfter(-5);
    QVERIFY(past <= FrameClock::now());
    QVERIFY(deadlineAfter(1e300) > now);
    QVERIFY(deadlineAfter(std::numeric_limits<double>::infinity()) > now);
    const Deadline none = deadlineAfter(std::numeric_limits<double>::quiet_NaN());
    QVERIFY(none <= FrameClock::now());
}

QTEST_GUILESS_MAIN(TestFrame)
#include "test_frame.moc"
