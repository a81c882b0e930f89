#include "search/method.h"

#include "base/enumnames.h"

namespace sweepscope::search {

namespace {

constexpr EnumNames<Method, 10> methodNames{{
    {Method::Grid, "grid"},
    {Method::Random, "random"},
    {Method::Sobol, "sobol"},
    {Method::Tpe, "tpe"},
    {Method::Gp, "gp"},
    {Method::Cmaes, "cmaes"},
    {Method::Nsga2, "nsga2"},
    {Method::Pbt, "pbt"},
    {Method::Auto, "auto"},
    {Method::Command, "command"},
}};

}  // namespace

int versionOf(Method method)
{
    switch (method) {
    case Method::Grid:
    case Method::Random:
    case Method::Sobol:
        return 1;
    case Method::Tpe:
    case Method::Gp:
        return 4;
    case Method::Nsga2:
        return 2;
    case Method::Cmaes:
    case Method::Pbt:
        return 1;
    case Method::Auto:
    case Method::Command:
        break;
    }
    return 0;
}

std::string toString(Method method)
{
    return nameOf(methodNames, method);
}

std::optional<Method> methodFromString(const std::string &name)
{
    return valueOf(methodNames, name);
}

Method methodOf(const sweep::SweepSpec &spec)
{
    switch (spec.method) {
    case sweep::SearchMethod::Sobol:
        return Method::Sobol;
    case sweep::SearchMethod::Tpe:
        return Method::Tpe;
    case sweep::SearchMethod::Gp:
        return Method::Gp;
    case sweep::SearchMethod::Cmaes:
        return Method::Cmaes;
    case sweep::SearchMethod::Nsga2:
        return Method::Nsga2;
    case sweep::SearchMethod::Pbt:
        return Method::Pbt;
    case sweep::SearchMethod::Auto:
        return Method::Auto;
    case sweep::SearchMethod::Command:
    case sweep::SearchMethod::Optuna:
        return Method::Command;
    case sweep::SearchMethod::Grid:
        return Method::Grid;
    case sweep::SearchMethod::Random:
        break;
    }
    return Method::Random;
}

}  // namespace sweepscope::search
