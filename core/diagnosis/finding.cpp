#include "diagnosis/finding.h"

#include "base/enumnames.h"

namespace sweepscope::diagnosis {

namespace {

constexpr EnumNames<Severity, 3> severities{
    {{Severity::Note, "note"}, {Severity::Warning, "warning"}, {Severity::Problem, "problem"}}};
constexpr EnumNames<Verdict, 4> verdicts{{{Verdict::Found, "found"},
                                          {Verdict::Clear, "clear"},
                                          {Verdict::NotEnoughData, "not enough data"},
                                          {Verdict::NotApplicable, "not applicable"}}};

}  // namespace

std::string nameOf(Severity severity)
{
    return sweepscope::nameOf(severities, severity);
}

std::string nameOf(Verdict verdict)
{
    return sweepscope::nameOf(verdicts, verdict);
}

}  // namespace sweepscope::diagnosis
