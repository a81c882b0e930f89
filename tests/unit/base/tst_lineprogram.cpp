#include "base/lineprogram.h"

#include <doctest/doctest.h>

#include <csignal>
#include <string>
#include <thread>

using namespace sweepscope;
using namespace std::chrono_literals;

namespace {

const std::atomic<bool> never = false;

LineProgram shell(const std::string &script, std::map<std::string, std::string> environment = {})
{
    Expected<LineProgram> program = LineProgram::start({{"sh", "-c", script}, "/", std::move(environment)});
    REQUIRE(program);
    return std::move(*program);
}

}  // namespace

TEST_CASE("lines go to and fro, in the folder and environment that were asked for")
{
    LineProgram program = shell("pwd; echo $WORD; while read line; do echo \"<$line>\"; done", {{"WORD", "hello"}});
    CHECK(program.read(10s, never) == "/");
    CHECK(program.read(10s, never) == "hello");
    for (const std::string line : {"a", "", "b c"}) {
        REQUIRE(program.write(line, 10s, never));
        CHECK(program.read(10s, never) == "<" + line + ">");
    }
    const std::string wide(300'000, 'x');  // more than a pipe holds
    std::thread writer([&] { CHECK(program.write(wide, 10s, never)); });
    CHECK(program.read(10s, never) == "<" + wide + ">");
    writer.join();
}

TEST_CASE("an error says how the program ended, with its last words")
{
    LineProgram program = shell("echo first >&2; echo 'no such module' >&2; exit 3");
    CHECK(program.read(10s, never).error().message == "it exited with code 3: no such module");
    LineProgram killed = shell("kill -9 $$");
    CHECK(killed.read(10s, never).error().message == "it was killed by signal 9");
    LineProgram gone = shell("exit 0");
    std::this_thread::sleep_for(100ms);
    CHECK(gone.write("x", 10s, never).error().message == "it exited with code 0");  // and SIGPIPE ends nothing
    const auto missing = LineProgram::start({{"/no/such/program"}, "/"});
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == ErrorCode::NotFound);
}

TEST_CASE("a wait ends at its limit, or when it is cancelled")
{
    LineProgram program = shell("while :; do echo busy >&2; sleep 0.01; done");
    CHECK(program.read(50ms, never).error().code == ErrorCode::Timeout);
    std::atomic<bool> cancelled = false;
    std::thread later([&] {
        std::this_thread::sleep_for(50ms);
        cancelled = true;
    });
    CHECK(program.read(1h, cancelled).error().message == "cancelled");
    later.join();
}

TEST_CASE("the program ends with its owner, however deaf, and so do its children")
{
    int pid = 0;
    {
        LineProgram program =
            shell("trap '' TERM HUP; (trap '' TERM; while :; do sleep 1; done) & echo $!; while :; do sleep 1; done");
        pid = std::stoi(program.read(10s, never).value_or("0"));
        REQUIRE(pid > 0);
        CHECK(::kill(pid, 0) == 0);
    }
    for (int i = 0; i < 100 && ::kill(pid, 0) == 0; ++i)
        std::this_thread::sleep_for(20ms);
    CHECK(::kill(pid, 0) != 0);
}
