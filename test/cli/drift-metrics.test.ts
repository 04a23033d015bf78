import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import parsePrometheus, { type Family } from 'parse-prometheus-text-format'
import { describe, expect, it } from 'vitest'
import { declarableKinds } from '../../src/kinds/index.ts'
import { type DriftRun, driftMetrics, isDriftMetrics } from '../../src/report/pipeline-formats.ts'
import { aGateway } from '../support/gateway.ts'
import { anOrganization, support, useWorkspace, type Workspace } from '../support/workspace.ts'
import { faults } from './edge/faults.ts'

const declared = {
  'vexil.yaml': `version: 1
roles: { support: ${support} }
ownership: { tag: ours, prune: owned }
`,
  'flags.yaml': `feature_flags:
  same: { active: true, filters: { groups: [ { rollout_percentage: 10 } ] }, role_access: [support] }
  edited: { active: true, filters: { groups: [ { rollout_percentage: 10 } ] } }
  renamed: { name: Before, active: false, filters: {} }
plugins:
  geo: { plugin_type: source, description: Adds the country }
event_definitions:
  paid: { tags: [payments] }
  never_seen: { tags: [payments] }
`,
}

const seed = anOrganization({
  roles: [{ id: support, name: 'Support' }],
  projects: [
    {
      id: 1,
      name: 'Shop',
      event_definitions: [{ name: 'paid' }],
      feature_flags: [{ key: 'theirs', tags: ['ours'] }],
    },
  ],
})

const workspace = useWorkspace(declared, { seed })
const { vexil, service, write, list } = workspace

/** Applies what is declared; then changes one thing in the product, and another in the repository. */
async function arrangeDrift({ vexil, edit, read, write }: Workspace): Promise<void> {
  await vexil('apply --auto-approve --target * --prune never')
  await edit('edited', { active: false })
  const flags = await read('flags.yaml')
  await write({
    'flags.yaml': `${flags.replace('name: Before', 'name: After')}`.replace(
      'plugins:',
      '  later: { active: false, filters: {} }\nplugins:',
    ),
  })
}

async function families(text: string): Promise<ReadonlyMap<string, Family>> {
  return new Map(parsePrometheus(text).map(family => [family.name, family]))
}

const metricsOf = async ({ read }: Workspace, file = 'vexil.prom') => families(await read(file))
const value = (all: ReadonlyMap<string, Family>, name: string) => all.get(name)?.metrics[0]?.value

describe('drift --metrics', () => {
  it('counts each kind as the document of drift does', async () => {
    await arrangeDrift(workspace())
    const { code, stdout } = await vexil('drift --json --metrics vexil.prom')
    expect(code).toBe(6)
    const document = JSON.parse(stdout)
    const all = await metricsOf(workspace())
    const objects = all.get('vexil_drift_objects')
    const sides: Readonly<Record<string, readonly string[]>> = document.sides
    let counted = 0
    for (const { name: kind } of declarableKinds) {
      for (const [verdict, addresses] of Object.entries(sides)) {
        const expected = addresses.filter(address => address.split('.', 1)[0] === kind).length
        const found = objects?.metrics.find(
          ({ labels }) => labels?.kind === kind && labels.verdict === verdict,
        )
        expect({ kind, verdict, value: found?.value }).toEqual({ kind, verdict, value: String(expected) })
        counted += expected
      }
    }
    expect(counted).toBeGreaterThan(3)
    const same = objects?.metrics.filter(({ labels }) => labels?.verdict === 'as_declared') ?? []
    const sum = same.reduce((all, each) => all + Number(each.value), 0)
    expect((await vexil('drift')).stdout).toContain(`, ${sum} as declared\n`)
    expect(new Set(same.filter(each => each.value !== '0').map(({ labels }) => labels?.kind))).toEqual(
      new Set(declarableKinds.map(({ name }) => name)),
    )
    const told = [...new Set(objects?.metrics.map(({ labels }) => labels?.verdict))].sort()
    expect(told).toEqual([...Object.keys(sides), 'as_declared', 'not_compared'].sort())
    expect(
      objects?.metrics.find(
        ({ labels }) => labels?.verdict === 'not_compared' && labels.kind === 'event_definition',
      )?.value,
    ).toBe('1')
    expect(value(all, 'vexil_drift_exit_code')).toBe('6')
    expect(
      all.get('vexil_held_objects')?.metrics.find(({ labels }) => labels?.kind === 'feature_flag')?.value,
    ).toBe('1')
  })

  it('is a file that whoever collects metrics may read, and nothing is left beside it', async () => {
    const { path } = workspace()
    await vexil('drift --metrics out/vexil.prom')
    expect((await stat(join(path, 'out/vexil.prom'))).mode & 0o777).toBe(0o644)
    expect(await list('out')).toEqual(['vexil.prom'])
  })

  it('tells of a run that failed, and keeps what the last good one found', async () => {
    await arrangeDrift(workspace())
    await vexil('drift --metrics vexil.prom')
    const good = await metricsOf(workspace())
    service.faults('GET /* times=1000 status=500')
    expect((await vexil('drift --metrics vexil.prom')).code).toBe(1)
    const bad = await metricsOf(workspace())
    expect(value(bad, 'vexil_drift_exit_code')).toBe('1')
    const last = 'vexil_drift_last_run_timestamp_seconds'
    expect(Number(value(bad, last))).toBeGreaterThan(Number(value(good, last)))
    for (const name of [
      'vexil_drift_objects',
      'vexil_held_objects',
      'vexil_drift_last_success_timestamp_seconds',
    ])
      expect(bad.get(name)).toEqual(good.get(name))
  })

  it.each([
    ['settings with a problem', { 'vexil.yaml': 'version: 1\nroels: {}\n' }, 1],
    ['declarations with a problem', { 'flags.yaml': 'feature_flags: { a: { actve: true } }\n' }, 1],
  ])('tells of a run that ended at %s, also where there is no earlier file', async (_, files, exit) => {
    await write(files)
    expect((await vexil('drift --metrics vexil.prom')).code).toBe(exit)
    const all = await metricsOf(workspace())
    expect(value(all, 'vexil_drift_exit_code')).toBe(String(exit))
    expect(all.get('vexil_drift_objects')?.metrics ?? []).toEqual([])
    expect(all.get('vexil_drift_last_success_timestamp_seconds')?.metrics ?? []).toEqual([])
  })

  it('counts nothing as declared of a list that the service refuses, and is no success', async () => {
    await arrangeDrift(workspace())
    service.faults('GET /plugins times=1000 status=403')
    expect((await vexil('drift --metrics vexil.prom')).code).toBe(3)
    const all = await metricsOf(workspace())
    const plugins = all.get('vexil_drift_objects')?.metrics.filter(({ labels }) => labels?.kind === 'plugin')
    const counts = Object.fromEntries(
      (plugins ?? []).map(({ labels, value: count }) => [labels?.verdict, count]),
    )
    expect(counts).toMatchObject({ as_declared: '0', not_compared: '1' })
    expect(all.get('vexil_drift_last_success_timestamp_seconds')?.metrics ?? []).toEqual([])
  })

  it.each(['flags.yaml', 'folder'])('leaves %s as it is, and ends in 1', async name => {
    const { path } = workspace()
    await mkdir(join(path, 'folder'))
    const before = await readFile(join(path, 'flags.yaml'), 'utf8')
    const { code, stderr } = await vexil(`drift --metrics ${name}`)
    expect(code).toBe(1)
    expect(stderr).toContain(`the metrics cannot be written to "${name}": `)
    expect(await readFile(join(path, 'flags.yaml'), 'utf8')).toBe(before)
  })

  const withAndWithout = faults.flatMap(rules => [true, false].map(hasEarlier => ({ rules, hasEarlier })))
  const file = 'out/vexil.prom'
  const metricsIn = ({ read }: Workspace) => read(file).catch(() => '')

  it.each(withAndWithout)(
    'is whole at each moment, with an earlier one $hasEarlier: $rules',
    async ({ rules, hasEarlier }) => {
      if (hasEarlier) await vexil(`drift --metrics ${file}`)
      const before = await metricsIn(workspace())
      const seen: string[] = []
      const gateway = await aGateway(service, async passed => {
        seen.push(await metricsIn(workspace()))
        return passed
      })
      service.faults(...rules)
      const env = { ...service.env, VEXIL_BASE_URL: gateway.url }
      const { code } = await vexil(`drift --metrics ${file}`, { env })
      expect(new Set(seen)).toEqual(new Set([before]))
      expect(value(await metricsOf(workspace(), file), 'vexil_drift_exit_code')).toBe(String(code))
      expect(await list('out')).toEqual(['vexil.prom'])
    },
  )

  const losses: readonly [string, (path: string) => Promise<unknown>, readonly string[]][] = [
    ['its folder is gone', path => rm(join(path, 'out'), { recursive: true }), []],
    ['a folder stands there', path => mkdir(join(path, file), { recursive: true }), ['vexil.prom']],
  ]

  it.each(losses)('is not there, and neither is a part of it, where %s by then', async (_, lose, left) => {
    const { path } = workspace()
    const gateway = await aGateway(service, async passed => {
      await lose(path).catch(() => {})
      return passed
    })
    const env = { ...service.env, VEXIL_BASE_URL: gateway.url }
    const { code, stderr } = await vexil(`drift --metrics ${file}`, { env })
    expect(code).toBe(1)
    expect(stderr.match(/^vexil: the metrics cannot be written to "out\/vexil.prom": /gm)).toHaveLength(1)
    expect(await list('out')).toEqual(left)
    expect(await list(file)).toEqual([])
  })

  it('goes to no file that a report goes to', async () => {
    const { code, stderr } = await vexil('drift --metrics out.txt --report out.txt')
    expect(code).toBe(64)
    expect(stderr).toContain('this command reads or writes it')
  })
})

describe('the text of metrics', () => {
  const run: DriftRun = {
    environment: 'production',
    startedAt: 1000,
    endedAt: 3500,
    exitCode: 1,
    isSuccess: false,
  }

  it('gives back every name of an environment, and is known again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), environment => {
        const text = driftMetrics([{ ...run, environment }])
        const lines = text.split('\n').filter(line => line.startsWith('vexil_drift_exit_code'))
        expect(lines).toHaveLength(1)
        const [family] = parsePrometheus(text).filter(({ name }) => name === 'vexil_drift_exit_code')
        expect(family?.metrics[0]?.labels?.environment ?? '').toBe(environment)
        expect(isDriftMetrics(text)).toBe(true)
        // A run that does not know its environment is one of the same.
        expect(driftMetrics([{ ...run, environment: undefined }], text)).toBe(text)
      }),
    )
  })

  it('takes nothing from the file of another environment', () => {
    const success = driftMetrics([{ ...run, exitCode: 0, isSuccess: true }])
    const samples = (text: string) =>
      text.split('\n').filter(line => line.startsWith('vexil_drift_last_success'))
    expect(samples(driftMetrics([run], success))).toEqual(samples(success))
    expect(samples(driftMetrics([{ ...run, environment: 'staging' }], success))).toEqual([])
  })
})
