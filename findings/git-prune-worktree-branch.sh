#!/bin/sh
# git 2.39.5 of Debian: `fetch --prune` of all branches into a bare clone deletes a branch that a worktree has checked out, without a
# warning; `branch -D` refuses that. The worktree then has no commits. A branch that is only behind is refused, and ends the fetch.
. "$(dirname "$0")/lib.sh"
case $(git --version 2> git.log) in 'git version 2.39.'*) ;; *) echo 'another git'; exit 77 ;; esac
export HOME="$folder" GIT_CONFIG_NOSYSTEM=1
commit() { git -C source -c user.name=a -c user.email=a@a commit --quiet --allow-empty --message "$1"; }
git init --quiet --initial-branch main source
commit one
git clone --quiet --bare source bare.git
git -C bare.git worktree add --quiet -b local ../worktree
fetch() {
  code=0
  git -C bare.git fetch --quiet --prune origin '+refs/heads/*:refs/heads/*' > fetch.log 2>&1 || code=$?
  echo "$code $(cat fetch.log)"
}
code=0
git -C bare.git branch -D local > branch.log 2>&1 || code=$?
seen 'branch -D' 1 "$code"
seen 'before' 1 "$(git -C worktree rev-list --count HEAD)"
seen 'fetch --prune' '0 ' "$(fetch)"
seen 'the worktree' 'No commits yet on local' "$(git -C worktree status --branch --short | sed 's/^## //')"
git -C bare.git worktree add --quiet ../other main
commit two
seen 'a branch that is behind' "128 fatal: refusing to fetch into branch 'refs/heads/main' checked out at '$folder/other'" "$(fetch)"
