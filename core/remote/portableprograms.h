#pragma once

#include "base/error.h"
#include "remote/ssh.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace sweepscope::remote {

/// The program that runs on machines without Sweepscope. It has two names there, and is what its name says: sweepscope-node or
/// sweepscope-agent.
struct PortableProgram {
    std::filesystem::path file;
    std::string sha256;  ///< hexadecimal
};
using PortablePrograms = std::map<std::string, PortableProgram>;  ///< by architecture ("x86_64")

/// Returns the SHA-256 in hexadecimal.
std::string hashOf(const QByteArray &bytes);

/// Reads share/sweepscope/portable. NotFound: this build has none.
Expected<PortablePrograms> portablePrograms(const std::filesystem::path &shareFolder);

/// Returns the name of the folder of this program: another one for each version.
std::string versionOf(const PortableProgram &program);

/// What a machine says about itself before anything is brought there.
struct Landing {
    std::string system;        ///< "Linux x86_64"
    std::string folder;        ///< where the program belongs, absolute
    std::string work;          ///< where its attempts belong, absolute
    std::int64_t room = 0;     ///< bytes free there; 0 = unknown
    std::string architecture;  ///< one of PortablePrograms
    bool isMissing = false;    ///< the program is not there under both names, or differs
};

/// The script that prints it, and what it printed. `folder`: the one for all that Sweepscope keeps there; empty: in the home
/// folder.
std::string landingScript(const PortablePrograms &programs, const std::string &folder);
Expected<Landing> landingIn(const std::string &untrustedOutput, const PortablePrograms &programs);

/// Brings the program if it is missing, and checks that it runs there. Returns the number of bytes that were sent.
Expected<std::int64_t> bringPrograms(const Ssh &ssh, const Landing &landing, const PortablePrograms &programs);

}  // namespace sweepscope::remote
