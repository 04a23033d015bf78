import { TerraformStack } from 'cdktf'
import * as cdktn from 'cdktn'
import { expect, it, vi } from 'vitest'
import { describeArguments } from './expect-arguments.ts'

vi.mock('cdktf', () => import('cdktn'))

it('is tried with cdktn', () => {
  expect(TerraformStack).toBe(cdktn.TerraformStack)
})

describeArguments()
