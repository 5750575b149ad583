# Sourced behind lib.sh by tests that need several hosts. Each is a namespace on this machine, with a name and memory of
# its own (/dev/shm); Open MPI reaches it by a script in place of ssh, which passes on no environment either.

# start_hosts [HOST FOLDER]  Skips the test where namespaces may not be made. That host has a FOLDER of its own, and empty.
start_hosts() {
  unshare --uts --ipc --mount true 2>/dev/null || { echo "skipped: namespaces can't be made"; exit 77; }
  cat >"$base/remote" <<SCRIPT
#!/bin/sh
host=\$1
shift
exec env -i PATH="\$PATH" HOME="\$HOME" unshare --uts --ipc --mount sh -c '
  hostname "\$0"
  mount -t tmpfs tmpfs /dev/shm
  ${1:+[ "\$0" != "$1" ] || mount -t tmpfs tmpfs "$2"}
  exec sh -c "\$*"' "\$host" "\$@"
SCRIPT
  chmod +x "$base/remote"
  unset PRTE_MCA_rmaps_default_mapping_policy  # with it, the first host has all ranks
  export OMPI_MCA_plm_rsh_agent=$base/remote PRTE_MCA_plm_ssh_agent=$base/remote OMPI_MCA_btl=self,tcp
}
