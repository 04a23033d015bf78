import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../../support/workspace.ts'

const tests = `    tests: # of the people in support
      - { person:   ada, expect: true,   because: everyone } # as written
      - person: { distinct_id: 'bob' }
        expect: false
        env: [production]
`
const before = `persons: { ada: { distinct_id: ada } }
feature_flags:
  checkout:
    active: true
    rollout_percentage: 10
${tests}    environments: { staging: { rollout_percentage: 100 } }
`
const workspace = useWorkspace({
  'vexil.yaml':
    'version: 1\nlimits: { rollout_step: 25 }\nenvironments:\n  staging: { project: "1" }\n  production: { project: "1" }\n',
  'flags.yaml': before,
})
const { vexil, write, read } = workspace

describe('tests beside a flag', () => {
  it.each([
    'promote checkout --from staging --to production',
    'promote checkout --from staging --to production --shared',
    'ramp checkout --to 30 -e production',
    'ramp checkout --to 30 -e production --shared',
  ])('are as they were after %s', async line => {
    expect(await vexil(line)).toMatchObject({ code: 0 })
    const after = await read('flags.yaml')
    expect(after).not.toBe(before)
    expect(after).toContain(tests)
  })

  it('are as they were after a pull', async () => {
    await vexil('apply -e production --auto-approve --allow rollout_step')
    await write({ 'flags.yaml': before.replace('rollout_percentage: 10', 'rollout_percentage: 20') })
    await vexil('pull checkout -e production')
    const after = await read('flags.yaml')
    expect(after).toContain(tests)
  })

  it('are put last by fmt', async () => {
    expect(await vexil('fmt')).toMatchObject({ code: 0 })
    const after = await read('flags.yaml')
    expect(after.indexOf('environments:')).toBeLessThan(after.indexOf('tests:'))
  })

  it('are no part of what is shown or compared', async () => {
    expect((await vexil('validate --show checkout -e production')).stdout).not.toContain('tests')
    expect((await vexil('compare staging production --json')).stdout).not.toContain('tests')
  })
})
