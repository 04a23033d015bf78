import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { journalSchema } from '../../src/schema/run-schemas.ts'
import { holdingRelay } from '../support/relay.ts'
import { flagsPath, isWrite, jsonLines, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, records, flag } = workspace

describe('vexil apply', () => {
  it('shows the plan, asks, and says of each change how it ended', async () => {
    const { code, stdout, stderr } = await vexil('apply', { answer: ' yes\n' })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^MEDIUM risk: plan for project 1/)
    expect(stdout).toMatch(
      /\n {2}\+ flag checkout created\n {2}\+ flag dark_mode created\n {2}\+ grant checkout:support created\n\n3 changes applied\.\nrun: \S+\n$/,
    )
  })

  it.each([
    ['nobody is at the terminal', {}, ''],
    ['in a pipeline, even with a terminal', { answer: 'yes', env: { CI: 'true' } }, ''],
    ['with --no-input', { answer: 'yes' }, ' --no-input'],
  ])(
    'refuses %s, and says what to do',
    async (_, { env, ...options }: { answer?: string; env?: object }, flag) => {
      const { result, requests } = await service.watch(() =>
        vexil(`apply${flag}`, { ...options, env: { ...service.env, ...env } }),
      )
      expect(result).toMatchObject({
        code: 3,
        stderr:
          'vexil: there is no terminal to ask for approval; apply a saved plan (`vexil plan --out FILE`, `vexil apply FILE`) or pass --auto-approve\n',
      })
      expect(requests.filter(isWrite)).toEqual([])
    },
  )

  it.each(['y', 'YES', 'no', ''])('takes %j for no', async answer => {
    const { result, requests } = await service.watch(() => vexil('apply', { answer }))
    expect(result).toMatchObject({ code: 3, stderr: 'nothing was applied\n' })
    expect(requests.filter(isWrite)).toEqual([])
  })

  it('applies without asking in a pipeline with --auto-approve', async () => {
    expect(await vexil('apply --auto-approve', { env: { ...service.env, CI: 'true' } })).toMatchObject({
      code: 0,
    })
    expect(await vexil('apply', { env: { ...service.env, CI: 'true' } })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No changes'),
    })
  })

  it('streams events as JSON, the summary last, the plan for people beside it', async () => {
    const { code, stdout, stderr } = await vexil('apply --json --auto-approve')
    expect({ code, first: stderr.split('\n')[0] }).toEqual({
      code: 0,
      first: `MEDIUM risk: plan for project 1 from VEXIL_PROJECT_ID, ${service.url}`,
    })
    const events = jsonLines(stdout)
    const run = expect.stringMatching(/^\d{8}T\d{9}Z-[0-9a-f]{8}$/)
    const record = expect.stringMatching(/\.vexil\/runs\/\d{8}T\d{9}Z-[0-9a-f]{8}\.json$/)
    expect(events.at(-1)).toEqual({
      type: 'summary',
      done: 3,
      already: 0,
      failed: 0,
      stale: 0,
      skipped: 0,
      run,
      record,
    })
    const { id } = await flag('checkout')
    expect(events.filter(({ address }) => address === 'feature_flag.checkout')).toEqual([
      { type: 'change_start', address: 'feature_flag.checkout', action: 'create' },
      {
        type: 'change_attempt',
        address: 'feature_flag.checkout',
        request: `POST ${flagsPath}`,
        endpoint: 'create',
      },
      {
        type: 'change_done',
        address: 'feature_flag.checkout',
        action: 'create',
        id: String(id),
        already: false,
        not_kept: [],
        elapsed_ms: expect.any(Number),
      },
    ])
    const isDescribed = addFormats
      .default(new Ajv2020({ allowUnionTypes: true }))
      .compile({ ...journalSchema(), additionalProperties: false })
    for (const event of events) expect(isDescribed(event), JSON.stringify(isDescribed.errors)).toBe(true)
    const again = await vexil('apply --json --auto-approve')
    expect(jsonLines(again.stdout)).toEqual([
      { type: 'summary', done: 0, already: 0, failed: 0, stale: 0, skipped: 0 },
    ])
  })

  it('goes on when one change fails, skips what depends on it, and ends in 4', async () => {
    await write({
      'more.yaml': 'feature_flags: { on_its_own: { active: false, filters: {} } }\n',
    })
    service.faults('POST /feature_flags nth=1 status=400')
    const { code, stdout } = await vexil('apply --auto-approve --parallelism 1')
    expect(code).toBe(4)
    expect(stdout).toContain(`
  x flag checkout failed: POST ${flagsPath} was refused with 400 error: This answer was scripted
  + flag dark_mode created
  + flag on_its_own created
  . grant checkout:support skipped: feature_flag.checkout was not done

2 changes applied, 1 failed, 1 skipped. Fix the cause first: the service would refuse the same command again.
`)
    service.faults()
    expect((await vexil('apply --auto-approve')).stdout).toContain('2 changes applied.')
    expect(await records()).toHaveLength(2)
  })

  it('has every request in the journal before it left, and a record of what came of it', async () => {
    const { path } = workspace()
    await vexil('apply --auto-approve --parallelism 1')
    const [record = ''] = await records()
    const runs = join(path, '.vexil/runs')
    const paths = [join(runs, record.replace('.json', '.jsonl')), join(runs, record)] as const
    for (const each of paths) expect((await stat(each)).mode & 0o777, each).toBe(0o600)
    const lines = jsonLines(await readFile(paths[0], 'utf8'))
    const { id } = await flag('checkout')
    expect(
      lines.map(({ type, address, request }) => [type, address, request].filter(Boolean).join(' ')),
    ).toEqual([
      'run',
      'change_start feature_flag.checkout',
      `change_attempt feature_flag.checkout POST ${flagsPath}`,
      'change_done feature_flag.checkout',
      'change_start feature_flag.dark_mode',
      `change_attempt feature_flag.dark_mode POST ${flagsPath}`,
      'change_done feature_flag.dark_mode',
      'change_start feature_flag_role_access.checkout:support',
      `change_attempt feature_flag_role_access.checkout:support POST ${flagsPath}/${id}/role_access`,
      'change_done feature_flag_role_access.checkout:support',
    ])
    const written = JSON.parse(await readFile(paths[1], 'utf8'))
    expect(written).toMatchObject({
      format_version: '1.0',
      command: 'apply',
      complete: true,
      target: { project_id: '1' },
      plan_digest: expect.stringMatching(/^sha256:/),
      entries: [
        { outcome: 'done', id: String(id), change: { address: 'feature_flag.checkout' } },
        { outcome: 'done', change: { address: 'feature_flag.dark_mode' } },
        { outcome: 'done', change: { address: 'feature_flag_role_access.checkout:support' } },
      ],
    })
  })

  it('ends in 3 when a limit blocked a deletion', async () => {
    await vexil('apply --auto-approve')
    await service.send('POST', `${flagsPath}/`, { key: 'third', name: '' })
    await write({
      'vexil.yaml': 'version: 1\nlimits: { delete: 1 }\n',
      'flags.yaml': 'feature_flags: { checkout: { name: Renamed } }\n',
    })
    const { code, stdout } = await vexil('apply --auto-approve --prune all')
    expect(code).toBe(3)
    expect(stdout).toContain('pruning 2 of 3 objects is past the limit of 1')
    expect(stdout).toContain('1 change applied.')
    expect((await flag('third')).deleted).toBe(false)
  })
})

describe('vexil apply, where nothing can be kept of it', () => {
  it('says what was done, and that there is no record', async () => {
    const { path } = workspace()
    const relay = await holdingRelay(service.url, ({ method }) => method === 'POST')
    try {
      const running = vexil('apply --auto-approve', { env: { ...service.env, VEXIL_BASE_URL: relay.url } })
      await relay.held
      await rm(join(path, '.vexil/runs'), { recursive: true })
      await writeFile(join(path, '.vexil/runs'), 'not a folder')
      relay.release()
      const { code, stdout, stderr } = await running
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: 'the record of this run cannot be written (ENOTDIR): `vexil undo` has to use its journal\n',
      })
      expect(stdout).toMatch(/\n\n3 changes applied\.\n$/)
    } finally {
      relay.close()
    }
  })
})

describe('vexil apply, on a service that drops labels without a word', () => {
  const { vexil } = useWorkspace(undefined, { quirks: { tags: 'dropped' } })

  it('tells what was not kept', async () => {
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(code).toBe(0)
    expect(stdout).toContain(
      '  + flag checkout created\n      the service did not store tags; remove it or add it to `ignore`\n',
    )
  })
})
