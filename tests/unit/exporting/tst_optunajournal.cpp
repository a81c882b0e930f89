#include "exporting/optunajournal.h"

#include "base/files.h"
#include "exporting/optunaspace.h"
#include "feed/logwriter.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <utility>

using namespace sweepscope;
using namespace sweepscope::exporting;
using sweep::ParameterValue;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

sweep::Dimension range(sweep::DimensionKind kind, double low, double high)
{
    sweep::Dimension dimension;
    dimension.name = "p";
    dimension.kind = kind;
    dimension.low = low;
    dimension.high = high;
    return dimension;
}

std::string distribution(const sweep::Dimension *dimension, const std::vector<ParameterValue> &values)
{
    return OptunaParameter("p", dimension, values).distribution();
}

sweep::TrialRecord trialIn(sweep::TrialState state, int number)
{
    sweep::TrialRecord trial;
    trial.number = number;
    trial.state = state;
    trial.started = 1'000'000'000;
    trial.ended = 2'000'000'000;
    return trial;
}

std::vector<std::string> journalOf(const std::vector<sweep::TrialRecord> &trials, const sweep::SweepRecord &sweep,
                                   const WorkspaceLayout &workspace, const std::filesystem::path &folder)
{
    REQUIRE(exportOptuna(workspace, sweep, trials, folder / "j").has_value());
    std::vector<std::string> lines;
    std::string line;
    const std::string text = readFile(folder / "j", 1 << 20).value();
    for (const char character : text) {
        if (character == '\n')
            lines.push_back(std::exchange(line, {}));
        else
            line += character;
    }
    CHECK(line.empty());
    return lines;
}

sweep::SweepRecord someSweep()
{
    sweep::SweepRecord sweep;
    sweep.name = "digits";
    sweep.folder = "0001-digits";
    sweep.objective = "loss";
    sweep.goal = sweep::Goal::Maximize;
    return sweep;
}

}  // namespace

TEST_CASE("ranges are distributions of Optuna")
{
    using Kind = sweep::DimensionKind;
    auto dimension = range(Kind::Linear, 0, 0.5);
    CHECK(distribution(&dimension, {0.25})
          == R"({"name":"FloatDistribution","attributes":{"step":null,"low":0.0,"high":0.5,"log":false}})");
    dimension = range(Kind::Log, 1e-4, 1e-1);
    CHECK(distribution(&dimension, {0.01})
          == R"({"name":"FloatDistribution","attributes":{"step":null,"low":0.0001,"high":0.1,"log":true}})");
    dimension = range(Kind::Stepped, 0, 0.35);
    dimension.spacing = 0.1;
    CHECK(distribution(&dimension, {0.1, 0.3})
          == R"({"name":"FloatDistribution","attributes":{"step":0.1,"low":0.0,"high":0.3,"log":false}})");
    dimension = range(Kind::Integer, 1, 10);
    dimension.step = 2;
    CHECK(distribution(&dimension, {std::int64_t{3}})
          == R"({"name":"IntDistribution","attributes":{"log":false,"step":2,"low":1,"high":9}})");
    dimension = range(Kind::LogInteger, 16, 4096);
    CHECK(distribution(&dimension, {std::int64_t{64}})
          == R"({"name":"IntDistribution","attributes":{"log":true,"step":1,"low":16,"high":4096}})");
}

TEST_CASE("a distribution contains values that earlier definitions allowed")
{
    using Kind = sweep::DimensionKind;
    auto dimension = range(Kind::Integer, 1, 9);
    dimension.step = 2;
    CHECK(distribution(&dimension, {std::int64_t{4}, std::int64_t{20}})
          == R"({"name":"IntDistribution","attributes":{"log":false,"step":1,"low":1,"high":20}})");
    dimension = range(Kind::Log, 1e-4, 1e-1);
    CHECK(distribution(&dimension, {0.0})
          == R"({"name":"FloatDistribution","attributes":{"step":null,"low":0.0,"high":0.1,"log":false}})");
    CHECK(distribution(&dimension, {0.01, std::string("auto")})
          == R"({"name":"CategoricalDistribution","attributes":{"choices":[0.01,"auto"]}})");
    CHECK(distribution(nullptr, {std::int64_t{3}, std::int64_t{5}})
          == R"({"name":"IntDistribution","attributes":{"log":false,"step":1,"low":3,"high":5}})");
}

TEST_CASE("a categorical value is stored as its index")
{
    sweep::Dimension dimension;
    dimension.kind = sweep::DimensionKind::List;
    dimension.values = {std::int64_t{32}, std::int64_t{64}};
    const OptunaParameter parameter("batch", &dimension, {std::int64_t{64}, std::int64_t{16}});
    CHECK(parameter.distribution() == R"({"name":"CategoricalDistribution","attributes":{"choices":[32,64,16]}})");
    CHECK(parameter.stored(std::int64_t{64}) == 1);
    CHECK(parameter.stored(16.0) == 2);
}

TEST_CASE("a sweep without trials is a study without trials")
{
    const TemporaryFolder folder;
    const auto lines = journalOf({}, someSweep(), {folder.path / "workspace"}, folder.path);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] == R"({"op_code":0,"worker_id":"sweepscope","study_name":"digits","directions":[2]})");
}

TEST_CASE("states and values are those that Optuna would have")
{
    using State = sweep::TrialState;
    const TemporaryFolder folder;
    std::vector<sweep::TrialRecord> trials;
    const auto add = [&trials](State state, std::optional<double> best, std::optional<double> last) {
        trials.push_back(trialIn(state, static_cast<int>(trials.size()) + 1));
        if (best)
            trials.back().objectiveBest = {*best, 1};
        if (last)
            trials.back().objectiveLast = {*last, 2};
    };
    add(State::Completed, 0.5, 0.25);
    add(State::Completed, {}, {});
    add(State::Completed, notANumber, notANumber);
    add(State::Completed, infinite, infinite);
    add(State::Pruned, 0.5, 0.25);
    add(State::Pruned, 0.5, notANumber);
    add(State::Failed, 0.5, 0.25);
    add(State::Running, 0.5, 0.25);
    add(State::Paused, {}, {});
    add(State::Queued, {}, {});
    add(State::Stopped, {}, {});
    add(State::Lost, 0.5, 0.5);
    const auto lines = journalOf(trials, someSweep(), {folder.path / "workspace"}, folder.path);
    REQUIRE(lines.size() == 3 + trials.size());
    const char *const expected[] = {"1 [0.5]", "3", "3", "1 [Infinity]", "2 [0.25]", "2", "3", "0", "0", "4", "3", "3"};
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const std::string &line = lines[3 + i];
        const std::size_t values = line.find("\"values\":");
        const std::string state = line.substr(line.find("\"state\":") + 8, 1);
        CHECK(state + (values == std::string::npos ? "" : " " + line.substr(values + 9, line.size() - values - 10))
              == expected[i]);
        CHECK((line.find("\"datetime_complete\"") != std::string::npos) == (state >= "1" && state <= "3"));
    }
}

TEST_CASE("parameters of a queued trial are fixed")
{
    const TemporaryFolder folder;
    auto trial = trialIn(sweep::TrialState::Queued, 1);
    trial.parameters = {{"lr", 0.5}, {"name", std::string("a\"\n</script>")}};
    const auto lines = journalOf({trial}, someSweep(), {folder.path / "workspace"}, folder.path);
    const auto json = nlohmann::json::parse(lines[3]);
    CHECK(json["params"]["lr"] == 0.5);
    CHECK(json["datetime_start"].is_null());
    CHECK(json["system_attrs"]["fixed_params"]["lr"] == 0.5);
    CHECK(json["system_attrs"]["fixed_params"]["name"] == "a\"\n</script>");
}

TEST_CASE("intermediate values are those of rank 0 in the attempts that continue one another, newest last")
{
    const TemporaryFolder folder;
    const WorkspaceLayout workspace{folder.path / "workspace"};
    const auto sweep = someSweep();
    const auto write = [&](int attempt, int firstStep, double value) {
        const auto file = workspace.attempt(sweep.folder, 1, attempt).rankFeed(0);
        std::filesystem::create_directories(file.parent_path());
        auto log = feed::LogWriter::open(file, {0, 1, 0, "a"});
        REQUIRE(log.has_value());
        const auto other = log->declare("other");
        const auto loss = log->declare("loss");
        for (int step = firstStep; step < firstStep + 3; ++step) {
            log->write(other, step, 0, 9);
            log->write(loss, step, 0, step == 4 ? notANumber : value);
        }
        REQUIRE(log->flush().has_value());
    };
    write(1, 1, 0.5);  // superseded by attempt 2, which began again
    write(2, 1, 0.25);
    write(3, 3, 0.125);
    auto trial = trialIn(sweep::TrialState::Running, 1);
    trial.attempts = 3;
    trial.firstAttempt = 2;
    const auto lines = journalOf({trial}, sweep, workspace, folder.path);
    CHECK(lines[3].find(R"("intermediate_values":{"1":0.25,"2":0.25,"3":0.125,"4":NaN,"5":0.125})")
          != std::string::npos);
}
