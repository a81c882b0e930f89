#include "ui/timeline/thinbars.h"

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {

namespace {

constexpr double shortest = 0.01;  // pixels: a bar without a length is visible, too

}  // namespace

ThinBars::ThinBars(double left, double right) : m_left(std::floor(left)), m_right(right) {}

void ThinBars::add(double from, double to, sweep::TrialState state)
{
    const double end = std::min(m_right, std::max(to, from + shortest));
    for (double begin = std::max(m_left, from); begin < end;) {
        const double next = std::floor(begin) + 1;
        m_busy[static_cast<int>(std::floor(begin))][state] += std::min(end, next) - begin;
        begin = next;
    }
}

std::vector<ThinBars::Pixel> ThinBars::pixels() const
{
    std::vector<Pixel> all;
    for (const auto &[x, times] : m_busy) {
        Pixel pixel{static_cast<double>(x), 0, times.begin()->first};
        double most = -1;
        for (const auto &[state, time] : times) {
            pixel.busy += time;
            const double weight = sweep::brokeDown(state) ? time + 1 : time;
            if (weight > most) {
                most = weight;
                pixel.state = state;
            }
        }
        pixel.busy = std::min(1.0, pixel.busy);
        all.push_back(pixel);
    }
    return all;
}

}  // namespace sweepscope::ui
