#include "sweep/sweepfilereader.h"

#include "base/suggestion.h"
#include "sweep/bytesize.h"
#include "sweep/dimensionreader.h"
#include "sweep/duration.h"
#include "sweep/keytext.h"

#include <algorithm>
#include <limits>

namespace sweepscope::sweep {

namespace {

/// A section of the file and its table.
struct Section {
    const toml::table &table;
    std::string name;
    TomlSection keys;

    Section(const toml::table &content, const std::string &path, Findings &findings)
        : table(content), name(path), keys(content, path, findings)
    {}
};

std::optional<KeyValue> durationOf(const toml::node &node)
{
    if (const auto *seconds = node.as_integer())
        return std::chrono::seconds(seconds->get());
    const auto *text = node.as_string();
    const auto duration = text != nullptr ? parseDuration(text->get()) : std::nullopt;
    return duration ? std::optional<KeyValue>(*duration) : std::nullopt;
}

std::optional<KeyValue> sizeOf(const toml::node &node)
{
    const auto *text = node.as_string();
    const auto bytes = text != nullptr ? parseBytes(text->get()) : std::nullopt;
    return bytes ? std::optional<KeyValue>(static_cast<std::int64_t>(*bytes)) : std::nullopt;
}

/// A setting of any type, for the checks to judge: a form can hold a wrong one too.
std::optional<KeyValue> scalarOf(const Key &key, const toml::node &node)
{
    if (const auto *integer = node.as_integer()) {
        if (key.type == KeyType::Float)
            return static_cast<double>(integer->get());
        return integer->get();
    }
    if (const auto *real = node.as_floating_point())
        return real->get();
    if (const auto *boolean = node.as_boolean())
        return boolean->get();
    if (const auto *text = node.as_string())
        return text->get();
    return std::nullopt;
}

bool keepsWord(const Key &key)
{
    return std::holds_alternative<std::string>(defaultOf(key));
}

std::optional<KeyValue> wordOf(const Key &key, const toml::node &node)
{
    const auto *text = node.as_string();
    if (text == nullptr)
        return std::nullopt;
    const auto found = std::ranges::find(key.choices, text->get());
    return keepsWord(key) || found == key.choices.end() ? KeyValue(text->get())
                                                        : KeyValue(std::int64_t{found - key.choices.begin()});
}

/// Reads one key of a section, and reports what is wrong with it at its place.
class KeyReader {
public:
    KeyReader(const Key &key, std::string field, Findings &findings)
        : m_key(key), m_field(std::move(field)), m_findings(findings)
    {}

    /// Nothing where it means nothing.
    std::optional<KeyValue> read(const toml::node &node)
    {
        std::optional<KeyValue> value = valueOf(node);
        if (!value) {
            if (!m_findings.hasProblem(m_field))
                report(node, complaint(node));
            return std::nullopt;
        }
        const bool isPlainZero = !m_key.zeroWord.empty() && *value == KeyValue(std::int64_t{0}) && !isZeroWord(node);
        const std::string problem = m_key.isSetting() ? std::string()
                                    : isPlainZero     ? "must be " + expectation(m_key) + ", not 0"
                                                      : checkValue(m_key, *value);
        if (!problem.empty())
            report(node, problem);
        return value;
    }

private:
    void report(const toml::node &node, std::string message)
    {
        m_findings.report(m_field, node.source(), std::move(message));
    }

    bool isZeroWord(const toml::node &node) const
    {
        const auto *text = node.as_string();
        return text != nullptr && !m_key.zeroWord.empty() && text->get() == m_key.zeroWord;
    }

    std::optional<KeyValue> valueOf(const toml::node &node)
    {
        if (m_key.isSetting())
            return scalarOf(m_key, node);
        switch (m_key.type) {
        case KeyType::Integer:
            if (isZeroWord(node))
                return KeyValue(std::int64_t{0});
            return node.is_integer() ? scalarOf(m_key, node) : std::nullopt;
        case KeyType::Float:
            return node.is_number() ? scalarOf(m_key, node) : std::nullopt;
        case KeyType::Boolean:
            return node.is_boolean() ? scalarOf(m_key, node) : std::nullopt;
        case KeyType::String:
            return node.is_string() ? scalarOf(m_key, node) : std::nullopt;
        case KeyType::Choice:
            return wordOf(m_key, node);
        case KeyType::Duration:
            return durationOf(node);
        case KeyType::Size:
            return sizeOf(node);
        case KeyType::Strings:
        case KeyType::Gpus:
            return listOf(node);
        case KeyType::Table:
            break;
        }
        return std::nullopt;
    }

    std::optional<KeyValue> listOf(const toml::node &node)
    {
        const auto *list = node.as_array();
        if (list == nullptr)
            return std::nullopt;
        const bool areGpus = m_key.type == KeyType::Gpus;
        std::vector<std::string> entries;
        for (const toml::node &entry : *list) {
            const auto *text = entry.as_string();
            const auto *index = areGpus ? entry.as_integer() : nullptr;
            if (text == nullptr && index == nullptr) {
                report(entry, areGpus ? "contains " + kindOf(entry)
                                            + ": use the index of a GPU, or its UUID, bus id or name in quotes"
                                      : "contains " + kindOf(entry) + ": each element must be a string in quotes");
                return std::nullopt;
            }
            entries.push_back(text != nullptr ? text->get() : std::to_string(index->get()));
        }
        return entries;
    }

    std::string complaint(const toml::node &node) const
    {
        if (m_key.isSetting())
            return "is " + kindOf(node) + ", but [run] holds fixed values"
                   + (node.is_array() ? ": to search several, move it to [space]" : "");
        if (m_key.type == KeyType::Duration)
            return "is not a duration: write e.g. \"90s\", \"10m\", \"1h30m\", or an integer number of seconds, at "
                   "most "
                   + toText(longestDuration);
        if (m_key.type == KeyType::Size)
            return checkValue(m_key, KeyValue(std::int64_t{0}));
        const std::string kind = m_key.type == KeyType::Choice || m_key.type == KeyType::String ? "a string"
                                 : m_key.type == KeyType::Integer && m_key.zeroWord.empty()     ? "an integer"
                                 : m_key.type == KeyType::Float                                 ? "a number"
                                                                                                : expectation(m_key);
        return "must be " + kind + ", not " + kindOrFloat(node) + ", e.g. " + exampleOf(m_key);
    }

    const Key &m_key;
    std::string m_field;
    Findings &m_findings;
};

std::optional<KeyValue> readKey(const Key &key, Section &section, Findings &findings)
{
    const toml::node *node = section.keys.find(key.name);
    return node != nullptr ? KeyReader(key, section.keys.fieldOf(key.name), findings).read(*node) : std::nullopt;
}

/// The simple keys of a section.
void readKeys(Section &section, SweepSpec &spec, Findings &findings)
{
    addSection(spec, section.name);
    for (const Key &key : keysOf(section.name)) {
        if (key.type == KeyType::Table)
            continue;
        const std::optional<KeyValue> value = readKey(key, section, findings);
        const bool isUnknownWord = value && key.type == KeyType::Choice && !key.isSetting() && !keepsWord(key)
                                   && std::holds_alternative<std::string>(*value);
        if (value && !isUnknownWord)
            setValue(key, spec, *value);
    }
}

/// Names and strings: [constraints], run.environment, run.metrics.series.
template <typename Take>
void readStrings(const toml::table &table, const std::string &field, const std::string &what, Findings &findings,
                 Take take)
{
    for (const auto &[key, node] : inFileOrder(table)) {
        const std::string name(key->str());
        const std::string place = field + "." + name;
        findings.note(place, *node);
        const auto *text = node->as_string();
        if (text == nullptr)
            findings.report(place, node->source(), "must be " + what + " in quotes, not " + kindOf(*node));
        take(name, text);
    }
}

/// The table of a key that is one; another value is reported with `remedy`.
const toml::table *tableOf(Section &section, const char *key, const std::string &remedy, Findings &findings)
{
    const toml::node *node = section.keys.find(key);
    if (node != nullptr && !node->is_table())
        findings.report(section.keys.fieldOf(key), node->source(),
                        "must be a table, not " + kindOf(*node) + ": " + remedy);
    return node != nullptr ? node->as_table() : nullptr;
}

RetryRule readRule(const std::string &field, const toml::node &node, Findings &findings)
{
    static const Key times{
        .section = "run.retry", .name = "times", .type = KeyType::Integer, .minimum = 0, .maximum = 100};
    static const Key wait{.section = "run.retry",
                          .name = "wait",
                          .type = KeyType::Duration,
                          .minimum = 0,
                          .maximum = 366 * 86'400,
                          .example = R"("10s")"};
    RetryRule rule;
    const auto keep = [&rule](const std::optional<KeyValue> &value) {
        const auto *number = value ? std::get_if<std::int64_t>(&*value) : nullptr;
        if (number != nullptr && std::in_range<int>(*number))
            rule.times = static_cast<int>(*number);
    };
    if (const auto *table = node.as_table()) {
        Section section(*table, field, findings);
        keep(readKey(times, section, findings));
        if (const auto pause = readKey(wait, section, findings))
            rule.wait = std::get<std::chrono::seconds>(*pause);
        section.keys.finish();
        if (!table->contains("times"))
            findings.report(field, node.source(), "needs times: { times = 2, wait = \"10s\" }");
    } else if (node.is_integer()) {
        keep(KeyReader(times, field, findings).read(node));
    } else {
        findings.report(field, node.source(),
                        "must be a number of retries from 0 to 100, or { times = 2, wait = \"10s\" }");
    }
    return rule;
}

/// The keys of [run.metrics] that are no settings are series: loss = 'loss=(\S+)'. A name that is nearly a setting's is a
/// slip of the finger.
void readDirectSeries(const toml::table &table, SweepSpec &spec, Findings &findings)
{
    std::vector<std::string> settings;
    for (const Key &key : keysOf("run.metrics"))
        settings.push_back(key.name);
    for (const auto &[key, node] : inFileOrder(table)) {
        const std::string name(key->str());
        if (std::ranges::find(settings, name) != settings.end())
            continue;
        if (const std::string hint = suggestion(name, settings); !hint.empty()) {
            findings.report("run.metrics." + name, key->source(),
                            "is not known here" + hint + ": correct it, or move the series to [run.metrics.series]");
            continue;
        }
        const std::string field = "run.metrics.series." + name;
        if (spec.run.metrics->series.contains(name)) {
            findings.report(field, key->source(), "is in [run.metrics] and in its table series: remove one of them");
            continue;
        }
        findings.note(field, *node);
        const auto *text = node->as_string();
        if (text == nullptr)
            findings.report(field, node->source(),
                            "must be a string in quotes, not " + kindOf(*node)
                                + ", because it is a series: it is no setting of run.metrics");
        spec.run.metrics->series[name] = text != nullptr ? text->get() : std::string();
    }
}

void readMetrics(const toml::table &table, SweepSpec &spec, Findings &findings)
{
    Section section(table, "run.metrics", findings);
    readKeys(section, spec, findings);
    if (const auto *series = tableOf(section, "series", R"(series = { loss = 'loss=(\S+)' })", findings))
        readStrings(*series, "run.metrics.series", "a string", findings,
                    [&spec](const std::string &name, const auto *text) {
                        spec.run.metrics->series[name] = text != nullptr ? text->get() : std::string();
                    });
    readDirectSeries(table, spec, findings);
}

void readRun(Section &section, SweepSpec &spec, Findings &findings)
{
    const bool saysWorker = section.table.contains("worker") && !findings.hasProblem("run.worker");
    if (!saysWorker && section.table.contains("command"))
        spec.run.worker = WorkerKind::Command;
    if (const auto *environment = tableOf(section, "environment", "environment = { NAME = \"value\" }", findings))
        readStrings(*environment, "run.environment", "a string", findings,
                    [&spec](const std::string &name, const auto *text) {
                        if (text != nullptr)
                            spec.run.environment[name] = text->get();
                    });
    if (const auto *retry = tableOf(section, "retry", "to retry every kind of failure, write retries = 2", findings)) {
        for (const auto &[key, node] : inFileOrder(*retry)) {
            const std::string kind(key->str());
            findings.note("run.retry." + kind, *node);
            spec.run.policy.retry[kind] = readRule("run.retry." + kind, *node, findings);
        }
    }
    if (const auto *metrics = tableOf(section, "metrics", "write a section [run.metrics]", findings))
        readMetrics(*metrics, spec, findings);
}

/// What one key of a section says about another, as far as only the file can tell.
void readRules(const Section &section, SweepSpec &spec, Findings &findings)
{
    if (section.name == "sweep") {
        const bool growsWithQuality = spec.objective.find("accuracy") != std::string::npos
                                      || spec.objective.find("per_second") != std::string::npos;
        if (!section.table.contains("goal") && growsWithQuality)
            findings.report("sweep.goal", section.table.source(),
                            "is missing, and without it the smallest " + spec.objective
                                + " would be the best: write goal = \"maximize\"");
    }
    if (section.name == "search" && findings.hasProblem("search.method"))
        spec.method = SearchMethod::Random;  // a grid would ask for more
    if (section.name == "search" && !section.table.contains("method") && spec.trials != 0)
        spec.method = SearchMethod::Auto;
    if (section.name == "budget" && !section.table.empty() && spec.budget == BudgetSection())
        spec.budget.reset();  // all that it says is a mistake, which is reported already
    if (section.name == "stop" && !section.table.empty() && spec.stop == StopSection())
        spec.stop.reset();
}

void readObjectives(const toml::table &table, SweepSpec &spec, Findings &findings)
{
    for (const auto &[key, node] : inFileOrder(table)) {
        const std::string name(key->str());
        const std::string goal = node->value_or(std::string());
        findings.note("objectives." + name, *node);
        if (goal != "minimize" && goal != "maximize")
            findings.report("objectives." + name, node->source(), "must be \"minimize\" or \"maximize\"");
        spec.objectives.push_back({name, goal == "maximize" ? Goal::Maximize : Goal::Minimize});
    }
}

const toml::table *sectionTable(TomlSection &file, const std::string &name, Findings &findings)
{
    const toml::node *node = file.find(name);
    if (node != nullptr && !node->is_table())
        findings.report(name, node->source(), "is " + kindOf(*node) + ", but must be a section: [" + name + "]");
    return node != nullptr ? node->as_table() : nullptr;
}

}  // namespace

SweepSpec readSections(const toml::table &file, Findings &findings)
{
    SweepSpec spec;
    Findings outer;  // fields of the outermost table have no dot before them
    TomlSection sections(file, "", outer);
    std::vector<Section> found;
    for (const std::string &name : keySections()) {
        const bool isNested = name.find('.') != std::string::npos;
        if (const auto *table = isNested ? nullptr : sectionTable(sections, name, findings))
            found.emplace_back(*table, name, findings);
    }
    const auto *space = sectionTable(sections, "space", findings);
    const auto *constraints = sectionTable(sections, "constraints", findings);
    const auto *objectives = sectionTable(sections, "objectives", findings);
    const auto *outcomeConstraints = sectionTable(sections, "outcome_constraints", findings);
    sections.finish();
    for (const auto &[field, place] : outer.places)
        findings.places[field.substr(1)] = place;
    findings.problems.insert(findings.problems.end(), outer.problems.begin(), outer.problems.end());

    for (Section &section : found) {
        readKeys(section, spec, findings);
        if (section.name == "run")
            readRun(section, spec, findings);
        readRules(section, spec, findings);
        section.keys.finish();
    }
    if (space != nullptr)
        spec.space = readSpace(*space, findings);
    if (constraints != nullptr)
        readStrings(*constraints, "constraints", "an expression such as \"batch_size * ranks <= 256\"", findings,
                    [&spec](const std::string &name, const auto *text) {
                        spec.constraints.push_back({name, text != nullptr ? text->get() : std::string()});
                    });
    if (objectives != nullptr)
        readObjectives(*objectives, spec, findings);
    if (outcomeConstraints != nullptr)
        readStrings(*outcomeConstraints, "outcome_constraints", "an expression such as \"peak_memory < 40\"", findings,
                    [&spec](const std::string &name, const auto *text) {
                        spec.outcomeConstraints.push_back({name, text != nullptr ? text->get() : std::string()});
                    });
    if (!file.contains("run"))
        findings.report(
            "run", file.source(),
            "is missing: add a section [run] with worker = \"builtin\" or command = [\"python3\", \"train.py\"]");
    return spec;
}

}  // namespace sweepscope::sweep
