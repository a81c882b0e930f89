#pragma once

/// The distances that all pages use, in logical pixels.
namespace sweepscope::ui::spacing {

inline constexpr int tiny = 4;     ///< between an icon and its text
inline constexpr int small = 8;    ///< between parts of a group
inline constexpr int medium = 12;  ///< between groups
inline constexpr int large = 16;   ///< around a page
inline constexpr int huge = 24;    ///< around the message of an empty view

inline constexpr int iconSize = 16;
inline constexpr int cornerRadius = 5;

}  // namespace sweepscope::ui::spacing
