#include "sweep/dimensionreader.h"

#include "base/suggestion.h"
#include "sweep/dimensionvalues.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sweepscope::sweep {

namespace {

const char *const forms =
    "write a list such as [1, 2], or { log = [1e-4, 1e-1], points = 4 }, { float = [0.0, 1.0], points "
    "= 5 }, { int = [1, 9], step = 2 }, { int = [16, 4096], log = true }, { normal = [0.0, 1.0] } or { log_normal = "
    "[-7.0, 1.5] }";

class DimensionReader {
public:
    DimensionReader(std::string name, Findings &findings) : m_field("space." + name), m_findings(findings)
    {
        m_dimension.name = std::move(name);
    }

    Dimension read(const toml::node &node)
    {
        m_findings.note(m_field, node);
        if (const auto *list = node.as_array())
            readValues(*list);
        else if (const auto *table = node.as_table())
            readTable(*table);
        else
            report(node, "is " + kindOf(node) + ", but a parameter needs several values: " + forms
                             + "; a fixed value belongs in [run]");
        return std::move(m_dimension);
    }

private:
    void report(const toml::node &where, std::string message)
    {
        m_findings.report(m_field, where.source(), std::move(message));
    }

    void readValues(const toml::array &list)
    {
        for (const toml::node &element : list) {
            if (const auto *whole = element.as_integer())
                m_dimension.values.emplace_back(whole->get());
            else if (const auto *real = element.as_floating_point())
                m_dimension.values.emplace_back(real->get());
            else if (const auto *boolean = element.as_boolean())
                m_dimension.values.emplace_back(boolean->get());
            else if (const auto *text = element.as_string())
                m_dimension.values.emplace_back(text->get());
            else
                return report(element,
                              "contains " + kindOf(element) + ": values are numbers, strings, or true and false");
        }
        const auto isNumber = [](const ParameterValue &value) {
            return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
        };
        m_dimension.kind =
            std::ranges::all_of(m_dimension.values, isNumber) ? DimensionKind::List : DimensionKind::Choice;
        unifyNumbers(m_dimension.values);
    }

    void readTable(const toml::table &table)
    {
        TomlSection section(table, m_field, m_inner);
        const auto *isLog = table.get("log");
        if (isLog != nullptr && !isLog->is_boolean())
            isLog = nullptr;  // a range
        const std::array<const char *, 6> kinds{"values", "float", "log", "int", "normal", "log_normal"};
        const auto given =
            std::count_if(kinds.begin(), kinds.end(), [&table](const char *kind) { return table.contains(kind); })
            - (isLog != nullptr ? 1 : 0);
        if (const auto *values = section.find("values"))
            readList(*values);
        if (const auto *range = section.find("float"))
            readRange(*range, DimensionKind::Linear);
        if (const auto *range = section.find("log"); range != nullptr && isLog == nullptr)
            readRange(*range, DimensionKind::Log);
        if (const auto *range = section.find("int"))
            readRange(*range,
                      isLog != nullptr && isLog->value_or(false) ? DimensionKind::LogInteger : DimensionKind::Integer);
        if (const auto *shape = section.find("normal"))
            readNormal(*shape, DimensionKind::Normal);
        if (const auto *shape = section.find("log_normal"))
            readNormal(*shape, DimensionKind::LogNormal);
        if (isLog != nullptr && !table.contains("int"))
            report(*isLog, std::string("has log, which applies only to int: remove it, or write ")
                               + (table.contains("normal") ? "log_normal = [mean, deviation]" : "log = [min, max]")
                               + " for a logarithmic range");
        if (given == 1) {
            readPoints(section, table);
            readStep(section, table);
        } else {
            section.find("points");
            section.find("step");
        }
        if (const auto when = section.text("when", "\"optimizer == 'sgd'\"")) {
            m_dimension.when = *when;
            if (when->find_first_not_of(' ') == std::string::npos)
                report(*table.get("when"), "has an empty condition: write one, or remove when");
        }
        section.finish();
        if (given != 1 && m_inner.problems.empty() && !m_findings.hasProblem(m_field))
            report(table, given == 0 ? std::string("has no values: ") + forms
                                     : "has more than one of values, float, log, int, normal and log_normal: keep one");
        takeInner();
    }

    void readList(const toml::node &node)
    {
        if (const auto *list = node.as_array())
            readValues(*list);
        else
            report(node, "needs a list of values, not " + kindOf(node) + ": write e.g. values = [1, 2]");
    }

    void readRange(const toml::node &node, DimensionKind kind)
    {
        m_dimension.kind = kind;
        if (const auto ends = readTwo(node, "a range of two ends", "[min, max]")) {
            m_dimension.low = ends->first;
            m_dimension.high = ends->second;
        }
    }

    void readNormal(const toml::node &node, DimensionKind kind)
    {
        m_dimension.kind = kind;
        if (const auto shape = readTwo(node, "mean and standard deviation", "[mean, deviation]"))
            setNormal(m_dimension, shape->first, shape->second);
    }

    /// The two numbers of a range or distribution.
    std::optional<std::pair<double, double>> readTwo(const toml::node &node, const char *what, const char *form)
    {
        const auto *list = node.as_array();
        if (list == nullptr || list->size() != 2) {
            report(node, std::string("needs ") + what + ", not "
                             + (list == nullptr ? kindOf(node) : "a list of " + std::to_string(list->size()))
                             + ": write " + form);
            return std::nullopt;
        }
        const auto first = readNumber(*list->get(0));
        const auto second = readNumber(*list->get(1));
        return first && second ? std::optional(std::pair(*first, *second)) : std::nullopt;
    }

    std::optional<double> readNumber(const toml::node &node)
    {
        const DimensionKind kind = m_dimension.kind;
        constexpr std::int64_t largest = 9'007'199'254'740'992;  // 2^53: a double holds it exactly
        if (const auto *whole = node.as_integer()) {
            if (whole->get() <= largest && whole->get() >= -largest)
                return static_cast<double>(whole->get());
            report(node, "has a range beyond 2^53, where not all integers are distinct");
        } else if (const auto *real = node.as_floating_point(); real != nullptr && !isWhole(kind)) {
            return real->get();
        } else {
            report(node, std::string(isNormal(kind) ? "has " : "has a range whose end is ") + kindOf(node)
                             + ": it must be " + (isWhole(kind) ? "an integer; for fractions use float" : "a number"));
        }
        return std::nullopt;
    }

    void readPoints(TomlSection &section, const toml::table &table)
    {
        const auto points = section.number("points");
        const auto *node = table.get("points");
        if (node == nullptr)
            return;
        if (m_dimension.kind == DimensionKind::Linear && table.contains("step"))
            report(*node, "has both points and step: keep one");
        else if (m_dimension.kind == DimensionKind::Integer)
            report(*node, "has points, but an integer range takes step, unless log is true");
        else if (isList())
            report(*node, "has points without a range");
        else if (points && *points < 1)
            report(*node, "has points = " + std::to_string(*points) + ": at least 1 is needed");
        else if (points)
            m_dimension.points = *points;
    }

    void readStep(TomlSection &section, const toml::table &table)
    {
        const auto *node = table.get("step");
        if (m_dimension.kind == DimensionKind::Linear && node != nullptr) {
            m_dimension.kind = DimensionKind::Stepped;
            section.find("step");
            if (node->is_number())
                m_dimension.spacing = *node->value<double>();
            else
                report(*node, "has a step that is " + kindOf(*node) + ": it must be a number");
            return;
        }
        if (m_dimension.kind == DimensionKind::Integer) {
            if (const auto step = section.whole("step"))
                m_dimension.step = *step;
            return;
        }
        section.find("step");
        if (node == nullptr)
            return;
        if (isList())
            report(*node, "has step without a range");
        else if (isNormal(m_dimension.kind))
            report(*node, "has step, which only float and int accept: for a normal distribution use points");
        else
            report(*node, "has step, which only float and int accept: for a logarithmic range use points");
    }

    bool isList() const { return m_dimension.kind == DimensionKind::List || m_dimension.kind == DimensionKind::Choice; }

    /// Problems in the section are at "space.lr.points"; a form shows them at "space.lr".
    void takeInner()
    {
        for (const auto &[field, place] : m_inner.places)
            m_findings.places[field] = place;
        for (Problem problem : m_inner.problems) {
            problem.message = "has a key '" + problem.field.substr(m_field.size() + 1) + "' that " + problem.message;
            problem.field = m_field;
            m_findings.problems.push_back(std::move(problem));
        }
    }

    std::string m_field;
    Findings &m_findings;
    Findings m_inner;
    Dimension m_dimension;
};

}  // namespace

std::vector<Dimension> readSpace(const toml::table &space, Findings &findings)
{
    std::vector<Dimension> dimensions;
    for (const auto &[key, node] : inFileOrder(space))
        dimensions.push_back(DimensionReader(std::string(key->str()), findings).read(*node));
    return dimensions;
}

}  // namespace sweepscope::sweep
