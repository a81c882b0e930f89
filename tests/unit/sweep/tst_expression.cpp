#include "sweep/expression.h"

#include <doctest/doctest.h>

#include <limits>

using namespace sweepscope::sweep;

namespace {

constexpr double off = std::numeric_limits<double>::quiet_NaN();

/// a and b are numbers, flag is a boolean, opt is sgd or adam, later cannot be used.
struct Language {
    std::vector<Symbol> symbols{{"a", 0, SymbolType::Number, {}, {}},
                                {"b", 1, SymbolType::Number, {}, {}},
                                {"flag", 2, SymbolType::Boolean, {}, {}},
                                {"opt", 3, SymbolType::Text, {"sgd", "adam"}, {}},
                                {"other", 4, SymbolType::Text, {"sgd", "rmsprop"}, {}},
                                {"later", 5, SymbolType::Number, {}, "is declared later"}};
    TextNumbers texts;

    Truth evaluate(const std::string &text, double a, double b, double flag = 0, const char *opt = "sgd",
                   const char *other = "sgd")
    {
        auto compiled = Expression::compile(text, symbols, texts);
        INFO(text);
        if (!compiled)
            FAIL(compiled.error().message);
        const std::vector<double> values{
            a, b, flag, opt == nullptr ? off : texts.numberOf(std::string(opt)), texts.numberOf(std::string(other)), 0};
        return compiled->evaluate(values);
    }

    bool isTrue(const std::string &text, double a = 0, double b = 0, double flag = 0, const char *opt = "sgd")
    {
        return evaluate(text, a, b, flag, opt) == Truth::True;
    }

    ExpressionError error(const std::string &text)
    {
        const auto compiled = Expression::compile(text, symbols, texts);
        INFO(text);
        REQUIRE_FALSE(compiled.has_value());
        return compiled.error();
    }
};

}  // namespace

TEST_CASE("comparisons and arithmetic calculate as in every language")
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

TEST_CASE("and, or and not are words or signs, and bind as people expect")
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

TEST_CASE("texts are compared by what they say")
{
    Language language;
    CHECK(language.isTrue("opt == 'sgd'", 0, 0, 0, "sgd"));
    CHECK_FALSE(language.isTrue("opt == 'sgd'", 0, 0, 0, "adam"));
    CHECK(language.isTrue("opt != \"sgd\" and a == 1", 1, 0, 0, "adam"));
    CHECK(language.isTrue("'adam' == opt", 0, 0, 0, "adam"));
    CHECK(language.isTrue("opt == other"));
    CHECK(language.evaluate("opt == other", 0, 0, 0, "adam", "sgd") == Truth::False);
}

TEST_CASE("what needs a switched-off parameter is unknown, what does not is not")
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

TEST_CASE("0/0 of values that are there is not true")
{
    Language language;
    CHECK(language.evaluate("a / b < 1", 0, 0) == Truth::False);
    CHECK(language.evaluate("a / b > 1", 1, 0) == Truth::True);
}

TEST_CASE("an expression knows which slots it reads")
{
    Language language;
    const auto compiled = Expression::compile("b > 1 and (a < 3 or b > a)", language.symbols, language.texts);
    REQUIRE(compiled.has_value());
    CHECK(compiled->slots() == std::vector<int>{0, 1});
}

TEST_CASE("a mistake is told with its position")
{
    Language language;
    const auto check = [&language](const std::string &text, int position, const std::string &part) {
        const ExpressionError error = language.error(text);
        INFO(text);
        INFO(error.message);
        CHECK(error.position == position);
        CHECK(error.message.find(part) != std::string::npos);
    };
    check("", 1, "empty");
    check("   ", 1, "empty");
    check("a = 1", 3, "write ==");
    check("a == ", 6, "missing at the end");
    check("a == 1)", 7, "closes nothing");
    check("(a == 1", 8, "closing parenthesis");
    check("a == 1 b == 2", 8, "operator");
    check("a < b < 3", 7, "chained");
    check("a == 1 & b == 2", 8, "write and");
    check("* a == 1", 1, "value is missing");
    check("a ** 2 == 4", 3, "write ^");
    check("a == 1, b == 2", 7, "'and'");
    check("a == 'sgd", 6, "not closed");
    check("optt == 'sgd'", 1, "did you mean 'opt'");
    check("a == 1 and later == 2", 12, "declared later");
    check("opt == 'sdg'", 8, "did you mean 'sgd'");
    check("opt == sgd", 8, "quotes");
    check("opt == 1", 1, "text can only be compared");
    check("opt < 'sgd'", 1, "text can only be compared");
    check("a == 'sgd'", 6, "text can only be compared");
    check("opt == 'sgd' + 1 == 2", 18, "chained");
    check("a == 1 and opt", 12, "text can only be compared");
    check("a * 2", 1, "not a condition");
    check("a == not b", 6, "parentheses");
    check("--a == 1", 2, "parentheses");
    check("!-a == 1", 2, "parentheses");
    check("sin(a) == 1", 1, "no function 'sin'");
    check("sqroot(a) == 1", 1, "no function");
    check("abs(a, b) == 1", 9, "abs takes 1");
    check("abs() == 1", 5, "value is missing");
    check("a == 1_000", 7, "number");
    check("a == 1e999", 6, "too large");
    check("a == 1.2.3", 9, "number");
    check("a == b ? 1 : 0", 8, "'?'");
    check("a == \xc3\xa4", 6, "no meaning");
    check(std::string(5000, ' ') + "a == 1", 4097, "longer than");
    check(std::string(100, '(') + "a == 1" + std::string(100, ')'), 65, "too deeply");
}
