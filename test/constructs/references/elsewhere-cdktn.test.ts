import { TerraformStack } from 'cdktf'
import * as cdktn from 'cdktn'
import { expect, it, vi } from 'vitest'
import { describeElsewhere } from './describe-elsewhere.ts'

vi.mock('cdktf', () => import('cdktn'))

it('is tried with cdktn', () => {
  expect(TerraformStack).toBe(cdktn.TerraformStack)
})

describeElsewhere()
