import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { validateAgainst } from '../../../src/schema/validate-against.ts'
import { commitAll, git, gitEnv } from '../../git/repository.ts'
import { holdingRelay } from '../../support/relay.ts'
import { jsonLines, useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, read, list, records } = workspace

/** The record of the newest run. */
async function newest() {
  const record = JSON.parse(await read(`.vexil/runs/${(await records()).at(-1)}`))
  expect(validateAgainst('run', record)).toEqual([])
  return record
}

const outcomes = ({ entries }: { entries: { outcome: string; change: { address: string } }[] }) =>
  Object.fromEntries(entries.map(({ outcome, change }) => [change.address, outcome]))

describe('the record of a run', () => {
  it('says where the declarations came from and who ran it', async () => {
    const { path } = workspace()
    const commit = await commitAll(path)
    const run = (env: object = {}) =>
      vexil('apply --auto-approve', {
        env: { ...service.env, ...gitEnv, GITHUB_ACTOR: undefined, ...env },
        host: { userName: 'root' },
      })
    await run({ GITHUB_ACTOR: 'octocat', GITHUB_TRIGGERING_ACTOR: 'hubot' })
    expect(await newest()).toMatchObject({
      format_version: '1.0',
      command: 'apply',
      commit,
      dirty: false,
      who: { name: 'hubot', from: 'GITHUB_TRIGGERING_ACTOR' },
      complete: true,
    })
    await run()
    expect(await newest()).toMatchObject({ commit, who: { name: 'root', from: 'system' } })
    await git(path, 'config', 'user.email', 'ada@example.com')
    await write({ 'flags.yaml': 'feature_flags: { checkout: { active: false } }\n' })
    await run()
    expect(await newest()).toMatchObject({
      commit,
      dirty: true,
      who: { name: 'ada@example.com', from: 'git' },
    })
  })

  it('takes no file of ours for a local change: neither runs, wherever they are, nor saved plans', async () => {
    const { path } = workspace()
    const commit = await commitAll(path)
    const env = { ...service.env, ...gitEnv }
    const told = async () => JSON.parse((await vexil('plan --json', { env })).stdout)
    await vexil('plan --out plan.json', { env })
    await vexil('plan --out out/plan', { env })
    await vexil('plan --out plan.json', { env })
    expect(JSON.parse(await read('plan.json'))).toMatchObject({ commit, dirty: false })
    await vexil('apply plan.json', { env })
    expect(await newest()).toMatchObject({ commit, dirty: false })
    await rm(join(path, '.gitignore'), { force: true })
    await write({ 'team/.vexil/runs/a.json': '{}' })
    expect(await told()).toMatchObject({ commit, dirty: false })
    await write({ 'out/other.json': '{}' })
    expect(await told()).toMatchObject({ commit, dirty: true })
    await rm(join(path, 'out/other.json'))
    await write({ 'more.yaml': 'feature_flags: {}\n' })
    expect(await told()).toMatchObject({ commit, dirty: true })
  })

  it('has neither a commit nor a name where nobody knows one, and takes none from a pipeline', async () => {
    await vexil('apply --auto-approve', {
      env: {
        ...service.env,
        GITHUB_ACTOR: undefined,
        GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
      },
    })
    const record = await newest()
    expect(Object.keys(record)).not.toEqual(expect.arrayContaining(['commit']))
    expect(Object.keys(record)).not.toEqual(expect.arrayContaining(['who']))
  })

  it('says of each object how it came out, and is the first line of the journal already', async () => {
    await write({
      'more.yaml':
        'feature_flags: { third: { active: false, filters: {} } }\nevent_definitions: { unseen: { tags: [a] } }\n',
    })
    service.faults('POST /feature_flags nth=1 status=400')
    await vexil('apply --auto-approve --parallelism 1 --target checkout --target third --target unseen')
    const record = await newest()
    expect(record).toMatchObject({
      blocked: [{ address: 'event_definition.unseen', rule: 'not_seen' }],
      not_targeted: ['feature_flag.dark_mode'],
      unchanged: 0,
      complete: true,
    })
    expect(outcomes(record)).toEqual({
      'feature_flag.checkout': 'failed',
      'feature_flag.third': 'done',
      'feature_flag_role_access.checkout:support': 'skipped',
    })
    const [name = ''] = await records()
    const [first] = jsonLines(await read(`.vexil/runs/${name.replace('.json', '.jsonl')}`))
    const { entries, complete: _, finished_at, ...head } = record
    expect(first).toEqual({
      ...head,
      type: 'run',
      at: expect.any(String),
      changes: entries.map(({ change }: { change: object }) => change),
    })
    expect(first.changes[0]).toMatchObject({ before: {}, after: { name: 'New checkout', active: true } })
  })

  it('is kept of a run without changes too, by which nothing else is written', async () => {
    const { path } = workspace()
    await vexil('apply --auto-approve')
    const { declared: created } = await newest()
    await vexil('apply --auto-approve')
    await vexil('plan --out plan.json')
    await vexil('apply plan.json')
    const all = await records()
    expect(all).toHaveLength(3)
    const record = await newest()
    expect(record).toMatchObject({ entries: [], unchanged: 3, complete: true })
    expect((await list('.vexil/runs')).filter(name => name.endsWith('.jsonl'))).toHaveLength(1)
    // Runs that were asked for the same of the same objects share one table of it; the first one knew no ids yet.
    expect(await list('.vexil/runs/declared')).toEqual([`${created}.json`, `${record.declared}.json`].sort())
    for (const file of [...all, `declared/${record.declared}.json`]) {
      expect((await stat(join(path, '.vexil/runs', file))).mode & 0o777, file).toBe(0o600)
    }
    const second = JSON.stringify(record).length
    expect(second).toBeLessThan(600)
  })

  it('does not hold up a run without changes where it cannot be written', async () => {
    await vexil('apply --auto-approve')
    await rm(join(workspace().path, '.vexil/runs'), { recursive: true })
    await write({ '.vexil/runs': 'in the way' })
    const { code, stderr } = await vexil('apply --auto-approve')
    expect({ code, stderr: stderr.split('\n') }).toEqual({
      code: 0,
      stderr: [
        '".vexil": its runs cannot be listed (ENOTDIR), so its content is unknown; restore that file, or move it away',
        'this run is not recorded: ENOTDIR',
        '',
      ],
    })
  })

  it('has a digest of each declared field, of a saved plan as of one that is made on the spot', async () => {
    await vexil('apply --auto-approve')
    const first = await newest()
    const table = JSON.parse(await read(`.vexil/runs/declared/${first.declared}.json`))
    const digest = expect.stringMatching(/^[0-9a-f]{12}$/)
    expect(table).toEqual({
      'feature_flag.checkout': {
        fields: { name: digest, active: digest, filters: digest, tags: digest },
        grants: ['01900000-0000-0000-0000-0000000000aa'],
      },
      'feature_flag.dark_mode': { fields: { active: digest, filters: digest } },
      'feature_flag_role_access.checkout:support': { fields: {} },
    })
    await vexil('apply --auto-approve')
    const second = await newest()
    expect(JSON.parse(await read(`.vexil/runs/declared/${second.declared}.json`))).toEqual(
      Object.fromEntries(
        Object.entries(table).map(([address, object]) => [
          address,
          { ...Object(object), id: expect.any(String) },
        ]),
      ),
    )
    await vexil('plan --out plan.json')
    await vexil('apply plan.json')
    expect((await newest()).declared).toBe(second.declared)
    await write({ 'flags.yaml': 'feature_flags: { checkout: { ensure: absent } }\n' })
    await vexil('apply --auto-approve')
    const { declared } = await newest()
    expect(JSON.parse(await read(`.vexil/runs/declared/${declared}.json`))).toEqual({
      'feature_flag.checkout': { ensure: 'absent' },
    })
  })

  it('of a run that is stopped says that it is not complete', async () => {
    let interrupt = (_: 'SIGINT') => {}
    const relay = await holdingRelay(service.url, ({ method }) => method === 'POST')
    try {
      const running = vexil('apply --auto-approve --parallelism 1', {
        env: { ...service.env, VEXIL_BASE_URL: relay.url },
        host: {
          onInterrupt: listener => {
            interrupt = listener
            return () => {}
          },
        },
      })
      await relay.held
      interrupt('SIGINT')
      relay.release()
      expect((await running).code).toBe(130)
    } finally {
      relay.close()
    }
    const record = await newest()
    expect(record.complete).toBe(false)
    expect(outcomes(record)).toEqual({
      'feature_flag.checkout': 'done',
      'feature_flag.dark_mode': 'skipped',
      'feature_flag_role_access.checkout:support': 'skipped',
    })
  })
})
