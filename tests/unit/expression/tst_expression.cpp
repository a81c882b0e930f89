#include "expression/expression.h"

#include <doctest/doctest.h>

#include <limits>

using namespace sweepscope::expression;

namespace {

constexpr double off = std::numeric_limits<double>::quiet_NaN();

/// `a` and `b` are numbers, `flag` is a boolean, `opt` is sgd or adam, and `later` cannot be used.
struct Language {
    std::vector<Symbol> symbols{{"a", 0, SymbolType::Number, {}, {}},
                                {"b", 1, SymbolType::Number, {}, {}},
                                {"flag", 2, SymbolType::Boolean, {}, {}},
                                {"opt", 3, SymbolType::String, {"sgd", "adam"}, {}},
                                {"other", 4, SymbolType::String, {"sgd", "rmsprop"}, {}},
                                {"later", 5, SymbolType::Number, {}, "is declared later"}};
    StringNumbers strings;

    Truth evaluate(const std::string &text, double a, double b, double flag = 0, const char *opt = "sgd",
                   const char *other = "sgd")
    {
        auto compiled = Expression::compile(text, Use::Condition, SymbolList(symbols), strings);
        INFO(text);
        if (!compiled)
            FAIL(describe(compiled.error()));
        const std::vector<double> values{
            a, b, flag, opt == nullptr ? off : strings.numberOf(std::string(opt)), strings.numberOf(std::string(other)),
            0};
        return compiled->evaluate(values);
    }

    bool isTrue(const std::string &text, double a = 0, double b = 0, double flag = 0, const char *opt = "sgd")
    {
        return evaluate(text, a, b, flag, opt) == Truth::True;
    }

    Error error(const std::string &text)
    {
        const auto compiled = Expression::compile(text, Use::Condition, SymbolList(symbols), strings);
        INFO(text);
        REQUIRE_FALSE(compiled.has_value());
        return compiled.error();
    }
};

}  // namespace

TEST_CASE("comparisons and arithmetic follow the usual rules")
{
    Language language;
    CHECK(language.isTrue("a * b <= 256", 128, 2));
    CHECK_FALSE(language.isTrue("a * b <= 256", 128, 3));
    CHECK(language.isTrue("1 + 2 * 3 == 7"));
    CHECK(language.isTrue("2 ^ 3 ^ 2 == 512"));
    CHECK(language.isTrue("-2 ^ 2 == -4"));
    CHECK(language.isTrue("a - -1 == 3", 2));
    CHECK(language.isTrue("(1 + 2) * 3 == 9"));
    CHECK(language.isTrue("8 / 4 / 2 == 1"));
    CHECK(language.isTrue("7 % 3 == 1 and -1 % 3 == 2"));
    CHECK(language.isTrue("a % b == 0", 96, 32));
    CHECK(language.isTrue("a < b && b > a && a <= a && a >= a && a != b", 1, 2));
    CHECK(language.isTrue("1e-4 < .5"));
    CHECK(language.isTrue("min(a, b, 3) == 1 and max(a, b) == 2", 1, 2));
    CHECK(language.isTrue("abs(-3) + floor(1.5) + ceil(1.5) + round(2.5) + sqrt(4) + log2(8) + log10(100) == 16"));
    CHECK(language.isTrue("abs(log(exp(2)) - 2) < 1e-12 and pow(2, 10) == 1024"));
}

TEST_CASE("and, or and not can be words or signs, with the usual precedence")
{
    Language language;
    CHECK(language.isTrue("a == 1 or a == 2 and b == 5", 1, 0));
    CHECK_FALSE(language.isTrue("(a == 1 or a == 2) and b == 5", 1, 0));
    CHECK(language.isTrue("a == 1 || a == 2 && b == 5", 1, 0));
    CHECK(language.isTrue("not a == 1", 2));
    CHECK_FALSE(language.isTrue("not a == 1", 1));
    CHECK(language.isTrue("not a == 1 and b == 2", 3, 2));
    CHECK_FALSE(language.isTrue("not a == 1 and b == 2", 3, 3));
    CHECK(language.isTrue("not not a == 1", 1));
    CHECK(language.isTrue("!(a == 1)", 2));
    CHECK(language.isTrue("flag and not false", 0, 0, 1));
    CHECK(language.isTrue("!flag == true", 0, 0, 0));
    CHECK(language.isTrue("not -a == 1 and (not b == -2 or not not flag)", 1, 0));
    CHECK(language.isTrue("a == 1 and not (b == 1 or not b == 2)", 1, 2));
    CHECK(language.isTrue("a == 1 and not b == 1 or b == 1", 1, 1));
    CHECK(language.isTrue("flag == false", 0, 0, 0));
    CHECK(language.isTrue("not (a == 1 or b == 1)", 0, 0));
}

TEST_CASE("strings are compared by their content")
{
    Language language;
    CHECK(language.isTrue("opt == 'sgd'", 0, 0, 0, "sgd"));
    CHECK_FALSE(language.isTrue("opt == 'sgd'", 0, 0, 0, "adam"));
    CHECK(language.isTrue("opt != \"sgd\" and a == 1", 1, 0, 0, "adam"));
    CHECK(language.isTrue("'adam' == opt", 0, 0, 0, "adam"));
    CHECK(language.isTrue("opt == other"));
    CHECK(language.evaluate("opt == other", 0, 0, 0, "adam", "sgd") == Truth::False);
}

TEST_CASE("an expression that needs a switched-off parameter is unknown, others are not")
{
    Language language;
    CHECK(language.evaluate("a < 1", off, 0) == Truth::Unknown);
    CHECK(language.evaluate("not a < 1", off, 0) == Truth::Unknown);
    CHECK(language.evaluate("a < 1 or b == 2", off, 2) == Truth::True);
    CHECK(language.evaluate("a < 1 or b == 2", off, 3) == Truth::Unknown);
    CHECK(language.evaluate("a < 1 and b == 2", off, 3) == Truth::False);
    CHECK(language.evaluate("a < 1 and b == 2", off, 2) == Truth::Unknown);
    CHECK(language.evaluate("max(a, b) > 1", off, 5) == Truth::Unknown);
    CHECK(language.evaluate("min(b, a) > 1", off, 5) == Truth::Unknown);
    CHECK(language.evaluate("opt == 'sgd'", 0, 0, 0, nullptr) == Truth::Unknown);
}

TEST_CASE("0/0 of set values is not true")
{
    Language language;
    CHECK(language.evaluate("a / b < 1", 0, 0) == Truth::False);
    CHECK(language.evaluate("a / b > 1", 1, 0) == Truth::True);
}

TEST_CASE("an expression knows which slots it reads")
{
    Language language;
    const auto compiled = Expression::compile("b > 1 and (a < 3 or b > a)", Use::Condition,
                                              SymbolList(language.symbols), language.strings);
    REQUIRE(compiled.has_value());
    CHECK(compiled->slots() == std::vector<int>{0, 1});
}

TEST_CASE("words and signs with the same meaning")
{
    Language language;
    for (const char *text : {"a = 1", "a == 1", "a is 1", "a in [1, 2]", "a = 1..2", "a is not 2", "a <> 2",
                             "a != 5..9", "a not in [2, 3]", "not a in [2]", "A is not 2 or a = 1"})
        CHECK_MESSAGE(
            language.isTrue(std::string(text).replace(0, text[0] == 'A' ? 1 : 0, text[0] == 'A' ? "a" : ""), 1), text);
    CHECK(language.isTrue("a = 1 AND NOT b = 1 Or false", 1, 2));
    CHECK(language.isTrue("a = -1..1 and a in [1+1, -1, 0]", -1));
    CHECK_FALSE(language.isTrue("a = 1..2", 2.5));
}

TEST_CASE("a word next to a string parameter is a string")
{
    Language language;
    for (const char *text : {"opt = sgd", "opt == sgd", "sgd = opt", "opt is sgd", "opt is not adam", "opt in [sgd]",
                             "opt not in [adam]", "opt contains gd", "opt contains 'sg'", "opt = other"})
        CHECK_MESSAGE(language.isTrue(text), text);
    CHECK_FALSE(language.isTrue("opt in [sgd, adam] and opt != sgd"));
    // A name takes precedence over an equal string.
    CHECK(language.evaluate("opt = other", 0, 0, 0, "adam", "sgd") == Truth::False);
}

TEST_CASE("unset tests for a switched-off parameter and is never unknown")
{
    Language language;
    CHECK(language.evaluate("a is unset", off, 0) == Truth::True);
    CHECK(language.evaluate("a = unset", 1, 0) == Truth::False);
    CHECK(language.evaluate("opt is not unset", 0, 0, 0, nullptr) == Truth::False);
    CHECK(language.evaluate("a is unset or a < 3", 2, 0) == Truth::True);
}

TEST_CASE("keywords can be names")
{
    const std::vector<Symbol> symbols{{"in", 0, SymbolType::Number, {}, {}}, {"is", 1, SymbolType::Number, {}, {}}};
    StringNumbers strings;
    const auto compiled = Expression::compile("in is 1 and is in [2]", Use::Condition, SymbolList(symbols), strings);
    REQUIRE(compiled.has_value());
    CHECK(compiled->evaluate(std::vector<double>{1, 2}) == Truth::True);
}

TEST_CASE("long and deep expressions are evaluated")
{
    Language language;
    std::string any = "a == 0";
    for (int i = 1; i < 300; ++i)
        any += " or a == " + std::to_string(i);
    CHECK(language.isTrue(any, 0));
    CHECK(language.isTrue(any, 299));
    CHECK_FALSE(language.isTrue(any, 300));
    std::string deep = "1";
    for (int i = 0; i < 60; ++i)
        deep = "(a + " + deep + ")";
    CHECK(language.isTrue(deep + " == 61", 1));
}

TEST_CASE("an error has its position")
{
    Language language;
    const auto check = [&language](const std::string &text, int position, const std::string &part) {
        const Error error = language.error(text);
        INFO(text);
        INFO(describe(error));
        CHECK(error.position == position);
        CHECK(describe(error).find(part) != std::string::npos);
    };
    check("", 1, "empty");
    check("   ", 1, "empty");
    check("a = ", 5, "at the end");
    check("a == ", 6, "Missing value at the end");
    check("a == 1)", 7, "Unmatched");
    check("(a == 1", 8, "Missing \")\"");
    check("a == 1 b == 2", 8, "Missing operator before \"b\"");
    check("a < b < 3", 7, "Chained");
    check("a == 1 & b == 2", 8, "Write and");
    check("* a == 1", 1, "Missing value before");
    check("a ** 2 == 4", 3, "Write ^");
    check("a == 1, b == 2", 7, "with and");
    check("a == 'sgd", 6, "closing quote");
    check("optt == 'sgd'", 1, "Unknown name \"optt\". Did you mean \"opt\"?");
    check("a == 1 and later == 2", 12, "declared later");
    check("opt == 'sdg'", 8, "opt is never \"sdg\". Did you mean \"sgd\"?");
    check("opt == sdg", 8, "Did you mean \"sgd\"?");
    check("a == sgd", 6, "Unknown name \"sgd\". Known names: a, b, flag, opt or other.");
    check("opt = momentum", 7, "opt is never \"momentum\". It can be sgd or adam.");
    check("a in 3", 6, "Missing list");
    check("a in [1, 2", 11, "Missing value");
    check("opt contains xyz", 14, "never");
    check("a = 1..b", 5, "not a range");
    check("opt == 1", 1, "A string can only be compared");
    check("opt < 'sgd'", 1, "A string can only be compared");
    check("a == 'sgd'", 6, "A string can only be compared");
    check("opt == 'sgd' + 1 == 2", 18, "Chained");
    check("a == 1 and opt", 12, "A string can only be compared");
    check("a * 2", 1, "not a condition");
    check("a == not b", 6, "parentheses");
    check("--a == 1", 2, "parentheses");
    check("!-a == 1", 2, "parentheses");
    check("sin(a) == 1", 1, "Unknown function \"sin\"");
    check("sqroot(a) == 1", 1, "Did you mean \"sqrt\"?");
    check("abs(a, b) == 1", 9, "abs takes 1 value, not 2");
    check("abs() == 1", 5, "Missing value before");
    check("a == 1_000", 7, "after a number");
    check("a == 1e999", 6, "out of range");
    check("a == 1.2.3", 9, "after a number");
    check("a == b ? 1 : 0", 8, "Unexpected \"?\"");
    check("a == \xc3\xa4", 6, "Unexpected character");
    check(std::string(5000, ' ') + "a == 1", 4097, "longer than");
    check(std::string(100, '(') + "a == 1" + std::string(100, ')'), 65, "too deeply");
}
