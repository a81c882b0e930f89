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
                     const std::optional<ReportedRun> &run = {})
{
    const TemporaryFolder folder;
    REQUIRE(exportHtml({folder.path / "workspace"}, sweep, trials, folder.path / "r.html", run).has_value());
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
    ReportedRun run;
    run.launch.command = {hostile};
    run.launch.folder = run.changedFiles = run.codeDifference = hostile;
    run.launch.source = sweep::SourceState{hostile, hostile};
    run.launch.environment = {{hostile, hostile}};
    run.environment = {hostile, {{hostile, hostile}}, {{hostile, hostile}}, {{hostile, hostile}}, {{hostile, hostile}}};
    const std::string report = reportOf(sweep, {trial}, run);
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
    ReportedRun run;
    run.launch.environment = {{"MY_API_KEY", "hush-hush"}, {"MODE", "fast"}};
    const std::string report = reportOf(sweep, {}, run);
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

TEST_CASE("code and environment of a run are reported")
{
    ReportedRun run;
    run.trial = 3;
    run.launch.source = sweep::SourceState{"0123abc", "main", true, "89ab"};
    run.environment = {"/venv/bin/python", {{"torch", "2.3.0"}}, {}, {{"NCCL_ALGO", "Ring"}}, {{"host", "n1"}}};
    run.changedFiles = "M\ttrain.py\nA\tnew.py\n";
    run.codeDifference = "-a\n+b\n";
    const std::string report = reportOf({}, {}, run);
    for (const char *part :
         {"Code of trial 3", "<dd>0123abc, with changes</dd>", "2 files differ from the revision", "M\ttrain.py",
          "-a\n+b\n", "Environment of trial 3", "<summary>1 package</summary>", "torch==2.3.0",
          "<dt>NCCL_ALGO</dt><dd>Ring</dd>", "<dt>host</dt><dd>n1</dd>", "\"note\":\"0 findings in 0 attempts.\""})
        CHECK_MESSAGE(report.find(part) != std::string::npos, part);
}
