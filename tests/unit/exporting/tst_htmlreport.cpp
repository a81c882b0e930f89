#include "exporting/htmlreport.h"

#include "base/files.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using namespace sweepscope;
using namespace sweepscope::exporting;

namespace {

std::string reportOf(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials,
                     const std::optional<sweep::AttemptLaunch> &launch = {})
{
    const TemporaryFolder folder;
    REQUIRE(exportHtml({folder.path / "workspace"}, sweep, trials, folder.path / "r.html", launch).has_value());
    return readFile(folder.path / "r.html", 1 << 24).value();
}

std::size_t count(const std::string &text, const std::string &part)
{
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

const std::string hostile = "</script><script>alert('\"&\xff\x01')</script><!--";

}  // namespace

TEST_CASE("hostile names end neither an element nor the data")
{
    const std::string clean = reportOf({}, {});
    sweep::SweepRecord sweep;
    sweep.name = sweep.objective = sweep.toml = sweep.mark.note = hostile;
    sweep.parameterNames = {hostile};
    sweep::TrialRecord trial;
    trial.number = 1;
    trial.attempts = 1;
    trial.state = sweep::TrialState::Failed;
    trial.parameters = {{hostile, hostile}};
    trial.objectiveBest = {1, 1};
    trial.metrics = {{hostile, std::numeric_limits<double>::quiet_NaN(), 1}};
    trial.mark = {true, {hostile}, hostile};
    sweep::AttemptLaunch launch;
    launch.command = {hostile};
    launch.folder = hostile;
    launch.environment = {{hostile, hostile}};
    const std::string report = reportOf(sweep, {trial}, launch);
    CHECK(count(report, "<script") == count(clean, "<script"));
    CHECK(count(report, "</script") == count(clean, "</script"));
    CHECK(count(report, "<!--") == 0);
    CHECK(report.find('\x01') == std::string::npos);
    CHECK(report.find('\xff') == std::string::npos);
}

TEST_CASE("a sweep without trials has a report")
{
    sweep::SweepRecord sweep;
    sweep.name = "digits";
    const std::string report = reportOf(sweep, {});
    CHECK(report.find("<p>No trial has a result.</p>") != std::string::npos);
    CHECK(report.find("\"rows\":[]") != std::string::npos);
    CHECK(report.find("\"best\":null") != std::string::npos);
    CHECK(report.find("Failures") == std::string::npos);
}

TEST_CASE("secrets of the definition and the launch are masked")
{
    sweep::SweepRecord sweep;
    sweep.toml = "[sweep]\nname = \"a\"\nobjective = \"loss\"\n[run]\ncommand = [\"true\"]\n"
                 "[run.environment]\nMY_API_KEY = \"hush-hush\"\nMODE = \"fast\"\n";
    sweep::AttemptLaunch launch;
    launch.environment = {{"MY_API_KEY", "hush-hush"}, {"MODE", "fast"}};
    const std::string report = reportOf(sweep, {}, launch);
    CHECK(report.find("hush-hush") == std::string::npos);
    CHECK(report.find("MODE = &quot;fast&quot;") != std::string::npos);
    CHECK(report.find("<dt>MY_API_KEY</dt><dd>***</dd>") != std::string::npos);
}

TEST_CASE("unknown values are null")
{
    sweep::SweepRecord sweep;
    sweep.objective = "loss";
    sweep.parameterNames = {"lr"};
    sweep::TrialRecord trial;
    trial.number = 1;
    const std::string report = reportOf(sweep, {trial});
    CHECK(report.find("\"rows\":[\n[1,\"queued\",null,null,null,null,0,null,null,null]]") != std::string::npos);
}
