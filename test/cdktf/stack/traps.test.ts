import { describe, it } from 'vitest'
import { expectCase } from './expect-case.ts'
import { cdktfTraps, quoteTrap, trapCases } from './trap-cases.ts'

describe('what goes wrong with cdktf', () => {
  it.each([...trapCases, ...cdktfTraps, quoteTrap])('$title', expectCase)
})
