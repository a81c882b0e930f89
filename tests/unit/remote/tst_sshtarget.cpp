#include "remote/ssh.h"
#include "remote/sshtarget.h"

#include <doctest/doctest.h>

using namespace sweepscope::remote;

TEST_CASE("addresses are read and written")
{
    struct Case {
        const char *text;
        SshTarget target;
        const char *again;
    };
    const Case cases[] = {
        {"gpu1", {"gpu1", 0, ""}, "ssh://gpu1"},
        {"ann@gpu1.lab", {"ann@gpu1.lab", 0, ""}, "ssh://ann@gpu1.lab"},
        {"ssh://gpu1", {"gpu1", 0, ""}, "ssh://gpu1"},
        {"ssh://ann@gpu1:2222", {"ann@gpu1", 2222, ""}, "ssh://ann@gpu1:2222"},
        {"ssh://ann@gpu1:2222/data/ws", {"ann@gpu1", 2222, "/data/ws"}, "ssh://ann@gpu1:2222/data/ws"},
        {"ssh://gpu1/", {"gpu1", 0, ""}, "ssh://gpu1"},
        {"ssh://gpu1/~", {"gpu1", 0, ""}, "ssh://gpu1"},
        {"ssh://gpu1/~/ws", {"gpu1", 0, "ws"}, "ssh://gpu1/~/ws"},
        {"ssh://gpu1/a b'c", {"gpu1", 0, "/a b'c"}, "ssh://gpu1/a b'c"},
        {"ssh://ann@lab.org@jump", {"ann@lab.org@jump", 0, ""}, "ssh://ann@lab.org@jump"},
        {"ssh://ann@[fe80::1%eth0]:22/x", {"ann@fe80::1%eth0", 22, "/x"}, "ssh://ann@[fe80::1%eth0]:22/x"},
    };
    for (const Case &one : cases) {
        INFO(one.text);
        const auto target = parseSshTarget(one.text);
        REQUIRE(target);
        CHECK(bool(*target == one.target));
        CHECK(toString(*target) == one.again);
        CHECK(bool(parseSshTarget(one.again) == *target));
    }
}

TEST_CASE("what ssh would take for something else is refused")
{
    for (const char *text : {"", "-oProxyCommand=x", "ssh://-x", "ann@-x", "ssh://", "ssh:///x", "http://gpu1", "a b",
                             "a;b", "a`b`", "a$b", "a'b", "gpu1\n", "ann@", "ssh://gpu1:0", "ssh://gpu1:65536",
                             "ssh://gpu1:22x", "ssh://gpu1:", "ssh://gpu1/a\nb"}) {
        INFO(text);
        CHECK_FALSE(parseSshTarget(text).has_value());
    }
}

TEST_CASE("words are quoted for a shell")
{
    CHECK(shellWord("a b") == "'a b'");
    CHECK(shellWord("it's") == "'it'\\''s'");
    CHECK(shellWord("$x `y` \\ \n") == "'$x `y` \\ \n'");
}

TEST_CASE("ssh's message is one line of what matters")
{
    CHECK(sshMessage(
              "Warning: Permanently added 'x' to the list.\nssh: connect to host x port 22: Connection refused\r\n")
          == "connect to host x port 22: Connection refused");
    CHECK(sshMessage("@@@@@@@\n\nHost key verification failed.\n") == "Host key verification failed.");
    CHECK(sshMessage(
              "@@@@@@@@@\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\n@@@@@@@@@\nIT IS POSSIBLE.\n")
          == "WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! IT IS POSSIBLE.");
    CHECK(sshMessage("\x1b[31mred\n") == "?[31mred");
}
