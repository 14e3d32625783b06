# SPDX-License-Identifier: ISC
#
# mpi.sh - the launchers of MPI that are installed, and with which heddle was built: $launchers. They may start more
# processes than there are cores, and as root.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
launchers=
for mpi in openmpi mpich; do
	[ -e "$B/lib/heddle/mpi-$mpi.so" ] && command -v mpirun.$mpi >/dev/null && launchers+="$mpi "
done
