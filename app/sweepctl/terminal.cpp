#include "terminal.h"

#include <algorithm>
#include <array>
#include <clocale>
#include <ncurses.h>
#include <utility>

namespace sweepscope::ctl {

namespace {

constexpr int escape = 27;
constexpr int newline = '\n';
constexpr int tab = '\t';

short colorOf(Style style)
{
    switch (style) {
    case Style::Good:
        return COLOR_GREEN;
    case Style::Bad:
        return COLOR_RED;
    case Style::Running:
        return COLOR_CYAN;
    default:
        return -1;
    }
}

attr_t attributesOf(Style style)
{
    attr_t attributes = A_NORMAL;
    if (style == Style::Heading)
        attributes = A_BOLD;
    else if (style == Style::Dim)
        attributes = A_DIM;
    else if (style == Style::Selected)
        attributes = A_REVERSE;
    if (has_colors() && colorOf(style) >= 0)
        attributes |= static_cast<attr_t>(COLOR_PAIR(static_cast<int>(style) + 1));
    return attributes;
}

std::optional<Key> meaningOf(int pressed)
{
    constexpr std::array<std::pair<int, Key>, 29> keys{{
        {'j', Key::Down},
        {KEY_DOWN, Key::Down},
        {'k', Key::Up},
        {KEY_UP, Key::Up},
        {' ', Key::PageDown},
        {'f', Key::PageDown},
        {KEY_NPAGE, Key::PageDown},
        {'b', Key::PageUp},
        {KEY_PPAGE, Key::PageUp},
        {'g', Key::First},
        {KEY_HOME, Key::First},
        {'<', Key::First},
        {'G', Key::Last},
        {KEY_END, Key::Last},
        {'>', Key::Last},
        {'n', Key::NextSweep},
        {tab, Key::NextSweep},
        {'p', Key::PreviousSweep},
        {KEY_BTAB, Key::PreviousSweep},
        {'s', Key::Order},
        {newline, Key::Details},
        {KEY_ENTER, Key::Details},
        {'h', Key::Help},
        {'?', Key::Help},
        {KEY_F(1), Key::Help},
        {'q', Key::Leave},
        {'Q', Key::Leave},
        {KEY_F(10), Key::Leave},
        {escape, Key::Leave},
    }};
    for (const auto &[code, key] : keys) {
        if (code == pressed)
            return key;
    }
    return std::nullopt;
}

}  // namespace

Terminal::Terminal()
{
    std::setlocale(LC_ALL, "");
    initscr();
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    curs_set(0);
    if (!has_colors())
        return;
    start_color();
    use_default_colors();
    for (const Style style : {Style::Good, Style::Bad, Style::Running})
        init_pair(static_cast<short>(static_cast<int>(style) + 1), colorOf(style), -1);
}

Terminal::~Terminal()
{
    endwin();
}

Terminal::Size Terminal::size() const
{
    return {static_cast<std::size_t>(std::max(COLS, 1)), static_cast<std::size_t>(std::max(LINES, 1))};
}

void Terminal::draw(const std::vector<StyledLine> &lines)
{
    erase();
    for (std::size_t row = 0; row < lines.size(); ++row) {
        attrset(static_cast<int>(attributesOf(lines[row].style)));
        mvaddstr(static_cast<int>(row), 0, lines[row].text.c_str());
    }
    attrset(A_NORMAL);
    refresh();
}

std::optional<Key> Terminal::key()
{
    for (int pressed = getch(); pressed != ERR; pressed = getch()) {
        if (const std::optional<Key> key = meaningOf(pressed))
            return key;
    }
    return std::nullopt;
}

}  // namespace sweepscope::ctl
