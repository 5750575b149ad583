# Programs that leave the folder they were started in by descriptors: of folders elsewhere, of folders that are moved
# meanwhile, put over those of the replay itself.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_wall.sh"

for way in $("$programs/wall_posix" | grep -E '^(descriptor|renamed|through)'); do
  recorded "$way" -- "$programs/wall_posix" "$way" "$outside"
done

# Threads that move the ground under each other's feet: where a path leads is no other place when the call is made.
plant() { mkdir -p a/b; }
for move in 'chdir "a/b"|chdir "../.."' 'rename "/a/b" "/c"|rename "/c" "/a/b"'; do
  forged "threads, ${move%% *}" <<X
chdir "a/b" = 0
chdir "$([[ $move = chdir* ]] && echo ../.. || echo .)" = 0
loop 1500
${move%|*} = 0
${move#*|} = 0
end
thread 1
loop 1500
chmod "../../file" @0777 !ENOENT
mkdir "../../evil" @0755 !EEXIST
end
X
done
plant() { :; }

wall_verdict
