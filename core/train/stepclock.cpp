#include "train/stepclock.h"

namespace sweepscope::train {

double StepClock::seconds(Part part) const
{
    double sum = 0;
    const Moment *before = &m_begin;
    for (const auto &[passed, end] : m_ends) {
        if (passed == part)
            sum += end.secondsSince(*before);
        before = &end;
    }
    return sum;
}

}  // namespace sweepscope::train
