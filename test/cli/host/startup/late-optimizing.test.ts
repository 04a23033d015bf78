import { describe, expect, it } from 'vitest'
import { lateOptimizing } from '../../../../src/cli/host/compiled-code.ts'

describe('the flags of an engine that optimizes too early', () => {
  it.each([
    ['11.3.244.8-node.33', ['--interrupt-budget=600000']],
    ['12.4.254.21-node.33', ['--invocation-count-for-turbofan=27000']],
    ['13.6.233.10-node.28', []],
    ['14.6.202.9-node.12', []],
    ['', []],
  ])('are for %s', (v8, flags) => {
    expect(lateOptimizing(v8)).toEqual(flags)
  })
})
