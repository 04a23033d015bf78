import { describeUnreadableTrail } from './unreadable.ts'

describeUnreadableTrail('the provider')
