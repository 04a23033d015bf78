import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, read, edit } = workspace
const grace = 2
const withoutRuns = (text: string) => text.replaceAll(/\b\d{8}T\d{9}Z-\w{8}/g, 'RUN')
const activity = 'GET /api/projects/1/feature_flags/activity'

describe('vexil drift', () => {
  it('tells what was changed in the product with who and when, and counts what is not applied yet', async () => {
    await vexil('apply --auto-approve')
    await edit('checkout', { filters: { groups: [{ properties: [], rollout_percentage: 100 }] } }, grace)
    await write({ 'flags.yaml': `${await read('flags.yaml')}  later: { active: false, filters: {} }\n` })
    const { result, requests } = await service.watch(() => vexil('drift'))
    expect(result.code).toBe(6)
    expect(result.stdout).toMatch(/flag checkout .*\n.*filters: .* by grace@example\.com .*\d{4}-\d\d-\d\d/)
    expect(result.stdout).toContain('\n1 change in the repository is not applied yet: vexil plan\n')
    expect(result.stdout).toContain('\n1 object not as declared, 2 as declared\n')
    expect(result.stdout).not.toContain('flag later')
    expect(result.stderr).toBe('')
    // The trail is looked through for a soft-deleted `later`, and not once more for names.
    expect(requests.filter(line => line === activity)).toEqual([activity])
  })

  it('asks for no names where nothing was changed in the product, and ends in 0', async () => {
    await vexil('apply --auto-approve')
    const flags = await read('flags.yaml')
    await write({ 'flags.yaml': flags.replace('percentage: 10 ', 'percentage: 20 ') })
    const { result, requests } = await service.watch(() => vexil('drift'))
    expect(result.code).toBe(0)
    expect(withoutRuns(result.stdout)).toBe(
      `No drift: project 1 from VEXIL_PROJECT_ID, ${service.url} was not changed in the product, 3 objects checked\n\n` +
        'measured from run RUN, 1 second ago\n\n' +
        '1 change in the repository is not applied yet: vexil plan\n',
    )
    expect(requests.filter(line => line === activity)).toEqual([])
  })

  it('ends in 6 where nothing is on record, and says that nobody can tell', async () => {
    const { path } = workspace()
    await vexil('apply --auto-approve')
    await edit('checkout', { name: 'Theirs' }, grace)
    await rm(join(path, '.vexil'), { recursive: true })
    const { code, stdout, stderr } = await vexil('drift')
    expect(code).toBe(6)
    expect(stdout).toContain('live differs from the declaration; an apply would:')
    expect(stderr).toContain(
      'for 1 object it is unknown whether the declaration or the product changed; the first apply',
    )
  })

  it.each([
    ['is refused', 'GET /feature_flags/activity status=403', 'the activity trail was refused (403)'],
    ['is not there', 'GET /feature_flags/activity status=404', 'the activity trail was refused (404)'],
    ['fails', 'GET /feature_flags/activity status=500', 'the activity trail failed (500)'],
  ])('tells the same without names where the trail %s, and says so in one line', async (_, fault, why) => {
    await vexil('apply --auto-approve')
    await edit('checkout', { active: false }, grace)
    const named = await vexil('drift')
    service.faults(fault)
    const unnamed = await vexil('drift')
    expect(unnamed.code).toBe(6)
    expect(unnamed.stderr).toBe(`who changed flags in the product is unknown: ${why}\n`)
    expect(named.stdout).toContain('grace@example.com')
    expect(unnamed.stdout).toContain('active: held, changed in the product\n')
  })

  it('says by address which side has changed, in a document that fits the schema', async () => {
    await vexil('apply --auto-approve')
    await edit('checkout', { active: false }, grace)
    const flags = await read('flags.yaml')
    await write({ 'flags.yaml': flags.replace('percentage: 100', 'percentage: 50') })
    const { code, stdout } = await vexil('drift --json')
    expect(code).toBe(6)
    const document = JSON.parse(stdout)
    const schema = JSON.parse(await readFile('schemas/plan.schema.json', 'utf8'))
    const ajv = new Ajv2020({ strict: false })
    expect(ajv.validate(schema, document), ajv.errorsText()).toBe(true)
    expect(document).toMatchObject({
      sides: {
        edited: ['feature_flag.checkout'],
        differing: [],
        undeclared: [],
        unapplied: ['feature_flag.dark_mode'],
        behind: [],
      },
      live_edits: [{ fields: [{ field: 'active', author: { name: 'grace@example.com' } }] }],
    })
  })
})
