import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { historySchema } from '../../../src/schema/run-schemas.ts'
import { commitAll, gitEnv } from '../../git/repository.ts'
import { holdingRelay } from '../../support/relay.ts'
import { vexil as entry, start } from '../../support/running.ts'
import { useWorkspace, writeTwoEnvironments } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, read, records, edit } = workspace
const name = (at: string) => expect.stringMatching(new RegExp(`^${at}-[0-9a-f]{8}$`))

/** What `vexil history --json` prints, which its schema describes member by member. */
async function runs(line = '') {
  const { stdout } = await vexil(`history --json ${line}`, { env: {} })
  const document = JSON.parse(stdout)
  const ajv = new Ajv2020({ allowUnionTypes: true })
  addFormats.default(ajv)
  const { properties } = historySchema() as { properties: { runs: { items: object } } }
  const strict = {
    ...properties,
    runs: { ...properties.runs, items: { ...properties.runs.items, additionalProperties: false } },
  }
  const isDescribed = ajv.compile({ ...historySchema(), properties: strict, additionalProperties: false })
  expect(isDescribed(document), JSON.stringify(isDescribed.errors)).toBe(true)
  return document.runs
}

/**
 * An apply with a failure, one that changes nothing, an undo, and a run that is killed, which left what the undo has
 * deleted as it is.
 */
async function fourRuns() {
  const { vexil, path } = workspace()
  const env = { ...service.env, ...gitEnv, GITHUB_ACTOR: 'ada' }
  const commit = await commitAll(path)
  service.faults('POST /feature_flags nth=1 status=400')
  await vexil('apply --auto-approve --parallelism 1', { env })
  service.faults()
  await vexil('apply --auto-approve --target dark_mode', { env })
  await vexil('undo last --auto-approve', { env })
  await write({ 'more.yaml': 'feature_flags: { more: { active: false, filters: {} } }\n' })
  await vexil('apply --auto-approve --parallelism 1', { env })
  const last = (await records()).at(-1) ?? ''
  await rm(join(path, '.vexil/runs', last))
  const journal = `.vexil/runs/${last.replace('.json', '.jsonl')}`
  await write({ [journal]: `${(await read(journal)).split('\n').slice(0, 4).join('\n')}\n` })
  return commit
}

describe('vexil history', () => {
  it('lists runs for people and for programs, the newest first, and each object of one, and asks nobody', async () => {
    const commit = await fourRuns()
    const { result, requests } = await service.watch(() => vexil('history', { env: {} }))
    expect(requests).toEqual([])
    const place = `project 1, ${service.url}`
    const short = commit.slice(0, 12)
    const [newest, , third, , , , last] = result.stdout.split('\n')
    expect(
      result.stdout.replaceAll(/20\d{6}T\d{9}Z-\w{8}/g, 'RUN').replaceAll(/2026-01-01 [\d:]+ UTC/g, 'TIME'),
    ).toBe(
      `RUN  TIME  apply in ${place}  by ada  at ${short} with local changes
    1 done, 2 skipped, 1 held; cut off, or still under way
RUN  TIME  undo of RUN in ${place}  by ada  at ${short}
    1 done
RUN  TIME  apply in ${place}  by ada  at ${short}
    2 not targeted, 1 unchanged
RUN  TIME  apply in ${place}  by ada  at ${short}
    1 done, 1 failed, 1 skipped
`,
    )
    expect(third).toContain(`undo of ${last?.split(' ')[0]} in`)
    expect((await vexil('history -n 1')).stdout.split('\n')).toEqual([newest, expect.any(String), ''])

    const [killed, undo, nothing, first, ...others] = await runs()
    expect(others).toEqual([])
    const none = { done: 0, already: 0, unchanged: 0, failed: 0, stale: 0, skipped: 0 }
    const zero = { ...none, not_known: 0, blocked: 0, not_targeted: 0 }
    const who = { name: 'ada', from: 'GITHUB_ACTOR' }
    expect(first).toEqual({
      run: name('20260101T\\d{9}Z'),
      state: 'complete',
      path: join(workspace().path, '.vexil/runs', `${first.run}.json`),
      command: 'apply',
      target: {
        base_url: service.url,
        project_id: '1',
        organization_id: expect.any(String),
        profile: 'documented',
      },
      commit,
      dirty: false,
      who,
      started_at: expect.any(String),
      finished_at: expect.any(String),
      counts: { ...zero, done: 1, failed: 1, skipped: 1 },
    })
    expect(nothing.counts).toEqual({ ...zero, unchanged: 1, not_targeted: 2 })
    expect(undo).toMatchObject({ command: 'undo', undoes: first.run, state: 'complete' })
    expect(killed).toMatchObject({ state: 'cut_off', dirty: true, counts: { done: 1, skipped: 2, held: 1 } })
    expect(killed).not.toHaveProperty('finished_at')

    expect((await runs(first.run))[0].objects).toEqual({
      'feature_flag.checkout': 'failed',
      'feature_flag.dark_mode': 'done',
      'feature_flag_role_access.checkout:support': 'skipped',
    })
    expect((await runs(nothing.run))[0].objects).toEqual({
      'feature_flag.checkout': 'not_targeted',
      'feature_flag.dark_mode': 'unchanged',
      'feature_flag_role_access.checkout:support': 'not_targeted',
    })
    expect((await vexil(`history ${nothing.run}`)).stdout.split('\n').slice(2)).toEqual([
      '    not targeted  feature_flag.checkout',
      '    not targeted  feature_flag_role_access.checkout:support',
      '    unchanged     feature_flag.dark_mode',
      '',
    ])
  })

  it('says which fields were held, beside what became of the others', async () => {
    await vexil('apply --auto-approve')
    await edit('checkout', { active: false })
    await edit('dark_mode', { filters: { groups: [{ properties: [], rollout_percentage: 5 }] } })
    await write({ 'flags.yaml': (await read('flags.yaml')).replace('New checkout', 'Checkout') })
    await vexil('apply --auto-approve')
    const [last] = await runs('last')
    expect(last).toMatchObject({
      counts: { done: 1, held: 2, unchanged: 1 },
      held: [
        { address: 'feature_flag.checkout', fields: ['active'] },
        { address: 'feature_flag.dark_mode', fields: ['filters'] },
      ],
      objects: {
        'feature_flag.checkout': 'done',
        'feature_flag.dark_mode': 'held',
        'feature_flag_role_access.checkout:support': 'unchanged',
      },
    })
    expect((await vexil('history last')).stdout.split('\n').slice(1)).toEqual([
      '    1 done, 2 held, 1 unchanged',
      '    done          feature_flag.checkout  held: active',
      '    held          feature_flag.dark_mode  filters',
      '    unchanged     feature_flag_role_access.checkout:support',
      '',
    ])
  })

  it('says of a run that is under way, and then killed, what nobody knows', async () => {
    const relay = await holdingRelay(service.url, ({ method }) => method === 'POST')
    try {
      const words = ['apply', '--auto-approve', '--parallelism', '1', '--base-url', relay.url]
      const running = start(process.execPath, [entry, ...words], workspace())
      await relay.held
      const told = async () => {
        const [newest] = await runs()
        const [named] = await runs(newest.run)
        return { ...named, text: (await vexil(`history ${newest.run}`)).stdout }
      }
      const during = await told()
      running.child.kill('SIGKILL')
      await running.ended
      const after = await told()
      // What came before it in the run, and what would have come after it, sent nothing.
      const counts = { done: 0, failed: 0, skipped: 2, not_known: 1 }
      expect([during, after]).toMatchObject([
        { state: 'under_way', counts, objects: { 'feature_flag.checkout': 'not_known' } },
        { state: 'cut_off', counts, objects: { 'feature_flag.checkout': 'not_known' } },
      ])
      expect(during.text).toContain('    2 skipped, 1 not known; under way\n')
      expect(during.text).toContain('    not known     feature_flag.checkout\n')
      expect(after.text).toContain('    2 skipped, 1 not known; cut off, or still under way\n')
    } finally {
      relay.close()
    }
  })

  it('says why a run was started, and lets no control character through', async () => {
    await vexil('apply --auto-approve')
    const [name = ''] = await records()
    const path = `.vexil/runs/${name}`
    const record = JSON.parse(await read(path))
    const reason = 'payments fail\u001b[2J'
    await write({ [path]: JSON.stringify({ ...record, command: 'disable', reason }) })
    expect(await runs()).toMatchObject([{ command: 'disable', reason, state: 'complete' }])
    expect((await vexil('history')).stdout.split('\n').slice(0, 2)).toEqual([
      expect.stringContaining('  disable in project 1, '),
      '    why: payments fail\\u001b[2J',
    ])
  })

  it('lists the runs of one environment', async () => {
    await vexil('apply --auto-approve')
    const key = await writeTwoEnvironments(workspace())
    await vexil('apply --env production --auto-approve', { env: key })
    const environments = async (line: string) =>
      (await runs(line)).map(({ environment }: { environment?: string }) => environment)
    expect(await environments('--env production')).toEqual(['production'])
    expect(await environments('--env staging')).toEqual([])
    expect(await environments('')).toEqual(['production', undefined])
    expect((await vexil('history --env production')).stdout).toContain('apply in production (project 1, ')
  })

  it('names what cannot be read, and goes on', async () => {
    await vexil('apply --auto-approve')
    await write({ '.vexil/runs/20990101T000000000Z-1f2e3d4c.jsonl': 'broken' })
    const [broken, other] = await runs()
    expect(broken).toEqual({
      run: '20990101T000000000Z-1f2e3d4c',
      state: 'unreadable',
      path: expect.any(String),
      reason: 'its first line does not describe a run: it is not JSON, or was cut off',
    })
    expect(other.state).toBe('complete')
    expect((await vexil('history')).stdout).toMatch(
      /^20990101T000000000Z-1f2e3d4c\n {4}unreadable: its first line does not describe a run: it is not JSON, or was cut off\n2026/,
    )
  })

  it('says when there is nothing, and takes no number that is none', async () => {
    expect(await vexil('history')).toEqual({ code: 0, stdout: '', stderr: 'no runs are on record here\n' })
    expect(await vexil('history -n none')).toMatchObject({
      code: 64,
      stderr: 'vexil: --max-count takes a number of runs, not "none"\n',
    })
  })

  it.each(['history', 'undo'])('is told the same as undo of what is no run: %s', async command => {
    await write({ 'other.json': '{}' })
    const said = async (named: string) => (await vexil([command, named])).stderr
    expect(await said('nope')).toBe('vexil: "nope" is not a run\n')
    await vexil('apply --auto-approve')
    const [{ run }] = await runs()
    expect(await said('nope')).toBe(`vexil: "nope" is not a run; the latest is "${run}"\n`)
    expect(await said('other.json')).toBe(
      `vexil: "other.json" is not a run: it is not the record of a run: format_version is missing; the latest is "${run}"\n`,
    )
    expect((await vexil([command, 'nope'])).code).toBe(1)
  })

  it('knows an environment that is none from one without runs', async () => {
    const key = await writeTwoEnvironments(workspace())
    await vexil('apply --env production --auto-approve', { env: key })
    expect(await vexil('history --env staging')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'no runs of "staging" are on record here\n',
    })
    expect(await vexil('history --env productoin')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'vexil: "productoin" is not an environment; did you mean "production"?\n',
    })
    await write({ 'vexil.yaml': 'version: 1\n' })
    expect((await vexil('history --env production')).code).toBe(0)
    expect(await vexil('history --env other')).toMatchObject({
      code: 1,
      stderr: 'vexil: "other" is not an environment; vexil.yaml declares no environments\n',
    })
    await write({ 'vexil.yaml': 'version: [\n' })
    expect(await vexil('history --env other')).toMatchObject({
      code: 0,
      stderr: 'no runs of "other" are on record here\n',
    })
  })
})
