#include "sweep/metricsreader.h"

namespace sweepscope::sweep {

namespace {

void readSeries(TomlSection &section, MetricsSection &metrics, Findings &findings)
{
    const toml::node *node = section.find("series");
    if (node == nullptr)
        return;
    const auto *table = node->as_table();
    if (table == nullptr) {
        findings.report("run.metrics.series", node->source(),
                        "is " + kindOf(*node) + " where a table belongs: series = { loss = 'loss=(\\S+)' }");
        return;
    }
    for (const auto &[key, value] : inFileOrder(*table)) {
        const std::string name(key->str());
        const std::string field = "run.metrics.series." + name;
        findings.note(field, *value);
        const auto *text = value->as_string();
        metrics.series[name] = text != nullptr ? text->get() : std::string();
        if (text == nullptr)
            findings.report(field, value->source(),
                            "is " + kindOf(*value) + " where a text belongs: write it in quotes");
    }
}

}  // namespace

std::optional<MetricsSection> readMetrics(const toml::node &node, Findings &findings)
{
    const auto *table = node.as_table();
    if (table == nullptr) {
        findings.report("run.metrics", node.source(), "is " + kindOf(node) + ", but must be a section: [run.metrics]");
        return std::nullopt;
    }
    MetricsSection metrics;
    TomlSection section(*table, "run.metrics", findings);
    if (section.choice("format", {"text", "json"}) == 1U)
        metrics.format = OutputFormat::Json;
    metrics.everyRank = section.choice("ranks", {"first", "all"}) == 1U;
    metrics.step = section.text("step", "'epoch (\\d+)'").value_or("");
    readSeries(section, metrics, findings);
    section.finish();
    return metrics;
}

}  // namespace sweepscope::sweep
