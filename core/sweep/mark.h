#pragma once

#include "base/error.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// A user's mark on a sweep or a trial. It does not affect how they run, and stays in each of their states.
namespace sweepscope::sweep {

struct Mark {
    bool starred = false;
    std::vector<std::string> tags;  ///< ascending, each once
    std::string note;

    bool isEmpty() const { return !starred && tags.empty() && note.empty(); }
    bool operator==(const Mark &) const = default;
};

/// What is to be different; what is not named stays.
struct MarkChange {
    std::optional<bool> starred;
    std::vector<std::string> addedTags;
    std::vector<std::string> removedTags;
    std::optional<std::string> note;

    bool isEmpty() const { return !starred && addedTags.empty() && removedTags.empty() && !note; }
    bool operator==(const MarkChange &) const = default;
};

inline constexpr std::size_t maxNoteBytes = 8000;
inline constexpr std::size_t maxTagBytes = 60;
inline constexpr std::size_t maxTags = 20;

/// BadInput: a tag that is empty, too long, or has a comma, a line break or blanks at its ends; a note that is too long.
Expected<void> check(const MarkChange &change);

/// The mark afterwards. BadInput: too many tags.
Expected<Mark> changed(Mark mark, const MarkChange &change);

/// What a person did, for the history: "starred it; tagged it 'baseline'". Empty: nothing.
std::string toText(const MarkChange &change);

}  // namespace sweepscope::sweep
