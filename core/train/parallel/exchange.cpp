#include "train/parallel/exchange.h"

#include "train/parallel/journey.h"

#include <ATen/core/ivalue.h>

namespace sweepscope::train {

void Exchange::add(const Moment &launched, const ProcessGroup::Work &work)
{
    const auto arrival = std::make_shared<Arrival>();
    // NCCL's future calls at once, in a stream that comes after the collective; Gloo's when the gradients are there.
    work.handle->getFuture()->addCallback([arrival, clock = m_clock](c10::ivalue::Future &) {
        const std::lock_guard lock(arrival->mutex);
        arrival->moment = Moment::on(clock);
    });
    m_trips.push_back({launched, work, arrival});
}

Moment Exchange::endOf(const Trip &trip) const
{
    const std::lock_guard lock(trip.arrival->mutex);
    const std::optional<Moment> &moment = trip.arrival->moment;
    return moment && moment->isPast() ? *moment : m_complete;
}

Exchange::Times Exchange::times() const
{
    Times times;
    times.wait = m_complete.secondsSince(m_computed);
    if (m_trips.empty())
        return times;
    const Moment &first = m_trips.front().launched;
    std::vector<Journey> journeys;
    for (const Trip &trip : m_trips) {
        journeys.push_back({trip.launched.secondsSince(first), endOf(trip).secondsSince(first)});
        times.buckets.push_back(journeys.back().end - journeys.back().begin);
    }
    times.overlap = secondsUnderWay(journeys, m_computed.secondsSince(first));
    return times;
}

std::vector<ProcessGroup::Work> Exchange::works() const
{
    std::vector<ProcessGroup::Work> works;
    for (const Trip &trip : m_trips)
        works.push_back(trip.work);
    return works;
}

}  // namespace sweepscope::train
