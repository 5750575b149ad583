# git: a repository made, filled, committed to, packed and cloned, with many child processes.
source "$(dirname "$0")/lib.sh"
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.org GIT_AUTHOR_DATE='2024-01-01T00:00:00Z'
export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.org GIT_COMMITTER_DATE='2024-01-01T00:00:00Z'
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
prepare() {
  git init -q repo
  (cd repo && for i in $(seq 30); do echo "content $i" >file$i; done && git add . && git commit -q -m first)
  echo changed >repo/file1
}
expect_transparent -x index git -C repo commit -q -a -m second
expect_transparent -x index git -C repo log --stat
expect_transparent -x index git -C repo repack -q -a -d
expect_transparent -x index git clone -q repo clone
