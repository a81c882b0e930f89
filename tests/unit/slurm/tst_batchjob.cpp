#include "slurm/batchjob.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

using namespace sweepscope::slurm;
namespace fs = std::filesystem;

namespace {

bool has(const std::vector<std::string> &arguments, const std::string &argument)
{
    return std::ranges::find(arguments, argument) != arguments.end();
}

const BatchJob attempt{jobName("3-7-1-ab"), "/home/ann/w/a 100%/1", {"/bin/agent", "it's"}, 2, 8, "", false};

}  // namespace

TEST_CASE("a job is named after its attempt alone")
{
    CHECK(jobName("3-7-1-ab") == "sweepscope-3-7-1-ab");
    CHECK(jobName("a,b|c") == "sweepscope-a+2cb+7cc");
    CHECK(jobName("a b") != jobName("a_b"));
}

TEST_CASE("what Slurm is asked for follows from attempt and settings")
{
    const auto arguments =
        sbatchArguments(attempt, {"lab", "gpu", "high", "gpu:h100", "2:00:00", "nvlink", {}, {"--mem=64G"}});
    for (const char *argument :
         {"--job-name=sweepscope-3-7-1-ab", "--output=/home/ann/w/a 100%%/1/agent.log", "--gres=gpu:h100:2",
          "--cpus-per-task=8", "--no-requeue", "--signal=B:USR2@120", "--account=lab", "--partition=gpu", "--qos=high",
          "--time=2:00:00", "--constraint=nvlink", "--mem=64G"})
        CHECK_MESSAGE(has(arguments, argument), argument);
    const auto few = sbatchArguments({"n", "/f", {"a"}, 0, 0, "", false}, {});
    CHECK(has(few, "--nodes=1"));
    CHECK(std::ranges::none_of(few, [](const std::string &argument) {
        return argument.starts_with("--gres") || argument.starts_with("--time") || argument.starts_with("--account");
    }));
}

TEST_CASE("a short job has time before it is asked for a checkpoint")
{
    Settings settings;
    CHECK(checkpointTime(settings).count() == 120);
    settings.time = "4";
    CHECK(checkpointTime(settings).count() == 60);
    settings.time = "1:00:00";
    CHECK(checkpointTime(settings).count() == 120);
}

TEST_CASE("a script that gets two signals at once passes both on")
{
    const fs::path folder = fs::temp_directory_path() / ("sweepscope-batch-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    // As Slurm warns a job: both signals are pending when bash continues.
    std::ofstream(folder / "agent") << "#!/bin/bash\n"
                                       "trap 'echo CONT >> got' CONT\n"
                                       "trap 'echo USR2 >> got; exit 0' USR2\n"
                                       "touch ready\n"
                                       "while :; do sleep 0.02; done\n";
    std::ofstream(folder / "drive") << "chmod +x agent\n"
                                       "SLURM_JOB_ID=7 bash script & script=$!\n"
                                       "until [ -e ready ]; do sleep 0.02; done\n"
                                       "sleep 0.1; kill -STOP $script; kill -USR2 $script; kill -CONT $script\n"
                                       "wait $script\n";
    BatchJob job{jobName("1"), folder.string(), {(folder / "agent").string(), folder.string()}, 0, 0, "", false};
    job.lingers = std::chrono::seconds(10);
    std::ofstream(folder / "script") << batchScript(job, {});
    const std::string command = "cd '" + folder.string() + "' && timeout 20 bash drive > output 2>&1";
    CHECK(std::system(command.c_str()) == 0);
    std::ifstream got(folder / "got");
    const std::string all((std::istreambuf_iterator<char>(got)), {});
    CHECK(all.find("USR2") != std::string::npos);
    fs::remove_all(folder);
}

TEST_CASE("the script becomes the agent")
{
    const std::string script = batchScript(attempt, {});
    CHECK(script.starts_with("#!/bin/bash\ncd '/home/ann/w/a 100%/1' || exit 1\n"));
    CHECK(script.ends_with("\nexec '/bin/agent' 'it'\\''s'\n"));
    CHECK(script.find("unset ${!SLURM*}") != std::string::npos);
    BatchJob other = attempt;
    other.slurmEnvironment = true;
    other.setup = "source ~/venv/bin/activate";
    Settings settings;
    settings.modules = {"cuda/12.1"};
    const std::string longer = batchScript(other, settings);
    CHECK(longer.starts_with("#!/bin/bash -l\n"));
    CHECK(longer.find("unset") == std::string::npos);
    CHECK(longer.find("module load 'cuda/12.1' || { echo") < longer.find("source ~/venv"));
}

TEST_CASE("a job that lingers runs one attempt after the other")
{
    BatchJob lingering = attempt;
    lingering.command = {"/bin/agent", "/home/ann/1"};
    lingering.lingers = std::chrono::seconds(10);
    const std::string script = batchScript(lingering, {});
    CHECK(script.find("\nexec '") == std::string::npos);
    for (const char *part :
         {"\ntrap 'ending=1; kill -s USR2 $agent' USR2\n", "\ntrap 'kill -s TSTP $agent' TSTP\n",
          "    '/bin/agent' \"$PWD\" >> agent.log 2>&1 &\n", "i < 100;", "read -r next < slurm-next"})
        CHECK_MESSAGE(script.find(part) != std::string::npos, part);
    CHECK(script.find("job=$SLURM_JOB_ID") < script.find("unset ${!SLURM*}"));
}

TEST_CASE("on several nodes, the script starts an agent on each and notes signals")
{
    BatchJob several = attempt;
    several.folder = "/home/ann/1";
    several.command = {"/bin/agent", "/home/ann/1"};
    several.otherFolders = {"ranks-2-3", "ranks-4-5"};
    const auto arguments = sbatchArguments(several, {});
    for (const char *argument : {"--nodes=3", "--ntasks=3", "--ntasks-per-node=1", "--gres=gpu:2", "--cpus-per-task=8"})
        CHECK_MESSAGE(has(arguments, argument), argument);
    const std::string script = batchScript(several, {});
    for (const char *part :
         {"\ntrap 'echo TERM >> slurm-signals' TERM\n", "\ntrap 'echo USR2 >> slurm-signals' USR2\n",
          "srun --nodes=3 --ntasks=3 --ntasks-per-node=1 ", "\n2) folder+='\\''/ranks-4-5'\\'' ;;\n",
          "unset ${!SLURM*}", "exec '\\''/bin/agent'\\'' --master-address \"$address\" \"$folder\"\n"})
        CHECK_MESSAGE(script.find(part) != std::string::npos, part);
}
