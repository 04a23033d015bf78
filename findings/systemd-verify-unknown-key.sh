#!/bin/sh
# systemd 252: `systemd-analyze verify` ends in 0 for a unit with an unknown key or section, and for a value that it ignores; it only
# warns. A program that does not exist ends in 1. So a check in CI must look at its output.
. "$(dirname "$0")/lib.sh"
case $(systemd-analyze --version 2> version.log | head -1) in 'systemd 252'*) ;; *) echo 'there is no systemd 252'; exit 77 ;; esac
verify() {
  printf '[Service]\nExecStart=/bin/true\n%b\n' "$1" > unit.service
  code=0
  systemd-analyze verify ./unit.service > verify.log 2>&1 || code=$?
  echo "$code $(grep -c 'unit.service' verify.log || true)"
}
seen 'right' '0 0' "$(verify '')"
seen 'an unknown key' '0 1' "$(verify 'Restrat=always')"
seen 'an unknown section' '0 1' "$(verify '[Servise]\nRestart=always')"
seen 'a wrong value' '0 1' "$(verify 'Restart=sometimes')"
seen 'a missing program' '1 1' "$(verify 'ExecStartPre=/missing/program')"
