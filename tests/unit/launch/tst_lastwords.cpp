#include "launch/firsterror.h"
#include "launch/lastwords.h"
#include "launch/rankenvironment.h"
#include "temporaryfolder.h"

#include <chrono>
#include <doctest/doctest.h>
#include <fstream>

using namespace sweepscope;
using namespace sweepscope::launch;

TEST_CASE("the cause in a Python traceback is the line of the exception")
{
    const auto words = lastWords("epoch 1\n"
                                 "Traceback (most recent call last):\n"
                                 "  File \"train.py\", line 9, in <module>\n"
                                 "    raise RuntimeError('x')\n"
                                 "RuntimeError: CUDA out of memory. Tried to allocate 2 GiB\n"
                                 "Exception raised from malloc at ../c10/cuda.cpp:438 (most recent call first):\n"
                                 "frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x57 (0x7f)\n"
                                 "[W socket.cpp:601] something unimportant\n");
    CHECK(words.text == "RuntimeError: CUDA out of memory. Tried to allocate 2 GiB");
    CHECK(words.isError);
    CHECK(words.source == "train.py:9");
}

TEST_CASE("the source of an exception is the last line of the user's code")
{
    const auto source = [](const std::string &frames) {
        return lastWords("Traceback (most recent call last):\n" + frames + "ValueError: x\n").source;
    };
    const std::string train = "  File \"/home/ann/my code/train.py\", line 6, in <module>\n    main()\n";
    const std::string package = "  File \"/venv/lib/python3.11/site-packages/torch/nn.py\", line 900, in f\n    g()\n";
    CHECK(source(train) == "train.py:6");
    CHECK(source(train + package) == "train.py:6");
    CHECK(source(train + "  File \"model.py\", line 12, in g\n" + package) == "model.py:12");
    CHECK(source(package) == "");
    CHECK(source("  File \"<frozen runpy>\", line 198, in _run\n") == "");
    CHECK(source("  File \"a\", line \n") == "a:");
    CHECK(lastWords("ValueError: no traceback\n").source == "");
}

TEST_CASE("an exception without \"error:\" is found by its traceback; the last one counts")
{
    CHECK(lastWords("Traceback (most recent call last):\n  File \"a\", line 1, in f\n    g()\nKeyError: 'lr'\n\n"
                    "During handling of the above exception, another exception occurred:\n\n"
                    "Traceback (most recent call last):\n  File \"a\", line 2, in f\n    h()\nmymodule.Diverged\n")
              .text
          == "mymodule.Diverged");
}

TEST_CASE("an exception of several lines is joined into one line")
{
    const std::string log = "Traceback (most recent call last):\n"
                            "  File \"train.py\", line 9, in <module>\n"
                            "    raise ValueError(message)\n"
                            "ValueError: these files are missing:\n"
                            "  a.bin\n"
                            "\n"
                            "  b.bin\n"
                            "get them first\n";
    CHECK(lastWords(log).text == "ValueError: these files are missing: a.bin b.bin get them first");
    CHECK(inOneLine("one\n two\n\nthree\n") == "one two three");
}

TEST_CASE("output after the exception of a thread is not part of its message")
{
    CHECK(lastWords("Exception in thread loader:\nTraceback (most recent call last):\n  File \"a\", line 1, in f\n"
                    "ValueError: bad image\nepoch 1\nepoch 2\n")
              .text
          == "ValueError: bad image");
}

TEST_CASE("the message of an uncaught C++ exception is the cause")
{
    CHECK(lastWords("start\nterminate called after throwing an instance of 'std::runtime_error'\n  what():  no data\n")
              .text
          == "no data");
    CHECK(lastWords("terminate called without an active exception\n").text
          == "terminate called without an active exception");
}

TEST_CASE("the last line with an error is preferred to later lines")
{
    const auto words = lastWords("error: old\nerror: data_folder: no such folder\ncleaning up\n");
    CHECK(words.text == "error: data_folder: no such folder");
    CHECK(words.isError);
    CHECK(lastWords("tool: Fatal: no\nbye\n").text == "tool: Fatal: no");
    CHECK(lastWords("t: t.c:3: main: Assertion `n > 0' failed.\nAborted\n").text
          == "t: t.c:3: main: Assertion `n > 0' failed.");
}

TEST_CASE("otherwise the cause is the last line with text, and it is not called an error")
{
    const auto words = lastWords("one\ntwo\n\n   \n");
    CHECK(words.text == "two");
    CHECK_FALSE(words.isError);
    CHECK(lastWords("").text.empty());
    CHECK(lastWords("\n\n").text.empty());
    CHECK(lastWords("no newline").text == "no newline");
}

TEST_CASE("colours and progress bars are removed")
{
    CHECK(lastWords("\x1b[1;31merror: red\x1b[0m\r\n").text == "error: red");
    CHECK(lastWords(" 10%|#   |\r 90%|### |\rdone\n").text == "done");
}

TEST_CASE("a very long line is cut between characters")
{
    std::string line;
    while (line.size() < 10'000)
        line += "ä";
    const auto words = lastWords(line);
    CHECK(words.text.size() <= 410);
    CHECK(words.text.substr(0, 2) == "ä");
    CHECK(words.text.find("ä …") == words.text.size() - std::string("ä …").size());
}

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

struct Attempt {
    TemporaryFolder folder;
    AttemptLayout layout{folder.path};

    RankProcess rank(int number, std::optional<int> exitCode, std::optional<int> signal, const std::string &log = {})
    {
        std::ofstream(layout.rankLog(number)) << log;
        RankProcess process;
        process.rank = number;
        process.exitCode = exitCode;
        process.signal = signal;
        return process;
    }
};

}  // namespace

TEST_CASE("a failure is the rank's exit status and its last error")
{
    Attempt attempt;
    const Fact exited = Fact(Code::RankExited).with(Field::Rank, 1).with(Field::ExitCode, 3);
    CHECK(failureOf(attempt.rank(1, 3, {}, "ValueError: lr\n"), attempt.layout, {})
          == Fact(exited).with(Field::IsError, 1).with(Field::Detail, "ValueError: lr"));
    CHECK(failureOf(attempt.rank(1, 3, {}, "epoch 2\n"), attempt.layout, {})
          == Fact(exited).with(Field::Detail, "epoch 2"));
    CHECK(failureOf(attempt.rank(0, {}, 11), attempt.layout, {})
          == Fact(Code::RankKilled).with(Field::Rank, 0).with(Field::Signal, 11));
    CHECK(failureOf(attempt.rank(0, {}, 9), attempt.layout, Shortage{true, false})
          == Fact(Code::RankKilled).with(Field::Rank, 0).with(Field::Signal, 9).with(Field::Shortage, "memory"));
}

TEST_CASE("a rank that fails on a full disk cannot report it itself")
{
    Attempt attempt;
    const Shortage full{false, true};
    CHECK(failureOf(attempt.rank(0, 120, {}, "epoch 2\n"), attempt.layout, full).text(Field::Shortage) == "disk");
    CHECK(failureOf(attempt.rank(0, 1, {}, "OSError: [Errno 28] No space left on device\n"), attempt.layout, full)
              .text(Field::Shortage)
              .empty());
}

TEST_CASE("the last error of a rank does not reveal its secrets, not even partially")
{
    Attempt attempt;
    const std::string token = "sk-" + std::string(40, 'x');
    const SecretValues secrets({{"API_TOKEN", token}}, {});
    const auto words = [&](const RankProcess &rank) {
        return failureOf(rank, attempt.layout, {}, secrets).text(Field::Detail);
    };
    CHECK(words(attempt.rank(0, 1, {}, "RuntimeError: login failed with " + token + "\n"))
          == "RuntimeError: login failed with ***");
    // A long message is not cut within the token.
    const std::string edge(390, 'e');
    CHECK(words(attempt.rank(0, 1, {}, "error: " + edge + token + "\n")).find("sk-") == std::string::npos);
    // Neither is the part of the log that is read.
    const std::string tail(64 * 1024 - 10, 't');
    CHECK(words(attempt.rank(0, 1, {}, "a " + token + tail)).find("xxx") == std::string::npos);
    const auto recorded = attempt.rank(1, 1, {}, "quiet\n");
    std::ofstream(rankErrorFile(attempt.folder.path, 1)) << R"({"message":"refused )" + token + R"("})";
    CHECK(words(recorded) == "refused ***");
}

TEST_CASE("torch's error file for the rank is preferred to its log")
{
    Attempt attempt;
    const auto rank = attempt.rank(0, 1, {}, "error: something else\n");
    const auto words = [&] { return failureOf(rank, attempt.layout, {}).text(Field::Detail); };
    std::ofstream(rankErrorFile(attempt.folder.path, 0))
        << R"({"message":{"message":"ValueError: recorded","extraInfo":{"timestamp":"5","py_callstack":"Traceback (most recent call last):\n  File \"/t/a.py\", line 3, in f\nValueError: recorded\n"}}})";
    CHECK(words() == "ValueError: recorded");
    CHECK(failureOf(rank, attempt.layout, {}).text(Field::Source) == "a.py:3");
    std::ofstream(rankErrorFile(attempt.folder.path, 0)) << R"({"message":{"message":"ValueError: one\ntwo"}})";
    CHECK(words() == "ValueError: one two");
    std::ofstream(rankErrorFile(attempt.folder.path, 0)) << "[1, 2";
    CHECK(words() == "error: something else");
}

TEST_CASE("of ranks that failed together a killed one is the cause, then one that blames no peer, then the first")
{
    Attempt attempt;
    const auto blaming = attempt.rank(0, 1, {}, "RuntimeError: Connection reset by peer\n");
    const auto own = attempt.rank(1, 1, {}, "ValueError: mine\n");
    const auto later = attempt.rank(2, 1, {}, "ValueError: mine too\n");
    const auto killed = attempt.rank(3, {}, 11);
    using std::filesystem::last_write_time;
    const auto base = last_write_time(attempt.layout.rankLog(0));
    last_write_time(attempt.layout.rankLog(1), base + std::chrono::seconds(5));
    last_write_time(attempt.layout.rankLog(2), base + std::chrono::seconds(3));

    CHECK(firstToFail({&blaming, &own, &later, &killed}, attempt.layout).rank == 3);
    CHECK(firstToFail({&blaming, &own, &later}, attempt.layout).rank == 2);
    CHECK(firstToFail({&blaming, &own}, attempt.layout).rank == 1);
    CHECK(firstToFail({&blaming}, attempt.layout).rank == 0);
}

TEST_CASE("of ranks with error files the first file is the cause, whatever they logged later")
{
    Attempt attempt;
    const auto first = attempt.rank(0, 1, {}, "ValueError: mine\nshutting down\n");
    const auto second = attempt.rank(1, 1, {}, "ValueError: mine too\n");
    for (const int rank : {0, 1})
        std::ofstream(rankErrorFile(attempt.folder.path, rank)) << R"({"message":{"message":"ValueError: mine"}})";
    using std::filesystem::last_write_time;
    const auto base = last_write_time(attempt.layout.rankLog(1));
    last_write_time(attempt.layout.rankLog(0), base + std::chrono::seconds(5));
    last_write_time(rankErrorFile(attempt.folder.path, 0), base + std::chrono::milliseconds(1));
    last_write_time(rankErrorFile(attempt.folder.path, 1), base + std::chrono::milliseconds(2));

    CHECK(firstToFail({&second, &first}, attempt.layout).rank == 0);
}
