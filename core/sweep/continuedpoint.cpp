#include "sweep/continuedpoint.h"

#include "sweep/point.h"

#include <algorithm>
#include <array>

namespace sweepscope::sweep {

namespace {

/// Paths of data are not among them, because files may have moved: the fingerprint of the data says whether they are
/// others.
constexpr std::array<std::string_view, 14> ofCheckpoint{
    "dataset",       "target",        "task",       "standardize", "context", "validation_fraction",
    "test_fraction", "train_samples", "split_seed", "model",       "hidden",  "layers",
    "heads",         "optimizer"};

bool startsOver(const SweepSpec &spec, const std::string &name)
{
    return spec.run.worker == WorkerKind::Builtin
           && (name == "seed" || std::find(ofCheckpoint.begin(), ofCheckpoint.end(), name) != ofCheckpoint.end());
}

}  // namespace

std::span<const std::string_view> settingsOfCheckpoint()
{
    return ofCheckpoint;
}

Expected<ParameterSet> continuedPoint(const SweepSpec &spec, const ParameterSet &parent,
                                      const std::map<std::string, std::string> &changes)
{
    std::map<std::string, std::string> point;
    for (const auto &[name, value] : parent)
        point.emplace(name, toText(value));
    for (const auto &[name, text] : changes) {
        const auto before = point.find(name);
        if (startsOver(spec, name) && (before == point.end() || before->second != text))
            return makeError(ErrorCode::BadInput,
                             name + " cannot change, because training would start over instead of continuing");
        point.insert_or_assign(name, text);
    }
    return parsePoint(spec, point);
}

}  // namespace sweepscope::sweep
