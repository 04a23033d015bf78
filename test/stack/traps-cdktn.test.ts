import { TerraformStack } from 'cdktf'
import * as cdktn from 'cdktn'
import { describe, expect, it, vi } from 'vitest'
import { expectCase } from './expect-case.ts'
import { changedTokens, quoteTrap, trapCases } from './trap-cases.ts'

vi.mock('cdktf', () => import('cdktn'))

describe('what goes wrong with cdktn', () => {
  it.each([...trapCases, ...changedTokens, quoteTrap])('$title', expectCase)

  it('is what is tried here', () => {
    expect(TerraformStack).toBe(cdktn.TerraformStack)
  })
})
