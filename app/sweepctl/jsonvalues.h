#pragma once

#include "facts/fact.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace sweepscope::ctl {

/// Keeps keys in insertion order.
using Json = nlohmann::ordered_json;

/// Returns null for an unknown value.
template <typename Value>
Json orNull(const std::optional<Value> &value)
{
    return value ? Json(*value) : Json(nullptr);
}

/// {"code": "rank_exited", "rank": 1, …}; null if there is no reason.
inline Json reasonJson(const facts::Fact &reason)
{
    return reason ? Json::parse(facts::toJson(reason), nullptr, false) : Json(nullptr);
}

}  // namespace sweepscope::ctl
