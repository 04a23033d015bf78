import { describeUnreadableTrail } from './unreadable.ts'
import { wayNames } from './ways.ts'

for (const way of wayNames) describeUnreadableTrail(way)
