import { describe, expect, it } from 'vitest'
import type { SandboxOptions } from '../../src/sandbox/index.ts'
import { type RefusalName, refusals } from '../../src/services/refusals.ts'
import { startService } from '../support/service.ts'
import { aWorkspace, flagsPath, type Workspace } from '../support/workspace.ts'

const variants = (...keys: string[]) => ({
  groups: [{ rollout_percentage: 100 }],
  multivariate: { variants: keys.map(key => ({ key, rollout_percentage: 100 / keys.length })) },
})
const condition = (key: string) => ({ key, type: 'flag', operator: 'flag_evaluates_to', value: true })
const naming = (key: string) => ({ groups: [{ properties: [condition(key)], rollout_percentage: 100 }] })
const inCohort = (value: number) => ({ key: 'id', type: 'cohort', operator: 'in', value })
const everybody = { groups: [{ properties: [], rollout_percentage: 100 }] }

/** Live from the start: ids are those of their order, from 1. */
const seeded = [
  { id: 1, key: 'base', filters: everybody },
  { id: 2, key: 'naming', filters: everybody },
  { id: 3, key: 'waiting', active: false, filters: naming('1') },
  { id: 4, key: 'tried', experiment_set: [1], filters: variants('red', 'blue') },
  { id: 5, key: 'early', features: [{ id: 1 }], filters: everybody },
  { id: 6, key: 'replay', used_in_replay: true, filters: everybody },
  { id: 7, key: 'was_tried', experiment_set: [2], deleted: true, filters: everybody },
  { id: 8, key: 'ruled', filters: { version: 2, return_type: 'boolean', default_value: false, rules: [] } },
]

/** How many flags the service lists before anything is refused. */
const listed = seeded.filter(flag => !flag.deleted).length

interface Case {
  readonly options?: Partial<SandboxOptions>
  /** The declared flags, as JSON. */
  readonly declared?: Readonly<Record<string, object>>
  /** What somebody does in the product after the plan was made. */
  readonly meanwhile?: (workspace: Workspace) => Promise<unknown>
  readonly allow?: string
  /** In place of an apply. */
  readonly call?: readonly string[]
  /** What the service says. */
  readonly detail: string
  /** The flag that the refusal is told of. */
  readonly on?: string
}

const absent = { ensure: 'absent' }

const cases: Readonly<Partial<Record<RefusalName, Case>>> = {
  dependents: {
    declared: { base: absent },
    meanwhile: ({ edit }) => edit('naming', { filters: naming('1') }),
    detail: 'because other flags depend on it: naming (ID: 2)',
    on: 'base',
  },
  cohort_missing: {
    declared: { base: { filters: { groups: [{ properties: [inCohort(9)], rollout_percentage: 100 }] } } },
    detail: 'Cohort with id 9 does not exist',
    on: 'base',
  },
  dependency_turned_off: {
    declared: { waiting: { active: true } },
    meanwhile: ({ edit }) => edit('base', { active: false }),
    detail: 'Cannot enable this feature flag because a flag it depends on is disabled',
    on: 'waiting',
  },
  dependency_off: {
    declared: { naming: { filters: naming('base') } },
    meanwhile: ({ edit }) => edit('base', { active: false }),
    detail: 'references a flag that is disabled: base',
    on: 'naming',
  },
  dependency_missing: {
    declared: { naming: { filters: naming('base') } },
    meanwhile: ({ edit }) => edit('base', { deleted: true }),
    detail: 'references non-existent flag "1"',
    on: 'naming',
  },
  dependency_circle: {
    declared: { base: { filters: naming('naming') } },
    meanwhile: ({ edit }) => edit('naming', { filters: naming('1') }),
    detail: 'Circular dependency detected',
    on: 'base',
  },
  dependency_by_key: {
    call: ['feature_flag.update', 'id=2', '--body', JSON.stringify({ filters: naming('base') })],
    detail: "Invalid reference: 'base'",
  },
  variant_of_experiment: {
    declared: { tried: { filters: variants('red') } },
    allow: 'experiment',
    detail: 'Cannot remove variants of a running experiment: blue',
    on: 'tried',
  },
  key_of_experiment: {
    options: { quirks: { deleted_key: 'kept' } },
    call: ['feature_flag.create', '--body', JSON.stringify({ key: 'was_tried', filters: everybody })],
    detail: 'already exists and is used in an experiment',
  },
  experiment: {
    declared: { tried: absent },
    allow: 'experiment',
    detail: 'linked to a running experiment',
    on: 'tried',
  },
  early_access_feature: {
    declared: { early: absent },
    allow: 'feature',
    detail: 'in use with early access features',
    on: 'early',
  },
  session_replay: { declared: { replay: absent }, detail: 'that session replay goes by', on: 'replay' },
  key_characters: {
    call: ['feature_flag.create', '--body', JSON.stringify({ key: 'no good', filters: everybody })],
    detail: 'Only letters, numbers, hyphens',
  },
  rules_version: {
    call: ['feature_flag.update', 'id=8', '--body', JSON.stringify({ name: 'Other', version: 1 })],
    detail: 'does not support the configuration version of this feature flag',
  },
  reserved_version: {
    call: [
      'feature_flag.update',
      'id=2',
      '--body',
      JSON.stringify({ filters: { ...everybody, version: 2 } }),
    ],
    detail: 'Filters may not have a version',
  },
  dependency_version: {
    declared: { naming: { filters: naming('ruled') } },
    detail: 'references a flag whose configuration version is not supported: 8',
    on: 'naming',
  },
  scope: {
    options: { scopes: ['feature_flag:read', 'activity_log:read'] },
    declared: { fresh: { filters: everybody } },
    detail: "API key missing required scope 'feature_flag:write'",
    on: 'fresh',
  },
  no_key: {
    options: { scopes: ['*'] },
    call: ['feature_flag.dashboard', 'id=1'],
    detail: 'This action does not support personal API key access',
  },
}

/** What no stand-in refuses; their words stand in `test/services/refusals.test.ts`. */
const unserved: readonly RefusalName[] = ['survey', 'contexts_required', 'tags_required', 'flag_limit']

async function aProject({ options = {} }: Case): Promise<Workspace> {
  const organization = { id: '01900000-0000-0000-0000-000000000001', name: 'Today' }
  const projects = [{ id: 1, name: 'Today', feature_flags: seeded }]
  const service = await startService({
    profile: 'posthog-2026',
    seed: { organizations: [{ ...organization, projects }] },
    ...options,
  })
  return aWorkspace(service, { 'vexil.yaml': 'version: 1\n' })
}

describe('a refusal of today', () => {
  it('is tried, or known not to be served, for each row of the table', () => {
    expect([...Object.keys(cases), ...unserved].sort()).toEqual(Object.keys(refusals).sort())
  })

  it.each(Object.entries(cases))('is told with what to do about it: %s', async (name, tried) => {
    const { declared, meanwhile, allow, call, detail, on } = tried
    const workspace = await aProject(tried)
    const { vexil, write, service } = workspace
    await write({ 'flags.yaml': JSON.stringify({ feature_flags: declared ?? {} }) })
    const plan = ['plan', '--out', 'plan.json', ...(allow ? ['--allow', allow] : [])]
    const planned = call ? undefined : await vexil(plan)
    expect(planned?.code ?? 0, planned && planned.stdout + planned.stderr).toBe(0)
    await meanwhile?.(workspace)
    const { code, stdout, stderr } = await vexil(call ? ['call', ...call] : ['apply', 'plan.json'])
    const told = `${stdout}${stderr}`
    expect(code, told).toBe(1)
    expect(told).toContain(detail)
    const { remedy } = refusals[name as RefusalName]
    expect(told).toContain(`; ${remedy.replace('$1', 'feature_flag:write')}`)
    if (on !== undefined) expect(told).toMatch(new RegExp(`^ +x flag ${on}\\b`, 'm'))
    expect((await service.get(`${flagsPath}/?limit=100`)) as object).toMatchObject({
      count: listed - (name === 'dependency_missing' ? 1 : 0),
    })
    await service.close()
    await workspace.remove()
  })
})
