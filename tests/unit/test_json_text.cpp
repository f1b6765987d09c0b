// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>

#include "core/io/json_codec.h"
#include "core/io/json_parse.h"

using namespace tracedeck;

class TestJsonText : public QObject {
    Q_OBJECT
private slots:
    void textsParseAsTheFormatSays_data();
    void textsParseAsTheFormatSays();
    void valuesAreThoseOfTheLibrarysOwnParser_data();
    void valuesAreThoseOfTheLibrarysOwnParser();
    void nonFiniteNumbersAreRead();
    void keyOrderIsKeptAndTheLastDuplicateCounts();
    void objectsWithVeryManyKeysAreReadInLinearTime();
    void parseErrorsTellTheLine();
    void gluedRecordsAreSplit_data();
    void gluedRecordsAreSplit();
    void objectFilesHaveTheFormatsLayout();
    void linesAreCompactAndKeepTogether();
};

void TestJsonText::textsParseAsTheFormatSays_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("strict");
    QTest::addColumn<bool>("tolerant");
    const auto row = [](const char* name, const QByteArray& text, bool strict, bool tolerant) {
        QTest::newRow(name) << text << strict << tolerant;
    };
    row("object", R"({"a": [1, 2.5, true, null]})", true, true);
    row("blanks around", " \t\r\n{} \n", true, true);
    row("byte order mark", "\xEF\xBB\xBF{}", false, true);
    row("two byte order marks", "\xEF\xBB\xBF\xEF\xBB\xBF{}", false, false);
    row("empty", "", false, false);
    row("comment", "{} // x", false, false);
    row("trailing comma", "[1,]", false, false);
    row("single quotes", "{'a':1}", false, false);
    row("raw control character", QByteArray("\"a\x01\""), false, false);
    row("raw line feed in a string", "\"a\nb\"", false, false);
    row("NUL behind the value", QByteArray("{}\0", 3), false, false);
    row("NUL with text behind", QByteArray("{}\0{}", 5), false, false);
    row("escaped NUL", R"("\u0000")", true, true);
    row("lone high surrogate", R"("\ud800")", false, false);
    row("lone low surrogate", R"("\udc00")", false, false);
    row("surrogate pair", R"("\ud83d\ude00")", true, true);
    row("text behind the value", "{} x", false, false);
    row("second value", "{}{}", false, false);
    row("not UTF-8", QByteArray("\"\xFF\""), false, false);
    row("truncated", R"({"a": 1)", false, false);
    row("NaN", "[NaN]", true, true);
    row("negative Infinity", "[-Infinity]", true, true);
    row("negative NaN", "[-NaN]", false, false);
    row("nan in small letters", "[nan]", false, false);
    row("plus sign", "[+1]", false, false);
    row("leading zero", "[01]", false, false);
    row("overflow", "[1e999, -1e999]", true, true);
    row("overflow with a broken number", "[1e999, 1e]", false, false);
    row("NaN in a word", "[NaNa]", false, false);
    row("200 levels", QByteArray(200, '[') + QByteArray(200, ']'), true, true);
    row("201 levels", QByteArray(201, '[') + QByteArray(201, ']'), false, false);
    row("very deep", QByteArray(100000, '['), false, false);
    row("200 levels with NaN", QByteArray(200, '[') + "NaN" + QByteArray(200, ']'), true, true);
}

void TestJsonText::textsParseAsTheFormatSays()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, strict);
    QFETCH(bool, tolerant);
    const std::string_view view(text.constData(), static_cast<std::size_t>(text.size()));
    QCOMPARE(parseJson(view, ReadMode::Strict).has_value(), strict);
    QCOMPARE(parseJson(view, ReadMode::Tolerant).has_value(), tolerant);
}

void TestJsonText::valuesAreThoseOfTheLibrarysOwnParser_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"0", "-0", "-0.0", "1", "-1", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
                             "-9223372036854775808", "-9223372036854775809", "1e5", "1E-5", "0.1", "123456789012345678", "12345678901234567890123.5",
                             "0.00000000000000000000000000012345", "2.2250738585072011e-308", "5e-324", "1.7976931348623157e308", "0.30000000000000004",
                             "123456789012345678901234567890.25", R"("\u00e4\u20ac")", R"("\ud83d\ude00")", R"("a\u0000b")", R"("\"\\\/\b\f\n\r\t")",
                             "true", "false", "null", "[]", "{}", R"([[],{},[[1]],{"":{"":0}}])", R"({"b":1,"a":[1,-2,3.5,"x",null,true]})",
                             " [ 1 , 2 ] ", R"({"digits in a text":"12345678901234567890123.5"})"}) {
        QTest::newRow(text) << QByteArray(text);
    }
}

void TestJsonText::valuesAreThoseOfTheLibrarysOwnParser()
{
    QFETCH(QByteArray, text);
    const auto value = parseJson(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
    QVERIFY(value.has_value());
    const Json expected = Json::parse(text.toStdString());
    QCOMPARE(*value, expected);
    QCOMPARE(value->type(), expected.type());
    QCOMPARE(value->dump(), expected.dump());
    // Wherever it stands, and behind a text with points and digits.
    for (int before = 0; before < 45; ++before) {
        const std::string list = std::string(static_cast<std::size_t>(before), ' ') + "[\"7.7.\"," + text.toStdString() + ",0.5]";
        const auto same = parseJson(list);
        QVERIFY(same.has_value());
        QCOMPARE(same->dump(), "[\"7.7.\"," + expected.dump() + ",0.5]");
    }
}

void TestJsonText::nonFiniteNumbersAreRead()
{
    const auto json = parseJson(R"({"a":NaN,"s":"NaN, Infinity \"1e999","b":[1,-Infinity,2.5,Infinity,-1e999,1e400,3],"c":-2.0})");
    QVERIFY(json);
    QVERIFY(std::isnan((*json)["a"].get<double>()));
    QCOMPARE((*json)["s"].get<std::string>(), std::string("NaN, Infinity \"1e999"));
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::vector<double> expected{1, -kInfinity, 2.5, kInfinity, -kInfinity, kInfinity, 3};
    QCOMPARE((*json)["b"].get<std::vector<double>>(), expected);
    QVERIFY((*json)["b"][0].is_number_integer());
    QCOMPARE((*json)["c"].get<double>(), -2.0);
}

void TestJsonText::keyOrderIsKeptAndTheLastDuplicateCounts()
{
    std::string text = R"({"b":1,"a":2,"b":3)";
    for (int i = 0; i < 40; ++i) text += ",\"k" + std::to_string(i) + "\":" + std::to_string(i);
    const auto json = parseJson(text + R"(,"a":4,"k30":"last"})");
    QVERIFY(json);
    QCOMPARE(json->size(), std::size_t{42});
    QCOMPARE(json->begin().key(), std::string("b"));
    QCOMPARE((*json)["b"].get<int>(), 3);
    QCOMPARE((*json)["a"].get<int>(), 4);
    QCOMPARE((*json)["k30"].get<std::string>(), std::string("last"));
}

void TestJsonText::objectsWithVeryManyKeysAreReadInLinearTime()
{
    // Quadratic time would take hours here: the test's time limit is the check.
    std::string text = "{";
    constexpr int kKeys = 300000;
    for (int i = 0; i < kKeys; ++i) text += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":0";
    const auto json = parseJson(text + "}");
    QVERIFY(json);
    QCOMPARE(json->size(), std::size_t{kKeys});
    const auto definition = decodeDefinition(text + R"(,"name":1})", ReadMode::Strict);
    QVERIFY(!definition);
    QCOMPARE(definition.error().field, std::string("name"));
}

void TestJsonText::parseErrorsTellTheLine()
{
    const auto broken = parseJson("{\n\"a\": 1,\n\"b\": x\n}");
    QVERIFY(!broken);
    QCOMPARE(broken.error().line, std::int64_t{3});
    QVERIFY(QString::fromStdString(broken.error().reason).startsWith("not valid JSON"));
    const auto notText = parseJson("{\n\"a\": 1,\n\"b\": \"\xFF\"\n}");
    QVERIFY(!notText);
    QCOMPARE(notText.error().line, std::int64_t{3});
    QVERIFY(QString::fromStdString(notText.error().reason).contains("UTF-8"));
}

void TestJsonText::gluedRecordsAreSplit_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("pieces");
    QTest::newRow("one") << R"({"a":"}{"})" << QStringList{R"({"a":"}{"})"};
    QTest::newRow("two") << R"({"a":1}{"b":[2]})" << QStringList{R"({"a":1})", R"({"b":[2]})"};
    QTest::newRow("blank between, escapes") << R"({"a":"\"}\\"} {"b":2})" << QStringList{R"({"a":"\"}\\"})", R"( {"b":2})"};
    QTest::newRow("torn tail") << R"({"a":1}{"b":)" << QStringList{R"({"a":1})", R"({"b":)"};
    QTest::newRow("nothing to split") << "12 13" << QStringList{"12 13"};
    QTest::newRow("closing bracket alone") << "]{}" << QStringList{"]{}"};
}

void TestJsonText::gluedRecordsAreSplit()
{
    QFETCH(QString, text);
    QFETCH(QStringList, pieces);
    const std::string bytes = text.toStdString();
    QStringList found;
    for (const std::string_view piece : splitJsonValues(bytes)) found << QString::fromUtf8(piece.data(), static_cast<int>(piece.size()));
    QCOMPARE(found, pieces);
}

void TestJsonText::objectFilesHaveTheFormatsLayout()
{
    const Json json = {{"a", Json::array()}, {"b", Json::object()}, {"c", {1, 1.0}}, {"d", "\xC3\xA9/\"\\\b\f\n\r\t\x01\x7F"}};
    QCOMPARE(writeObjectFile(json), std::string("{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1,\n    1.0\n  ],\n"
                                                "  \"d\": \"\xC3\xA9/\\\"\\\\\\b\\f\\n\\r\\t\\u0001\x7F\"\n}"));
}

void TestJsonText::linesAreCompactAndKeepTogether()
{
    const Json json = {{"a", "x\xC2\x85y\xE2\x80\xA8\xE2\x80\xA9\xC2\xA0\xE2\x82\xAC"}, {"b", {1e-6, 1e16, 2.0}}, {"c", "bad \xFF byte"}};
    const std::string line = writeLine(json);
    QCOMPARE(line, std::string("{\"a\":\"x\\u0085y\\u2028\\u2029\xC2\xA0\xE2\x82\xAC\",\"b\":[1e-06,1e+16,2.0],\"c\":\"bad \xEF\xBF\xBD byte\"}"));
    const auto again = parseJson(line);
    QVERIFY(again);
    QVERIFY((*again)["a"] == json["a"]);
    QVERIFY((*again)["b"] == json["b"]);
}

QTEST_GUILESS_MAIN(TestJsonText)
#include "test_json_text.moc"
