#pragma once

/// The few distances that every page uses, in device-independent pixels.
namespace sweepscope::ui::spacing {

inline constexpr int tiny = 4;     ///< between an icon and its word
inline constexpr int small = 8;    ///< between the parts of one thing
inline constexpr int medium = 12;  ///< between things
inline constexpr int large = 16;   ///< around a page
inline constexpr int huge = 24;    ///< around an empty view's message

inline constexpr int iconSize = 16;
inline constexpr int cornerRadius = 5;

}  // namespace sweepscope::ui::spacing
