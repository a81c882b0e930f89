#pragma once

#include "base/error.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// A user's mark on a trial. It does not affect how the trial runs, and stays in every state of the trial.
namespace sweepscope::sweep {

struct TrialMark {
    bool starred = false;
    std::vector<std::string> tags;  ///< ascending, each once
    std::string note;

    bool isEmpty() const { return !starred && tags.empty() && note.empty(); }
    bool operator==(const TrialMark &) const = default;
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
Expected<TrialMark> changed(TrialMark mark, const MarkChange &change);

/// What a person did, for the history: "starred it; tagged it 'baseline'". Empty: nothing.
std::string toText(const MarkChange &change);

}  // namespace sweepscope::sweep
