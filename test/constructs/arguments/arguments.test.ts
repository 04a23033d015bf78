import { describeArguments } from './expect-arguments.ts'

describeArguments()
