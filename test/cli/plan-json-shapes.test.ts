import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasErrors } from '../../src/model/problem.ts'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import { loadTerraformPlan } from '../../src/stack/index.ts'
import { everySort, placeIn, placesIn, withOther } from '../support/json-places.ts'
import { planJson, role } from '../support/plan-json.ts'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({})
const { vexil, write } = workspace

async function planned(text: string) {
  await write({ 'plan.json': text })
  return vexil('plan --plan-json plan.json --json')
}

const expected = ['feature_flag.planned', `feature_flag_role_access.planned:${role}`]

const none = 'this is not a plan of Terraform:'
const state =
  'this is the output of `terraform show -json` for a state, not a plan of Terraform; name the plan file too'
const flagAddress = 'module.shop["eu"].vexil_feature_flag.checkout'

/** What the engines write, cut to what tells the documents apart. */
const documents: readonly (readonly [what: string, text: string | object, words: string])[] = [
  ['nothing', '', 'this file is empty'],
  ['a list', '[]', `${none} it is a list of JSON`],
  ['a text', '"x"', `${none} it is a text of JSON`],
  ['an object', '{}', `${none} it has no planned_values, only nothing`],
  [
    'a plan of another tool',
    { config: {}, steps: [], duration: 1, changeSummary: {} },
    'it has no planned_values, only "config", "steps", "duration" and "changeSummary"',
  ],
  ['a state as it is shown', { format_version: '1.0', values: { root_module: {} } }, state],
  ['an empty state as it is shown', { format_version: '1.0' }, state],
  [
    'the file of a state',
    { version: 4, serial: 1, lineage: 'a', outputs: {}, resources: [] },
    'this is a state of Terraform, not a plan of Terraform',
  ],
  [
    'what terraform plan -json says',
    '{"@level":"info","@message":"Terraform 1.11.4","type":"version"}\n{"@level":"info","@message":"Plan"}\n',
    'this is the progress output of `terraform plan -json`, not a plan',
  ],
  ['the file of a plan', 'PK\u0003\u0004 a plan', 'create it with: terraform show -json plan.json'],
  [
    'a stack',
    { '//': { metadata: {} }, terraform: {}, resource: {} },
    'this is a synthesized stack, not a plan of Terraform; name its folder with --stack',
  ],
  [
    'a part of a plan',
    planJson({ more: { resource_changes: [] } }),
    `this is only a part of a plan: resource_changes lacks ${flagAddress}`,
  ],
  [
    'a module that is none',
    planJson({ more: { planned_values: { root_module: { child_modules: ['shop'] } } } }),
    'planned_values.root_module.child_modules[0] is a text and not an object',
  ],
  ['no format', planJson({ more: { format_version: undefined } }), `${none} its format_version is missing`],
]

describe('--plan-json of another document', () => {
  it.each(documents)('refuses %s and says what it is', async (_, text, words) => {
    const given = typeof text === 'string' ? text : JSON.stringify(text)
    const { code, stderr, stdout } = await planned(given)
    expect(code).toBe(1)
    expect(`${stdout}${stderr}`.replaceAll('\\"', '"')).toContain(words)
  })

  it('says what to do where messages of Terraform tell of outputs', async () => {
    const message = (words: string, more: object) => ({ '@level': 'info', '@message': words, ...more })
    const lines = [
      message('Terraform 1.11.4', { terraform: '1.11.4', type: 'version' }),
      message('a: Plan to create', { type: 'planned_change' }),
      message('Outputs: 1', { type: 'outputs', outputs: { a: { sensitive: false, action: 'create' } } }),
    ]
    await write({ 'plan.json': lines.map(line => `${JSON.stringify(line)}\n`).join('') })
    const { stderr } = await vexil('plan --plan-json plan.json')
    expect(stderr).toContain(
      'progress output of `terraform plan -json`, not a plan; create it with: terraform plan -out=tfplan',
    )
    expect(stderr).not.toContain('> 1 |')
  })

  it.each([
    ['the file of a plan', 'PK\u0003\u0004 a plan'],
    ['an empty file', ''],
  ])('shows no line of %s', async (_, text) => {
    await write({ 'plan.json': text })
    const { stderr } = await vexil('plan --plan-json plan.json')
    expect(stderr).not.toContain('> 1 |')
  })

  it.each([
    ['Terraform 1.5.7', { terraform_version: '1.5.7' }],
    ['Terraform 1.11.4', { terraform_version: '1.11.4', applyable: false, complete: true, errored: false }],
    ['OpenTofu 1.10.10', { terraform_version: '1.10.10', errored: false }],
  ])('reads the plan of an empty configuration of %s', async (_, more) => {
    const empty = { root_module: {} }
    const text = { format_version: '1.2', planned_values: empty, configuration: empty, ...more }
    const { code, stdout } = await planned(JSON.stringify(text))
    expect([code, JSON.parse(stdout).changes]).toEqual([0, []])
  })

  it('plans the same or refuses whatever stands in any place of a plan, and so never plans less', async () => {
    const whole: Json = JSON.parse(planJson())
    const less: string[] = []
    for (const path of placesIn(whole))
      for (const other of everySort) {
        // Another text may be of another provider, or of a flag with another key.
        if (typeof other === 'string' && typeof placeIn(whole, path) === 'string') continue
        await write({ 'plan.json': JSON.stringify(withOther(whole, path, other)) })
        const { declarations, problems } = await loadTerraformPlan({
          path: join(workspace().path, 'plan.json'),
          directory: workspace().path,
        })
        if (hasErrors(problems)) continue
        const addresses = declarations.desired.map(({ address }) => address)
        if (expected.some(address => !addresses.includes(address)))
          less.push(`${path.join('.')} = ${JSON.stringify(other)}: ${addresses}`)
      }
    expect(less).toEqual([])
  })
})

describe('--plan-json of a plan of a part', () => {
  const inState = (address: string): JsonObject => ({
    address,
    mode: 'managed',
    type: address.replace(/\..*/, ''),
    name: 'b',
    values: { key: 'b' },
  })
  const warnings = async (more: JsonObject) => {
    await write({ 'plan.json': planJson({ more }) })
    const { stdout } = await vexil('validate --plan-json plan.json --json')
    return JSON.parse(stdout).problems.map(({ message }: { message: string }) => message)
  }

  it('says what of the state it does not tell', async () => {
    const resources = [inState('vexil_feature_flag.b'), inState('aws_s3_bucket.c')]
    expect(await warnings({ prior_state: { values: { root_module: { resources } } } })).toEqual([
      'the plan does not contain vexil_feature_flag.b, as with -target, -exclude or -refresh-only; Vexil does not change the missing objects',
    ])
  })

  it('says that it is one where Terraform does', async () => {
    expect(await warnings({ complete: false })).toEqual([
      'the plan does not cover the whole configuration, as with -target, -exclude or -refresh-only; Vexil does not change the missing objects',
    ])
  })
})
