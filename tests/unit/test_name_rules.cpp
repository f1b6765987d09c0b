// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/model/name_rules.h"
#include "core/model/python_source.h"

using namespace tracedeck;

class TestNameRules : public QObject {
    Q_OBJECT
private slots:
    void namesThatNoFileCanHaveAreFound_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("fault");
        QTest::newRow("usual") << QByteArray("gemm_n4096") << "";
        QTest::newRow("dots inside") << QByteArray("a..b.c") << "";
        QTest::newRow("blank and umlaut") << QByteArray("gr\xC3\xB6\xC3\x9F" "e 4") << "";
        QTest::newRow("empty") << QByteArray("") << "empty";
        QTest::newRow("here") << QByteArray(".") << "'.'";
        QTest::newRow("up") << QByteArray("..") << "'..'";
        QTest::newRow("path that leads up") << QByteArray("../x") << "'/'";
        QTest::newRow("path") << QByteArray("a/b") << "'/'";
        QTest::newRow("absolute") << QByteArray("/etc/passwd") << "'/'";
        QTest::newRow("backslash") << QByteArray("a\\b") << "'\\'";
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << "NUL";
    }
    void namesThatNoFileCanHaveAreFound()
    {
        QFETCH(QByteArray, name);
        QFETCH(QString, fault);
        const QString found = QString::fromStdString(fileNameFault(name.toStdString()));
        QCOMPARE(found.isEmpty(), fault.isEmpty());
        QVERIFY2(found.contains(fault), qPrintable(found));
    }

    void namesThatDeceiveTheEyeAreFound_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("fault");
        QTest::newRow("usual") << QByteArray("gemm_n4096") << "";
        QTest::newRow("other scripts") << QByteArray("\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xE6\xA0\xB8 \xF0\x9F\x98\x80") << "";
        QTest::newRow("escape") << QByteArray("a\x1B[2J") << "U+001B";
        QTest::newRow("line end") << QByteArray("a\nb") << "U+000A";
        QTest::newRow("C1 control") << QByteArray("a\xC2\x9B") << "U+009B";
        QTest::newRow("line separator") << QByteArray("a\xE2\x80\xA8") << "U+2028";
        QTest::newRow("right-to-left override") << QByteArray("a\xE2\x80\xAE" "b") << "U+202E";
        QTest::newRow("isolate") << QByteArray("a\xE2\x81\xA6") << "U+2066";
        QTest::newRow("no width") << QByteArray("a\xE2\x80\x8B" "b") << "U+200B";
        QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBF" "a") << "U+FEFF";
        QTest::newRow("cut off") << QByteArray("a\xE2\x80") << "";
    }
    void namesThatDeceiveTheEyeAreFound()
    {
        QFETCH(QByteArray, name);
        QFETCH(QString, fault);
        const QString found = QString::fromStdString(displayFault(name.toStdString()));
        QCOMPARE(found.isEmpty(), fault.isEmpty());
        QVERIFY2(found.contains(fault), qPrintable(found));
    }

    void nearNamesAreOffered_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("hint");
        QTest::newRow("one letter off") << "infi" << "; did you mean 'info'?";
        QTest::newRow("letters swapped") << "mereg" << "; did you mean 'merge'?";
        QTest::newRow("case") << "INFO" << "; did you mean 'info'?";
        QTest::newRow("a part") << "valid" << "; did you mean 'validate' or 'validate-render'?";
        QTest::newRow("nothing near") << "zzzzzz" << "; there are info, merge, validate, validate-render";
        QTest::newRow("empty") << "" << "; there are info, merge, validate, validate-render";
    }
    void nearNamesAreOffered()
    {
        QFETCH(QString, name);
        QFETCH(QString, hint);
        QCOMPARE(QString::fromStdString(nameHint(name.toStdString(), {"info", "merge", "validate", "validate-render"})), hint);
    }
    void hintsStayShort()
    {
        QCOMPARE(nameHint("x", {}), std::string("; there are none"));
        QCOMPARE(nameHint("zzz", {"a"}), std::string("; there is a"));
        std::vector<std::string> many;
        for (int i = 0; i < 20; ++i) many.push_back("name" + std::to_string(i));
        QVERIFY(nameHint("zzzzzz", many).ends_with("name7 and 12 more"));
        QVERIFY(nearNames(std::string(1'000'000, 'x'), many).empty());   // and at once
    }

    void everyUnknownNameIsNamed()
    {
        QVERIFY(requireKnownNames("definition", {"a", "b"}, {"b", "a", "c"}, "root"));
        QVERIFY(requireKnownNames("definition", {}, {}, "root"));
        const auto checked = requireKnownNames("op_type", {"gem", "a", "zz"}, {"a", "gemm"}, "root");
        QVERIFY(!checked);
        QVERIFY(checked.error().code == ErrorCode::Usage);
        QCOMPARE(checked.error().toString(), std::string("root: there is no op_type 'gem'; did you mean 'gemm'?; there is no op_type 'zz'; there are a, gemm"));
    }

    void positionalParametersAreReadAsPythonHasThem_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("names");   ///< "-": no such function
        QTest::newRow("none") << "def run():\n    pass\n" << "";
        QTest::newRow("plain") << "def run(a, b):\n    pass\n" << "a b";
        QTest::newRow("annotated, with defaults") << "def run(a: dict[str, int], b=(1, 2), c: int = 3):\n    pass\n" << "a b c";
        QTest::newRow("positional only") << "def run(a, /, b):\n    pass\n" << "a b";
        QTest::newRow("keyword only") << "def run(a, *, b):\n    pass\n" << "a";
        QTest::newRow("star") << "def run(a, *rest, b, **more):\n    pass\n" << "a";
        QTest::newRow("lines and comments") << "def run(\n    a,  # the first, (x\n    b,\n):\n    pass\n" << "a b";
        QTest::newRow("the last one counts") << "def run(a):\n    pass\ndef run(b):\n    pass\n" << "b";
        QTest::newRow("nested") << "def f():\n    def run(a):\n        pass\n" << "-";
        QTest::newRow("not closed") << "def run(a,\n" << "-";
    }
    void positionalParametersAreReadAsPythonHasThem()
    {
        QFETCH(QString, source);
        QFETCH(QString, names);
        const auto found = positionalParameters(source.toStdString(), "run");
        QCOMPARE(found.has_value(), names != "-");
        if (!found) return;
        QStringList list;
        for (const std::string& name : *found) list << QString::fromStdString(name);
        QCOMPARE(list.join(' '), names);
    }

    void pythonNamesAreTold()
    {
        for (const char* name : {"run", "_x", "a1", "A_B"}) QVERIFY2(isPythonIdentifier(name), name);
        for (const char* name : {"", "1a", "a-b", "a b", "lambda", "None", "a.b"}) QVERIFY2(!isPythonIdentifier(name), name);
    }
};

QTEST_GUILESS_MAIN(TestNameRules)
#include "test_name_rules.moc"
