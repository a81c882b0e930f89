#include "exporting/costtext.h"
#include "exporting/sweepexport.h"
#include "exporting/sweepstable.h"

#include "base/files.h"
#include "pythoncsv.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::exporting;

namespace {

constexpr std::uint64_t mostBytes = 1024 * 1024;

sweep::SweepRecord someSweep()
{
    sweep::SweepRecord record;
    record.id = 3;
    record.name = "digits, \"quoted\"";
    record.folder = "0003-digits";
    record.objective = "val_loss";
    record.parameterNames = {"lr", "optimizer", "momentum", "seed"};
    return record;
}

std::vector<sweep::TrialRecord> someTrials()
{
    sweep::TrialRecord done;
    done.number = 1;
    done.state = sweep::TrialState::Completed;
    done.parameters = {{"lr", 0.1}, {"optimizer", std::string("sgd")}, {"momentum", 0.9}, {"seed", std::int64_t{5}}};
    done.seed = 5;
    done.ranks = 2;
    done.attempts = 2;
    done.devices = {"cpu:0", "cpu:1"};
    done.mark = {true, {"a b", "c"}, "look, here"};
    done.objectiveLast = {0.25, 100};
    done.objectiveBest = {0.125, 80};
    done.started = 1'795'208'867'000'000'000;
    done.ended = 1'795'208'867'754'357'263;
    done.firstAttempt = 1;
    done.ran = 400'000'000;
    done.attemptStarted = 1'795'208'867'654'357'263;
    sweep::TrialRecord failed;
    failed.number = 2;
    failed.state = sweep::TrialState::Failed;
    failed.parameters = {{"lr", 1e-5}, {"optimizer", std::string("adam")}, {"seed", std::int64_t{6}}};
    failed.seed = 6;
    failed.attempts = 1;
    failed.objectiveLast = {std::numeric_limits<double>::quiet_NaN(), 3};
    failed.started = 0;
    failed.reason = facts::Fact(facts::Code::RankExited)
                        .with(facts::Field::Rank, 1)
                        .with(facts::Field::ExitCode, 1)
                        .with(facts::Field::IsError, 1)
                        .with(facts::Field::Detail, "RuntimeError:\n\"size\", mismatch");
    sweep::TrialRecord waiting;
    waiting.number = 3;
    waiting.parameters = {{"lr", 1.0}, {"optimizer", std::string("adam")}, {"seed", std::int64_t{7}}};
    waiting.seed = 7;
    return {done, failed, waiting};
}

}  // namespace

TEST_CASE("the trials table is written byte for byte as documented")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "trials.csv";
    REQUIRE(exportTrials(someSweep(), someTrials(), file).has_value());

    CHECK(
        readFile(file, mostBytes).value()
        == "sweep,trial,attempts,first_attempt,state,lr,optimizer,momentum,parameter.seed,seed,objective,objective_"
           "last,"
           "objective_last_step,objective_best,objective_best_step,objective_mean,objective_error,objective_runs,"
           "start,end,seconds,seconds_with_pauses,ranks,"
           "devices,simulated,device_hours,reason,exit_cause,chosen,why,starred,tags,note,energy_kwh,energy_method\r\n"
           "\"digits, \"\"quoted\"\"\",1,2,1,completed,0.1,sgd,0.9,5,5,val_loss,0.25,100,0.125,80,,,,"
           "2026-11-20T21:07:47.000000000Z,2026-11-20T21:07:47.754357263Z,0.5,0.754357263,2,cpu:0 cpu:1,false,"
           "0.0002777777777777778,,,,,"
           "true,\"a b, c\",\"look, here\",,\r\n"
           "\"digits, "
           "\"\"quoted\"\"\",2,1,1,failed,1e-05,adam,,6,6,val_loss,nan,3,,,,,,1970-01-01T00:00:00.000000000Z,,,,1,,,,"
           "rank_exited,\"Rank 1 exited with code 1: RuntimeError:\n\"\"size\"\", mismatch\",,,false,,,,\r\n"
           "\"digits, \"\"quoted\"\"\",3,0,,queued,1,adam,,7,7,val_loss,,,,,,,,,,,,1,,,,,,,,false,,,,\r\n");
}

TEST_CASE("a table of several sweeps has the parameters and metrics of all")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "both.csv";
    sweep::SweepRecord other;
    other.name = "other";
    other.folder = "0004-other";
    other.parameterNames = {"width", "lr"};
    sweep::TrialRecord trial;
    trial.number = 1;
    trial.parameters = {{"width", std::int64_t{64}}, {"lr", 0.5}};
    trial.metrics = {{"accuracy", 0.5, 10, 0.25, 0.75}};
    const std::vector<sweep::TrialRecord> trials{trial};
    const std::vector<sweep::TrialRecord> first{someTrials().front()};
    const sweep::SweepRecord digits = someSweep();
    REQUIRE(exportSweeps({{digits, first}, {other, trials}}, file).has_value());
    const std::string text = readFile(file, mostBytes).value();
    CHECK(
        text.starts_with("sweep,trial,attempts,first_attempt,state,lr,optimizer,momentum,parameter.seed,width,seed,"));
    CHECK(text.find("energy_method,metric.accuracy,metric_min.accuracy,metric_max.accuracy\r\n") != std::string::npos);
    CHECK(text.find("\n\"digits, \"\"quoted\"\"\",1,2,1,completed,0.1,sgd,0.9,5,,5,val_loss,") != std::string::npos);
    CHECK(text.find("\nother,1,0,,queued,0.5,,,,64,0,,") != std::string::npos);
    CHECK(text.ends_with(",0.5,0.25,0.75\r\n"));

    other.name = digits.name;  // folders tell them apart
    REQUIRE(exportSweeps({{digits, first}, {other, trials}}, file).has_value());
    const std::string same = readFile(file, mostBytes).value();
    CHECK(same.find("\n0003-digits,1,") != std::string::npos);
    CHECK(same.find("\n0004-other,1,") != std::string::npos);
}

TEST_CASE("Python reads the trials table back, including quotes and line ends")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "trials.csv";
    REQUIRE(exportTrials(someSweep(), someTrials(), file).has_value());

    const std::string cells = readWithPython(file);
    CHECK(cells.find("digits, \"quoted\"\x1f"
                     "1\x1f"
                     "2\x1f"
                     "1\x1f"
                     "completed\x1f"
                     "0.1\x1fsgd\x1f"
                     "0.9\x1f"
                     "5\x1f")
          != std::string::npos);
    CHECK(cells.find("Rank 1 exited with code 1: RuntimeError:\n\"size\", mismatch\x1f") != std::string::npos);
    CHECK(std::count(cells.begin(), cells.end(), '\x1e') == 4);
}

TEST_CASE("energy is empty unless that of all attempts is known")
{
    const TemporaryFolder folder;
    launch::SweepEnergy energy;
    energy.add({1, 1, {3'600'000, series::EnergyMethod::Counter}});
    energy.add({1, 2, {900'000, series::EnergyMethod::Counter}});
    for (const bool isKnown : {true, false}) {
        if (!isKnown)
            energy = {};
        const auto csv = folder.path / "trials.csv";
        REQUIRE(exportTrials(someSweep(), someTrials(), csv, {"device_hours", "energy_kwh"}, energy));
        CHECK(readFile(csv, mostBytes).value()
              == std::string("trial,device_hours,energy_kwh,energy_method\r\n1,0.0002777777777777778,")
                     + (isKnown ? "1.25,counter" : ",") + "\r\n2,,,\r\n3,,,\r\n");
        const auto json = folder.path / "trials.json";
        REQUIRE(exportTrials(someSweep(), someTrials(), json, {"energy_kwh", "energy_method"}, energy));
        const std::string text = readFile(json, mostBytes).value();
        CHECK((text.find(R"("energy_kwh":1.25,"energy_method":"counter")") != std::string::npos) == isKnown);
        CHECK(text.find(R"("energy_kwh":null,"energy_method":null)") != std::string::npos);
    }
    CHECK(parameterColumn("energy_kwh") == "parameter.energy_kwh");
}

TEST_CASE("a trial on CPUs costs its device-hours, whatever the price of energy")
{
    constexpr WallNs hour = 3'600'000'000'000;
    sweep::TrialRecord trial;
    trial.number = 1;
    trial.attempts = 1;
    trial.started = 1;
    trial.ended = trial.attemptEnded = 1 + hour;
    trial.ran = hour;
    trial.state = sweep::TrialState::Completed;
    trial.devices = {"cpu:0", "cpu:1"};
    REQUIRE(deviceHours(trial).has_value());
    const double hours = *deviceHours(trial);
    const sweep::CostFactors both{0.5, 3.0, 0.25, "EUR"};
    CHECK(costOfTrial(trial, {}, both).price == 3.0 * hours);
    CHECK(!costOfTrial(trial, {}, both).carbonKg);
    CHECK(!costOfTrial(trial, {}, {0.5, {}, {}, "EUR"}).price);
    sweep::SweepRecord record;
    record.deviceTime = 2 * hour;
    CHECK(costOfSweep(record, {}, both).price == 6.0);
    trial.devices = {"GPU-1"};
    CHECK(!costOfTrial(trial, {}, both).price);
}

TEST_CASE("cost has columns if the user has set factors, and is empty if it is unknown")
{
    const TemporaryFolder folder;
    launch::SweepEnergy energy;
    energy.add({1, 1, {3'600'000, series::EnergyMethod::Counter}});
    energy.add({1, 2, {3'600'000, series::EnergyMethod::Counter}});
    const auto csv = folder.path / "trials.csv";
    const ColumnChoice columns{"cost", "currency", "co2_kg"};
    REQUIRE(exportTrials(someSweep(), someTrials(), csv, columns, energy));
    CHECK(readFile(csv, mostBytes).value() == "trial\r\n1\r\n2\r\n3\r\n");
    const sweep::CostFactors factors{0.5, {}, 0.25, "EUR"};
    REQUIRE(exportTrials(someSweep(), someTrials(), csv, columns, energy, factors));
    CHECK(readFile(csv, mostBytes).value() == "trial,cost,currency,co2_kg\r\n1,1,EUR,0.5\r\n2,,,\r\n3,,,\r\n");
    const auto json = folder.path / "trials.json";
    REQUIRE(exportTrials(someSweep(), someTrials(), json, columns, energy, factors));
    const std::string text = readFile(json, mostBytes).value();
    CHECK(text.find(R"("cost":1.0,"currency":"EUR","co2_kg":0.5)") != std::string::npos);
    CHECK(text.find(R"("cost":null,"currency":null,"co2_kg":null)") != std::string::npos);
    CHECK(parameterColumn("cost") == "parameter.cost");
    CHECK(costText({3.2, 0.52}, "EUR") == "3.20 EUR, 0.52 kg CO2");
    CHECK(costText({}, "EUR").empty());
}

TEST_CASE("a sweep without trials is written as a header")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "trials.csv";
    REQUIRE(exportTrials(someSweep(), {}, file).has_value());
    const std::string content = readFile(file, mostBytes).value();
    CHECK(content.find("sweep,trial") == 0);
    CHECK(std::count(content.begin(), content.end(), '\n') == 1);
}

TEST_CASE("an export replaces the previous file, leaves no other files, and follows a symbolic link")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "trials.csv";
    std::ofstream(file) << "old";
    std::filesystem::create_symlink("trials.csv", folder.path / "link.csv");
    REQUIRE(exportTrials(someSweep(), someTrials(), folder.path / "link.csv").has_value());

    CHECK(readFile(file, mostBytes).value().find("sweep,trial") == 0);
    CHECK(std::filesystem::is_symlink(folder.path / "link.csv"));
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 2);
}

TEST_CASE("a missing folder, or a folder in place of the file, is named in the error")
{
    const TemporaryFolder folder;
    const auto missing = exportTrials(someSweep(), {}, folder.path / "nowhere" / "trials.csv");
    REQUIRE_FALSE(missing.has_value());
    CHECK(missing.error().code == ErrorCode::NotFound);
    CHECK(missing.error().message.find("there is no folder " + (folder.path / "nowhere").string())
          != std::string::npos);

    const auto isFolder = exportTrials(someSweep(), {}, folder.path);
    REQUIRE_FALSE(isFolder.has_value());
    CHECK(isFolder.error().code == ErrorCode::BadInput);
}

TEST_CASE("a read-only folder is a clear error")
{
    const bool asRoot = ::geteuid() == 0;
    const TemporaryFolder folder;
    // Root can write everywhere except on file systems like /proc.
    const std::filesystem::path closed = asRoot ? "/proc" : folder.path / "closed";
    if (!asRoot) {
        std::filesystem::create_directory(closed);
        ::chmod(closed.c_str(), 0500);
    }
    const auto refused = exportTrials(someSweep(), {}, closed / "trials.csv");
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message.find("cannot write " + (closed / "trials.csv").string()) == 0);
}

TEST_CASE("a full disk is an error, and leaves no partial file")
{
    if (!std::filesystem::exists("/dev/full")) {
        MESSAGE("skipped: there is no /dev/full here");
        return;
    }
    const auto refused = exportTrials(someSweep(), someTrials(), "/dev/full");
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message.find("/dev/full") != std::string::npos);
    CHECK(std::filesystem::is_character_file("/dev/full"));
}

TEST_CASE("only the selected columns are written, in the order of the file")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "some.csv";
    CHECK(parameterColumn("seed") == "parameter.seed");
    REQUIRE(exportTrials(someSweep(), someTrials(), file, {"objective_best", "lr", parameterColumn("seed"), "tags"})
                .has_value());
    const std::string cells = readWithPython(file);
    CHECK(cells.starts_with("trial\x1flr\x1fparameter.seed\x1fobjective_best\x1ftags\x1e"
                            "1\x1f"
                            "0.1\x1f"
                            "5\x1f"
                            "0.125\x1f"
                            "a b, c\x1e"));
    CHECK(std::count(cells.begin(), cells.end(), '\x1e') == 4);
}

TEST_CASE("other metrics follow the fixed columns, each with its range")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "trials.csv";
    auto trials = someTrials();
    trials[0].metrics = {{"loss", 0.5, 100, 0.25, 4}};
    trials[1].metrics = {{"lr", std::numeric_limits<double>::quiet_NaN(), 3}, {"loss", 2, 3, 2, 3}};
    CHECK(metricNames(trials) == std::vector<std::string>{"loss", "lr"});
    REQUIRE(exportTrials(someSweep(), trials, file).has_value());
    const std::string csv = readFile(file, mostBytes).value();
    CHECK(csv.find(",note,energy_kwh,energy_method,metric.loss,metric_min.loss,metric_max.loss,metric.lr,metric_min.lr,"
                   "metric_max.lr\r\n")
          != std::string::npos);
    CHECK(csv.find("\"look, here\",,,0.5,0.25,4,,,\r\n") != std::string::npos);
    CHECK(csv.find("false,,,,,2,2,3,nan,nan,nan\r\n") != std::string::npos);
    CHECK(csv.ends_with("false,,,,,,,,,,\r\n"));

    REQUIRE(exportTrials(someSweep(), trials, file, {metricColumn("loss", MetricColumn::Lowest)}).has_value());
    CHECK(readWithPython(file).starts_with("trial\x1fmetric_min.loss\x1e"
                                           "1\x1f"
                                           "0.25\x1e"));

    const auto json = folder.path / "trials.json";
    REQUIRE(exportTrials(someSweep(), trials, json, {metricColumn("loss", MetricColumn::Highest)}).has_value());
    CHECK(readFile(json, mostBytes).value().find(R"("metrics":{"loss":{"last":0.5)") != std::string::npos);

    REQUIRE(exportTrials(someSweep(), trials, json).has_value());
    const std::string text = readFile(json, mostBytes).value();
    CHECK(text.find(R"("metrics":{"loss":{"last":0.5,"step":100,"min":0.25,"max":4.0}})") != std::string::npos);
    CHECK(text.find(R"("metrics":{})") != std::string::npos);
}

TEST_CASE("columns of metrics have unique names")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "trials.csv";
    auto trials = someTrials();
    trials[0].metrics = {{"loss", 1, 1, 1, 1}, {"loss.min", 2, 1, 2, 2}, {"min.loss", 3, 1, 3, 3}};
    REQUIRE(exportTrials(someSweep(), trials, file).has_value());
    const std::string csv = readFile(file, mostBytes).value();
    std::istringstream header(csv.substr(0, csv.find("\r\n")));
    std::set<std::string> names;
    std::size_t columns = 0;
    for (std::string name; std::getline(header, name, ','); ++columns)
        names.insert(name);
    CHECK(names.size() == columns);
    CHECK(names.contains("metric_min.loss"));
    CHECK(names.contains("metric.loss.min"));
}

TEST_CASE("the number of metric columns is limited if every trial invents names")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "trials.csv";
    std::vector<sweep::TrialRecord> trials(300, someTrials().front());
    for (std::size_t i = 0; i < trials.size(); ++i)
        trials[i].metrics = {{"loss", 1, 1, 1, 1}, {"val/" + std::to_string(i), 2, 1, 2, 2}};
    const std::vector<std::string> names = metricNames(trials);
    REQUIRE(names.size() == mostMetricNames);
    CHECK(names[0] == "loss");
    CHECK(names.back() == "val/254");
    REQUIRE(exportTrials(someSweep(), trials, file).has_value());
    const std::string csv = readFile(file, 8 * mostBytes).value();
    const std::string header = csv.substr(0, csv.find("\r\n"));
    CHECK(header.ends_with(",metric.val/254,metric_min.val/254,metric_max.val/254"));

    const auto json = folder.path / "trials.json";
    REQUIRE(exportTrials(someSweep(), trials, json).has_value());
    CHECK(readFile(json, 8 * mostBytes).value().find(R"("val/299":{"last":2)") != std::string::npos);
}
