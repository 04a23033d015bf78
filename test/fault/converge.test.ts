import { describe, expect, it } from 'vitest'
import { cli, folderWith } from '../support/cli.ts'
import { faultFiles, startFaultService, stateOf } from './repository.ts'

/** One apply on a fresh service, with a fault at the n-th request; then the same command again without it. */
async function applyWithFault(fault: string | undefined) {
  const service = await startFaultService()
  const folder = await folderWith(faultFiles(service))
  try {
    const apply = () => cli('apply --auto-approve', { directory: folder.path, env: service.env })
    if (fault !== undefined) service.faults(fault)
    const first = await service.watch(apply)
    service.faults()
    const second = await apply()
    const third = await service.watch(apply)
    return { first, second, third, state: await stateOf(service) }
  } finally {
    await service.close()
    await folder.remove()
  }
}

const clean = await applyWithFault(undefined)
const requestCount = clean.first.requests.length
const isWrite = (line: string) => !line.startsWith('GET ')

describe('an apply without faults', () => {
  it('makes every kind of write, once', () => {
    expect(clean.first.result.stderr).toBe('2 warnings: vexil validate shows them\n')
    expect(clean.first.result.code).toBe(0)
    expect(clean.first.requests.filter(isWrite).length).toBeGreaterThanOrEqual(11)
    expect(clean.third.requests.filter(isWrite)).toEqual([])
    expect(clean.state).toMatchSnapshot()
  })
})

describe.each([
  ['429 Retry-After', 'status=429 retry_after=1'],
  ['500', 'status=500'],
  ['500 after the work was done', 'status=500 committed'],
  ['503', 'status=503 retry_after=1'],
  ['a reset before the work', 'reset_before'],
  ['a reset after the work', 'reset_after'],
  ['a truncated answer', 'truncate'],
])('%s at any request', (_, effect) => {
  const each = Array.from({ length: requestCount }, (__, index) => index + 1)
  it.each(each)('of an apply leaves nothing that the next run does not finish: request %i', async nth => {
    const { second, third, state } = await applyWithFault(`nth=${nth} ${effect}`)
    expect(second.code, second.stdout + second.stderr).toBe(0)
    expect(third.requests.filter(isWrite)).toEqual([])
    expect(state).toEqual(clean.state)
  })
})
