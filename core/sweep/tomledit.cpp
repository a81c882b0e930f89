#include "sweep/tomledit.h"

#include "sweep/tomltext.h"

#include <algorithm>
#include <toml++/toml.h>
#include <vector>

namespace sweepscope::sweep {

namespace {

/// Where a line of the text begins; lines count from 1.
std::size_t lineBegin(const std::string &text, toml::source_index line)
{
    std::size_t at = 0;
    for (toml::source_index i = 1; i < line && at < text.size(); ++i)
        at = std::min(text.find('\n', at), text.size() - 1) + 1;
    return at;
}

/// Of the line break, or of the text's end.
std::size_t lineEnd(const std::string &text, std::size_t at)
{
    const std::size_t end = std::min(text.find('\n', at), text.size());
    return end > at && text[end - 1] == '\r' ? end - 1 : end;
}

/// Columns count characters, from 1.
std::size_t offsetOf(const std::string &text, const toml::source_position &place)
{
    std::size_t at = lineBegin(text, place.line);
    for (toml::source_index column = 1; column < place.column && at < text.size(); ++column) {
        do
            ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
    }
    return at;
}

bool isBlank(std::string_view text)
{
    return text.find_first_not_of(" \t") == std::string_view::npos;
}

std::string_view breakOf(const std::string &text)
{
    return text.find("\r\n") != std::string::npos ? "\r\n" : "\n";
}

std::string replaced(const std::string &text, const toml::node &node, const std::string &value)
{
    const std::size_t begin = offsetOf(text, node.source().begin);
    const std::size_t end = offsetOf(text, node.source().end);
    return text.substr(0, begin) + value + text.substr(std::max(begin, end));
}

/// Nothing, where it is not alone on its lines.
std::optional<std::string> removed(const std::string &text, const toml::key &key, const toml::node &node)
{
    const std::size_t begin = lineBegin(text, key.source().begin.line);
    const std::size_t keyBegin = offsetOf(text, key.source().begin);
    const std::size_t valueEnd = offsetOf(text, node.source().end);
    const std::size_t end = lineEnd(text, valueEnd);
    if (!isBlank(std::string_view(text).substr(begin, keyBegin - begin)))
        return std::nullopt;
    const std::size_t comment = text.find_first_not_of(" \t", valueEnd);
    if (comment < end && text[comment] == '#')
        return text.substr(0, keyBegin) + text.substr(comment);
    if (comment < end)
        return std::nullopt;
    return text.substr(0, begin) + text.substr(std::min(text.find('\n', end), text.size() - 1) + 1);
}

/// Returns the text with a line added after the last one of the table.
std::string inserted(const std::string &text, const toml::table &table, const std::string &line)
{
    toml::source_position last = table.source().begin;
    for (const auto &[key, node] : table) {
        const toml::table *inside = node.as_table();
        if (!inside || inside->is_inline()) {
            const toml::source_position end = node.source().end;
            if (end.line > last.line || (end.line == last.line && end.column > last.column))
                last = end;
        }
    }
    if (table.is_inline()) {
        const std::size_t at = offsetOf(text, last);
        return text.substr(0, at) + ", " + line + text.substr(at);
    }
    const std::size_t at = lineEnd(text, lineBegin(text, last.line));
    return text.substr(0, at) + std::string(breakOf(text)) + line + text.substr(at);
}

std::string appended(const std::string &text, const std::string &table, const std::string &line)
{
    const std::string next(breakOf(text));
    const bool isOpen = !text.empty() && text.back() != '\n';
    return text + (isOpen ? next : "") + next + "[" + table + "]" + next + line + next;
}

/// The part of the name before its first dot; `name` is left with what is behind it.
std::string firstOf(std::string_view &name)
{
    const std::size_t dot = std::min(name.find('.'), name.size());
    const std::string first(name.substr(0, dot));
    name.remove_prefix(std::min(dot + 1, name.size()));
    return first;
}

/// "run.environment" is a table of a table.
const toml::node *nodeAt(const toml::table &root, std::string_view name)
{
    const toml::node *node = &root;
    while (node && !name.empty()) {
        const toml::table *table = node->as_table();
        node = table ? table->get(firstOf(name)) : nullptr;
    }
    return node;
}

/// The key without the quotes that it may need in TOML.
std::string nameOf(const std::string &key)
{
    const toml::table written = toml::parse(key + " = 0");
    return written.size() == 1 ? std::string(written.begin()->first.str()) : key;
}

/// What the edited text has to say.
toml::table wanted(const toml::table &before, std::string_view table, const std::string &key,
                   const toml::table &written)
{
    toml::table after = before;
    const std::string name = nameOf(key);
    const toml::node *value = written.get(name);
    toml::table *section = &after;
    while (section && !table.empty()) {
        const std::string outer = firstOf(table);
        if (value)
            section->insert(outer, toml::table{});  // unless there is one
        section = (*section)[outer].as_table();
    }
    if (section && value)
        section->insert_or_assign(name, *value);
    else if (section)
        section->erase(name);
    return after;
}

/// What may be what is wanted, the likeliest first.
std::vector<std::string> candidates(const std::string &text, const toml::table &root, const std::string &table,
                                    const std::string &key, const std::optional<std::string> &value)
{
    const std::string line = key + " = " + value.value_or("");
    const toml::node *place = nodeAt(root, table);
    if (!place)
        return {value ? appended(text, table, line) : text};
    const toml::table *section = place->as_table();
    if (!section)
        return {};
    const auto found = section->find(nameOf(key));
    if (found == section->end() && value)  // under the table's name, or in the root as "table.key"
        return {inserted(text, *section, line), inserted(text, *section, table + "." + line)};
    if (found == section->end())
        return {text};
    if (value)
        return {replaced(text, found->second, *value)};
    const std::optional<std::string> without = removed(text, found->first, found->second);
    return without ? std::vector{*without} : std::vector<std::string>();
}

bool says(const std::string &text, const toml::table &wanted)
try {
    return toml::parse(text) == wanted;
} catch (const toml::parse_error &) {
    return false;
}

}  // namespace

std::optional<std::string> withTomlKey(const std::string &text, const std::string &table, const std::string &key,
                                       const std::optional<std::string> &value)
try {
    if (nestingProblem(text) || nestingProblem(table) || (value && nestingProblem(*value)))
        return std::nullopt;
    const toml::table root = toml::parse(text);
    const toml::table written = value ? toml::parse(key + " = " + *value) : toml::table{};
    const std::vector<std::string> texts = candidates(text, root, table, key, value);
    if (texts.empty())
        return std::nullopt;
    const toml::table after = wanted(root, table, key, written);
    const auto good =
        std::find_if(texts.begin(), texts.end(), [&](const std::string &one) { return says(one, after); });
    return good == texts.end() ? std::nullopt : std::optional(*good);
} catch (const toml::parse_error &) {
    return std::nullopt;
}

}  // namespace sweepscope::sweep
