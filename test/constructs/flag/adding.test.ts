import { describeAdding } from './describe-adding.ts'

describeAdding()
