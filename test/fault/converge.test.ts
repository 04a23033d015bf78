import { describe, expect, it } from 'vitest'
import { noRecords } from '../support/live-edits.ts'
import { aWorkspace, isWrite } from '../support/workspace.ts'
import { type Numbered, numberedRequests, triedWith } from './numbered-requests.ts'
import { faultFiles, startFaultService, stateOf } from './repository.ts'

/** One apply on a fresh service, with a fault at the n-th request; then the same command again without it. */
async function applyWithFault(fault: string | undefined) {
  const service = await startFaultService()
  const { vexil, remove } = await aWorkspace(service, faultFiles(service))
  try {
    const apply = () => vexil('apply --auto-approve')
    if (fault !== undefined) service.faults(fault)
    const first = await service.watch(apply)
    service.faults()
    const second = await apply()
    const third = await service.watch(apply)
    return { first, second, third, state: await stateOf(service) }
  } finally {
    await service.close()
    await remove()
  }
}

const clean = await applyWithFault(undefined)
const numbered = numberedRequests(clean.first.requests)
const isOfWrite = ([, line]: Numbered) => isWrite(line)

describe('an apply without faults', () => {
  it('makes every kind of write, once', () => {
    expect(clean.first.result.stderr.replace(noRecords, '')).toBe('2 warnings: vexil validate shows them\n')
    expect(clean.first.result.code).toBe(0)
    expect(clean.first.requests.filter(isWrite).length).toBeGreaterThanOrEqual(11)
    expect(clean.third.requests.filter(isWrite)).toEqual([])
    const flags = clean.state.flags.map(({ levels: _ofSomeServices, ...flag }) => flag)
    expect({ ...clean.state, flags }).toMatchSnapshot()
  })
})

const anywhere = [
  ['429 Retry-After', 'status=429 retry_after=1'],
  ['500', 'status=500'],
  ['503', 'status=503 retry_after=1'],
  ['a reset before the work', 'reset_before'],
  ['a truncated answer', 'truncate'],
] as const
// The same as before it, where there is no work.
const atWrites = [
  ['500 after the work was done', 'status=500 committed'],
  ['a reset after the work', 'reset_after'],
] as const
const faults = [
  ...anywhere.map((fault, index) => [...fault, triedWith(index, numbered)] as const),
  ...atWrites.map((fault, index) => [...fault, triedWith(index, numbered.filter(isOfWrite))] as const),
]

describe.each(faults)('%s at any request', (_, effect, meant) => {
  it.each(meant)('of an apply leaves nothing that the next run does not finish: request %i', async nth => {
    const { second, third, state } = await applyWithFault(`nth=${nth} ${effect}`)
    expect(second.code, second.stdout + second.stderr).toBe(0)
    expect(third.requests.filter(isWrite)).toEqual([])
    expect(state).toEqual(clean.state)
  })
})
