import { describe, expect, it } from 'vitest'
import { resourceSchemas } from '../../src/stack/evaluate/attributes.ts'
import { change, everyone, flag, type Parts, role, shownPlan } from '../support/terraform-plan.ts'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({})

/** What an attribute is before and after, and what it stands beside. */
interface Sample {
  readonly was: unknown
  readonly becomes: unknown
  readonly beside?: Parts
}

const sample = (was: unknown, becomes: unknown, beside: Parts = {}): Sample => ({ was, becomes, beside })
const typed = { filters: null }

/** What the service holds: a plan that changes one of these changes something for people, or for the service. */
const held: Readonly<Record<string, Readonly<Record<string, Sample>>>> = {
  vexil_feature_flag: {
    name: sample('One', 'Two'),
    key: sample('one', 'two'),
    filters: sample(everyone(10), everyone(20)),
    active: sample(true, false),
    ensure_experience_continuity: sample(false, true),
    rollback_conditions: sample('[]', '[{"threshold":1}]'),
    archived: sample(false, true),
    evaluation_runtime: sample('all', 'server'),
    evaluation_contexts: sample(['web'], ['web', 'app']),
    bucketing_identifier: sample('distinct_id', 'device_id'),
    is_remote_configuration: sample(false, true),
    has_encrypted_payloads: sample(false, true),
    tags: sample(['a'], ['b']),
    release: sample([{ rollout_percentage: 10 }], [{ rollout_percentage: 20 }], typed),
    rollout_percentage: sample(10, 20, typed),
    variants: sample(null, [{ key: 'a', rollout_percentage: 100 }], { ...typed, rollout_percentage: 10 }),
    payload: sample('1', '2', { ...typed, rollout_percentage: 10 }),
    group_type_index: sample(null, 1, { ...typed, rollout_percentage: 10 }),
    early_exit: sample(null, true, { ...typed, rollout_percentage: 10 }),
    deleted: sample(true, false),
    tags_all: sample(['a'], ['a', 'team']),
  },
  vexil_feature_flag_role_access: { access_level: sample('viewer', 'editor') },
  vexil_plugin: {
    plugin_type: sample('custom', 'source'),
    name: sample('One', 'Two'),
    description: sample('One', 'Two'),
    icon: sample('a', 'b'),
    config_schema: sample('[]', '[{"key":"a"}]'),
    tag: sample('1', '2'),
    is_global: sample(false, true),
    public_jobs: sample('{}', '{"a":{}}'),
    source: sample({ 'a.ts': 'a', 'b.ts': 'b' }, { 'a.ts': 'a' }),
  },
  vexil_event_definition: {
    name: sample('one', 'two'),
    tags: sample(['a'], ['b']),
    post_to_chat: sample(false, true),
    tags_all: sample(['a'], ['a', 'team']),
  },
}

/** What is only Terraform's. */
const ofTerraform: Readonly<Record<string, Sample>> = {
  adopt: sample(null, true),
  allow: sample(null, ['protected']),
  on_destroy: sample(null, 'delete'),
}

/** What the service alone says, and what tells another object: Terraform plans a replacement of that. */
const neverUpdated = [
  'id',
  'created_at',
  'added_at',
  'project_id',
  'organization_id',
  'feature_flag_id',
  'role_id',
]

const objects: Readonly<Record<string, Parts>> = {
  vexil_feature_flag: flag({ tags: ['a'], tags_all: ['a'], deleted: false }),
  vexil_feature_flag_role_access: { id: '1', feature_flag_id: '7', role_id: role, access_level: 'editor' },
  vexil_plugin: { id: '1', name: 'One', plugin_type: 'custom', source: { 'a.ts': 'a' } },
  vexil_event_definition: { id: '1', name: 'one', tags: ['a'], tags_all: ['a'] },
}

/** The words of a plan that changes one attribute, by attribute. */
async function wordsOf(type: string, samples: Readonly<Record<string, Sample>>) {
  const changes = Object.entries(samples).map(([name, { was, becomes, beside }]) =>
    change(`${type}.${name}`, ['update'], {
      before: { ...objects[type], ...beside, [name]: was },
      after: { ...objects[type], ...beside, [name]: becomes },
    }),
  )
  const { code, stdout, stderr } = await shownPlan(workspace(), changes, { options: '--json' })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const told = JSON.parse(stdout).changes as readonly { readonly summary: readonly string[] }[]
  return Object.keys(samples).map(name => {
    const one = told.find(({ summary }) => summary.includes(`in Terraform: ${type}.${name}`))
    return [name, one?.summary ?? []] as const
  })
}

describe.each([...resourceSchemas])('what a plan of Terraform changes of a %s', (type, { attributes }) => {
  it('has a sample for each attribute', () => {
    const known = [...Object.keys(held[type] ?? {}), ...Object.keys(ofTerraform), ...neverUpdated]
    expect([...attributes.keys()].filter(name => !known.includes(name))).toEqual([])
  })

  it('is told of each attribute that the service holds', async () => {
    for (const [name, summary] of await wordsOf(type, held[type] ?? {})) {
      expect(summary.length, name).toBeGreaterThan(1)
      expect(summary.join('\n'), name).not.toContain('no changes in the service')
    }
  })

  it('is told as nothing of what is only of Terraform', async () => {
    const samples = Object.entries(ofTerraform).filter(([name]) => attributes.has(name))
    for (const [name, summary] of await wordsOf(type, Object.fromEntries(samples))) {
      expect(summary[0], name).toBe(`no changes in the service: only ${name}`)
    }
  })
})
