#pragma once

#include <chrono>
#include <string>
#include <vector>

/// Declarations alone, see ../README.md. No object of these types is ever made here.
namespace gloo {

/// LibTorch's header passes a new timeout on.
class Context {
public:
    void setTimeout(std::chrono::milliseconds timeout);
};

namespace transport {
class Device;

/// LibTorch's header holds it by unique_ptr in classes with inline destructors, so it must be destructible by name.
class UnboundBuffer {
public:
    virtual ~UnboundBuffer();
};
}  // namespace transport

namespace rendezvous {

/// LibTorch's header derives from it; what it overrides must be virtual here.
class Store {
public:
    virtual ~Store();
    virtual void set(const std::string &key, const std::vector<char> &data) = 0;
    virtual std::vector<char> get(const std::string &key) = 0;
    virtual void wait(const std::vector<std::string> &keys) = 0;
    virtual void wait(const std::vector<std::string> &keys, const std::chrono::milliseconds &timeout) = 0;
};

}  // namespace rendezvous
}  // namespace gloo
