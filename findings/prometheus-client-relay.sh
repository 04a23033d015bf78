#!/bin/sh
# prometheus-client 0.26.0 for Python reads a text and writes it again: a counter `jobs` is called `jobs_total`. Its parser of the
# text format takes the exemplar of OpenMetrics for a time, and the counter is no counter any more.
. "$(dirname "$0")/lib.sh"
pip_packages prometheus-client==0.26.0
venv/bin/python > out <<'PROGRAM'
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families as read
class Relay:
    def collect(self):
        return read("# TYPE jobs counter\njobs 5\n")
registry = CollectorRegistry()
registry.register(Relay())
print(generate_latest(registry).decode().splitlines()[-1])
for family in read('# TYPE jobs counter\njobs_total 5 # {job="a"} 1\n# EOF\n'):
    print(family.name, family.type, *[(sample.value, sample.timestamp) for sample in family.samples])
PROGRAM
seen 'a counter, written again; families of OpenMetrics' 'jobs_total 5.0
jobs counter
jobs_total unknown (5, 0.001)' "$(cat out)"
