# Programs that leave the folder they were started in by calls of POSIX and stdio; replayed, or as kernels, they stay
# below the root.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_wall.sh"

for way in ${WALL_CASES:-$("$programs/wall_posix")}; do
  recorded "$way" -- "$programs/wall_posix" "$way" "$outside"
done

wall_verdict
