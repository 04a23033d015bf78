#!/bin/sh
# APScheduler 3.11.3, `CronTrigger.from_crontab`: 1 is Tuesday, as weekdays begin with Monday as 0, and 7 is refused. A day of the
# month and one of the week must both hold. For cronsim 2.8 and crontab 1 is Monday, and either day is enough.
. "$(dirname "$0")/lib.sh"
pip_packages apscheduler==3.11.3 cronsim==2.8
venv/bin/python > out <<'PROGRAM'
from datetime import datetime, timezone
from apscheduler.triggers.cron import CronTrigger
from cronsim import CronSim
start = datetime(2026, 1, 1, 0, 0, 30, tzinfo=timezone.utc)
for text in ["0 9 * * 1", "0 9 13 * 5", "0 9 * * 7"]:
    try:
        date = CronTrigger.from_crontab(text, timezone="UTC").get_next_fire_time(None, start)
    except ValueError:
        date = None
    print(text, *[each and each.strftime("%a %d %b") for each in [date, next(CronSim(text, start))]])
PROGRAM
seen 'next by APScheduler, by cronsim' '0 9 * * 1 Tue 06 Jan Mon 05 Jan
0 9 13 * 5 Sat 13 Jun Fri 02 Jan
0 9 * * 7 None Sun 04 Jan' "$(cat out)"
