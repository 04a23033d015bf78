import { TerraformStack } from 'cdktf'
import * as cdktn from 'cdktn'
import { expect, it, vi } from 'vitest'
import { describeOnEngine } from './on-engine.ts'

vi.mock('cdktf', () => import('cdktn'))

it('is tried with cdktn', () => {
  expect(TerraformStack).toBe(cdktn.TerraformStack)
})

describeOnEngine()
