#include "sweep/tomlsection.h"

#include "base/suggestion.h"
#include "sweep/tomltext.h"

#include <algorithm>
#include <limits>

namespace sweepscope::sweep {

void Findings::note(const std::string &field, const toml::node &node)
{
    places[field] = node.source().begin;
}

void Findings::report(const std::string &field, const toml::source_region &where, std::string message)
{
    problems.push_back(
        {field, std::move(message), static_cast<int>(where.begin.line), static_cast<int>(where.begin.column)});
}

bool Findings::hasProblem(const std::string &field) const
{
    return std::any_of(problems.begin(), problems.end(),
                       [&field](const Problem &problem) { return problem.field == field; });
}

std::string kindOf(const toml::node &node)
{
    switch (node.type()) {
    case toml::node_type::table:
        return "a table";
    case toml::node_type::array:
        return "a list";
    case toml::node_type::string:
        return "a string";
    case toml::node_type::integer:
        return "an integer";
    case toml::node_type::floating_point:
        return "a number";
    case toml::node_type::boolean:
        return "a boolean";
    default:
        return "a date or time";
    }
}

std::string kindOrFloat(const toml::node &node)
{
    const auto *real = node.as_floating_point();
    return real != nullptr ? tomlFloat(real->get()) : kindOf(node);
}

TomlSection::TomlSection(const toml::table &table, std::string field, Findings &findings)
    : m_table(table), m_field(std::move(field)), m_findings(findings)
{}

const toml::node *TomlSection::find(std::string_view key)
{
    m_readKeys.emplace_back(key);
    const toml::node *node = m_table.get(key);
    if (node != nullptr)
        m_findings.note(fieldOf(key), *node);
    return node;
}

std::optional<std::string> TomlSection::text(std::string_view key, const std::string &example)
{
    const toml::node *node = find(key);
    if (node == nullptr)
        return std::nullopt;
    if (const auto *value = node->as_string())
        return value->get();
    m_findings.report(fieldOf(key), node->source(),
                      "must be a string, not " + kindOf(*node) + ", e.g. " + std::string(key) + " = " + example);
    return std::nullopt;
}

std::optional<std::int64_t> TomlSection::whole(std::string_view key)
{
    const toml::node *node = find(key);
    if (node == nullptr)
        return std::nullopt;
    if (const auto *value = node->as_integer())
        return value->get();
    m_findings.report(fieldOf(key), node->source(),
                      "must be an integer, not " + kindOrFloat(*node) + ", e.g. " + std::string(key) + " = 2");
    return std::nullopt;
}

std::optional<int> TomlSection::number(std::string_view key)
{
    const auto value = whole(key);
    if (!value)
        return std::nullopt;
    if (*value < std::numeric_limits<int>::min() || *value > std::numeric_limits<int>::max()) {
        m_findings.report(fieldOf(key), m_table.get(key)->source(),
                          "is " + std::to_string(*value) + ", which is out of range");
        return std::nullopt;
    }
    return static_cast<int>(*value);
}

void TomlSection::finish()
{
    for (const auto &[key, node] : inFileOrder(m_table)) {
        const std::string name(key->str());
        if (std::find(m_readKeys.begin(), m_readKeys.end(), name) == m_readKeys.end())
            reportUnknown(*key, name, m_readKeys);
    }
}

void TomlSection::reportUnknown(const toml::key &key, const std::string &name, const std::vector<std::string> &known)
{
    constexpr std::size_t mostListed = 12;  // a longer list is not read
    std::string hint = suggestion(name, known);
    if (hint.empty() && known.size() <= mostListed)
        hint = "; known keys are " + orList(known);
    m_findings.report(m_field.empty() ? name : fieldOf(name), key.source(),
                      "is not known here" + hint + ": correct or remove it");
}

std::vector<std::pair<const toml::key *, const toml::node *>> inFileOrder(const toml::table &table)
{
    std::vector<std::pair<const toml::key *, const toml::node *>> entries;
    for (auto &&[key, node] : table)
        entries.emplace_back(&key, &node);
    std::stable_sort(entries.begin(), entries.end(), [](const auto &a, const auto &b) {
        const auto &left = a.first->source().begin;
        const auto &right = b.first->source().begin;
        return left.line != right.line ? left.line < right.line : left.column < right.column;
    });
    return entries;
}

}  // namespace sweepscope::sweep
