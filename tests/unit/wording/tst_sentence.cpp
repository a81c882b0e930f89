#include "wording/sentence.h"

#include <doctest/doctest.h>

#include <csignal>

using namespace sweepscope;
using facts::Code;
using facts::Fact;
using facts::Field;
using wording::clause;
using wording::predicate;
using wording::sentence;

namespace {

Fact filled(Code code, std::int64_t number)
{
    Fact fact(code);
    for (const Field field : facts::fieldsOf(code)) {
        switch (facts::typeOf(field)) {
        case facts::FieldType::Integer:
            fact = std::move(fact).with(field, number);
            break;
        case facts::FieldType::Number:
            fact = std::move(fact).with(field, static_cast<double>(number));
            break;
        case facts::FieldType::Text:
            fact = std::move(fact).with(field, std::string("word"));
            break;
        }
    }
    return std::move(fact).dueTo(Fact(Code::TimedOut).with(Field::Seconds, 60));
}

}  // namespace

TEST_CASE("a trial that a person continued names the trial and the new values")
{
    const Fact plain = Fact(Code::ChosenToContinue).with(Field::Trial, 3);
    CHECK(clause(plain) == "continues from the checkpoint of trial 3");
    const auto set = [](const char *key, const char *value) {
        return Fact(Code::KeyChanged).with(Field::Key, key).with(Field::After, value);
    };
    CHECK(clause(Fact(plain).dueTo(set("epochs", "60")).dueTo(set("lr", "0.01")))
          == "continues from the checkpoint of trial 3 with epochs = 60, lr = 0.01");
}

TEST_CASE("every code has a sentence, whatever its fields")
{
    for (const Code code : facts::allCodes()) {
        for (const std::int64_t number : {0, 1, 2, 1'000'000}) {
            const std::string text = sentence(filled(code, number));
            CAPTURE(text);
            CHECK(!text.empty());
            CHECK(text.find_first_of("{}") == std::string::npos);
            CHECK(text.find("  ") == std::string::npos);
            CHECK(text.back() != '.');
        }
        CHECK_NOTHROW(sentence(Fact(code)));
    }
    CHECK(sentence(Fact()).empty());
}

TEST_CASE("a condition of a GPU is readable with and without the GPU's name")
{
    const Fact xid = Fact(Code::GpuReportedXid).with(Field::Number, 79).with(Field::Index, 1);
    CHECK(sentence(xid) == "GPU 1 reported Xid 79 (the GPU has fallen off the bus)");
    CHECK(predicate(xid) == "reported Xid 79 (the GPU has fallen off the bus)");
    CHECK(predicate(Fact(Code::GpuReportedXid).with(Field::Number, 1000)) == "reported Xid 1000");
}

TEST_CASE("the connection of GPUs is that of the worst pair")
{
    const auto connected = [](int count, const char *path) {
        return Fact(Code::GpusConnected).with(Field::Count, count).with(Field::Path, std::string(path));
    };
    CHECK(clause(connected(2, "switch")) == "its 2 GPUs are connected by one PCIe switch");
    CHECK(clause(connected(3, "system"))
          == "its 3 GPUs are connected through two CPUs, from one NUMA node to another at worst");
    CHECK(clause(connected(2, "nvlink").with(Field::Links, 18))
          == "its 2 GPUs are connected by NVLink (18 links between any two)");
    CHECK(clause(connected(4, "unknown")) == "its 4 GPUs are connected in an unknown way");
}

TEST_CASE("counts of one and of several have different wording")
{
    CHECK(sentence(Fact(Code::QueuedStopped).with(Field::Count, 1)) == "1 queued trial is stopped");
    CHECK(sentence(Fact(Code::QueuedStopped).with(Field::Count, 2753)) == "2753 queued trials are stopped");
    CHECK(sentence(Fact(Code::Launched).with(Field::Count, 1'000'000)) == "Launched with 1,000,000 trials");
}

TEST_CASE("a failed rank is described with its last error and the missing resource")
{
    const Fact exited = Fact(Code::RankExited)
                            .with(Field::Rank, 1)
                            .with(Field::ExitCode, 1)
                            .with(Field::IsError, 1)
                            .with(Field::Detail, std::string("IndexError: list index out of range"));
    CHECK(sentence(exited) == "Rank 1 exited with code 1: IndexError: list index out of range");
    CHECK(sentence(Fact(exited).with(Field::Source, std::string("train.py:6")))
          == "Rank 1 exited with code 1: IndexError: list index out of range (train.py:6)");
    const Fact killed = Fact(Code::RankKilled)
                            .with(Field::Rank, 0)
                            .with(Field::Signal, SIGSEGV)
                            .with(Field::Detail, std::string("step 3"));
    CHECK(sentence(killed)
          == "Rank 0 was killed by signal 11 (SIGSEGV, Segmentation fault); last line of its log: step 3");
    const Fact starved = Fact(Code::RankKilled)
                             .with(Field::Rank, 2)
                             .with(Field::Signal, SIGKILL)
                             .with(Field::Shortage, std::string("memory"));
    CHECK(sentence(starved)
          == "Rank 2 was killed by signal 9 (SIGKILL, Killed) because the machine ran out of memory; its log is empty");
}

TEST_CASE("a failure of several trials names no rank if it differs")
{
    const Fact exited = Fact(Code::RankExited).with(Field::ExitCode, 1).with(Field::Detail, "bye");
    CHECK(sentence(exited) == "A rank exited with code 1; last line of its log: bye");
}

TEST_CASE("ranks that do nothing after another exited are not said to wait")
{
    const Fact exited = Fact(Code::ExitedEarly).with(Field::Rank, 0).with(Field::Seconds, 60.0).with(Field::Ranks, "1");
    CHECK(sentence(exited)
          == "Rank 0 exited with code 0, but rank 1 then reported no step, printed nothing and used no CPU, for 1 min");
    const Fact behind = Fact(Code::RanksBehind).with(Field::Step, 8).with(Field::Bound, 30.0).with(Field::Ranks, "1");
    CHECK(sentence(Fact(exited).with(Field::Detail, "epoch 8").dueTo(behind))
          == "Rank 0 exited with code 0, but rank 1 then reported no step, printed nothing and used no CPU, for 1 min; "
             "last "
             "output of rank 1: epoch 8; rank 1 was behind at step 8, the others at 30");
}

TEST_CASE("a retry has its number and the previous failure")
{
    const Fact retry = Fact(Code::RetryScheduled)
                           .with(Field::Attempt, 1)
                           .with(Field::Retry, 1)
                           .with(Field::Limit, 2)
                           .with(Field::Seconds, 1)
                           .dueTo(Fact(Code::TimedOut).with(Field::Seconds, 4));
    CHECK(sentence(retry)
          == "Retry 1 of 2 in 1 s; attempt 1 failed: timed out: the attempt ran longer than 4 s (run.timeout)");
}

TEST_CASE("a trial that waits for GPUs names four of them and counts the others")
{
    Fact waits = Fact(Code::WaitingForDevices)
                     .with(Field::Kind, std::string("gpu"))
                     .with(Field::Needed, 2)
                     .with(Field::Limit, 8)
                     .with(Field::Free, 0)
                     .dueTo(Fact(Code::DevicesInUse).with(Field::Count, 2));
    for (int i = 2; i < 8; ++i)
        waits = std::move(waits).dueTo(Fact(Code::GpuNotRead).with(Field::Index, i));
    waits = std::move(waits).dueTo(Fact(Code::GpusNotPinned).with(Field::Count, 3));
    CHECK(sentence(waits)
          == "Waits for 2 of 8 GPUs: 2 are in use; GPU 2 has not been read yet; GPU 3 has not been read yet; "
             "GPU 4 has not been read yet; GPU 5 has not been read yet; and 2 more; 3 are not pinned");
    CHECK(sentence(Fact(Code::GpuUsed).with(Field::Device, std::string("MIG-1")).with(Field::Pid, 7))
          == "MIG instance MIG-1 is used by pid 7, which is not visible here");
}

TEST_CASE("durations and numbers are formatted for reading")
{
    CHECK(wording::duration(0.3) == "300 ms");
    CHECK(wording::duration(1.5) == "1.5 s");
    CHECK(wording::duration(90) == "90 s");
    CHECK(wording::duration(60) == "1 min");
    CHECK(wording::duration(381) == "6 min 21 s");
    CHECK(wording::duration(9000) == "2 h 30 min");
    CHECK(wording::number(0.149070001) == "0.14907");
    CHECK(wording::number(-0.0) == "0");
    CHECK(wording::number(114820) == "114,820");
    CHECK(wording::number(1e100) == "1e+100");
}

TEST_CASE("up to eight ranks are listed")
{
    CHECK(wording::ranks("3") == "rank 3");
    CHECK(wording::ranks("0,2") == "ranks 0 and 2");
    CHECK(wording::ranks("0,2,5") == "ranks 0, 2 and 5");
    CHECK(wording::ranks("0,1,2,3,4,5,6,7,8") == "9 ranks");
}

TEST_CASE("the key of a changed setting is written as in the sweep file")
{
    const Fact changed = Fact(Code::KeyChanged)
                             .with(Field::Key, std::string("devices.concurrent"))
                             .with(Field::Before, std::string("1"))
                             .with(Field::After, std::string("2"));
    CHECK(wording::sentences({Fact(Code::TrialsAdded).with(Field::Count, 2), changed})
          == "2 trials added. devices.concurrent changed from 1 to 2.");
    CHECK(wording::preview(
              {Fact(Code::TrialsAdded).with(Field::Count, 2).with(Field::Trials, std::string("11,12")), changed})
          == "Would add 2 trials (11, 12). Would change devices.concurrent from 1 to 2.");
    CHECK(wording::preview({Fact(Code::TrialsRemoved).with(Field::Count, 7).with(Field::Trials, std::string("2,4-9"))})
          == "Would remove 7 queued trials (2, 4 to 9).");
    CHECK(wording::preview({Fact(Code::TrialsRestored).with(Field::Count, 1), Code::NothingChanged})
          == "Would restore 1 trial. Nothing would change.");
}

TEST_CASE("replies to marks name what was done")
{
    const Fact starred = Fact(Code::SweepMarked).with(Field::Sweep, std::string("digits")).dueTo(Code::Starred);
    CHECK(wording::sentences({starred}) == "Starred digits.");
    const Fact trials = Fact(Code::TrialsMarked)
                            .with(Field::Count, 3)
                            .dueTo(Fact(Code::TagsRemoved).with(Field::Detail, std::string("a")))
                            .dueTo(Fact(Code::TagsAdded).with(Field::Detail, std::string("b, c")))
                            .dueTo(Code::NoteChanged);
    CHECK(wording::sentences({trials})
          == "Removed the tag a of 3 trials; tagged 3 trials with b, c; changed the note of 3 trials.");
    CHECK(wording::sentences(
              {Fact(Code::TrialsMarked).with(Field::Trial, 7).with(Field::Count, 1).dueTo(Code::Unstarred)})
          == "Removed the star of trial 7.");
    CHECK(wording::sentences({Fact(Code::Archived).with(Field::Sweep, std::string("digits"))}) == "Archived digits.");
    CHECK(sentence(Fact(Code::Archived)) == "Archived");
    const Fact renamed = Fact(Code::KeyChanged)
                             .with(Field::Key, std::string("sweep.name"))
                             .with(Field::Before, std::string("\"a\""))
                             .with(Field::After, std::string("\"b\""));
    CHECK(wording::sentences({renamed}) == "Renamed a to b.");
    CHECK(wording::preview({renamed}) == "Would rename a to b.");
}

TEST_CASE("the name of a machine keeps its case at the start of a sentence")
{
    const Fact away = Fact(Code::OnMachine)
                          .with(Field::Machine, std::string("gpu1"))
                          .dueTo(Fact(Code::MachineUnreachable).with(Field::Detail, std::string("Connection refused")));
    CHECK(sentence(away) == "gpu1: cannot be reached: Connection refused");
    CHECK(sentence(away.because.front()) == "Cannot be reached: Connection refused");
}
