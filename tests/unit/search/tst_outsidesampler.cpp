#include "search/outsidesampler.h"
#include "sweep/sweepfile.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

using namespace sweepscope;
using namespace sweepscope::search;
using facts::Code;
using facts::Field;

namespace {

const std::atomic<bool> never = false;

/// A search of 20 trials whose sampler is a Python program: `answer` makes the answer to the request `ask`.
struct Asked {
    std::filesystem::path folder;
    sweep::ParsedSweep parsed;
    std::optional<sweep::SearchSpace> space;
    std::optional<SearchHistory> history;
    std::optional<OutsideSampler> sampler;

    explicit Asked(const std::string &answer)
    {
        std::string name = std::filesystem::temp_directory_path() / "sampler-XXXXXX";
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        folder = name;
        std::ofstream(folder / "sampler.py") << "import json, os, sys\n"
                                                "book = open('told', 'a')\n"
                                                "print('start', file=book, flush=True)\n"
                                                "for line in sys.stdin:\n"
                                                "    print(line.strip(), file=book, flush=True)\n"
                                                "    ask = json.loads(line).get('ask')\n"
                                                "    if ask is not None:\n"
                                                "        "
                                             << answer << "\n        print(json.dumps(point), flush=True)\n";
        parsed = sweep::parseSweep(
            "[sweep]\nname = 'x'\nobjective = 'acc'\ngoal = 'maximize'\n[search]\nmethod = 'command'\n"
            "command = ['python3', 'sampler.py']\ntrials = 20\n[space]\nn = { int = [1, 9] }\n"
            "kind = ['a', 'b']\nx = { float = [0, 1], when = \"kind == 'b'\" }\n"
            "[constraints]\nsmall = \"n < 8\"\n[run]\ncommand = ['true']\n");
        REQUIRE(parsed.problems.empty());
        space.emplace(*sweep::SearchSpace::compile(parsed.spec));
        history.emplace(parsed.spec, *space);
        sampler.emplace(parsed.spec, OutsideProgram::Surroundings{folder, "/nowhere"}, never);
    }
    ~Asked()
    {
        sampler.reset();
        std::filesystem::remove_all(folder);
    }
    Asked(const Asked &) = delete;
    Asked &operator=(const Asked &) = delete;

    void tell(int number, Outcome outcome, sweep::ParameterSet parameters, double value)
    {
        Observation trial;
        trial.number = number;
        trial.outcome = outcome;
        trial.parameters = std::move(parameters);
        trial.values = {value};
        trial.step = 7;
        sampler->tell(trial);
        history->set(std::move(trial));
    }

    std::string told() const
    {
        std::ostringstream text;
        text << std::ifstream(folder / "told").rdbuf();
        return text.str();
    }
};

using Set = sweep::ParameterSet;

}  // namespace

TEST_CASE("another program receives the space and all trials, and its points are used")
{
    Asked asked("point = {'params': {'n': ask, 'kind': 'a', 'x': 0.5}, 'why': 'because'}");
    asked.tell(1, Outcome::Complete, {{"n", std::int64_t{5}}, {"kind", std::string("a")}}, -0.25);
    asked.tell(2, Outcome::Pruned, {{"n", std::int64_t{6}}, {"kind", std::string("a")}}, -0.5);
    const auto point = asked.sampler->ask(*asked.history, 3);
    REQUIRE(point);
    CHECK(point->parameters == Set{{"n", std::int64_t{3}}, {"kind", std::string("a")}});  // x does not apply
    CHECK((point->method == Method::Command));
    CHECK(point->why == facts::Fact(Code::ChosenByCommand).with(Field::Detail, "because"));
    CHECK(
        asked.told()
        == "start\n"
           "{\"space\":[{\"name\":\"n\",\"kind\":\"int\",\"low\":1,\"high\":9,\"step\":1},{\"name\":\"kind\","
           "\"kind\":\"choice\",\"values\":[\"a\",\"b\"]},{\"name\":\"x\",\"kind\":\"float\",\"low\":0.0,\"high\":1.0,"
           "\"when\":\"kind == 'b'\"}],\"goal\":\"maximize\",\"seed\":0,\"trials\":20}\n"
           "{\"number\":1,\"state\":\"complete\",\"params\":{\"n\":5,\"kind\":\"a\"},\"value\":0.25}\n"
           "{\"number\":2,\"state\":\"pruned\",\"params\":{\"n\":6,\"kind\":\"a\"},\"intermediate\":{\"7\":0.5}}\n"
           "{\"ask\":3}\n");
}

TEST_CASE("a program that dies is started again and told the same")
{
    Asked asked("point = {'params': {'n': ask, 'kind': 'a'}}\n"
                "        if not os.path.exists('died') and ask == 3:\n"
                "            open('died', 'w').close(); os._exit(1)");
    asked.tell(1, Outcome::Complete, {{"n", std::int64_t{5}}, {"kind", std::string("a")}}, 1);
    REQUIRE(asked.sampler->ask(*asked.history, 2));
    asked.tell(2, Outcome::Pending, {{"n", std::int64_t{2}}, {"kind", std::string("a")}}, 0);
    const auto point = asked.sampler->ask(*asked.history, 3);
    REQUIRE(point);
    CHECK(sweep::numberOf(*sweep::find(point->parameters, "n")) == 3);
    const std::string told = asked.told();
    const std::string again = told.substr(told.rfind("start"));
    CHECK(again.find("\"number\":1,\"state\":\"complete\"") != std::string::npos);
    CHECK(again.find("\"number\":2,\"state\":\"running\"") != std::string::npos);
}

TEST_CASE("points that are forbidden or were tried are handed back, and at last drawn at random")
{
    Asked asked("point = {'params': {'n': 9 if line and ask == 2 else 5, 'kind': 'a'}}");
    asked.tell(1, Outcome::Complete, {{"n", std::int64_t{5}}, {"kind", std::string("a")}}, 1);
    for (const int number : {2, 3}) {  // forbidden, tried
        const auto point = asked.sampler->ask(*asked.history, number);
        REQUIRE(point);
        CHECK((point->method == Method::Random));
        CHECK(asked.told().find("{\"number\":" + std::to_string(number) + ",\"state\":\"rejected\"}")
              != std::string::npos);
    }
}

TEST_CASE("a program that cannot be used gives an error with its words")
{
    const auto failure = [](const std::string &answer) {
        Asked asked(answer);
        const auto point = asked.sampler->ask(*asked.history, 1);
        REQUIRE_FALSE(point);
        CHECK(point.error().code == Code::SamplerFailed);
        return point.error().text(Field::Detail);
    };
    CHECK(failure("sys.exit('no licence')") == "it exited with code 1: no licence");
    CHECK(failure("point = [1]") == "its answer is not a point: [1]");
    CHECK(failure("point = {'params': {'kind': 'a'}}") == "its point has no value for n");
    CHECK(failure("point = {'params': {'n': 77, 'kind': 'a'}}") == "n cannot be 77");
    CHECK(failure("point = {'params': {'n': 1, 'kind': 'c'}}") == "kind cannot be \"c\"");
    CHECK(failure("point = {'params': {'n': 2**63, 'kind': 'a'}}") == "n cannot be 9223372036854775808");
    CHECK(failure("print('out of memory', file=sys.stderr, flush=True); point = 1")
          == "its answer is not a point: 1; its last words: out of memory");
}

TEST_CASE("a line without a request ends the search, because it would be taken for a later answer")
{
    Asked asked("point = {'params': {'n': ask, 'kind': 'a'}}; print(json.dumps(point), flush=True)");
    REQUIRE(asked.sampler->ask(*asked.history, 1));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const auto second = asked.sampler->ask(*asked.history, 2);
    REQUIRE_FALSE(second);
    CHECK(second.error().text(Field::Detail).starts_with("it wrote unrequested output: {\"params\""));
}
