/* SPDX-License-Identifier: ISC */
/* transport.c - see transport.h: the choice of a plugin. */
#include "mpi/transport.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "die.h"
#include "path.h"

#define FDS 1024

/* A launcher is known by a variable of the processes that it starts. */
static const struct implementation {
	const char *variable, *rank, *name, *words;
} implementations[] = {
	{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "openmpi", "OpenMPI (libopenmpi-dev)"},
	{"PMIX_RANK", "PMIX_RANK", "openmpi", "OpenMPI (libopenmpi-dev)"},
	{"PMI_RANK", "PMI_RANK", "mpich", "MPICH (libmpich-dev)"},
	{"PMI_FD", "PMI_RANK", "mpich", "MPICH (libmpich-dev)"},
};

/* Variables of launchers. Without them the tested program is the same in all ranks. */
static const char *const prefixes[] = {"OMPI_", "OPAL_", "ORTE_", "PMIX_", "PMI_", "PRTE_", "HYDI_",
	"HYDRA_", "MPIR_", "MPI_LOCAL", "IPATH_", "SLURM_"};

static const struct implementation *find_launcher(void)
{
	for (unsigned i = 0; i < array_size(implementations); i++)
		if (getenv(implementations[i].variable))
			return &implementations[i];
	die("run: --mpi: start it by mpirun or srun, as in `mpirun -n 4 heddle run --mpi "
	    "./program' (heddle help machines)");
}

static char *plugin_path(const char *name)
{
	char here[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", here, sizeof(here) - 1);

	here[n > 0 ? n : 0] = 0;
	return xprintf("%.*s../lib/heddle/mpi-%s.so", (int)(path_base(here) - here), here, name);
}

/* One rank prints it. */
static _Noreturn void refuse_launcher(const struct implementation *of, const char *why)
{
	const char *rank = getenv(of->rank);

	if (rank && strcmp(rank, "0") != 0)
		exit(EXIT_USAGE);
	die("run: --mpi: started by a launcher of %s, with which this heddle was not built%s%s",
		of->words, why ? ": " : "", why ? why : "");
}

static void hide_variables(void)
{
	extern char **environ;

	for (char **v = environ; *v;) {
		bool hidden = false;

		for (unsigned i = 0; i < array_size(prefixes); i++)
			hidden |= !strncmp(*v, prefixes[i], strlen(prefixes[i]));
		if (hidden) {
			unsetenv(xprintf("%.*s", (int)strcspn(*v, "="), *v));
			v = environ;
		} else {
			v++;
		}
	}
}

static void hide_descriptor(int fd)
{
	int flags = fcntl(fd, F_GETFD);

	if (flags >= 0)
		fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
}

const struct transport *transport_open(int *rank, int *size)
{
	const struct implementation *of = find_launcher();
	const char *path = plugin_path(of->name), *fd = getenv("PMI_FD");
	const struct transport *t;
	bool open[FDS];
	void *plugin;

	if (access(path, R_OK) != 0)
		refuse_launcher(of, NULL);
	plugin = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* its own plugins need its symbols */
	t = plugin ? dlsym(plugin, TRANSPORT_SYMBOL) : NULL;
	if (!t)
		refuse_launcher(of, dlerror());
	for (int i = 0; i < FDS; i++)
		open[i] = fcntl(i, F_GETFD) >= 0;
	if (!t->begin(rank, size))
		die("run: --mpi: MPI_Init_thread() failed");
	for (int i = 0; i < FDS; i++)
		if (!open[i])
			hide_descriptor(i);
	if (fd)
		hide_descriptor(atoi(fd));
	hide_variables();
	return t;
}
