# Programs that leave the folder they were started in by names and links; replayed, or as kernels, they stay below the
# root. wall_descriptors.sh has those that use descriptors of folders.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_wall.sh"

for way in $("$programs/wall_posix" | grep -vE '^(descriptor|renamed|through)'); do
  recorded "$way" -- "$programs/wall_posix" "$way" "$outside"
done

wall_verdict
