import { describeIterations } from './iteration-cases.ts'

describeIterations()
