// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>

#include "ui/models/number_format.h"

using namespace tracedeck::ui;

class TestNumberFormat : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void significantDigits_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::addRow("zero") << 0.0 << "0";
        QTest::addRow("below one") << 0.0123449 << "0.01234";
        QTest::addRow("one digit before the point") << 1.23449 << "1.234";
        QTest::addRow("rounds up to the next power") << 9.99996 << "10.00";
        QTest::addRow("rounds up to 1000") << 999.96 << "1000";
        QTest::addRow("more digits than asked for stay") << 123456.7 << "123457";
        QTest::addRow("negative") << -12.345 << "-12.35";
        QTest::addRow("tiny") << 1.2344e-9 << "1.234e-09";
        QTest::addRow("not a number") << std::numeric_limits<double>::quiet_NaN() << QStringLiteral("–");
        QTest::addRow("infinite") << std::numeric_limits<double>::infinity() << QStringLiteral("∞");
    }
    void significantDigits()
    {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(significantText(value), text);
    }

    void durations_data()
    {
        QTest::addColumn<double>("milliseconds");
        QTest::addColumn<QString>("text");
        QTest::addRow("nanoseconds") << 0.000512 << QStringLiteral("512\u202Fns");
        QTest::addRow("microseconds") << 0.01234 << QStringLiteral("12.34\u202Fµs");
        QTest::addRow("round microseconds lose their zeros") << 0.01 << QStringLiteral("10\u202Fµs");
        QTest::addRow("rounds to the next unit") << 0.99999 << QStringLiteral("1\u202Fms");
        QTest::addRow("milliseconds") << 1.5 << QStringLiteral("1.5\u202Fms");
        QTest::addRow("seconds") << 2100.0 << QStringLiteral("2.1\u202Fs");
        QTest::addRow("zero") << 0.0 << QStringLiteral("0\u202Fns");
    }
    void durations()
    {
        QFETCH(double, milliseconds);
        QFETCH(QString, text);
        QCOMPARE(durationText(milliseconds), text);
    }

    void errors_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::addRow("none") << 0.0 << "0";
        QTest::addRow("small") << 1.2345e-5 << "1.234e-05";
        QTest::addRow("middling") << 0.0123449 << "0.01234";
        QTest::addRow("large") << 123456.0 << "1.235e+05";
        QTest::addRow("infinite") << std::numeric_limits<double>::infinity() << QStringLiteral("∞");
    }
    void errors()
    {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(errorText(value), text);
    }

    void exactNumbersReadBackAsTheSame()
    {
        const double value = 0.1 + 0.2;
        QCOMPARE(exactText(value).toDouble(), value);
        QVERIFY(exactText(std::numeric_limits<double>::quiet_NaN()).isEmpty());
    }

    void spansNameTwoUnitsAtMost()
    {
        QCOMPARE(spanText(12.4), QStringLiteral("12 s"));
        QCOMPARE(spanText(200), QStringLiteral("3 min 20 s"));
        QCOMPARE(spanText(3900), QStringLiteral("1 h 5 min"));
    }
};

QTEST_GUILESS_MAIN(TestNumberFormat)
#include "test_number_format.moc"
