# Traces that no program leaves behind: whatever is written in one, calls stay below the root, do nothing to other
# processes and to devices, and end in words.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lib_wall.sh"

write_and_close='write fd#0 ~ 5 = 5
close fd#0 = 0'

# Names.
forged long_names <<X
open "$(printf "$(printf 'a%.0s' {1..200})/%.0s" {1..30})x" @O_WRONLY|O_CREAT @0644 = fd#0
$write_and_close
X
deep=$(printf 'd/%.0s' {1..300})
plant() { mkdir -p "$deep"; }
forged deep_folders <<X
chdir "$deep" = 0
open "$(printf '../%.0s' {1..301})evil" @O_WRONLY|O_CREAT @0644 = fd#0
$write_and_close
open "/$(printf 'long_name_%.0s' {1..400})" @O_WRONLY|O_CREAT @0644 = fd#0
$write_and_close
X
plant() { :; }
forged zero_bytes <<X
mkdir "a" @0755 = 0
open "a/..\x00b/../../../evil" @O_WRONLY|O_CREAT @0644 = fd#0
$write_and_close
open "..\x00/evil" @O_WRONLY|O_CREAT @0644 = fd#0
$write_and_close
open "../file\x00" @O_WRONLY|O_TRUNC @0644 = fd#0
$write_and_close
X
forged odd_names <<X
open "../\nfile" @O_WRONLY|O_CREAT @0644 = fd#0
$write_and_close
open "%s%n%1000000d" @O_WRONLY|O_CREAT @0644 = fd#0
$write_and_close
rmdir "." = 0
rename "." "x" = 0
unlink "/" = 0
rmdir "../root" = 0
X

# Flags and numbers that name more than they should, and end up in the text of a kernel.
forged names_as_code <<X
open "x" @O_RDONLY);creat("$outside/evil",0644 @0644 = fd#0
open "x" @O_WRONLY|creat("$outside/evil",0644) @0644 = fd#0
fopen "x" @w");creat("$outside/evil",0644);("" = stream#0
setxattr "x" @user.x",0,0,0);creat("$outside/evil",0644);(" ~ 1 @0 = 0
X
forged command_as_code <<X
command "x*/\n\$(shell touch $outside/evil)\n;touch $outside/evil\n\`touch $outside/evil\`#\"/*"
mkdir "x" @0755 = 0
X

# Devices, and requests to drivers and file systems: one that no file system knows stands for those that do harm.
forged device <<'X'
mknod "device" @020666 259 = 0
mknod "block" @060666 1792 = 0
open "device" @O_WRONLY @0 = fd#0
write fd#0 ~ 5 = 5
X
forged requests <<'X'
open "x" @O_RDWR|O_CREAT @0644 = fd#0
ioctl fd#0 @0xc00458fa = 0
ioctl fd#0 @0xc00458fa !ENOTTY
X
forged rights_of_a_device <<'X'
fchmod @pipe @0666 = 0
fchown @pipe 0 0 = 0
futimens @pipe ~ = 0
X

# Signals to others: a file that tells another process, by the signal that ends it.
sleep 600 &
victim=$!
trap 'kill "$victim" 2>/dev/null || true; rm -rf "$base"' EXIT
forged signals <<X
mkfifo "fifo" @0644 = 0
open "fifo" @O_RDWR @0 = fd#0
fcntl fd#0 @F_SETOWN $victim = 0
fcntl fd#0 @F_SETSIG 9 = 0
fcntl fd#0 @F_SETFL @O_RDWR|O_ASYNC = 0
write fd#0 ~ 5 = 5
X
kill -0 "$victim" 2>/dev/null || way_out "signals: another process was ended"

# Descriptors of the replay itself.
{ echo 'mkdir "sub" @0755 = 0'
  for n in {0..2} {50..400}; do echo "inherited $n \"sub\" @O_RDONLY 0 = fd#$n"; done
  printf '%s\n' 'chdir "a" = 0' 'symlink ".." "up" = 0' 'symlink "up/.." "out" = 0'
  echo 'open "out/evil" @O_WRONLY|O_CREAT @0644 = fd#0'; } >"$base/calls"
plant() { mkdir a; }
forged descriptors_inherited <"$base/calls"
forged longer_name <<X
chdir "a" = 0
symlink ".." "up" = 0
chdir "up/../rootother" = 0
open "file" @O_WRONLY|O_CREAT @0644 = fd#0
$write_and_close
X
plant() { :; }
forged everything_closed <<X
closefrom 0
open "x" @O_WRONLY|O_CREAT @0644 = fd#0
$write_and_close
chdir "nowhere" = 0
X

# Files without a name.
forged unnamed_files made <<'X'
tmpfile = stream#0
fwrite ~100 1 100 stream#0 = 100
fclose stream#0 = 0
X

# Memory that isn't the mapping's.
forged foreign_memory <<'X'
open "x" @O_RDWR|O_CREAT @0644 = fd#0
ftruncate fd#0 8192 = 0
mmap 8192 @PROT_READ @MAP_SHARED fd#0 0 = map#0
munmap map#0 8192 0x10000000 = 0
munmap map#0 -0x100000000000 0x7fffffffffff = 0
msync map#0 -4096 4096 @MS_SYNC = 0
X

forged foreign_stores refused <<'X'
open "x" @O_RDWR|O_CREAT @0644 = fd#0
ftruncate fd#0 8192 = 0
mmap 8192 @PROT_READ|PROT_WRITE @MAP_SHARED fd#0 0 = map#0
stored map#0 8192 0x10000000 = 0x10000000
stored_somewhere map#0 -0x100000000000 0x7fffffffffff = 0x7fffffffffff
stored map#0 -4096 4096 = 4096
X
# Where nothing can be stored, which would be signals.
for at in '0 61440' '1 0'; do
  forged "stores_nowhere $at" refused <<X
open "x" @O_RDWR|O_CREAT @0644 = fd#0
ftruncate fd#0 8192 = 0
mmap 65536 @PROT_READ|PROT_WRITE @MAP_SHARED fd#0 0 = map#0
mmap 8192 @PROT_READ @MAP_SHARED fd#0 0 = map#1
stored map#${at% *} ${at#* } 4096 = 4096
X
done

# Links that stand in the root before.
plant() { ln -s "$outside" out; ln -s ../rootother beside; ln -s "$outside/new" fresh; }
forged links_of_the_user refused <<X
open "out/file" @O_WRONLY|O_TRUNC @0 = fd#0
$write_and_close
open "beside/new" @O_WRONLY|O_CREAT @0644 = fd#0
$write_and_close
unlink "out/victim" = 0
X
forged link_to_a_new_file refused <<X
open "fresh" @O_WRONLY|O_CREAT @0644 = fd#0
$write_and_close
X
plant() { :; }

wall_verdict
