#include "wording/memorysentence.h"

#include "wording/placeholders.h"

namespace sweepscope::wording {

using facts::Code;
using facts::Fact;
using facts::Field;

std::string parallelLayout(const Fact &fact)
{
    std::string layout =
        fill(fact.integer(Field::Count) == 1 ? text("{parallel}, 1 rank") : text("{parallel}, {count} ranks"), fact);
    if (fact.integer(Field::PerRank).value_or(1) > 1)
        layout +=
            fill(fact.text(Field::Kind) == "gpu" ? text(" of {per_rank} GPUs") : text(" of {per_rank} devices"), fact);
    return layout;
}

std::string memoryVerdict(const Fact &fact)
{
    const bool isGpu = fact.text(Field::Kind) == "gpu";
    switch (fact.code) {
    case Code::ModelUnsplit:
        return fill(fact.integer(Field::Limit)
                        ? text("cannot be used: the model has {limit} layers, too few for {per_rank} stages")
                        : text("cannot be used: this model cannot be split into stages"),
                    fact);
    case Code::MemoryFits:
        return fill(isGpu ? text("fits, {needed_bytes} of {bytes} per GPU ({device})")
                          : text("fits, {needed_bytes} of {bytes} ({device})"),
                    fact)
               + (fact.integer(Field::Limit) ? fill(text(", batch_size up to {limit}"), fact)
                                             : text(", any batch_size"));
    default:
        break;
    }
    std::string verdict = fill(isGpu ? text("does not fit, needs {needed_bytes} of {bytes} per GPU ({device})")
                                     : text("does not fit, needs {needed_bytes} of {bytes} ({device})"),
                               fact);
    if (fact.integer(Field::Limit))
        verdict += fill(text("; batch_size up to {limit} fits"), fact);
    return verdict;
}

}  // namespace sweepscope::wording
