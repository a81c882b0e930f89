#pragma once

#include "facts/fact.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace sweepscope::ctl {

/// Keys stay in the order in which they were written.
using Json = nlohmann::ordered_json;

/// What is not known is null.
template <typename Value>
Json orNull(const std::optional<Value> &value)
{
    return value ? Json(*value) : Json(nullptr);
}

/// {"code": "rank_exited", "rank": 1, …}; null for none.
inline Json reasonJson(const facts::Fact &reason)
{
    return reason ? Json::parse(facts::toJson(reason), nullptr, false) : Json(nullptr);
}

}  // namespace sweepscope::ctl
