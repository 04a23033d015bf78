import { describeUnreadableTrail } from './unreadable.ts'

describeUnreadableTrail('YAML')
