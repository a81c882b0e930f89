#pragma once

#include "base/error.h"
#include "remote/foldercopy.h"

#include <string>

namespace sweepscope::ctl {

/// Where the last checkpoint of a trial is.
struct CheckpointPlace {
    int trial = 0;
    int attempt = 0;      ///< that saved it
    std::string machine;  ///< where it is; empty: that of the workspace
    std::string folder;   ///< absolute
    remote::FolderSize size;
};

/// "trial 7, attempt 2: 3 files, 1.2 GB, in gpu1:/scratch/…/checkpoint"
std::string inWords(const CheckpointPlace &place);

/// As `sweepctl checkpoint --json` prints it.
std::string toJson(const CheckpointPlace &place);
Expected<CheckpointPlace> checkpointPlaceFrom(const std::string &json);

/// How ssh may ask while a checkpoint is copied: the Trial page has no terminal.
remote::Questions questionsOfCopies();

}  // namespace sweepscope::ctl
