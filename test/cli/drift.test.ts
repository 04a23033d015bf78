import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isWrite, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, declareFlags, read, edit } = workspace

/** The service has a clock of its own. */
const withoutTimes = (text: string) =>
  text.replaceAll(/\d+ \w+ ago \([\d-]+ [\d:]+ UTC\)/g, 'TIME').replaceAll(/\b\d{8}T\d{9}Z-\w{8}/g, 'RUN')

describe('vexil drift', () => {
  it('ends in 6, only reads, and tells what came from the service from what was declared since', async () => {
    await vexil('apply --auto-approve')
    await edit('checkout', { filters: { groups: [{ properties: [], rollout_percentage: 100 }] } })
    await edit('dark_mode', { deleted: true })
    await write({
      'flags.yaml': `${await read('flags.yaml')}  later: { active: false, filters: {} }\n`,
    })
    const { result, requests } = await service.watch(() => vexil('drift'))
    expect(requests.filter(isWrite)).toEqual([])
    expect(result.code).toBe(6)
    expect(withoutTimes(result.stdout)).toBe(`Drift: project 1 from VEXIL_PROJECT_ID, ${service.url}

measured from run RUN, 1 second ago

HELD (changed in the product; not sent)
  = flag checkout                                     flags.yaml:2
      filters: held, changed in the product by ada@example.com TIME
        condition 1  everyone  10% -> 100%
      to go on: \`vexil pull feature_flag.checkout\` writes the live values into the files
            or: --allow live_edit=feature_flag.checkout sends the declared values
            or: edit flags.yaml:2 to match
  = flag dark_mode                                    flags.yaml:8
      exists: held, changed in the product by ada@example.com TIME
        deleted in the product
      to go on: \`vexil pull feature_flag.dark_mode\` writes the live values into the files
            or: --allow live_edit=feature_flag.dark_mode creates it again
            or: edit flags.yaml:8 to match: \`ensure: absent\`

1 change in the repository is not applied yet: vexil plan

2 objects not as declared, 1 as declared
`)
  })

  it('hides no difference behind a guard', async () => {
    const { path } = workspace()
    await vexil('apply --auto-approve')
    await rm(join(path, '.vexil'), { recursive: true })
    await write({
      'vexil.yaml':
        'version: 1\nlimits: { delete: 0, rollout_step: 1 }\nroles: { support: 01900000-0000-0000-0000-0000000000aa }\n',
    })
    const declared = await read('flags.yaml')
    await write({ 'flags.yaml': declared.replace('rollout_percentage: 10 }', 'rollout_percentage: 90 }') })
    const { code, stdout } = await vexil('drift')
    expect(code).toBe(6)
    expect(stdout).toContain('condition 1  everyone  10% -> 90%')
  })

  it('gives the plan document with --json, and looks at one object with --target', async () => {
    await vexil('apply --auto-approve')
    await edit('checkout', { name: 'Theirs' })
    const { code, stdout } = await vexil('drift --json')
    expect(code).toBe(6)
    expect(JSON.parse(stdout)).toMatchObject({
      changes: [{ address: 'feature_flag.checkout', after: { name: 'New checkout' } }],
      drift: [],
      live_edits: [{ address: 'feature_flag.checkout', fields: [{ field: 'name', treatment: 'reverted' }] }],
      summary: { update: 1, reverted: 1, drift: 0, unchanged: 2 },
    })
    expect((await vexil('drift --target dark_mode')).code).toBe(0)
    expect((await vexil('drift --target checkout')).code).toBe(6)
  })

  it('says of an event that was not seen yet that it is no drift', async () => {
    await write({ 'flags.yaml': 'event_definitions: { paid: { tags: [money] } }\n' })
    expect((await vexil('drift')).code).toBe(0)
  })

  it.each([
    ['answers', []],
    ['answers with 403', ['GET /feature_flags/activity status=403']],
  ])('blames nobody for what our own deletion took along, where the trail %s', async (_, faults) => {
    const declared = await read('flags.yaml')
    await vexil('apply --auto-approve')
    await declareFlags('  checkout: { ensure: absent }\n  dark_mode: { ensure: absent }')
    expect((await vexil('apply --auto-approve')).stdout).toContain('2 to delete')
    expect((await vexil('apply --auto-approve')).code).toBe(0)
    await write({ 'flags.yaml': declared })
    service.faults(...faults)
    const { code, stdout } = await vexil('plan --json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ drift: [], live_edits: [] })
  })

  it('blames nobody for a deletion of ours whose answer was lost', async () => {
    const declared = await read('flags.yaml')
    await vexil('apply --auto-approve')
    await declareFlags('  checkout: { ensure: absent }\n  dark_mode: { active: false }')
    service.faults(
      'PATCH /feature_flags status=503 committed',
      'GET /feature_flags/* nth=2 times=9 status=403',
    )
    const { code } = await vexil('apply --auto-approve')
    expect(code).toBe(1)
    service.faults()
    await write({ 'flags.yaml': declared })
    const { stdout } = await vexil('plan --json')
    expect(JSON.parse(stdout)).toMatchObject({ drift: [], live_edits: [] })
  })
})
