#include "wording/failuretitle.h"

#include <csignal>
#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::wording;
using facts::Code;
using facts::Fact;
using facts::Field;

namespace {

Fact exited(const std::string &message, const std::string &source = {})
{
    Fact fact = Fact(Code::RankExited).with(Field::Rank, 1).with(Field::ExitCode, 3);
    if (!message.empty())
        fact = std::move(fact).with(Field::IsError, 1).with(Field::Detail, message);
    return source.empty() ? fact : std::move(fact).with(Field::Source, source);
}

}  // namespace

TEST_CASE("a failure has a title of a few words")
{
    CHECK(failureTitle(exited("IndexError: list index out of range", "train.py:6")) == "IndexError in train.py:6");
    CHECK(failureTitle(exited("torch.OutOfMemoryError: CUDA out of memory", "train.py:6"))
          == "OutOfMemoryError in train.py:6");
    CHECK(failureTitle(exited("KeyError", "a.py:1")) == "KeyError in a.py:1");
    CHECK(failureTitle(exited("IndexError: list index out of range")) == "IndexError: list index out of range");
    CHECK(failureTitle(exited("cannot open the data")) == "cannot open the data");
    CHECK(failureTitle(exited("")) == "exit code 3");
    CHECK(failureTitle(
              Fact(Code::RankKilled).with(Field::Rank, 0).with(Field::Signal, SIGKILL).with(Field::Shortage, "memory"))
          == "killed by signal 9 (SIGKILL, Killed), out of memory");
    CHECK(failureTitle(Fact(Code::ExitedEarly).with(Field::Rank, 0).with(Field::Seconds, 60.0).with(Field::Ranks, "1"))
          == "rank 1 did nothing after rank 0 had exited");
    CHECK(failureTitle(Fact(Code::Hung).with(Field::Seconds, 300.0).with(Field::Longest, 0.25))
          == "hung: no step for 5 min");
    CHECK(failureTitle(Fact(Code::AttemptMissing)) == "the database has no attempt of this running trial");
}

TEST_CASE("a title is cut at a character")
{
    const std::string title = failureTitle(exited(std::string(78, 'a') + "ääää b"));
    CHECK(title.size() <= 80);
    CHECK(title.ends_with(" …"));
    CHECK(title.find("\xc3 ") == std::string::npos);
}
