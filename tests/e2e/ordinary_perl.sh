# perl: its own layer of buffering, in-place editing, directories, a pipe from a child.
source "$(dirname "$0")/lib.sh"
prepare() {
  seq 5000 >numbers
  cat >work.pl <<'PERL'
use strict; use warnings;
mkdir "made" or die; 
for my $i (1 .. 20) { open(my $f, '>', "made/$i.txt") or die; print $f "$i\n" x $i; close $f; }
opendir(my $d, "made") or die; my @names = sort grep { !/^\./ } readdir $d; closedir $d;
print scalar(@names), "\n";
open(my $p, '-|', 'sort -rn numbers') or die; my $first = <$p>; local $/; <$p>; close $p;
print $first;
open(my $r, '+<', 'numbers') or die; seek($r, 100, 0); read($r, my $text, 10); print $text; seek($r, -5, 2); print $r "tail\n"; close $r;
rename("made/1.txt", "made/one.txt") or die; unlink("made/2.txt") or die;
die "on purpose\n";
PERL
}
expect_transparent perl work.pl
expect_transparent perl -pi -e 's/1/one/g' numbers
