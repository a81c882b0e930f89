#pragma once

#include "sweep/problem.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

namespace sweepscope::sweep {

/// Where things stand in the file, and what is wrong with them.
struct Findings {
    std::map<std::string, toml::source_position> places;  ///< by field, or by "field.key" inside a parameter's table
    std::vector<Problem> problems;

    void note(const std::string &field, const toml::node &node);
    void report(const std::string &field, const toml::source_region &where, std::string message);
    bool hasProblem(const std::string &field) const;
};

/// "a string", "an integer", "a list", … : what a node is, for messages.
std::string kindOf(const toml::node &node);

/// As kindOf(), but returns a float literally: "must be an integer, not 1.5".
std::string kindOrFloat(const toml::node &node);

/// One table of the file: hands out typed values, reports wrong types at their place, and at the end every key that
/// was not read.
class TomlSection {
public:
    /// `field`: the dotted path of the table, prefix of its keys' fields.
    TomlSection(const toml::table &table, std::string field, Findings &findings);

    const toml::node *find(std::string_view key);
    std::optional<std::string> text(std::string_view key, const std::string &example);
    std::optional<std::int64_t> whole(std::string_view key);
    /// An integer that fits an int; a larger one is reported.
    std::optional<int> number(std::string_view key);

    /// Report the keys that were not asked for.
    void finish();

    const std::string &field() const { return m_field; }
    std::string fieldOf(std::string_view key) const { return m_field + "." + std::string(key); }

private:
    void reportUnknown(const toml::key &key, const std::string &name, const std::vector<std::string> &known);

    const toml::table &m_table;
    std::string m_field;
    Findings &m_findings;
    std::vector<std::string> m_readKeys;
};

/// Keys in the order of the file (a toml::table sorts them).
std::vector<std::pair<const toml::key *, const toml::node *>> inFileOrder(const toml::table &table);

}  // namespace sweepscope::sweep
