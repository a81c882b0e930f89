#pragma once

#include "base/error.h"
#include "remote/ssh.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sweepscope::remote {

/// The programs that run on machines without Sweepscope, by architecture ("x86_64").
struct PortableProgram {
    std::string name;
    std::filesystem::path file;
    std::string sha256;  ///< hexadecimal
};
using PortablePrograms = std::map<std::string, std::vector<PortableProgram>>;

/// Returns the SHA-256 in hexadecimal.
std::string hashOf(const QByteArray &bytes);

/// Reads share/sweepscope/portable. NotFound: this build has none.
Expected<PortablePrograms> portablePrograms(const std::filesystem::path &shareFolder);

/// Returns the name of the folder of these programs: another one for each version.
std::string versionOf(const std::vector<PortableProgram> &programs);

/// What a machine says about itself before anything is brought there.
struct Landing {
    std::string system;                ///< "Linux x86_64"
    std::string folder;                ///< where its programs belong, absolute
    std::string work;                  ///< where its attempts belong, absolute
    std::int64_t room = 0;             ///< bytes free there; 0 = unknown
    std::string architecture;          ///< one of PortablePrograms
    std::vector<std::string> missing;  ///< names of programs that are not there, or differ
};

/// The script that prints it, and what it printed. `folder`: the one for all that Sweepscope keeps there; empty: in the home
/// folder.
std::string landingScript(const PortablePrograms &programs, const std::string &folder);
Expected<Landing> landingIn(const std::string &untrustedOutput, const PortablePrograms &programs);

/// Brings what is missing, and checks that it runs there. Returns the number of bytes that were sent.
Expected<std::int64_t> bringPrograms(const Ssh &ssh, const Landing &landing, const PortablePrograms &programs);

}  // namespace sweepscope::remote
