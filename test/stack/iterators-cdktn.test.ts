import { TerraformIterator } from 'cdktf'
import * as cdktn from 'cdktn'
import { describe, expect, it, vi } from 'vitest'
import { describeIterations } from './iteration-cases.ts'
import { describeIterators } from './iterator-cases.ts'

vi.mock('cdktf', () => import('cdktn'))

describe('with cdktn', () => {
  describeIterations()
  describeIterators()

  it('is what is tried here', () => {
    expect(TerraformIterator).toBe(cdktn.TerraformIterator)
  })
})
