#include "exporting/sweepexport.h"

#include "exporting/csv.h"
#include "exporting/outputfile.h"

#include "diagnosis/attemptfiles.h"

#include <string>

namespace sweepscope::exporting {

namespace {

class FindingsTable {
public:
    FindingsTable(std::ostream &out, const std::string &sweepName) : m_csv(out), m_sweepName(sweepName)
    {
        for (const char *name :
             {"sweep", "trial", "attempt", "rule", "verdict", "severity", "rank", "device", "from", "to", "from_step",
              "to_step", "value", "threshold", "unit", "threshold_source", "sentence", "hint", "simulated"})
            m_csv.field(name);
        m_csv.endRow();
    }

    void finding(const diagnosis::Finding &finding)
    {
        begin(finding.trial, finding.attempt, finding.rule, diagnosis::Verdict::Found);
        m_csv.field(diagnosis::nameOf(finding.severity));
        integer(finding.rank);
        m_csv.field(finding.device);
        m_csv.field(toIso8601(finding.window.from));
        m_csv.field(toIso8601(finding.window.to));
        integer(finding.window.fromStep);
        integer(finding.window.toStep);
        m_csv.field(finding.value);
        m_csv.field(finding.threshold);
        m_csv.field(finding.unit);
        m_csv.field(finding.thresholdSource);
        m_csv.field(finding.sentence);
        m_csv.field(finding.hint);
        m_csv.field(finding.simulated ? "true" : "false");
        m_csv.endRow();
    }

    /// What was found is in its findings.
    void nothingFound(const diagnosis::Report &report, const diagnosis::RuleResult &result)
    {
        begin(report.trial, report.attempt, result.rule, result.verdict);
        constexpr int untilSentence = 11;
        for (int i = 0; i < untilSentence; ++i)
            m_csv.emptyField();
        m_csv.field(result.missing);
        m_csv.emptyField();
        m_csv.emptyField();
        m_csv.endRow();
    }

private:
    void begin(int trial, int attempt, const std::string &rule, diagnosis::Verdict verdict)
    {
        m_csv.field(m_sweepName);
        m_csv.field(std::int64_t{trial});
        m_csv.field(std::int64_t{attempt});
        m_csv.field(rule);
        m_csv.field(diagnosis::nameOf(verdict));
    }

    template <typename Integer>
    void integer(const std::optional<Integer> &number)
    {
        if (number)
            m_csv.field(std::int64_t{*number});
        else
            m_csv.emptyField();
    }

    CsvWriter m_csv;
    const std::string &m_sweepName;
};

}  // namespace

Expected<void> exportFindings(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                              const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &file,
                              const Progress &progress)
{
    auto output = OutputFile::create(file);
    if (!output)
        return tl::unexpected(output.error());
    FindingsTable table(output->stream(), sweep.name);
    const std::vector<diagnosis::AttemptPlace> places = diagnosis::attemptsOf(workspace, sweep, trials);
    diagnosis::DeviceHistories devices(workspace);
    std::string damage;
    const auto note = [&damage](const std::string &more) {
        damage += (damage.empty() || more.empty() ? "" : "; ") + more;
    };
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (progress && !progress(static_cast<double>(i) / static_cast<double>(places.size())))
            return makeError(ErrorCode::Unavailable, "the export was canceled; " + file.string() + " was not written");
        const Expected<diagnosis::Report> report = diagnosis::diagnose(places[i], devices, wallNow());
        note(report ? report->damage : report.error().message);
        if (!report)
            continue;
        for (const diagnosis::Finding &finding : report->findings)
            table.finding(finding);
        for (const diagnosis::RuleResult &result : report->results) {
            if (result.verdict != diagnosis::Verdict::Found)
                table.nothingFound(*report, result);
        }
    }
    note(devices.damage());
    return finish(*output, file, damage, progress);
}

}  // namespace sweepscope::exporting
