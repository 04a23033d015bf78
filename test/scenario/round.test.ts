import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cli, folderWith, writeFiles } from '../support/cli.ts'
import { type Service, startService } from '../support/service.ts'
import { unversioned } from '../support/unversioned.ts'

const flags = '/api/projects/1/feature_flags'

let service: Service
let folder: Awaited<ReturnType<typeof folderWith>>

beforeEach(async () => {
  service = await startService()
  const [role] = service.sandbox.summary.roles
  folder = await folderWith({
    'vexil.yaml': `version: 1\nroles: { support: ${role?.id} }\nlimits: { delete: 5, rollout_step: 25 }\n`,
    'flags.yaml': `feature_flags:
  checkout:
    name: New checkout
    active: true
    filters: { groups: [ { properties: [ { key: country, value: [DE], type: person, operator: exact } ], rollout_percentage: 10 } ] }
    tags: [Checkout]
    role_access: [support]
  dark_mode:
    active: false
    filters:
      groups: [ { rollout_percentage: 100 } ]
      multivariate: { variants: [ { key: a, rollout_percentage: 50 }, { key: b, rollout_percentage: 50 } ] }
      payloads: { a: { theme: night } }
plugins:
  geoip: { plugin_type: source, description: Adds the country, source: { index.ts: "export {}" } }
`,
  })
})

afterEach(async () => {
  await service.close()
  await folder.remove()
})

const vexil = (line: string) => cli(line, { directory: folder.path, env: service.env })
const isWrite = (line: string) => !line.startsWith('GET ')

describe('the main job', () => {
  it('goes from plan to apply to an empty plan', async () => {
    const planned = await service.watch(() => vexil('plan --detailed-exitcode'))
    expect(planned.result).toMatchObject({ code: 2, stderr: '' })
    expect(planned.requests.filter(isWrite)).toEqual([])
    expect(planned.result.stdout).toContain('4 to create, 0 to change, 0 to delete, 0 blocked, 0 unchanged')
    expect(planned.result.stdout).toContain('flags.yaml:2')

    const applied = await service.watch(() => vexil('apply --auto-approve'))
    expect(applied.result.code).toBe(0)
    expect(applied.requests.filter(isWrite).sort()).toEqual([
      `PATCH /api/organizations/${service.env.VEXIL_ORGANIZATION_ID}/plugins/1/update_source`,
      `POST /api/organizations/${service.env.VEXIL_ORGANIZATION_ID}/plugins`,
      `POST ${flags}`,
      `POST ${flags}`,
      expect.stringMatching(
        /^(POST|PUT) \/api\/projects\/1\/feature_flags\/\d+\/(role_access|access_controls)$/,
      ),
    ])

    const again = await service.watch(() => vexil('plan --detailed-exitcode'))
    expect(again.result.code).toBe(0)
    expect(again.result.stdout).toContain('No changes')
    expect(again.requests.filter(isWrite)).toEqual([])
    const once = await service.watch(() => vexil('apply --auto-approve'))
    expect(once.requests.filter(isWrite)).toEqual([])
  })

  it('sends one PATCH with what changed, and undoes it', async () => {
    await vexil('apply --auto-approve')
    const before = await service.get(`${flags}/?limit=10`)
    await writeFiles(folder.path, {
      'flags.yaml': 'feature_flags:\n  checkout: { name: Newer checkout, tags: [] }\n',
    })
    const applied = await service.watch(() => vexil('apply --auto-approve'))
    expect(applied.requests.filter(isWrite)).toEqual([
      expect.stringMatching(/^PATCH .*\/feature_flags\/\d+$/),
    ])
    expect(applied.result.stdout).toContain('tags -checkout')

    const undone = await vexil('undo last --auto-approve')
    expect(undone.code).toBe(0)
    expect(unversioned(await service.get(`${flags}/?limit=10`))).toEqual(unversioned(before))
  })

  it('deletes softly and restores with the same id', async () => {
    await vexil('apply --auto-approve')
    const id = async () =>
      ((await service.get(`${flags}/?limit=10`)) as { results: { key: string; id: number }[] }).results
    const first = (await id()).find(({ key }) => key === 'dark_mode')?.id
    await writeFiles(folder.path, { 'flags.yaml': 'feature_flags:\n  dark_mode: { ensure: absent }\n' })
    expect((await vexil('apply --auto-approve')).stdout).toContain('soft-deleted; can be restored')
    expect((await id()).map(({ key }) => key)).toEqual(['checkout'])

    await writeFiles(folder.path, { 'flags.yaml': 'feature_flags:\n  dark_mode: { active: true }\n' })
    const planned = await vexil('plan')
    expect(planned.stdout).toContain('1 to restore')
    await vexil('apply --auto-approve')
    expect((await id()).find(({ key }) => key === 'dark_mode')?.id).toBe(first)
    expect((await vexil('plan')).stdout).toContain('No changes')
  })

  it('refuses a change of an object that a colleague has changed since the plan', async () => {
    await vexil('apply --auto-approve')
    await writeFiles(folder.path, {
      'flags.yaml': 'feature_flags:\n  checkout: { name: Ours }\n  dark_mode: { name: Dark }\n',
    })
    await vexil('plan --out plan.json')
    const { results } = (await service.get(`${flags}/`)) as { results: { key: string; id: number }[] }
    const { id } = results.find(({ key }) => key === 'checkout') ?? { id: 0 }
    await service.send('PATCH', `${flags}/${id}/`, { name: 'Theirs' })

    const applied = await vexil('apply plan.json')
    expect(applied.code).toBe(5)
    expect(applied.stdout).toContain(
      'flag checkout not written: it was changed after the plan was made; plan again',
    )
    expect(applied.stdout).toContain('flag dark_mode changed')
    expect(await service.get(`${flags}/${id}/`)).toMatchObject({ name: 'Theirs' })
  })

  it('tells drift from what was declared', async () => {
    await vexil('apply --auto-approve')
    expect(await vexil('drift')).toMatchObject({ code: 0, stdout: expect.stringContaining('No drift') })
    const { results } = (await service.get(`${flags}/`)) as { results: { key: string; id: number }[] }
    const { id } = results.find(({ key }) => key === 'checkout') ?? { id: 0 }
    await service.send('PATCH', `${flags}/${id}/`, {
      filters: { groups: [{ properties: [], rollout_percentage: 100 }] },
    })
    const drifted = await vexil('drift')
    expect(drifted.code).toBe(6)
    expect(drifted.stdout).toContain('filters: held, changed in the product')
  })

  it('puts the key nowhere', async () => {
    const results = [
      await vexil('plan --out plan.json --json'),
      await vexil('apply --auto-approve --json'),
      await vexil('doctor'),
    ]
    const key = service.env.VEXIL_API_KEY ?? ''
    const { readFile } = await import('node:fs/promises')
    const written = await readdir(folder.path, { recursive: true, withFileTypes: true })
    const texts = await Promise.all(
      written
        .filter(entry => entry.isFile())
        .map(entry => readFile(join(entry.parentPath, entry.name), 'utf8')),
    )
    expect(texts.length).toBeGreaterThan(4)
    for (const text of [...texts, ...results.flatMap(({ stdout, stderr }) => [stdout, stderr])]) {
      expect(text).not.toContain(key)
    }
  })

  it('asks before it applies, and takes nothing but yes', async () => {
    const refused = await cli('apply', { directory: folder.path, env: service.env, answer: 'y' })
    expect(refused).toMatchObject({ code: 3, stderr: 'nothing was applied\n' })
    const nobody = await vexil('apply')
    expect(nobody.code).toBe(3)
    expect(nobody.stderr).toContain('pass --auto-approve')
    const applied = await cli('apply', { directory: folder.path, env: service.env, answer: 'yes' })
    expect(applied.code).toBe(0)
  })
})
