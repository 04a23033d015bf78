import { describe, expect, it } from 'vitest'
import { isWrite, useWorkspace } from '../../support/workspace.ts'

const flags = `# the shop
feature_flags:
  checkout:   # new
    name: 'Checkout'
    active: true
    release:
      staff: { properties: { email: { icontains: '@example.com' } } }
      rest: { rollout_percentage: 5 }   # slowly
    tags: [shop]
    owner: payments
  search:
    active: true
    filters: { groups: [ { rollout_percentage: 50 } ] }
`
const workspace = useWorkspace({ 'vexil.yaml': 'version: 1\n', 'flags.yaml': flags })
const { vexil, service, read, edit } = workspace

/** Applies what is declared, changes something in the product, and takes it into the files. */
async function pulled(edit: () => Promise<void>, line = '') {
  const applied = await vexil('apply --auto-approve')
  expect(applied.code, applied.stdout + applied.stderr).toBe(0)
  await edit()
  const { result, requests } = await service.watch(() => vexil(`pull ${line}`))
  expect(requests.length).toBeGreaterThan(0)
  expect(requests.filter(isWrite)).toEqual([])
  return { ...result, text: await read('flags.yaml') }
}

async function expectNothingLeft() {
  const before = await read('flags.yaml')
  const plan = JSON.parse((await vexil('plan --json')).stdout)
  expect({ changes: plan.changes, live_edits: plan.live_edits, blocked: plan.blocked }).toEqual({
    changes: [],
    live_edits: [],
    blocked: [],
  })
  const again = await vexil('pull')
  expect(again).toMatchObject({ code: 0, stdout: 'no live edits to write into the files\n' })
  expect(await read('flags.yaml')).toBe(before)
}

describe('vexil pull', () => {
  it('writes a flag that was turned off as off, and nothing else', async () => {
    const { code, stdout, stderr, text } = await pulled(() => edit('checkout', { active: false }))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(text).toBe(flags.replace('active: true', 'active: false'))
    expect(stdout).toContain('wrote flags.yaml\nNext: vexil plan\n')
    await expectNothingLeft()
  })

  it('writes the owner that somebody gave it, and tags beside it', async () => {
    const { code, text, stderr } = await pulled(() =>
      edit('checkout', { tags: ['shop', 'owner:growth', 'new'] }),
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(text).toBe(flags.replace('tags: [shop]', 'tags: [shop, new]').replace('payments', 'growth'))
    await expectNothingLeft()
  })

  it('shows what it would write with --dry-run, and writes nothing', async () => {
    const { stdout, text } = await pulled(() => edit('checkout', { active: false }), '--dry-run')
    expect(stdout).toContain('-    active: true\n+    active: false\n')
    expect(stdout).toContain('would write flags.yaml\n')
    expect(text).toBe(flags)
  })
})
