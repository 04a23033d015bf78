#!/bin/sh
# git 2.39.5 of Debian: safe.directory of `-c` or GIT_CONFIG_COUNT holds for `status` in a repository of another user, but not for
# clone or fetch from it, whose second process does not get it. Only the file of HOME or the system helps. Needs root, for chown.
. "$(dirname "$0")/lib.sh"
[ "$(id -u)" = 0 ] || { echo 'only root can give a repository to another user'; exit 77; }
case $(git --version) in 'git version 2.39.'*) ;; *) echo 'another git'; exit 77 ;; esac
export HOME="$folder" GIT_CONFIG_NOSYSTEM=1
git init --quiet theirs
git -C theirs -c user.name=a -c user.email=a@a commit --quiet --allow-empty --message one
chown -R 65534 theirs
attempt() { if "$@" > git.log 2>&1; then echo works; else grep -o 'dubious ownership' git.log | head -1; fi; }
git init --quiet ours
seen 'status' 'dubious ownership' "$(attempt git -C theirs status)"
seen 'status with -c' works "$(attempt git -c safe.directory='*' -C theirs status)"
seen 'fetch with -c' 'dubious ownership' "$(attempt git -c safe.directory='*' -C ours fetch ../theirs)"
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
seen 'status with variables' works "$(attempt git -C theirs status)"
seen 'clone with variables' 'dubious ownership' "$(attempt git clone theirs copy)"
unset GIT_CONFIG_COUNT
git config --global safe.directory '*'
seen 'clone with a file' works "$(attempt git clone theirs copy)"
