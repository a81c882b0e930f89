#include "base/filedescriptor.h"
#include "base/filelock.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <unistd.h>

using namespace sweepscope;

TEST_CASE("a lock is visible while it is held")
{
    std::string name = "/tmp/sweepscope-lock-XXXXXX";
    const FileDescriptor file(::mkstemp(name.data()));
    REQUIRE(file);
    CHECK_FALSE(isLocked(name));
    REQUIRE(::flock(file.get(), LOCK_EX) == 0);
    CHECK(isLocked(name));
    REQUIRE(::flock(file.get(), LOCK_UN) == 0);
    CHECK_FALSE(isLocked(name));
    ::unlink(name.c_str());
    CHECK_FALSE(isLocked(name));
}
