#pragma once

#include "watchview.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace sweepscope::ctl {

/// What a key means, as in less and htop.
enum class Key {
    Down,
    Up,
    PageDown,
    PageUp,
    First,
    Last,
    NextSweep,
    PreviousSweep,
    Order,
    Details,
    Help,
    Leave,
};

/// The terminal as a screen, drawn by ncurses. Only one may exist; it restores the terminal when it ends.
class Terminal {
public:
    struct Size {
        std::size_t width = 80;
        std::size_t height = 24;
    };

    Terminal();
    ~Terminal();
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    Size size() const;
    void draw(const std::vector<StyledLine> &lines);
    /// Returns the next key that was pressed and means something; nullopt if there is none. Does not wait.
    std::optional<Key> key();
};

}  // namespace sweepscope::ctl
