import { TerraformStack } from 'cdktf'
import * as cdktn from 'cdktn'
import { expect, it, vi } from 'vitest'
import { isFull } from '../../suites.ts'
import { everyArgument } from './every-argument.ts'
import { describeArguments } from './expect-arguments.ts'

vi.mock('cdktf', () => import('cdktn'))

it('is tried with cdktn', () => {
  expect(TerraformStack).toBe(cdktn.TerraformStack)
})

const kinds = [...new Set(everyArgument.map(({ kind }) => kind))]
const oneOfEach = kinds.flatMap(kind => everyArgument.find(each => each.kind === kind) ?? [])

describeArguments(isFull() ? everyArgument : oneOfEach)
