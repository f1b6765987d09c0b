// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <limits>

#include "core/model/axis_expression.h"
#include "core/model/definition.h"

using namespace tracedeck;

namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();

const AxisValues kValues{{"a", 7}, {"b", 2}, {"H", 128}, {"S", 0}, {"n", -7}, {"largest", kLargest}, {"smallest", kSmallest}};

/// The result as text, or "error: " and the reason.
QString evaluated(const std::string& text)
{
    const auto expression = AxisExpression::parse(text);
    if (!expression) return QString::fromStdString("error: " + expression.error().reason);
    const auto value = expression->evaluate(kValues);
    return value ? QString::number(*value) : QString::fromStdString("error: " + value.error().reason);
}

Axis makeAxis(const std::string& name, std::optional<std::int64_t> value, const char* expression = nullptr)
{
    Axis axis;
    axis.name = name;
    axis.value = value;
    if (expression != nullptr) axis.expression = *AxisExpression::parse(expression);
    return axis;
}

TensorSpec makeTensor(const std::string& name, std::optional<std::vector<std::string>> shape)
{
    TensorSpec tensor;
    tensor.name = name;
    tensor.shape = std::move(shape);
    return tensor;
}

/// heads var, dim const 4, width = heads * dim, wide = width + pad, pad = dim // 2 (named before it is computed).
Definition computedExample()
{
    Definition definition;
    definition.dialect = Dialect::SolExecBench;
    definition.sourceFile = "folder/definition.json";
    definition.axes = {makeAxis("heads", std::nullopt), makeAxis("dim", 4), makeAxis("width", std::nullopt, "heads * dim"),
                       makeAxis("wide", std::nullopt, "width + pad"), makeAxis("pad", std::nullopt, "dim // 2")};
    definition.inputs = {makeTensor("x", std::vector<std::string>{"heads", "width", "3"}), makeTensor("s", std::nullopt)};
    definition.outputs = {makeTensor("y", std::vector<std::string>{"wide", "dim", "0"})};
    return definition;
}

}  // namespace

class TestAxisExpression : public QObject {
    Q_OBJECT
private slots:
    void arithmeticIsPythons_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("result");   // "error: " and what the reason must contain
        const auto row = [](const char* text, const char* result) { QTest::newRow(text) << text << result; };
        // The table of dialect §3.
        row("a*b", "14");
        row("a//b", "3");
        row("-a//b", "-4");
        row("-a%b", "1");
        row("a*(H//8)", "112");
        row("2.5*b*2", "10");
        row("1e3", "1000");
        row("+a", "7");
        row("True*3", "3");
        row(" a + b", "9");
        row("(a+1)/b", "4");
        row("a/b", "error: 3.5");
        row("b**3**2", "512");
        row("-b**2", "-4");
        row("b**-1*2", "1");
        row("b**-1", "error: 0.5");
        row("a//S", "error: divides by zero");
        row("q+1", "error: 'q'");
        row("~a", "error: character 1");
        row("a<b", "error: character 2");
        row("f(a)", "error: character 2");
        row("a@b", "error: character 2");
        row("007", "error: must not begin with 0");
        // Precedence and grouping.
        row("a-b-1", "4");
        row("a-(b-1)", "6");
        row("H//8//2", "8");
        row("H//8*2", "32");
        row("a+b*H", "263");
        row("(((a)))", "7");
        row("--a", "7");
        row("-+-a", "7");
        row("a--b", "9");
        row("a**-b*0", "0");
        row("b**-b**2*16", "1");
        row("-b**-b*4", "-1");
        row("(-b)**2", "4");
        row("2*-b", "-4");
        row("a%b**2", "3");
        // Python's rounding and signs.
        row("n//b", "-4");
        row("n%b", "1");
        row("a//-b", "-4");
        row("a%-b", "-1");
        row("n//-b", "3");
        row("n%-b", "-1");
        row("-a//2.0", "-4");
        row("-a%2.0", "1");
        row("7.5//2", "3");
        row("7.5%-2", "error: -0.5");
        row("6%-2.0", "0");
        row("smallest%-1", "0");
        row("0**0", "1");
        row("0.0**0", "1");
        row("4**.5", "2");
        row("(-8)**.5", "error: complex");
        row("S**-1", "error: divides by zero");
        row("a/S", "error: divides by zero");
        row("a%S", "error: divides by zero");
        row("a//0.0", "error: divides by zero");
        row("a%0.0", "error: divides by zero");
        row("largest/largest", "1");
        row("False", "0");
        // Numbers.
        row("1_000", "1000");
        row("0", "0");
        row("00", "0");
        row("1.", "1");
        row(".5*2", "1");
        row("01.0", "1");
        row("1E+2", "100");
        row("2e-1*5", "1");
        row("1__0", "error: not a decimal number");
        row("1_", "error: not a decimal number");
        row("1e", "error: not a decimal number");
        row("1.2.3", "error: not a decimal number");
        row("2a", "error: not a decimal number");
        row("1j", "error: not a decimal number");
        row("0x10", "error: not a decimal number");
        row("1e-999", "0");
        row("1e999", "error: inf");
        row("1e999*0", "error: nan");
        // Limits.
        row("9223372036854775807", "9223372036854775807");
        row("9223372036854775808", "error: 64 bits");
        row("smallest", "-9223372036854775808");
        row("-smallest", "error: 64 bits");
        row("largest+1", "error: 64 bits");
        row("smallest-1", "error: 64 bits");
        row("largest*2", "error: 64 bits");
        row("smallest//-1", "error: 64 bits");
        row("2**62", "4611686018427387904");
        row("2**63", "error: 64 bits");
        row("(-2)**63", "-9223372036854775808");
        row("1**largest", "1");
        row("(-1)**largest", "-1");
        row("S**largest", "0");
        row("10**largest", "error: 64 bits");
        row("1e30", "error: 64 bits");
        row("10.0**400", "error: 64 bits");
        // Nothing else is an expression.
        row("", "error: empty");
        row("   ", "error: empty");
        row("a+", "error: missing at the end");
        row("a b", "error: character 3");
        row("(a", "error: '(' is not closed");
        row("a)", "error: closes nothing");
        row("()", "error: character 2");
        row("a,b", "error: character 2");
        row("a if b else 1", "error: character 3");
        row("not a", "error: character 5");
        row("a.b", "error: character 2");
        row("a[0]", "error: character 2");
        row("'a'", "error: character 1");
        row("a * * b", "error: character 5");
        row("a***b", "error: character 4");
        row("a\n+b", "error: character 2");
        row("(a\n+b)", "9");
        row("a # b", "error: character 3");
    }
    void arithmeticIsPythons()
    {
        QFETCH(QString, text);
        QFETCH(QString, result);
        const QString found = evaluated(text.toStdString());
        if (result.startsWith("error: ")) {
            QVERIFY2(found.startsWith("error: ") && found.contains(result.mid(7)), qPrintable(found));
        } else {
            QCOMPARE(found, result);
        }
    }

    void namesAreListedOnceInOrder()
    {
        const auto expression = AxisExpression::parse(" b + a*b - _x1 ");
        QVERIFY(expression);
        QVERIFY(expression->names() == (std::vector<std::string>{"b", "a", "_x1"}));
        QCOMPARE(expression->text(), std::string(" b + a*b - _x1 "));
        QCOMPARE(*expression->evaluate({{"a", 2}, {"b", 3}, {"_x1", 4}}), std::int64_t{5});
    }

    void depthAndLengthHaveNoLimit()
    {
        constexpr std::size_t kDepth = 200'000;
        const std::string nested = std::string(kDepth, '(') + "a" + std::string(kDepth, ')');
        QCOMPARE(evaluated(nested), QString("7"));
        QCOMPARE(evaluated(std::string(kDepth, '-') + "a"), QString("7"));
        QVERIFY(evaluated(nested.substr(0, kDepth)).startsWith("error: a value is missing"));
        std::string sum = "a";
        for (std::size_t i = 1; i < kDepth; ++i) sum += "+a";
        QCOMPARE(evaluated(sum), QString::number(7 * kDepth));
        std::string powers = "1";
        for (std::size_t i = 1; i < kDepth; ++i) powers += "**1";
        QCOMPARE(evaluated(powers), QString("1"));
        QVERIFY(evaluated(std::string(kDepth, '9')).contains("64 bits"));
    }

    void axesAreResolvedInOrder()
    {
        Definition definition = computedExample();
        const auto resolved = definition.resolveAxes({{"heads", 3}, {"extra", 9}});
        QVERIFY2(resolved, resolved ? "" : resolved.error().toString().c_str());
        QVERIFY(*resolved == (AxisValues{{"heads", 3}, {"dim", 4}, {"width", 12}, {"wide", 14}, {"pad", 2}, {"extra", 9}}));
        QVERIFY(definition.varAxes() == std::vector<std::string>{"heads"});
        QVERIFY(definition.constAxes() == std::vector<std::string>{"dim"});
        // A workload's value hides a constant, is known to expressions when it is not declared, and gives way to a computed axis.
        definition.axes.push_back(makeAxis("more", std::nullopt, "extra + dim"));
        const auto hidden = definition.resolveAxes({{"heads", 1}, {"extra", 1}, {"dim", 10}, {"width", 99}});
        QVERIFY(hidden);
        QCOMPARE(hidden->at("dim"), std::int64_t{10});
        QCOMPARE(hidden->at("width"), std::int64_t{10});
        QCOMPARE(hidden->at("more"), std::int64_t{11});
        // An expression sees what stands before it: here the workload's value.
        definition.axes = {makeAxis("first", std::nullopt, "second * 2"), makeAxis("second", std::nullopt, "5")};
        QCOMPARE(definition.resolveAxes({{"second", 1}})->at("first"), std::int64_t{2});
        QCOMPARE(definition.resolveAxes({})->at("first"), std::int64_t{10});
        // In FlashInfer-Trace constants keep their value.
        definition.dialect = Dialect::FlashInferTrace;
        definition.axes = {makeAxis("N", 4)};
        QCOMPARE(definition.resolveAxes({{"N", 5}})->at("N"), std::int64_t{4});
    }

    void axesThatCannotBeComputedAreNamed()
    {
        Definition definition = computedExample();
        auto failed = definition.resolveAxes({});
        QVERIFY(!failed);
        QCOMPARE(failed.error().field, std::string("axes.width.expression"));
        QCOMPARE(failed.error().file, std::string("folder/definition.json"));
        QVERIFY(QString::fromStdString(failed.error().reason).contains("variable axis 'heads'"));
        definition.axes.push_back(makeAxis("odd", std::nullopt, "nothing + 1"));
        failed = definition.resolveAxes({{"heads", 1}});
        QVERIFY(!failed);
        QVERIFY(QString::fromStdString(failed.error().reason).contains("there is no axis 'nothing'"));
        definition.axes = {makeAxis("p", std::nullopt, "q + 1"), makeAxis("q", std::nullopt, "p - 1")};
        failed = definition.resolveAxes({});
        QVERIFY(!failed);
        QCOMPARE(failed.error().field, std::string("axes.p.expression"));
        QVERIFY(QString::fromStdString(failed.error().reason).contains("depends on itself"));
        QVERIFY(definition.resolveAxes({{"q", 1}}));   // known from the workload
        definition.axes = {makeAxis("z", std::nullopt, "1 // 0")};
        QVERIFY(!definition.resolveAxes({}));
    }

    void longChainsOfAxesTakeLinearTime()
    {
        Definition definition;
        constexpr int kAxes = 50'000;
        for (int i = 0; i < kAxes; ++i) {
            Axis axis = makeAxis("x" + std::to_string(i), std::nullopt);
            axis.expression = *AxisExpression::parse("x" + std::to_string(i + 1) + " + 1");
            definition.axes.push_back(std::move(axis));
        }
        QVERIFY(!definition.resolveAxes({}));
        const auto resolved = definition.resolveAxes({{"x" + std::to_string(kAxes), 0}});
        QVERIFY(resolved);
        QCOMPARE(resolved->at("x0"), std::int64_t{kAxes});
    }

    void shapesHoldComputedAndLiteralLengths()
    {
        Definition definition = computedExample();
        const auto inputs = definition.inputShapes({{"heads", 3}});
        QVERIFY2(inputs, inputs ? "" : inputs.error().toString().c_str());
        QVERIFY(*inputs == (std::vector<Shape>{Shape(std::vector<std::int64_t>{3, 12, 3}), std::nullopt}));
        QVERIFY(*definition.outputShapes({{"heads", 3}}) == (std::vector<Shape>{Shape(std::vector<std::int64_t>{14, 4, 0})}));
        // An axis whose name is digits is an axis.
        definition.axes.push_back(makeAxis("3", 5));
        QCOMPARE((*definition.inputShapes({{"heads", 3}}))[0]->at(2), std::int64_t{5});
        // No length is negative, or beyond 64 bits.
        definition.axes[4] = makeAxis("pad", std::nullopt, "-100");
        const auto negative = definition.outputShapes({{"heads", 3}});
        QVERIFY(!negative);
        QCOMPARE(negative.error().field, std::string("outputs.y.shape"));
        QVERIFY(QString::fromStdString(negative.error().reason).contains("-88"));
        definition.inputs = {makeTensor("x", std::vector<std::string>{"9223372036854775808"})};
        QVERIFY(!definition.inputShapes({{"heads", 3}}));
        definition.inputs = {makeTensor("x", std::vector<std::string>{"-3"})};
        QVERIFY(!definition.inputShapes({{"heads", 3}}));
    }

    void fixedDimensionsAreCheckedWhenAxesAreBound()
    {
        const Definition definition = computedExample();
        const auto bind = [&definition](std::vector<std::int64_t> x) { return definition.axesFromShapes({Shape(std::move(x)), std::nullopt}); };
        const auto bound = bind({3, 12, 3});
        QVERIFY2(bound, bound ? "" : bound.error().toString().c_str());
        QVERIFY(*bound == (AxisValues{{"heads", 3}}));
        const auto wrongExpression = bind({3, 13, 3});
        QVERIFY(!wrongExpression);
        QCOMPARE(wrongExpression.error().field, std::string("inputs.x.shape"));
        QVERIFY(QString::fromStdString(wrongExpression.error().reason).contains("must be 12, got 13"));
        QVERIFY(!bind({3, 12, 4}));
        QVERIFY(definition.varAxisBindings() == (std::map<std::string, std::pair<std::string, int>>{{"heads", {"x", 0}}}));
    }
};

QTEST_GUILESS_MAIN(TestAxisExpression)
#include "test_axis_expression.moc"
