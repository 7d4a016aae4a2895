# The MPI libraries that live runs are built with: the one that CMake finds and, when asked for, MPICH beside it. For each
# MPI of collscope_mpis there is a target collscope_MPI_library to compile with, and
#   collscope_MPI_launcher      what starts N processes, up to N itself; empty when there is none
#   collscope_MPI_surroundings  variables for tests: many processes on few processors, also as root
#   collscope_MPI_waits         what the library calls between two looks for messages (app/mpi/symbol_overrides)
option(COLLSCOPE_MPICH "Build live runs for MPICH too, beside the MPI that CMake finds" OFF)
set(collscope_mpis "")

function(collscope_mpi_library mpi)
  add_library(collscope_${mpi}_library INTERFACE)
  target_compile_definitions(collscope_${mpi}_library INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_libraries(collscope_${mpi}_library INTERFACE ${ARGN})
  set(collscope_mpis ${collscope_mpis} ${mpi} PARENT_SCOPE)
endfunction()

find_package(MPI COMPONENTS CXX)
if(MPI_CXX_FOUND)
  collscope_mpi_library(mpi MPI::MPI_CXX)
  set(collscope_mpi_launcher "")
  if(MPIEXEC_EXECUTABLE)
    set(collscope_mpi_launcher "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG})
  endif()
  set(collscope_mpi_surroundings OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
      OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
      OMPI_MCA_btl_base_warn_component_unused=0)
  set(collscope_mpi_waits sched_yield)
else()
  message(STATUS "MPI was not found: everything but live runs over MPI is built")
endif()

# Both libraries call their header mpi.h and Debian's alternatives choose between them, so MPICH goes by its full name.
if(COLLSCOPE_MPICH)
  pkg_check_modules(MPICH REQUIRED IMPORTED_TARGET mpich)
  find_program(COLLSCOPE_MPICH_LAUNCHER NAMES mpiexec.mpich mpiexec.hydra REQUIRED DOC "MPICH's mpiexec")
  collscope_mpi_library(mpi_mpich PkgConfig::MPICH)
  set(collscope_mpi_mpich_launcher "${COLLSCOPE_MPICH_LAUNCHER}" -n)
  set(collscope_mpi_mpich_surroundings COLLSCOPE_NAP=20)
  set(collscope_mpi_mpich_waits sched_yield ucp_worker_progress ucp_disconnect_nb)
endif()
