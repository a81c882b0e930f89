#pragma once

#include "rankprocess.h"

namespace feedtesting {

using namespace sweepscope;

/// A Python script as a rank, with the reporter of packaging/python.
class PythonRank : public RankProcess {
public:
    PythonRank(const TemporaryFolder &folder, const std::string &script, bool underSweepscope = true)
        : RankProcess(folder, {SWEEPSCOPE_PYTHON, "-c", script}, underSweepscope)
    {}
};

}  // namespace feedtesting
