// Programs run where libstdc++ is that of gcc 11 or newer (manylinux_2_34: RHEL 9, Ubuntu 22.04). Only one function of
// newer ones, of gcc 12, is called: the linker has its callers call this one.

#include <condition_variable>
#include <mutex>
#include <pthread.h>

extern "C" void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(std::condition_variable &condition,
                                                                                 std::unique_lock<std::mutex> &lock)
{
    ::pthread_cond_wait(condition.native_handle(), lock.mutex()->native_handle());
}
