#include "sweep/expressionlanguage.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace sweepscope::sweep {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

template <typename Compare>
double compared(double a, double b, Compare compare)
{
    if (std::isnan(a) || std::isnan(b))
        return unknown;
    return compare(a, b) ? 1 : 0;
}

double isEqual(double a, double b)
{
    return compared(a, b, std::equal_to<>{});
}
double isNotEqual(double a, double b)
{
    return compared(a, b, std::not_equal_to<>{});
}
double isLess(double a, double b)
{
    return compared(a, b, std::less<>{});
}
double isLessOrEqual(double a, double b)
{
    return compared(a, b, std::less_equal<>{});
}
double isGreater(double a, double b)
{
    return compared(a, b, std::greater<>{});
}
double isGreaterOrEqual(double a, double b)
{
    return compared(a, b, std::greater_equal<>{});
}

double bothOf(double a, double b)
{
    if (a == 0 || b == 0)
        return 0;
    return std::isnan(a) || std::isnan(b) ? unknown : 1;
}

double eitherOf(double a, double b)
{
    const bool aTrue = !std::isnan(a) && a != 0;
    const bool bTrue = !std::isnan(b) && b != 0;
    if (aTrue || bTrue)
        return 1;
    return std::isnan(a) || std::isnan(b) ? unknown : 0;
}

double negated(double a)
{
    return std::isnan(a) ? unknown : (a == 0 ? 1 : 0);
}

/// The sign of the divisor, as in Python: people test divisibility with it.
double modulo(double a, double b)
{
    const double rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double smallest(const double *values, int count)
{
    double result = values[0];
    for (int i = 0; i < count; ++i)
        result = std::isnan(values[i]) || std::isnan(result) ? unknown : std::min(result, values[i]);
    return result;
}

double largest(const double *values, int count)
{
    double result = values[0];
    for (int i = 0; i < count; ++i)
        result = std::isnan(values[i]) || std::isnan(result) ? unknown : std::max(result, values[i]);
    return result;
}

}  // namespace

void defineLanguage(mu::Parser &parser)
{
    parser.EnableBuiltInOprt(false);
    parser.ClearFun();
    parser.ClearConst();
    parser.ClearInfixOprt();
    parser.DefineOprt("||", eitherOf, mu::prLOR);
    parser.DefineOprt("&&", bothOf, mu::prLAND);
    parser.DefineOprt("==", isEqual, mu::prCMP);
    parser.DefineOprt("!=", isNotEqual, mu::prCMP);
    parser.DefineOprt("<", isLess, mu::prCMP);
    parser.DefineOprt("<=", isLessOrEqual, mu::prCMP);
    parser.DefineOprt(">", isGreater, mu::prCMP);
    parser.DefineOprt(">=", isGreaterOrEqual, mu::prCMP);
    parser.DefineOprt(
        "+", [](double a, double b) { return a + b; }, mu::prADD_SUB);
    parser.DefineOprt(
        "-", [](double a, double b) { return a - b; }, mu::prADD_SUB);
    parser.DefineOprt(
        "*", [](double a, double b) { return a * b; }, mu::prMUL_DIV);
    parser.DefineOprt(
        "/", [](double a, double b) { return a / b; }, mu::prMUL_DIV);
    parser.DefineOprt("%", modulo, mu::prMUL_DIV);
    parser.DefineOprt(
        "^", [](double a, double b) { return std::pow(a, b); }, mu::prPOW, mu::oaRIGHT);
    parser.DefineInfixOprt("-", [](double a) { return -a; });
    parser.DefineInfixOprt("+", [](double a) { return a; });
    parser.DefineInfixOprt("!", negated);
    parser.DefineFun("not", negated);
    parser.DefineFun("abs", [](double a) { return std::fabs(a); });
    parser.DefineFun("floor", [](double a) { return std::floor(a); });
    parser.DefineFun("ceil", [](double a) { return std::ceil(a); });
    parser.DefineFun("round", [](double a) { return std::round(a); });
    parser.DefineFun("sqrt", [](double a) { return std::sqrt(a); });
    parser.DefineFun("exp", [](double a) { return std::exp(a); });
    parser.DefineFun("log", [](double a) { return std::log(a); });
    parser.DefineFun("log2", [](double a) { return std::log2(a); });
    parser.DefineFun("log10", [](double a) { return std::log10(a); });
    parser.DefineFun("pow", [](double a, double b) { return std::pow(a, b); });
    parser.DefineFun("min", smallest);
    parser.DefineFun("max", largest);
}

}  // namespace sweepscope::sweep
