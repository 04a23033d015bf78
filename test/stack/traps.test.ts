import { describe, it } from 'vitest'
import { expectCase } from './expect-case.ts'
import { cdktfTraps, changedTokens, quoteTrap, trapCases } from './trap-cases.ts'

describe('what goes wrong with cdktf', () => {
  it.each([...trapCases, ...changedTokens, ...cdktfTraps, quoteTrap])('$title', expectCase)
})
