#include "importing/importedsweep.h"

#include "base/printable.h"
#include "sweep/dimensionvalues.h"
#include "sweep/sweepfile.h"
#include "sweep/sweepfilewriter.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace sweepscope::importing {

namespace {

/// Lines of at most 110 columns.
std::string comment(const std::string &text)
{
    constexpr std::size_t widest = 110;
    std::string lines;
    std::string line = "#";
    const auto flush = [&] {
        lines += line + "\n";
        line = "#";
    };
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
        if (line.size() > 1 && line.size() + 1 + end - begin > widest)
            flush();
        if (end > begin)
            line += " " + text.substr(begin, end - begin);
        if (end < text.size() && text[end] == '\n')
            flush();
        begin = end + 1;
    }
    std::string result = lines + line + "\n";
    std::erase_if(result, [](char c) { return c != '\n' && (static_cast<unsigned char>(c) < 0x20 || c == '\x7f'); });
    return result;
}

}  // namespace

std::string sweepFileOf(ImportedSweep &imported)
{
    if (!imported.problems.empty())
        return {};
    const std::vector<sweep::WrittenKey> keys = sweep::writtenKeys(imported.spec);
    const auto hasKey = [&keys](const ImportNote &note) {
        return std::ranges::any_of(keys, [&note](const sweep::WrittenKey &key) { return key.dotted() == note.key; });
    };
    std::string text;
    for (const ImportNote &note : imported.notes) {
        if (!hasKey(note))
            text += comment(note.text);
    }
    const std::string *table = nullptr;
    for (const sweep::WrittenKey &key : keys) {
        if (table == nullptr || *table != key.table) {
            text += (text.empty() ? "[" : "\n[") + key.table + "]\n";
            table = &key.table;
        }
        for (const ImportNote &note : imported.notes) {
            if (note.key == key.dotted())
                text += comment(note.text);
        }
        text += key.name + " = " + key.value + "\n";
    }
    imported.problems = sweep::parseSweep(text).problems;
    for (sweep::Problem &problem : imported.problems)
        problem.line = problem.column = 0;  // of a file that is not written
    return imported.problems.empty() ? text : std::string();
}

void setTrials(ImportedSweep &imported, std::uint64_t trials)
{
    imported.spec.trials = trials;
    std::uint64_t combinations = 1;
    for (const sweep::Dimension &dimension : imported.spec.space) {
        // A range that is refused has no size.
        const bool isCounted = !sweep::isContinuous(dimension.kind) && sweep::checkDimension(dimension, false).empty();
        const std::uint64_t size = isCounted ? sweep::DimensionValues(dimension).size() : 0;
        if (size == 0 || combinations > trials / size)
            return;
        combinations *= size;
    }
    if (trials <= combinations)
        return;
    imported.note("search.trials", "All combinations, each once.");
    imported.spec.trials = combinations;
}

std::string sweepNameOf(std::string name)
{
    for (char &c : name) {
        if (c == '/' || static_cast<unsigned char>(c) < 0x20 || c == '\x7f')
            c = '-';
    }
    name.erase(0, name.find_first_not_of(". "));
    constexpr std::size_t mostBytes = 100;
    name = cutBetweenCharacters(std::move(name), mostBytes);
    return name.empty() ? "imported" : name;
}

double roundedToDigits(double value)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.12g", value);
    return std::strtod(text.data(), nullptr);
}

}  // namespace sweepscope::importing
