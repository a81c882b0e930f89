# LibTorch with c10d, as the imported target LibTorch::LibTorch. Looked for in this order, the first that fits is taken:
#   1. SWEEPSCOPE_TORCH_PREFIX   a folder with include/ and lib/ (pip's site-packages/torch is one): the user's word
#   2. the active Python         the folder of its torch package, found without importing it
#   3. a private environment     ${XDG_CACHE_HOME:-~/.cache}/sweepscope/torch, where there is an NVIDIA driver: packaging/
#                                installs pip's torch there
#   4. the system                Debian's libtorch-dev
# LibTorch_ADVICE replaces what the message says if none fits.
# Headers and libraries are looked up directly: LibTorch's own CMake package asks for nvcc when it was built with CUDA.
#
# Sets LibTorch_FOUND, LibTorch_VERSION, LibTorch_ORIGIN, LibTorch_LIBRARY_DIR, LibTorch_CUDA, LibTorch_NCCL and, for an installation
# outside the system's folders, LibTorch_RPATH.

# The reason why a candidate was passed over, for the message when nothing is left.
set(_libtorch_rejected "")

# Look at one candidate: where torch/csrc lies (`include`) and where libtorch_cpu.so lies (`lib`). Sets _libtorch_ok.
function(_libtorch_examine origin include lib)
  set(_libtorch_ok FALSE PARENT_SCOPE)
  set(api "${include}/torch/csrc/api/include")
  if(NOT EXISTS "${api}/torch/torch.h" OR NOT EXISTS "${lib}/libtorch_cpu.so")
    set(_libtorch_rejected "${_libtorch_rejected}\n  ${origin}: no LibTorch headers and libraries" PARENT_SCOPE)
    return()
  endif()

  set(defines "")
  foreach(header "${api}/torch/version.h" "${include}/torch/headeronly/version.h")
    if(EXISTS "${header}")
      file(STRINGS "${header}" lines REGEX "#define TORCH_VERSION_(MAJOR|MINOR|PATCH) +[0-9]+")
      string(APPEND defines "${lines}")
    endif()
  endforeach()
  string(REGEX MATCH "TORCH_VERSION_MAJOR +([0-9]+)" _ "${defines}")
  set(version "${CMAKE_MATCH_1}")
  string(REGEX MATCH "TORCH_VERSION_MINOR +([0-9]+)" _ "${defines}")
  set(version "${version}.${CMAKE_MATCH_1}")
  if(version VERSION_LESS 1.13)
    set(_libtorch_rejected "${_libtorch_rejected}\n  ${origin}: version ${version}, 1.13 is the oldest that fits" PARENT_SCOPE)
    return()
  endif()

  # Our other libraries use libstdc++'s present string type; a LibTorch built with the old one cannot be linked to them.
  file(STRINGS "${lib}/libc10.so" newStrings REGEX "_ZN3c10.*NSt7__cxx1112basic_string" LIMIT_COUNT 1)
  if(NOT newStrings)
    set(_libtorch_rejected "${_libtorch_rejected}\n  ${origin}: version ${version} was built with _GLIBCXX_USE_CXX11_ABI=0; \
pip's torch 2.7 and newer are not" PARENT_SCOPE)
    return()
  endif()

  # The headers of Gloo itself lie beside Debian's LibTorch (libgloo-dev). pip's has none: declarations of our own stand in.
  set(gloo "")
  if(EXISTS "${include}/gloo/transport/device.h")
    set(gloo "${include}")
  elseif(version VERSION_GREATER_EQUAL 2)
    set(gloo "${PROJECT_SOURCE_DIR}/core/train/parallel/gloodeclarations")
  endif()
  if(NOT EXISTS "${include}/torch/csrc/distributed/c10d/ProcessGroupGloo.hpp" OR NOT gloo)
    set(_libtorch_rejected "${_libtorch_rejected}\n  ${origin}: c10d with Gloo is missing (Debian: libgloo-dev)" PARENT_SCOPE)
    return()
  endif()

  # GPUs need no header of CUDA. NCCL needs its own and the CUDA runtime's: pip keeps them in nvidia-* packages beside torch.
  # Without them ranks on GPUs use Gloo.
  set(cuda FALSE)
  set(nccl FALSE)
  set(cudaFolders "")
  if(EXISTS "${lib}/libtorch_cuda.so")
    set(cuda TRUE)
    get_filename_component(site "${lib}/../.." ABSOLUTE)
    file(GLOB cudaFolders LIST_DIRECTORIES true "${site}/nvidia/*/include")
    if(EXISTS /usr/local/cuda/include)
      list(APPEND cudaFolders /usr/local/cuda/include)
    endif()
    list(APPEND cudaFolders /usr/include)
    find_path(_libtorch_nccl_h nccl.h PATHS ${cudaFolders} NO_DEFAULT_PATH NO_CACHE)
    find_path(_libtorch_cuda_h cuda_runtime_api.h PATHS ${cudaFolders} NO_DEFAULT_PATH NO_CACHE)
    # CUDA 13's runtime includes them; pip has them in a package that torch does not ask for.
    find_path(_libtorch_crt_h crt/host_defines.h PATHS ${cudaFolders} NO_DEFAULT_PATH NO_CACHE)
    # cuda_fp16.h includes nv/target of libcu++, which CUDA 13 keeps in a folder of its own.
    find_path(_libtorch_fp16_h cuda_fp16.h PATHS ${cudaFolders} NO_DEFAULT_PATH NO_CACHE)
    find_path(_libtorch_nv_target nv/target PATHS ${cudaFolders} PATH_SUFFIXES cccl NO_DEFAULT_PATH NO_CACHE)
    set(fp16NeedsTarget "")
    if(_libtorch_fp16_h)
      file(STRINGS "${_libtorch_fp16_h}/cuda_fp16.h" fp16NeedsTarget REGEX "#include <nv/target>" LIMIT_COUNT 1)
    endif()
    if(_libtorch_nv_target)
      string(REGEX REPLACE "/$" "" _libtorch_nv_target "${_libtorch_nv_target}")
      list(APPEND cudaFolders "${_libtorch_nv_target}")
      list(REMOVE_DUPLICATES cudaFolders)
    endif()
    if(_libtorch_nccl_h AND _libtorch_cuda_h AND NOT _libtorch_crt_h)
      message(WARNING "Without NCCL: ${_libtorch_cuda_h} lacks crt/host_defines.h (pip: nvidia-cuda-crt, of its version)")
    elseif(_libtorch_nccl_h AND _libtorch_cuda_h AND fp16NeedsTarget AND NOT _libtorch_nv_target)
      message(WARNING "Without NCCL: ${_libtorch_fp16_h} lacks nv/target (pip: nvidia-cuda-cccl, of its version)")
    elseif(_libtorch_nccl_h AND _libtorch_cuda_h)
      set(nccl TRUE)
      list(FILTER cudaFolders EXCLUDE REGEX "^/usr/include$")
    endif()
  endif()

  set(_libtorch_ok TRUE PARENT_SCOPE)
  set(LibTorch_VERSION "${version}" PARENT_SCOPE)
  set(LibTorch_ORIGIN "${origin}" PARENT_SCOPE)
  set(LibTorch_INCLUDE_DIR "${include}" PARENT_SCOPE)
  set(LibTorch_LIBRARY_DIR "${lib}" PARENT_SCOPE)
  set(LibTorch_CUDA ${cuda} PARENT_SCOPE)
  set(LibTorch_NCCL ${nccl} PARENT_SCOPE)
  set(_libtorch_gloo "${gloo}" PARENT_SCOPE)
  set(_libtorch_cuda_includes "${cudaFolders}" PARENT_SCOPE)
endfunction()

set(_libtorch_ok FALSE)
if(SWEEPSCOPE_TORCH_PREFIX)
  set(_libtorch_lib "${SWEEPSCOPE_TORCH_PREFIX}/lib")
  if(EXISTS "${_libtorch_lib}/${CMAKE_LIBRARY_ARCHITECTURE}/libtorch_cpu.so")  # /usr means Debian's own
    string(APPEND _libtorch_lib "/${CMAKE_LIBRARY_ARCHITECTURE}")
  endif()
  _libtorch_examine("SWEEPSCOPE_TORCH_PREFIX" "${SWEEPSCOPE_TORCH_PREFIX}/include" "${_libtorch_lib}")
else()
  find_program(_libtorch_python NAMES python3 NO_CACHE)
  if(_libtorch_python)
    # find_spec finds the package's folder in milliseconds; importing it would take seconds.
    execute_process(
      COMMAND "${_libtorch_python}" -c
        "import importlib.util as u; s = u.find_spec('torch'); print(next(iter(s.submodule_search_locations)) if s else '')"
      OUTPUT_VARIABLE _libtorch_folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET TIMEOUT 20)
    # Debian's python3-torch only links to the system's LibTorch, which is found below.
    if(_libtorch_folder AND EXISTS "${_libtorch_folder}/lib/libtorch_cpu.so"
       AND NOT IS_SYMLINK "${_libtorch_folder}/lib/libtorch_cpu.so")
      _libtorch_examine("the active Python's ${_libtorch_folder}" "${_libtorch_folder}/include" "${_libtorch_folder}/lib")
    endif()
  endif()

  if(NOT _libtorch_ok AND (EXISTS /proc/driver/nvidia/version OR EXISTS /usr/lib/wsl/lib/libnvidia-ml.so.1))
    if(DEFINED ENV{XDG_CACHE_HOME} AND NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
      set(_libtorch_cache "$ENV{XDG_CACHE_HOME}")
    else()
      set(_libtorch_cache "$ENV{HOME}/.cache")
    endif()
    file(GLOB _libtorch_private "${_libtorch_cache}/sweepscope/torch/lib/python3*/site-packages/torch")
    foreach(_libtorch_folder IN LISTS _libtorch_private)
      if(NOT _libtorch_ok)
        _libtorch_examine("${_libtorch_folder}" "${_libtorch_folder}/include" "${_libtorch_folder}/lib")
      endif()
    endforeach()
  endif()

  if(NOT _libtorch_ok)
    find_library(_libtorch_system torch_cpu NO_CACHE)
    if(_libtorch_system)
      get_filename_component(_libtorch_lib "${_libtorch_system}" DIRECTORY)
      find_path(_libtorch_csrc torch/csrc/api/include/torch/torch.h NO_CACHE)
      _libtorch_examine("the system" "${_libtorch_csrc}" "${_libtorch_lib}")
    else()
      string(APPEND _libtorch_rejected "\n  the system: no libtorch_cpu.so")
    endif()
  endif()
endif()

if(NOT _libtorch_ok)
  if(LibTorch_ADVICE)
    message(FATAL_ERROR "LibTorch was not found. Looked at:${_libtorch_rejected}\n${LibTorch_ADVICE}")
  endif()
  message(FATAL_ERROR "LibTorch was not found. Looked at:${_libtorch_rejected}\n"
    "Install Debian's (apt-get install libtorch-dev libgloo-dev libopenblas0-pthread), or pip's torch in the active Python "
    "environment, or name a folder with include/ and lib/ in -DSWEEPSCOPE_TORCH_PREFIX=..., or build without the built-in "
    "worker: -DSWEEPSCOPE_TORCH=OFF.")
endif()

if(NOT TARGET LibTorch::LibTorch)
  add_library(LibTorch::LibTorch INTERFACE IMPORTED GLOBAL)
  # SYSTEM: its warnings are not ours.
  target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE
    "${LibTorch_INCLUDE_DIR}/torch/csrc/api/include" "${LibTorch_INCLUDE_DIR}")
  if(NOT _libtorch_gloo STREQUAL LibTorch_INCLUDE_DIR)
    target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE "${_libtorch_gloo}")
  endif()
  target_compile_definitions(LibTorch::LibTorch INTERFACE USE_C10D_GLOO)
  target_link_libraries(LibTorch::LibTorch INTERFACE
    "${LibTorch_LIBRARY_DIR}/libtorch_cpu.so" "${LibTorch_LIBRARY_DIR}/libc10.so")
  if(LibTorch_NCCL)
    target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE ${_libtorch_cuda_includes})
    target_compile_definitions(LibTorch::LibTorch INTERFACE USE_C10D_NCCL SWEEPSCOPE_NCCL)
  endif()
  if(LibTorch_CUDA)
    # libtorch_cuda registers its kernels when it is loaded; nothing of ours need name a symbol in it. Its own
    # dependencies come from pip's nvidia packages over its RPATH, so the linker must not look for them.
    target_link_libraries(LibTorch::LibTorch INTERFACE
      -Wl,--no-as-needed "${LibTorch_LIBRARY_DIR}/libtorch_cuda.so" "${LibTorch_LIBRARY_DIR}/libc10_cuda.so"
      -Wl,--as-needed -Wl,--allow-shlib-undefined)
  endif()
endif()

set(LibTorch_RPATH "")
if(NOT LibTorch_LIBRARY_DIR MATCHES "^/usr/lib")
  set(LibTorch_RPATH "${LibTorch_LIBRARY_DIR}")
endif()
# Variables end with the folder that called find_package(); programs in other folders read the property.
set_target_properties(LibTorch::LibTorch PROPERTIES SWEEPSCOPE_INSTALL_RPATH "${LibTorch_RPATH}")
set(LibTorch_FOUND TRUE)
if(LibTorch_NCCL)
  set(_libtorch_backends "CUDA, Gloo and NCCL")
elseif(LibTorch_CUDA)
  set(_libtorch_backends "CUDA and Gloo; no nccl.h, so no NCCL")
else()
  set(_libtorch_backends "CPU and Gloo")
endif()
message(STATUS "LibTorch ${LibTorch_VERSION} from ${LibTorch_ORIGIN} (${LibTorch_LIBRARY_DIR}; ${_libtorch_backends})")
