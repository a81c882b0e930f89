#include "schedule/refusal.h"

#include "schedule/devicerequest.h"

#include <utility>

namespace sweepscope::schedule {

facts::Fact lacking(facts::Code code, const Request &request, bool gpus)
{
    return facts::Fact(code)
        .with(facts::Field::Kind, std::string(gpus ? "gpu" : "cpu"))
        .with(facts::Field::Needed, request.needed());
}

tl::unexpected<Refusal> refuse(ErrorCode code, facts::Fact reason)
{
    return tl::unexpected<Refusal>(Refusal{code, std::move(reason)});
}

facts::Fact leaseProblem(const Error &error)
{
    if (error.code == ErrorCode::Unavailable)
        return facts::Code::DevicesBeingTaken;
    return facts::Fact(facts::Code::LeasesUnavailable).with(facts::Field::Detail, error.message);
}

}  // namespace sweepscope::schedule
