import { describeUnreadableTrail } from './unreadable.ts'

describeUnreadableTrail('a stack')
