# Programs that leave the folder they were started in by names that HDF5 is told: of files with raw data, of the parts of
# a file, of logs, links and plugins.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_wall.sh"
need "$programs/wall_hdf5"
need_layer hdf5

# A plugin that leaves a mark when it is loaded; HDF5 looks at every library in the folder.
printf '#include <stdio.h>\n__attribute__((constructor)) static void evil(void) {\n  FILE* f = fopen("%s/evil", "w");\n%s' \
  "$outside" '  if (f) fclose(f);
}
' >"$base/plugin.c"
cc -shared -fPIC -o "$base/plugin.so" "$base/plugin.c"
furnish() { cp "$base/plugin.so" "$outside/libevil.so"; }

for way in $("$programs/wall_hdf5"); do
  recorded "$way" -- "$programs/wall_hdf5" "$way" "$outside"
done

# Names that HDF5 makes of others: what stands there is looked at when it has become the name that is opened.
plant() { mkdir -p a/b; ln -s . l0; ln -s . l1; }
forged family_of_links <<'X'
H5Pcreate @H5P_FILE_ACCESS = plist#0
H5Pset_fapl_family plist#0 65536 @H5P_DEFAULT = 0
H5Fcreate "l%d/../evil" @H5F_ACC_EXCL @H5P_DEFAULT plist#0 = file#0
H5Fclose file#0 = 0
X
# A prefix that only MPI takes away.
forged prefix_as_link <<'X'
chdir "a/b" = 0
symlink "../.." "ufs:.." = 0
H5Fcreate "ufs:/evil" @H5F_ACC_TRUNC @H5P_DEFAULT @H5P_DEFAULT = file#0
H5Fclose file#0 = 0
X
# A link is moved to where it leads out while there are no descriptors left to look into its folder.
plant() { mkdir -p a/b/c; }
ulimit -S -n 1024
forged link_moved_unseen <<'X'
symlink "../../../evil" "a/b/c/x-m.h5" = 0
loop 1500
open "a" @O_RDONLY !EMFILE
end
rename "a/b/c" "c" = 0
closefrom 3
H5Pcreate @H5P_FILE_ACCESS = plist#0
H5Pset_fapl_split plist#0 "-m.h5" @H5P_DEFAULT "-r.h5" @H5P_DEFAULT = 0
H5Fcreate "c/x" @H5F_ACC_TRUNC @H5P_DEFAULT plist#0 = file#0
H5Fclose file#0 = 0
X
plant() { :; }

wall_verdict
