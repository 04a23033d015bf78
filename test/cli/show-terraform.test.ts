import { describe, expect, it } from 'vitest'
import { change, everyone, flag, type Parts, role, shownPlan } from '../support/terraform-plan.ts'
import { useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({})
const { vexil, service, write, read } = workspace
const shown = (changes: readonly object[], more?: { options?: string; more?: Parts }) =>
  shownPlan(workspace(), changes, more)

/** The update of a flag, told as what differs from the usual one before and after it. */
const updated = (name: string, before: Parts, after: Parts) =>
  change(`vexil_feature_flag.${name}`, ['update'], { before: flag(before), after: flag(after) })

describe('vexil show --terraform-plan', () => {
  it('tells what a change does to people, as a plan of Vexil does', async () => {
    const { code, stdout, stderr } = await shown([updated('checkout', {}, { filters: everyone(80) })])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`HIGH risk: plan for Terraform 1.13.3, plan.json
  !! flag checkout  everyone: 10% -> 80%

HIGH RISK
  ~ flag checkout
      HIGH: everyone: 10% -> 80% (widened)
      condition 1  everyone  10% -> 80%
      in Terraform: vexil_feature_flag.checkout

0 to create, 1 to change, 0 to delete, 0 blocked, 0 unchanged
  !! flag checkout  everyone: 10% -> 80%
`)
  })

  it.each([
    ['forget', 'create'],
    ['create', 'forget'],
  ])('shows both of what is to %s and %s, as OpenTofu does in place of a destroy', async (...actions) => {
    const { stdout } = await shown([
      change('vexil_feature_flag.moved', actions, {
        before: flag({ key: 'old' }),
        after: flag({ key: 'new', filters: everyone(100) }),
      }),
    ])
    expect(stdout).toMatch(/- flag old\n {6}only forgotten by Terraform.*\n {6}forgotten and created again\n/)
    expect(stdout).toMatch(/\+ flag new\n(?: {6}.*\n)* {6}forgotten and created again\n/)
    expect(stdout).toContain('MEDIUM risk: plan')
    expect(stdout).toContain('1 to create, 0 to change, 1 to delete')
  })

  it('refuses a resource type of ours that it does not know, also with a report', async () => {
    const changes = [change('vexil_thing.new', ['create'], { after: { key: 'new' } })]
    const { code, stderr } = await shown(changes, { options: '--report plan.html' })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^plan.json:1:1 vexil_thing.new: this Vexil .* does not know the resource type "vexil_thing"/,
    )
    expect(await read('plan.html')).toContain('does not know the resource type')
  })

  it('shows that a plan is partial', async () => {
    const { stdout } = await shown([], { more: { complete: false, prior_state: {} } })
    expect(stdout).toContain(
      'the plan does not cover the whole configuration, like one with -target or -exclude',
    )
    const whole = await shown([], { more: { complete: true, prior_state: {} } })
    expect(whole.stdout).not.toContain('-exclude')
    const excluding = await shown([])
    expect(excluding.stdout).toContain('the plan does not contain vexil_feature_flag.checkout, like one with')
  })

  it('calls a plan of OpenTofu by its name', async () => {
    const [made, let_go] = [
      change('vexil_feature_flag.made', ['create'], { after: flag({ key: 'made' }) }),
      change('vexil_feature_flag.let_go', ['forget'], { before: flag({ key: 'let_go' }) }),
    ]
    const { stdout } = await shown([{ ...made, provider_name: 'registry.opentofu.org/vexil/vexil' }, let_go])
    expect(stdout).toContain('plan for OpenTofu 1.13.3, plan.json\n')
    expect(stdout).toContain('in OpenTofu: vexil_feature_flag.made\n')
    expect(stdout).toContain('only forgotten by OpenTofu')
    expect(stdout).not.toContain('Terraform')
  })

  it.each([
    ['an id', { id: 'checkout' }, 'checkout'],
    ['an identity', { identity: { id: '7', key: null, project_id: '1' } }, '1/7'],
  ])('tells an import by %s', async (_, importing, id) => {
    const imported = (name: string, actions: readonly string[], after: Parts) => {
      const { change: made, ...rest } = change(`vexil_feature_flag.${name}`, actions, {
        before: flag(),
        after,
      })
      return { ...rest, change: { ...made, importing } }
    }
    const { stdout } = await shown([
      imported('changed', ['update'], flag({ filters: everyone(80) })),
      imported('same', ['no-op'], flag()),
    ])
    expect(stdout).toContain(`imported from the id ${id}\n`)
    expect(stdout).toContain('1 only imported into the state\n')
  })

  it('tells creates, deletes, replacements, what is forgotten and what stays, and counts the rest', async () => {
    const { stdout } = await shown([
      change('vexil_feature_flag.made', ['create'], {
        after: { key: 'made', active: false, filters: everyone(5) },
      }),
      change('vexil_feature_flag.gone', ['delete'], { before: flag({ key: 'gone' }) }),
      change('vexil_feature_flag.moved', ['delete', 'create'], {
        before: flag({ key: 'old' }),
        after: flag({ key: 'new' }),
      }),
      change('vexil_feature_flag.let_go', ['forget'], { before: flag({ key: 'let_go' }) }),
      change('vexil_feature_flag.same', ['no-op'], {
        before: flag({ key: 'same' }),
        after: flag({ key: 'same' }),
      }),
      change('vexil_event_definition.paid', ['create'], { after: { name: 'paid', tags: ['revenue'] } }),
      change('vexil_event_definition.seen', ['delete'], { before: { name: 'seen', tags: ['a'] } }),
      change('vexil_feature_flag_role_access.support', ['create'], {
        after: { role_id: role, feature_flag_id: 7 },
      }),
      change('aws_s3_bucket.b', ['create'], { after: {} }),
      change('aws_s3_bucket.c', ['delete', 'create'], { before: {}, after: {} }),
      change('aws_s3_bucket.d', ['no-op'], { before: {}, after: {} }),
    ])
    expect(stdout).toContain('+ flag made\n      inactive: nobody gets it\n')
    expect(stdout).toContain('- flag gone\n')
    expect(stdout).toMatch(/- flag old\n(?: {6}.*\n)* {6}destroyed and created again\n/)
    expect(stdout).toMatch(/\+ flag new\n(?: {6}.*\n)* {6}destroyed and created again\n/)
    expect(stdout).toMatch(/- flag let_go\n {6}only forgotten by Terraform/)
    expect(stdout).toMatch(/~ event paid\n {6}tags \+revenue\n {6}adopted: it already exists\n/)
    expect(stdout).toMatch(/- event seen\n {6}only forgotten by Terraform/)
    expect(stdout).toContain('+ grant checkout role ')
    expect(stdout).toContain('1 unchanged\n')
    expect(stdout).toContain('of other providers: 1 to create, 1 to replace\n')
  })

  it('names what only the apply tells and what is sensitive, shows neither, and takes it for risky', async () => {
    const { stdout } = await shown([
      change('vexil_feature_flag.a', ['update'], {
        before: flag({ key: 'a' }),
        after: flag({ key: 'a', name: 'Other', filters: null }),
        after_unknown: { filters: true },
      }),
      change('vexil_feature_flag.b', ['create'], {
        after: { key: 'b', active: true, name: 'very secret', filters: everyone(1) },
        after_sensitive: { name: true, filters: true },
      }),
    ])
    expect(stdout).toMatch(/^HIGH risk/)
    expect(stdout).toContain('filters: known only after the apply')
    expect(stdout).toContain('filters: sensitive, changed')
    expect(stdout).toContain('name: sensitive, changed')
    expect(stdout).not.toContain('very secret')
    expect(stdout).not.toContain('at 1%')
  })

  it('says of an update that is only of Terraform which attributes it is about', async () => {
    const { stdout } = await shown([updated('a', { allow: null }, { allow: ['can_edit'] })])
    expect(stdout).toContain('no changes in the service: only allow')
  })

  it('tells a new name, what comes back, default tags, a file that goes, and what is put back', async () => {
    const event = { name: 'seen', tags: ['a'], tags_all: ['a'] }
    const { stdout } = await shown([
      updated('a', { key: 'old' }, { key: 'new' }),
      updated(
        'b',
        { key: 'back', filters: everyone(100), deleted: true },
        { key: 'back', filters: everyone(100), deleted: false },
      ),
      updated(
        'c',
        { key: 'tagged', tags: ['own'], tags_all: ['own'] },
        { key: 'tagged', tags: ['own'], tags_all: ['own', 'team'] },
      ),
      change('vexil_plugin.d', ['update'], {
        before: { name: 'clock', plugin_type: 'source', source: { 'a.ts': 'a', 'b.ts': 'b' } },
        after: { name: 'clock', plugin_type: 'source', source: { 'a.ts': 'a' } },
      }),
      change('vexil_event_definition.e', ['delete'], { before: { ...event, on_destroy: 'restore' } }),
      change('vexil_event_definition.f', ['delete'], {
        before: { ...event, name: 'x', on_destroy: 'delete' },
      }),
      change('vexil_event_definition.g', ['delete', 'create'], {
        before: { ...event, name: 'one' },
        after: { ...event, name: 'two' },
      }),
    ])
    expect(stdout).toContain(
      'code must use another name from now on (renamed)\n      renamed to "new": code that asks for "old" no longer gets it\n',
    )
    expect(stdout).toMatch(/\^ flag back\n(?: {6}.*\n)* {6}restored from its soft delete, with the same id\n/)
    expect(stdout).toContain('CRITICAL: everybody gets it from now on')
    expect(stdout).toMatch(/~ flag tagged\n {6}tags \+team\n/)
    expect(stdout).toContain('source b.ts removed: 1 line')
    expect(stdout).toMatch(
      /- event seen\n {6}it stays in the service, with the values from before Terraform managed it\n/,
    )
    expect(stdout).toMatch(/- event x\n(?: {6}.*\n)* {6}deleted; /)
    expect(stdout).toMatch(
      /- event one\n {6}only forgotten by Terraform: .*\n {6}destroyed and created again\n/,
    )
  })

  it('tells what was deleted in the product, which the service keeps', async () => {
    const [was, is] = [flag({ deleted: false }), flag({ deleted: true })]
    const drifted = [change('vexil_feature_flag.checkout', ['update'], { before: was, after: is })]
    const outcome = async (actions: readonly string[], before: Parts, after: Parts | null) => {
      const planned = [change('vexil_feature_flag.checkout', actions, { before, after })]
      const { stdout } = await shown(planned, { more: { resource_drift: drifted }, options: '--json' })
      return JSON.parse(stdout).drift
    }
    const told = (what: string) => [
      {
        address: 'feature_flag.checkout',
        reason: 'deleted',
        fields: [],
        summary: [
          'since the last apply:',
          'deleted in the product',
          what,
          'in Terraform: vexil_feature_flag.checkout',
        ],
      },
    ]
    expect(await outcome(['update'], is, was)).toMatchObject(told('this plan restores it'))
    expect(await outcome(['no-op'], is, is)).toMatchObject(told('this plan keeps this change'))
  })

  it('is written as every report, and is no plan that can be applied', async () => {
    const { code } = await shown([updated('checkout', {}, { filters: everyone(80) })], {
      options: '--report pr.md --report pr.junit.xml --report pr.json',
    })
    expect(code).toBe(0)
    expect(await read('pr.md')).toMatch(
      /^<!-- vexil:plan:terraform:plan\.json -->\n### Plan for \*\*`Terraform 1\.13\.3, plan\.json`\*\*: HIGH risk\n/,
    )
    expect(await read('pr.junit.xml')).toContain('name="flag checkout"')
    expect(await vexil('apply pr.json --auto-approve')).toMatchObject({ code: 5 })
  })

  it.each<[string, Parts]>([
    ['another format', { format_version: '2.0' }],
    ['a plan that failed', { errored: true }],
    ['something else', { planned_values: null }],
  ])('refuses %s', async (_, more) => {
    const { code, stderr } = await shown([], { more })
    expect(code).toBe(1)
    expect(stderr).toContain('plan.json')
  })

  it('takes one plan', async () => {
    expect(await vexil('show')).toMatchObject({ code: 64 })
    expect(await vexil('show a.json --terraform-plan b.json')).toMatchObject({ code: 64 })
  })

  it('tells what was changed and deleted in the product since the last apply, and what the plan does about it', async () => {
    const drifted = [
      updated('checkout', { version: 3 }, { filters: everyone(80), version: 4 }),
      change('vexil_feature_flag.search', ['delete'], {
        before: flag({ id: 8, key: 'search' }),
        after: null,
      }),
      // Only the service's own fields.
      updated('quiet', { id: 9, key: 'quiet', version: 3 }, { id: 9, key: 'quiet', version: 4 }),
      change('null_resource.other', ['update'], { before: { id: '1' }, after: { id: '2' } }),
    ]
    const back = updated('checkout', { filters: everyone(80) }, {})
    const { stdout } = await shown([back], { more: { resource_drift: drifted }, options: '--json' })
    expect(JSON.parse(stdout).drift).toMatchObject([
      {
        address: 'feature_flag.checkout',
        reason: 'changed',
        fields: ['filters'],
        summary: [
          'since the last apply:',
          'condition 1  everyone  10% -> 80%',
          'this plan overwrites it',
          'in Terraform: vexil_feature_flag.checkout',
        ],
      },
      {
        address: 'feature_flag.search',
        reason: 'deleted',
        summary: [
          'since the last apply:',
          'deleted in the product',
          'this plan keeps this change',
          'in Terraform: vexil_feature_flag.search',
        ],
      },
    ])
    expect(JSON.parse(stdout).drift).toHaveLength(2)
  })

  it.each<[string, Parts, string]>([
    ['by its file', {}, 'plan:terraform:plan.json'],
    ['by the workspace of its variable', { TF_WORKSPACE: 'eu' }, 'plan:terraform:plan.json:eu'],
  ])('has a comment of its own %s, also where it cannot be told', async (_, env, marker) => {
    const options = { env: { ...service.env, ...env } as Record<string, string> }
    await shown([])
    await vexil('show --terraform-plan plan.json --report r.md', options)
    expect(await read('r.md')).toMatch(new RegExp(`^<!-- vexil:${marker} -->\n`))
    await write({ 'plan.json': '{' })
    const { code } = await vexil('show --terraform-plan plan.json --report r.md', options)
    expect(code).toBe(1)
    expect(await read('r.md')).toMatch(new RegExp(`^<!-- vexil:${marker} -->\n### Failed`))
  })

  it('has the name of the workspace that Terraform has noted beside it', async () => {
    await shown([])
    await write({ '.terraform/environment': 'eu\n' })
    await vexil('show --terraform-plan plan.json --report r.md')
    expect(await read('r.md')).toMatch(/^<!-- vexil:plan:terraform:plan.json:eu -->\n/)
  })
})
