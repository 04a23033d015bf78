import { describeElsewhere } from './describe-elsewhere.ts'

describeElsewhere()
