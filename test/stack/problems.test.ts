import { describe, expect, it } from 'vitest'
import { supportRole } from '../support/builders.ts'
import { load, problemsOf } from './load.ts'

const off = { active: false }
const everyone = [{ rollout_percentage: 5 }]
const grant = (role: string) => ({ feature_flag_id: '${vexil_feature_flag.f.id}', role_id: role })

/** A stack with the flag `f`, which is on, and further resources. */
function flag(attributes: object, more: object = {}, provider: object = {}) {
  return {
    provider: { vexil: [{ project_id: '1' }, { alias: 'eu', project_id: '1', ...provider }] },
    resource: { vexil_feature_flag: { f: { key: 'flag', active: true, ...attributes } }, ...more },
  }
}

/** Lines about `f`, or about what they begin with; behind `~`, warnings that a flag may have while it is live. */
function linesFor(short: readonly string[]): string[] {
  return short.map(line => {
    const isWarning = line.startsWith('~')
    const text = line.slice(isWarning ? 1 : 0)
    const whole = /^(?:vexil_|provider|warning: )/.test(text) ? text : `vexil_feature_flag.f.${text}`
    return isWarning ? `warning: ${whole}; a plan accepts this only if the live object already has it` : whole
  })
}

const half = (key: string, more = {}) => ({ key, rollout_percentage: 50, ...more })
const plugin = (more: object) => flag(off, { vexil_plugin: { p: { name: 'geo', ...more } } })
const rules =
  '"approval_pending", "can_edit", "experiment", "feature", "rollback", "soft_deleted", "survey", "trail_unreadable"'

describe('a problem in what is declared', () => {
  it.each<[string, object, ...string[]]>([
    [
      'an empty key',
      flag({ key: ' ', ...off }),
      'key: the key is empty; The key that code uses. Unique in a project, case-sensitive.',
    ],
    [
      'a long key',
      flag({ key: 'k'.repeat(401), ...off }),
      'key: the key has 401 characters; the service accepts at most 400',
    ],
    [
      'a plugin that its own file calls otherwise',
      plugin({ plugin_type: 'source', source: { 'plugin.json': '{"name": "x"}' } }),
      '~vexil_plugin.p.name: its name differs from the "name" of plugin.json, "x"; the service uses the value in the file: write the same value in both',
    ],
    ['a condition that is null', flag({ release: ['${null}'] }), 'release[0]: a condition must be an object'],
    [
      'an empty tag',
      flag({ tags: [' '], ...off }),
      'tags: element 1 of "tags" must not be empty; fill it in, or remove it',
    ],
    [
      'a long tag',
      flag({ tags: ['x'.repeat(256)], ...off }),
      'tags: this tag has 256 characters; the service accepts at most 255',
    ],
    [
      'a share over a hundred',
      flag({ release: [{ rollout_percentage: 101 }] }),
      '~release[0].rollout_percentage: 101 is not a percentage; write a number from 0 to 100',
    ],
    [
      'a variant that is not there',
      flag({ release: [{ variant: 'c' }], variants: [{ key: 'a', rollout_percentage: 100 }] }),
      '~release[0].variant: "c" is not a variant of this flag; the variants are "a"',
    ],
    [
      'shares that do not add up',
      flag({ release: everyone, variants: [{ key: 'a', rollout_percentage: 90 }] }),
      '~variants: the variants add up to 90%; the variants must add up to 100%',
    ],
    [
      'payloads that are no JSON',
      flag({ release: everyone, variants: [half('a'), half('b', { payload: '{"open"' })], payload: '{' }),
      '~payload: there is a payload for "true", which is not a variant; the variants are "a", "b"',
      '~payload: the payload of "true" is not JSON; fix the JSON, or write the payload as a value',
      '~variants[1].payload: the payload of "b" is not JSON; fix the JSON, or write the payload as a value',
    ],
    [
      'one value and several',
      flag({ release: [{ properties: [{ key: 'x', value: 'a', values: ['b'] }] }] }),
      'release[0]: the property "x" has both value and values; remove one of them',
    ],
    [
      'filters beside conditions',
      flag({ release: everyone, filters: '{"groups": []}' }),
      'release: `filters` is set too; set either `filters` or the typed attributes',
    ],
    [
      'a share beside conditions',
      flag({ release: everyone, rollout_percentage: 5 }),
      'release: `rollout_percentage` is set too; set either `release` or `rollout_percentage`',
    ],
    [
      'a share that is none',
      flag({ rollout_percentage: 101 }),
      '~rollout_percentage: 101 is not a percentage; write a number from 0 to 100',
    ],
    ['filters that are no object', flag({ filters: '[1]' }), 'filters: "filters" must be an object'],
    [
      'a number that nobody can hold',
      flag({ filters: '{"groups": [{"properties": [{"key": "x", "value": 1e99999999999999999}]}]}' }),
      'filters: the exponent of the number 1e99999999999999999 is out of range; write it as text',
    ],
    [
      'a wrong condition in JSON',
      flag({ filters: '{"groups": [{"rollout_percentage": -1}]}' }),
      '~filters.groups[0].rollout_percentage: -1 is not a percentage; write a number from 0 to 100',
    ],
    [
      'a guard that is none',
      flag({ allow: ['experiments'], ...off }),
      `allow: "experiments" is not a rule that blocks a flag; use any of ${rules}`,
    ],
    [
      'a guard of a provider that is none',
      flag({ provider: 'vexil.eu', ...off }, {}, { allow: ['trail'] }),
      `provider.vexil.eu: "trail" is not a rule that can be allowed; there are ${rules.replace('"survey"', '"source_unreadable", "survey"')}`,
    ],
    [
      'a type of plugin that is none',
      plugin({ plugin_type: 'magic' }),
      'vexil_plugin.p.plugin_type: "magic" is not a plugin_type; use one of "local", "custom", "repository", "source"',
    ],
    [
      'a role that is no UUID',
      flag(off, { vexil_feature_flag_role_access: { g: grant('support') } }),
      'vexil_feature_flag_role_access.g.role_id: "support" is not a UUID; an id looks like 01900000-0000-0000-0000-0000000000aa',
    ],
    [
      'an unknown on_destroy',
      flag(off, { vexil_event_definition: { e: { name: 'e', on_destroy: 'burn' } } }),
      'vexil_event_definition.e.on_destroy: "burn" is not a value of on_destroy; use one of "forget", "restore", "delete"',
    ],
    [
      'an empty tag of the provider',
      flag({ provider: 'vexil.eu', ...off }, {}, { default_tags: [''] }),
      'tags: element 1 of "tags" must not be empty; fill it in, or remove it',
    ],
  ])('is reported: %s', async (_, stack, ...lines) => {
    expect(await problemsOf(stack)).toEqual(linesFor(lines))
  })

  it.each<[string, object, string]>([
    [
      'a percentage that comes to null, which is all of them in Terraform',
      { release: [{ rollout_percentage: '${tonumber(null)}' }] },
      'release[0]: condition 1 has no limits, so it matches everybody; check whether all of its attributes are null; if it is intended for everybody, set rollout_percentage to 100',
    ],
    [
      'a payload that is words',
      { release: everyone, payload: 'hello' },
      'payload: the payload of "true" is not JSON and is sent as a JSON string; write it as a JSON string, in JSON quotes, if a string is intended',
    ],
  ])('is a warning: %s', async (_, attributes, line) => {
    expect(await problemsOf(flag(attributes))).toEqual([`warning: vexil_feature_flag.f.${line}`])
  })

  it('is reported for filters that are no JSON', async () => {
    expect(await problemsOf(flag({ filters: '{groups}' }))).toEqual([
      expect.stringMatching(/^vexil_feature_flag\.f\.filters: it is not JSON: /),
    ])
  })

  it('is reported for two resources that are the same object', async () => {
    const { resource, ...others } = flag(off)
    const problems = await problemsOf({
      ...others,
      resource: {
        vexil_feature_flag: { ...resource.vexil_feature_flag, g: { key: ' flag', ...off } },
        vexil_feature_flag_role_access: {
          g: grant(supportRole),
          h: { ...grant(supportRole.toUpperCase()), feature_flag_id: '${vexil_feature_flag.g.id}' },
        },
      },
    })
    expect(problems).toEqual([
      'vexil_feature_flag.g: vexil_feature_flag.f declares the same flag "flag"; remove one of them',
      `vexil_feature_flag_role_access.h: vexil_feature_flag_role_access.g declares the same grant "${supportRole}"; remove one of them`,
    ])
  })

  const place = 'vexil_feature_flag.f.filters.groups[0].properties[0].value'
  it.each([
    [
      'semver_gte',
      `${place}: the version 2.10 is read as the number 2.1; the operator "semver_gte" takes text: write "2.10" in quotes`,
    ],
    [
      'exact',
      `warning: ${place}: 2.10 is read as the number 2.1; write "2.10" in quotes if text is intended, or else 2.1`,
    ],
    [
      'gte',
      `warning: ${place}: the value of the operator "gte" must be text; write the value in quotes: "2.10"; a plan accepts this only if the live object already has it`,
    ],
  ])(
    'is reported for a number in JSON text that is sent as another text, with %s',
    async (operator, line) => {
      const property = `{"key": "version", "type": "person", "operator": "${operator}", "value": 2.10}`
      const filters = `{"groups": [{"properties": [${property}], "rollout_percentage": 5.0}]}`
      expect(await problemsOf(flag({ filters }))).toEqual([line])
    },
  )

  it('stops everything, but where it may be meant', async () => {
    const { declarations } = await load(flag({ key: '' }, { vexil_plugin: { p: { name: 'good' } } }))
    expect(declarations).toEqual({ desired: [], ownedGrants: [] })
    const open = await load(flag({}))
    expect(open.declarations.desired).toHaveLength(1)
    expect(open.problems).toMatchObject([
      { severity: 'warning', message: 'vexil_feature_flag.f.release: nothing limits who gets this flag' },
    ])
  })
})

describe('what the engine of constructs has lost', () => {
  const shares = (name: string, variable: object) => ({
    ...flag({ ...off, name }),
    variable: { shares: variable },
  })
  const lost =
    'name: a list in a function ends in null or nothing, which CDKTF and CDK Terrain write for an undefined element and all after it; remove undefined elements before the call'

  it.each<[string, object, ...string[]]>([
    [
      'a reference in JSON.stringify',
      flag({ ...off, name: '["<unresolved-token>"]' }),
      'name: it contains <unresolved-token>, which JSON.stringify writes for a reference; write Fn.jsonencode(...)',
    ],
    [
      'an undefined element',
      flag({ ...off, name: '${join(" ", ["a", ])}' }),
      `warning: vexil_feature_flag.f.${lost}`,
    ],
    ['no element', flag({ ...off, name: '${join(" ", ["a, ]", "b"])} [a, ]' })],
    [
      'a default of Fn.lookup',
      shares('${var.shares.AT}', { type: 'map(string)', default: { de: 'x' } }),
      'name: there is no member "AT" in a map; add it, or write try(..., DEFAULT); Fn.lookup leaves out a default of 0, false or ""',
    ],
    [
      'a key of a default',
      shares('${var.shares["AT-x"]}', { default: { at_x: 'x' } }),
      'name: there is no member "AT-x" in an object; constructs write "at_x" in a variable\'s default; use variable.addOverride(\'default\', {...})',
    ],
  ])('is reported: %s', async (_, stack, ...lines) => {
    expect(await problemsOf(stack)).toEqual(linesFor(lines))
  })
})
