#include "train/parallel/moment.h"

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/version.h>

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
#define SWEEPSCOPE_TIMED_EVENTS
#endif

namespace sweepscope::train {

#ifdef SWEEPSCOPE_TIMED_EVENTS

bool Moment::followsGpus()
{
    return true;
}

Moment Moment::on(c10::Device device)
{
    Moment moment;
    if (device.is_cpu()) {
        moment.m_time = std::chrono::steady_clock::now();
    } else {
        // The default flag of c10 makes events without a time.
        moment.m_event = std::make_shared<c10::Event>(device.type(), c10::EventFlag::BACKEND_DEFAULT);
        moment.m_event->record(c10::impl::VirtualGuardImpl(device.type()).getStream(device));
    }
    return moment;
}

double Moment::secondsSince(const Moment &earlier) const
{
    if (m_event && earlier.m_event)
        return earlier.m_event->elapsedTime(*m_event) / 1000;
    return std::chrono::duration<double>(m_time - earlier.m_time).count();
}

#else

bool Moment::followsGpus()
{
    return false;
}

Moment Moment::on(c10::Device)
{
    Moment moment;
    moment.m_time = std::chrono::steady_clock::now();
    return moment;
}

double Moment::secondsSince(const Moment &earlier) const
{
    return std::chrono::duration<double>(m_time - earlier.m_time).count();
}

#endif

bool Moment::isPast() const
{
    return !m_event || m_event->query();
}

void Moment::precedeCurrentStream() const
{
    if (!m_event)
        return;
    const c10::impl::VirtualGuardImpl guard(m_event->device_type());
    m_event->block(guard.getStream(guard.getDevice()));
}

}  // namespace sweepscope::train
