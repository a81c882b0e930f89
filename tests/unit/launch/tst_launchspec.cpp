#include "base/files.h"
#include "launch/launchspec.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <string>

using namespace sweepscope;
using namespace sweepscope::launch;

namespace {

LaunchSpec fullSpec()
{
    LaunchSpec spec;
    spec.attemptId = "0003-digits/7/1";
    spec.sweepName = "digits \"quoted\" ü";
    spec.trial = 7;
    spec.attempt = 2;
    spec.argv = {"python3", "train.py", "--lr", "0.1", ""};
    spec.environment = {{"A", "1"}, {"EMPTY", ""}};
    spec.environmentFile = "/home/me/keys.env";
    spec.workingFolder = "/tmp";
    spec.ranks = 2;
    spec.devices = {{"GPU-1"}, {"cpu:0", "cpu:1"}};
    spec.deviceGroup = facts::Fact(facts::Code::GpusConnected).with(facts::Field::Path, std::string("nvlink"));
    spec.cpus = {{0, 1, 2, 3, 8}, {}};
    spec.ompThreads = 4;
    spec.timeout = std::chrono::milliseconds(90'000);
    spec.grace = std::chrono::milliseconds(1500);
    spec.hangFactor = 2.5;
    spec.hangAfter = std::chrono::milliseconds(5000);
    spec.exitGrace = std::chrono::milliseconds(6000);
    spec.pythonPath = "/opt/python";
    spec.gpusOfJob = true;
    spec.metrics = {output::OutputFormat::Json, true, "epoch", {{"loss", "val.loss"}}, "/runs"};
    return spec;
}

/// Returns the error message for a launch.json with this content.
std::string complaint(const std::string &content)
{
    const TemporaryFolder folder;
    const auto file = folder.path / "launch.json";
    REQUIRE(writeFileAtomically(file, content).has_value());
    const auto spec = readLaunchSpec(file);
    REQUIRE_FALSE(spec.has_value());
    CHECK(spec.error().code == ErrorCode::BadInput);
    CHECK(spec.error().message.find(file.string()) == 0);
    return spec.error().message.substr(file.string().size() + 2);
}

std::string with(const std::string &fields)
{
    return R"({"version":1,"attempt_id":"a","argv":["true"],"working_folder":"/","ranks":2)" + fields + "}";
}

}  // namespace

TEST_CASE("what is written is read back")
{
    const TemporaryFolder folder;
    const LaunchSpec spec = fullSpec();
    REQUIRE(writeLaunchSpec(spec, folder.path / "launch.json").has_value());
    const auto back = readLaunchSpec(folder.path / "launch.json");
    REQUIRE(back.has_value());
    CHECK(back->attemptId == spec.attemptId);
    CHECK(back->sweepName == spec.sweepName);
    CHECK(back->trial == spec.trial);
    CHECK(back->attempt == spec.attempt);
    CHECK(back->argv == spec.argv);
    CHECK(back->environment == spec.environment);
    CHECK(back->environmentFile == spec.environmentFile);
    CHECK(back->workingFolder == spec.workingFolder);
    CHECK(back->ranks == spec.ranks);
    CHECK(back->devices == spec.devices);
    CHECK(back->deviceGroup == spec.deviceGroup);
    CHECK(back->cpus == spec.cpus);
    CHECK(back->ompThreads == spec.ompThreads);
    CHECK(back->timeout == spec.timeout);
    CHECK(back->grace == spec.grace);
    CHECK(back->hangFactor == spec.hangFactor);
    CHECK(back->hangAfter == spec.hangAfter);
    CHECK(back->exitGrace == spec.exitGrace);
    CHECK(back->pythonPath == spec.pythonPath);
    CHECK(back->gpusOfJob == spec.gpusOfJob);
    CHECK_FALSE(back->node.has_value());
    CHECK(back->metrics == spec.metrics);
}

TEST_CASE("a part of an attempt on several machines is written and read back")
{
    const TemporaryFolder folder;
    LaunchSpec spec = fullSpec();
    spec.node = NodePart{1, 3, spec.ranks, 3 * spec.ranks, "10.0.0.1", 40000, true};
    REQUIRE(writeLaunchSpec(spec, folder.path / "launch.json").has_value());
    auto back = readLaunchSpec(folder.path / "launch.json");
    REQUIRE(back.has_value());
    REQUIRE(back->node.has_value());
    CHECK(back->node->index == 1);
    CHECK(back->node->count == 3);
    CHECK(back->firstRank() == spec.ranks);
    CHECK(back->worldSize() == 3 * spec.ranks);
    CHECK(back->node->masterAddress == "10.0.0.1");
    CHECK(back->node->masterPort == 40000);
    CHECK(back->node->ofJob);
    spec.node->ranks = 2 * spec.ranks - 1;
    REQUIRE(writeLaunchSpec(spec, folder.path / "launch.json").has_value());
    CHECK_FALSE(readLaunchSpec(folder.path / "launch.json").has_value());
}

TEST_CASE("each format of the output is written and read back")
{
    using output::OutputFormat;
    for (const OutputFormat format : {OutputFormat::Text, OutputFormat::Json, OutputFormat::Auto}) {
        const TemporaryFolder folder;
        LaunchSpec spec = fullSpec();
        spec.metrics->format = format;
        REQUIRE(writeLaunchSpec(spec, folder.path / "launch.json").has_value());
        CHECK(readLaunchSpec(folder.path / "launch.json")->metrics->format == format);
    }
}

TEST_CASE("omitted fields have defaults")
{
    const TemporaryFolder folder;
    REQUIRE(writeFileAtomically(folder.path / "launch.json", with("")).has_value());
    const auto spec = readLaunchSpec(folder.path / "launch.json");
    REQUIRE(spec.has_value());
    CHECK(spec->ranks == 2);
    CHECK(spec->devices.empty());
    CHECK(spec->timeout.count() == 0);
    CHECK(spec->grace.count() == 10'000);
    CHECK_FALSE(spec->metrics.has_value());
}

TEST_CASE("each error has its field")
{
    CHECK(complaint("{").find("invalid JSON") == 0);
    CHECK(complaint("[]") == "must be a JSON object");
    CHECK(complaint("{}") == "version is missing");
    CHECK(complaint(R"({"version":1,"argv":["x"],"working_folder":"/","ranks":1})") == "attempt_id is missing");
    CHECK(complaint(with(R"(,"argv":[])")) == "argv must name a program and its arguments");
    CHECK(complaint(with(R"(,"argv":"x")")) == "argv must be a list of strings");
    CHECK(complaint(with(R"(,"argv":["x",1])")) == "argv must contain only strings");
    CHECK(complaint(with(R"(,"argv":["x\u0000y"])")) == "argv contains a zero byte");
    CHECK(complaint(with(R"(,"ranks":0)")) == "ranks must be an integer from 1 to 1024");
    CHECK(complaint(with(R"(,"ranks":2.5)")) == "ranks must be an integer from 1 to 1024");
    CHECK(complaint(with(R"(,"timeout_ms":-1)")).find("timeout_ms must be an integer") == 0);
    CHECK(complaint(with(R"(,"timeout_ms":18446744073709551615)")).find("timeout_ms must be an integer") == 0);
    CHECK(complaint(with(R"(,"devices":[["a"]])")).find("devices has 1 lists for 2 ranks") == 0);
    CHECK(complaint(with(R"(,"devices":[["a"],["b,c"]])")).find("devices has \"b,c\"") == 0);
    CHECK(complaint(with(R"(,"environment":{"A=B":"1"})")).find("environment has the variable \"A=B\"") == 0);
    CHECK(complaint(with(R"(,"environment":{"A":1})")) == "environment must have a string for \"A\"");
    CHECK(complaint(with(R"(,"working_folder":"here")")).find("working_folder must be an absolute path") == 0);
    CHECK(complaint(with(R"(,"environment_file":"keys.env")")).find("environment_file must be an absolute path") == 0);
    CHECK(complaint(with(R"(,"attempt_id":"a b")")).find("attempt_id must not contain spaces") == 0);
    CHECK(complaint(with(R"(,"hang_factor":-1)")).find("hang_factor must be a number from 0") == 0);
    CHECK(complaint(with(R"(,"hang_factor":"5")")).find("hang_factor must be a number from 0") == 0);
    CHECK(complaint(with(R"(,"metrics":3)")) == "metrics must be an object");
    CHECK(complaint(with(R"(,"metrics":{"format":"xml"})"))
          == "metrics: format must be \"text\", \"json\" or \"auto\"");
    CHECK(complaint(with(R"(,"metrics":{"every_rank":1})")) == "metrics: every_rank must be true or false");
    CHECK(complaint(with(R"(,"metrics":{"series":{"a":1}})")) == "metrics: series must have a string for \"a\"");
    CHECK(complaint(with(R"(,"metrics":{"serie":{}})")) == "metrics: \"serie\" is not a field of launch.json");
    CHECK(complaint(with(R"(,"timout_ms":5)")) == "\"timout_ms\" is not a field of launch.json");
}

TEST_CASE("a newer version is refused as such")
{
    const TemporaryFolder folder;
    REQUIRE(writeFileAtomically(folder.path / "launch.json", R"({"version":2,"other":1})").has_value());
    const auto spec = readLaunchSpec(folder.path / "launch.json");
    REQUIRE_FALSE(spec.has_value());
    CHECK(spec.error().code == ErrorCode::Unsupported);
}

TEST_CASE("a missing file and bytes that are not UTF-8 are errors")
{
    const TemporaryFolder folder;
    CHECK(readLaunchSpec(folder.path / "launch.json").error().code == ErrorCode::NotFound);
    LaunchSpec spec = fullSpec();
    spec.argv.push_back("\xff");
    CHECK(writeLaunchSpec(spec, folder.path / "launch.json").error().code == ErrorCode::BadInput);
}
