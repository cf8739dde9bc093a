/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <string.h>

#include "library.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Length of a word of a name; 0: it says nothing ("Version", ":"). */
static size_t word_length(const char *word, size_t length)
{
	if (length == 7 && (word[0] == 'V' || word[0] == 'v') && strncmp(word + 1, "ersion", 6) == 0)
		return 0;
	return length > 3 && strncmp(word + length - 3, "(R)", 3) == 0 ? length - 3 : length;
}

void library_name(const char *version, char *name, size_t size)
{
	static const char between[] = " \t:,";
	size_t used = 0;
	for (const char *word = version + strspn(version, between); *word && *word != '\n';) {
		const size_t whole = strcspn(word, " \t:,\n");
		const char *const from = word[0] == 'v' && is_digit(word[1]) ? word + 1 : word;
		const size_t length = word_length(from, whole - (size_t)(from - word));
		if (length && used + 1 + length < size) {
			if (used)
				name[used++] = ' ';
			for (size_t i = 0; i < length; i++)
				name[used++] = (char)tolower((unsigned char)from[i]);
		}
		if (is_digit(*from))
			break;
		word += whole;
		word += strspn(word, between);
	}
	name[used] = '\0';
}

bool library_variable(const char *setting)
{
	static const char *const begins[] = {"UCX_", "OMPI_MCA_btl", "OMPI_MCA_pml", "OMPI_MCA_mtl",
		"OMPI_MCA_coll", "OMPI_MCA_osc", "OMPI_MCA_opal_", "OMPI_MCA_hwloc_", "OMPI_MCA_rmaps_",
		"OMPI_MCA_mpi_", "MPICH_", "I_MPI_FABRICS", "I_MPI_ADJUST_", "MV2_", "FI_PROVIDER"};
	if (strncmp(setting, "OMPI_MCA_mpi_oversubscribe=", 27) == 0) /* mpirun sets it */
		return false;
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (strncmp(setting, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}
