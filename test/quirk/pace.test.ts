import { describe, expect, it } from 'vitest'
import { sitDown } from './desk.ts'

describe('a service that throttles', () => {
  it('is waited for, and nothing is done twice', async () => {
    const desk = await sitDown({ quirks: { throttle: 4, throttle_seconds: 30 } })
    const applied = await desk.vexil('apply --auto-approve')
    expect(applied.code, applied.stdout).toBe(0)
    const windows = desk.service.sandbox.requests.counts().total / 4
    expect(desk.service.world.sleptMs).toBeGreaterThan((windows / 2 - 1) * 30_000)
    expect((await desk.vexil('plan --detailed-exitcode')).code).toBe(0)
  })

  it('for longer than anybody waits ends in a clear error', async () => {
    const desk = await sitDown({ quirks: { throttle: 2, throttle_seconds: 3600 } })
    const { code, stderr } = await desk.vexil('plan')
    expect(code).toBe(1)
    expect(stderr).toContain('429')
    expect(stderr).toMatch(/; the service asks to wait (59|60) minutes\n$/)
  })
})
