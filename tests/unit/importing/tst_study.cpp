#include "importing/studyjournal.h"
#include "sweep/sweepfile.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sweepscope;
using importing::parseJournal;
using importing::StudyState;

namespace {

const std::string created =
    R"({"op_code":0,"worker_id":"w","study_name":"s","directions":[2]})"
    "\n"
    R"({"op_code":4,"worker_id":"w","study_id":0,"datetime_start":"2026-01-02T03:04:05.500000+00:00"})"
    "\n";
const std::string floatRange =
    R"({\"name\": \"FloatDistribution\", \"attributes\": {\"step\": null, \"low\": 0.1, \"high\": 1.0, \"log\": true}})";

std::string parameter(const std::string &name, const std::string &value, const std::string &distribution)
{
    return R"({"op_code":5,"worker_id":"w","trial_id":0,"param_name":")" + name + R"(","param_value_internal":)" + value
           + R"(,"distribution":")" + distribution + "\"}\n";
}

}  // namespace

TEST_CASE("a trial is put together from its records")
{
    const auto studies = parseJournal(
        created + parameter("lr", "0.5", floatRange)
        + R"({"op_code":7,"worker_id":"w","trial_id":0,"step":1,"intermediate_value":NaN})"
          "\n"
          R"({"op_code":7,"worker_id":"w","trial_id":0,"step":2,"intermediate_value":-Infinity})"
          "\n"
          R"({"op_code":8,"worker_id":"w","trial_id":0,"user_attr":{"note NaN":"NaN","accuracy":0.75}})"
          "\n"
          R"({"op_code":6,"worker_id":"w","trial_id":0,"state":1,"values":[0.25],"datetime_complete":"2026-01-02T03:04:06+00:00"})"
          "\n");
    REQUIRE(studies);
    REQUIRE(studies->size() == 1);
    const importing::Study &study = studies->front();
    CHECK(study.name == "s");
    CHECK(study.objectives.front().goal == sweep::Goal::Maximize);
    REQUIRE(study.trials.size() == 1);
    const importing::StudyTrial &trial = study.trials.front();
    CHECK(trial.state == StudyState::Complete);
    CHECK(trial.values == std::vector<double>{0.25});
    CHECK(trial.started == 1767323045'500000000);
    CHECK(trial.completed == 1767323046'000000000);
    CHECK(std::isnan(trial.intermediate.at(1)));
    CHECK(std::isinf(trial.intermediate.at(2)));
    REQUIRE(trial.metrics.size() == 1);
    CHECK(trial.metrics.front().name == "accuracy");
    REQUIRE(study.space.size() == 1);
    CHECK(study.space.front().kind == sweep::DimensionKind::Log);
}

TEST_CASE("a last line that is cut off is left out, and others are an error with their number")
{
    CHECK(parseJournal(created + R"({"op_code":4,"work)")->front().trials.size() == 1);
    const auto broken = parseJournal(created + "{\"op_\n" + created);
    REQUIRE(!broken);
    CHECK(broken.error().message == "line 3 is not a record of a journal");
    CHECK(!parseJournal("no journal"));
    // Values are written again, which would exhaust the stack.
    const std::string deep(200'000, '[');
    CHECK(
        !parseJournal(created + R"({"op_code":4,"user_attrs":{"a":)" + deep + std::string(deep.size(), ']') + "}}\n"));
}

TEST_CASE("records of what does not exist are refused")
{
    CHECK(!parseJournal(R"({"op_code":4,"study_id":0})"));
    CHECK(!parseJournal(created + R"({"op_code":6,"trial_id":1,"state":1})"));
    CHECK(!parseJournal(created + R"({"op_code":6,"trial_id":-1,"state":1})"));
    CHECK(!parseJournal(created + R"({"op_code":6,"trial_id":"0","state":1})"));
    CHECK(parseJournal(created + R"({"op_code":99})"));
}

TEST_CASE("deleted studies are left out, and ids stay")
{
    const auto studies = parseJournal(
        created + "{\"op_code\":1,\"study_id\":0}\n" + R"({"op_code":0,"study_name":"t","directions":[1,2]})" + "\n"
        + R"({"op_code":4,"study_id":1})" + "\n" + R"({"op_code":6,"trial_id":1,"state":3})");
    REQUIRE(studies);
    REQUIRE(studies->size() == 1);
    CHECK(studies->front().name == "t");
    CHECK(studies->front().objectives.size() == 2);
    CHECK(studies->front().trials.front().state == StudyState::Fail);
}

TEST_CASE("parameters that are not Optuna's are refused with their line")
{
    for (const std::string &distribution :
         {std::string("x"), std::string("{}"), std::string(R"({\"name\": \"Strange\", \"attributes\": {}})"),
          std::string(R"({\"name\": \"CategoricalDistribution\", \"attributes\": {\"choices\": []}})")}) {
        CAPTURE(distribution);
        const auto studies = parseJournal(created + parameter("a", "1", distribution));
        REQUIRE(!studies);
        CHECK(studies.error().message.starts_with("line 3: the parameter a has "));
    }
    const std::string choices = R"({\"name\": \"CategoricalDistribution\", \"attributes\": {\"choices\": [1, 2]}})";
    CHECK(parseJournal(created + parameter("a", "1", choices)));
    CHECK(!parseJournal(created + parameter("a", "2", choices)));
    CHECK(!parseJournal(created + parameter("a", "NaN", choices)));
    CHECK(!parseJournal(created + parameter("a", "Infinity", floatRange)));
}

TEST_CASE("the definition is valid, with ranges wide enough for all trials")
{
    const std::string more =
        R"({"op_code":4,"study_id":0})"
        "\n"
        R"({"op_code":5,"trial_id":1,"param_name":"lr","param_value_internal":5,"distribution":")"
        R"({\"name\": \"FloatDistribution\", \"attributes\": {\"step\": null, \"low\": 0.5, \"high\": 8.0, \"log\": true}}"})";
    const auto studies = parseJournal(created + parameter("lr", "0.5", floatRange) + more);
    REQUIRE(studies);
    CHECK(studies->front().space.front().low == 0.1);
    CHECK(studies->front().space.front().high == 8.0);
    importing::ImportedSweep imported = importing::sweepOf(studies->front());
    const std::string toml = importing::sweepFileOf(imported);
    CHECK(imported.problems.empty());
    CHECK(sweep::parseSweep(toml).spec.objective == "objective");
}

TEST_CASE("times have an offset or are local")
{
    CHECK(importing::studyTime("1970-01-02T00:00:00+01:00") == (86400 - 3600) * 1'000'000'000LL);
    CHECK(importing::studyTime("1970-01-02 00:00:00.25Z") == 86400 * 1'000'000'000LL + 250'000'000);
    CHECK(importing::studyTime("2026-01-02 03:04:05").has_value());
    CHECK(!importing::studyTime("yesterday"));
    CHECK(!importing::studyTime("2026-01-02"));
    CHECK(!importing::studyTime(""));
}
