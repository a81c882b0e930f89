// Consistency of the table of keys.
#include "sweep/keys.h"

#include "sweep/keytext.h"
#include "sweep/splitmix.h"
#include "sweep/validation.h"
#include "sweepfiletext.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

using namespace sweepscope::sweep;
using namespace sweepscope::tests;

namespace {

/// Returns a file with `line` in the key's section, valid except for what other keys require.
std::string fileWith(const Key &key, const std::string &line)
{
    std::string file = "[space]\nlr = [0.1]\nbatch_size = [8]\n[sweep]\n";
    if (key.section != "sweep")
        file += "[" + key.section + "]\n";
    if (!key.methods.empty())
        file += "method = \"" + key.methods.front() + "\"\n";
    return file + line + "\n";
}

bool hasProblem(const ParsedSweep &parsed, const std::string &field)
{
    for (const Problem &problem : parsed.problems) {
        if (problem.field == field)
            return true;
    }
    return false;
}

/// Returns a value that checkValue() accepts.
KeyValue randomValue(const Key &key, SplitMix64 &random)
{
    const double low = key.minimum.value_or(0);
    const double high = std::min(key.maximum.value_or(1e9), 1e9);
    const double number = std::clamp(low + random.nextUnit() * (high - low), low, high);
    switch (key.type) {
    case KeyType::Integer:
    case KeyType::Size:
        return static_cast<std::int64_t>(std::max(std::floor(number), std::ceil(low)));
    case KeyType::Float:
        return number;
    case KeyType::Boolean:
        return random.nextBelow(2) == 0;
    case KeyType::Choice: {
        const auto index = static_cast<std::int64_t>(random.nextBelow(key.choices.size()));
        const bool isWord = std::holds_alternative<std::string>(defaultOf(key));
        return isWord ? KeyValue(key.choices[static_cast<std::size_t>(index)]) : KeyValue(index);
    }
    case KeyType::Duration:
        return std::chrono::seconds(static_cast<std::int64_t>(std::max(std::floor(number), std::ceil(low))));
    case KeyType::Strings:
    case KeyType::Gpus:
        return std::vector<std::string>{"a b", "\"", std::to_string(random.nextBelow(9))};
    case KeyType::String:
    case KeyType::Table:
        break;
    }
    return "it's \\a \"text\" " + std::to_string(random.nextBelow(1000));
}

}  // namespace

TEST_CASE("every key is listed once, with a description")
{
    std::set<std::string> paths;
    std::set<std::string> labels;
    for (const Key &key : keys()) {
        INFO(key.path());
        CHECK(paths.insert(key.path()).second);
        CHECK(findKey(key.path()) == &key);
        CHECK_FALSE(key.description.empty());
        CHECK(key.description.back() != '.');
        CHECK((key.type == KeyType::Choice) == !key.choices.empty());
        CHECK((key.choiceLabels.empty() || key.choiceLabels.size() == key.choices.size()));
        CHECK((key.type == KeyType::Table || key.isSetting() || (key.get != nullptr && key.set != nullptr)));
        CHECK_FALSE(helpText(key).empty());
        if (!key.label.empty())
            CHECK(labels.insert(key.label).second);
    }
    CHECK(findKey("run") == nullptr);
    CHECK(findKey("run.nothing") == nullptr);
    std::size_t ofSections = 0;
    for (const std::string &section : keySections())
        ofSections += keysOf(section).size();
    CHECK(ofSections == keys().size());
}

TEST_CASE("a missing key has its default")
{
    for (const Key &key : keys()) {
        if (key.type == KeyType::Table)
            continue;
        INFO(key.path());
        const ParsedSweep parsed = parseSweep(fileWith(key, ""));
        const KeyValue value = getValue(key, parsed.spec);
        if (key.isSetting())
            CHECK(std::holds_alternative<std::monostate>(value));
        else if (key.section != "budget")  // an empty budget is an error
            CHECK((value == defaultOf(key)));
        CHECK((checkValue(key, defaultOf(key)).empty() || !key.absent.empty()));
    }
}

TEST_CASE("every key's example is valid")
{
    for (const Key &key : keys()) {
        if (key.absent == "none" && key.example.empty())
            continue;
        const std::string file = fileWith(key, exampleOf(key));
        INFO(file);
        const ParsedSweep parsed = parseSweep(file);
        INFO(textOf(parsed));
        // Other keys may have problems: metrics need a command, trials need a search method, and so does an improvement.
        const bool needsSearch = key.path() == "search.trials" || key.path() == "stop.min_improvement";
        CHECK((!hasProblem(parsed, key.path()) || needsSearch));
    }
}

TEST_CASE("every section with the user's own names has a valid example")
{
    for (const FreeSection &section : freeSections()) {
        const std::string space = section.name == "constraints" ? "[space]\nbatch_size = [1, 2]\n" : "";
        const std::string file = "[sweep]\nname = 'x'\nobjective = 'loss'\n" + space + "[" + section.name + "]\n"
                                 + section.example + "\n[run]\ncommand = ['train']\n";
        INFO(file);
        INFO(textOf(parseSweep(file)));
        CHECK(parseSweep(file).problems.empty());
        CHECK(summaryOf(section).back() != '.');
        CHECK(helpText(section).find(section.example) != std::string::npos);
    }
}

TEST_CASE("any value of any key is the same after writing and reading a file")
{
    SplitMix64 random(7);
    for (int round = 0; round < 200; ++round) {
        SweepSpec spec;
        for (const std::string &section : keySections()) {
            if (hasSection(spec, section) || random.nextBelow(2) == 0)
                addSection(spec, section);
        }
        for (const Key &key : keys()) {
            if (key.type != KeyType::Table && hasSection(spec, key.section) && random.nextBelow(3) == 0) {
                const KeyValue value = randomValue(key, random);
                INFO(key.path());
                CHECK(checkValue(key, value) == "");
                setValue(key, spec, value);
                CHECK((getValue(key, spec) == value));
            }
        }
        if (spec.run.worker == WorkerKind::Builtin)
            spec.run.command.clear();
        INFO(toToml(spec));
        CHECK((parseSweep(toToml(spec)).spec == spec));
    }
}

TEST_CASE("a value outside the range of a key is reported at its position, in a file and in a form")
{
    for (const Key &key : keys()) {
        for (const bool above : {false, true}) {
            const std::optional<double> bound = above ? key.maximum : key.minimum;
            const double beside = bound.value_or(0) + (above ? 1 : -1);
            const bool isZero = beside == 0
                                && (!key.zero.empty() || defaultOf(key) == KeyValue(std::int64_t{0})
                                    || defaultOf(key) == KeyValue(0.0));
            if (!bound || isZero || key.type == KeyType::Size)
                continue;
            const auto whole = static_cast<std::int64_t>(beside);
            const KeyValue value = key.type == KeyType::Duration ? KeyValue(std::chrono::seconds(whole))
                                   : key.type == KeyType::Float  ? KeyValue(beside)
                                                                 : KeyValue(whole);
            CHECK(checkValue(key, value).starts_with("must be "));
            const std::string file = fileWith(
                key, key.name + " = " + (key.type == KeyType::Float ? tomlOf(key, value) : std::to_string(whole)));
            INFO(file);
            CHECK(hasProblem(parseSweep(file), key.path()));
            if (beside < 0 && key.path() == "search.seed")
                continue;  // a form cannot have a negative one
            SweepSpec spec;
            addSection(spec, key.section);
            setValue(key, spec, value);
            CHECK(hasProblem({spec, validate(spec)}, key.path()));
        }
    }
}
