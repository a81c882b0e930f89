#include "sweep/mark.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::sweep;

namespace {

bool isRefused(const MarkChange &change)
{
    const Expected<void> result = check(change);
    return !result && result.error().code == ErrorCode::BadInput && !result.error().message.empty();
}

}  // namespace

TEST_CASE("fields that a change does not set are unchanged")
{
    const Mark before{true, {"a", "c"}, "note"};
    CHECK(*changed(before, {}) == before);
    const auto after = changed(before, {.starred = false, .addedTags = {"b", "a"}, .removedTags = {"c"}, .note = {}});
    REQUIRE(after);
    CHECK(*after == Mark{false, {"a", "b"}, "note"});
    CHECK(changed(before, {.starred = {}, .addedTags = {}, .removedTags = {}, .note = ""})->note.empty());
}

TEST_CASE("tags and notes have limits")
{
    CHECK(isRefused({.starred = {}, .addedTags = {""}, .removedTags = {}, .note = {}}));
    CHECK(isRefused({.starred = {}, .addedTags = {"a,b"}, .removedTags = {}, .note = {}}));
    CHECK(isRefused({.starred = {}, .addedTags = {"a\nb"}, .removedTags = {}, .note = {}}));
    CHECK(isRefused({.starred = {}, .addedTags = {" a"}, .removedTags = {}, .note = {}}));
    CHECK(isRefused({.starred = {}, .addedTags = {std::string(maxTagBytes + 1, 'x')}, .removedTags = {}, .note = {}}));
    CHECK(isRefused({.starred = {}, .addedTags = {}, .removedTags = {}, .note = std::string(maxNoteBytes + 1, 'x')}));
    CHECK(check({.starred = {},
                 .addedTags = {"größer als", std::string(maxTagBytes, 'x')},
                 .removedTags = {},
                 .note = "a\nb"}));

    MarkChange many;
    for (std::size_t i = 0; i < maxTags; ++i)
        many.addedTags.push_back("t" + std::to_string(i));
    const auto full = changed({}, many);
    REQUIRE(full);
    CHECK(full->tags.size() == maxTags);
    CHECK_FALSE(changed(*full, {.starred = {}, .addedTags = {"one more"}, .removedTags = {}, .note = {}}));
}

TEST_CASE("the history describes the change briefly")
{
    CHECK(toText(MarkChange{}).empty());
    CHECK(toText({.starred = true, .addedTags = {"a"}, .removedTags = {"b"}, .note = "x\ny"})
          == "starred it; removed its tag 'b'; tagged it 'a'; noted: x…");
    CHECK(toText({.starred = {}, .addedTags = {}, .removedTags = {}, .note = ""}) == "removed its note");
    // The note is cut between characters, not within one.
    const std::string long_ = toText({.starred = {},
                                      .addedTags = {},
                                      .removedTags = {},
                                      .note = "x" + std::string(60, 'y') + "ääääääääääääääääääää"});
    CHECK(long_.ends_with("ä…"));
}
