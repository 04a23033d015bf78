import { describe, expect, it } from 'vitest'
import { supportRole } from '../support/builders.ts'
import { files, flag, off, oneFlag, released } from './call-module.ts'
import { desiredOf, load, problemsOf } from './load.ts'

/** A stack that calls modules, and the flags beside them. */
const stackOf = (calls: Readonly<Record<string, object>>, flags: object = {}, more: object = {}) => ({
  module: Object.fromEntries(
    Object.entries(calls).map(([name, args]) => [name, { source: `./modules/${name}`, ...args }]),
  ),
  ...(Object.keys(flags).length > 0 ? { resource: { [flag]: flags } } : {}),
  ...more,
})

/** A module with one variable, which the name of its flag shows. */
const showing = (variable: object, name: string) => ({
  variable: { v: variable },
  resource: { [flag]: { it: { key: 'k', ...off, name } } },
})
const nameIn = async (v: unknown, module: object) => {
  const [desired] = await desiredOf(stackOf({ it: { v } }), files({ it: module }))
  return desired?.fields.name
}

describe('a module in the folder of the stack', () => {
  it('declares what it says, with what it is called with', async () => {
    const calls = { one: { key: 'a', share: 7 }, other: { source: './modules/one', key: 'b' } }
    const desired = await desiredOf(stackOf(calls), files({ one: oneFlag }))
    expect(desired.map(({ address, fields }) => [address, fields])).toEqual([
      ['feature_flag.a', released(7)],
      ['feature_flag.b', released(5)],
    ])
  })

  it('gives its outputs, also the ids of new flags', async () => {
    const grant = { feature_flag_id: '${module.one.id}', role_id: supportRole }
    const desired = await desiredOf(
      {
        ...stackOf({ one: { key: 'a' } }),
        resource: {
          [flag]: { after: { key: 'after-${module.one.key}', ...off } },
          vexil_feature_flag_role_access: { grant },
        },
        output: { whole: { value: '${module.one}' } },
      },
      files({ one: oneFlag }),
    )
    expect(desired.map(({ identity, parent }) => parent ?? identity)).toEqual(['a', 'after-a', { key: 'a' }])
  })

  it.each<[string, object, object, readonly (readonly [string, object])[]]>([
    [
      'for each, and told apart by its keys',
      { for_each: { x: 1, y: 2 }, key: 'k-${each.key}', share: '${each.value}' },
      { all: '${join("-", values(module.one)[*].key)}', second: 'second-${module.one["y"].key}' },
      [
        ['k-x', released(1)],
        ['k-y', released(2)],
        ['k-x-k-y', off],
        ['second-k-y', off],
      ],
    ],
    [
      'a number of times',
      { count: 2, key: 'k-${count.index}' },
      { last: 'last-${module.one[1].key}', size: 'size-${length(module.one)}' },
      [
        ['k-0', released(5)],
        ['k-1', released(5)],
        ['last-k-1', off],
        ['size-2', off],
      ],
    ],
  ])('is called %s', async (_, args, keys, expected) => {
    const flags = Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, { key, ...off }]))
    const desired = await desiredOf(stackOf({ one: args }, flags), files({ one: oneFlag }))
    expect(desired.map(({ identity, fields }) => [identity, fields])).toEqual(expected)
  })

  it('may not declare one flag for two of its keys', async () => {
    const stack = stackOf({ one: { for_each: { x: 1, y: 2 }, key: 'k' } })
    expect(await problemsOf(stack, files({ one: oneFlag }))).toEqual([
      `module.one["y"].${flag}.it: module.one["x"].${flag}.it declares the same flag "k"; remove one of them`,
    ])
  })

  it('calls others, from its own folder, and knows where it lies', async () => {
    const inner = {
      source: '../one',
      for_each: '${toset(local.names)}',
      key: '${var.team}-${each.key}-${basename(path.module)}',
      share: '${length(local.names)}',
    }
    const outer = {
      variable: { team: {} },
      locals: { names: ['a', 'b'] },
      module: { inner },
      output: { ids: { value: '${[for each in module.inner : each.id]}' } },
    }
    const desired = await desiredOf(stackOf({ outer: { team: 'web' } }), files({ outer, one: oneFlag }))
    expect(desired.map(({ identity, fields }) => [identity, fields])).toEqual([
      ['web-a-outer', released(2)],
      ['web-b-outer', released(2)],
    ])
  })

  it('reads files beside it', async () => {
    const text = { resource: { [flag]: { it: { key: 'k', name: '${file("${path.module}/name.txt")}' } } } }
    const fields = await desiredOf(stackOf({ text: {} }), {
      files: { ...files({ text }).files, 'modules/text/name.txt': 'From a file' },
    })
    expect(fields).toMatchObject([{ fields: { name: 'From a file' } }])
  })

  it('waits for what it refers to alone, so that two may take from each other', async () => {
    const pass = {
      variable: { in: {} },
      locals: { own: 'own' },
      output: { own: { value: '${local.own}' }, in: { value: '${var.in}' } },
    }
    const source = './modules/pass'
    const calls = { left: { source, in: '${module.right.own}' }, right: { source, in: '${module.left.own}' } }
    const both = { flag: { key: '${module.left.in}-${module.right.in}', ...off } }
    const desired = await desiredOf(stackOf(calls, both), files({ pass }))
    expect(desired.map(({ identity }) => identity)).toEqual(['own-own'])
  })

  const required = { vexil: { source: 'vexil/vexil', configuration_aliases: ['vexil.main'] } }
  const aliased = {
    ...oneFlag,
    terraform: { required_providers: required },
    resource: { [flag]: { it: { provider: 'vexil.main', key: '${var.key}', ...off } } },
  }
  const missing = `module.one.${flag}.it.provider: the provider does not have this configuration; pass the configuration in the call of the module: providers = { vexil.main = ... }`

  it.each<[string, object, object, string | undefined, ...string[]]>([
    ['that of its caller', {}, oneFlag, '1'],
    ['the one that it is given', { providers: { vexil: 'vexil.eu' } }, oneFlag, '2'],
    ['one that it calls otherwise', { providers: { 'vexil.main': 'vexil.eu' } }, aliased, '2'],
    ['none that it calls otherwise and is not given', {}, aliased, undefined, missing],
  ])('takes a provider: %s', async (_, args, module, project, ...lines) => {
    const provider = { vexil: [{ project_id: '1' }, { alias: 'eu', project_id: '2' }] }
    const stack = stackOf({ one: { key: 'k', ...args } }, {}, { provider })
    const options = files({ one: module })
    expect(await problemsOf(stack, options)).toEqual(lines)
    if (project !== undefined) expect((await load(stack, options)).connection).toEqual({ project })
  })

  it('hides what is sensitive, from its variables and in its outputs', async () => {
    const secret = {
      variable: { word: { type: 'string', sensitive: true } },
      output: { word: { value: '${var.word}' }, plain: { value: 'x', sensitive: true } },
    }
    const flags = {
      a: { key: '${module.secret.word}', ...off },
      b: { key: '${module.secret.plain}', ...off },
    }
    const problems = await problemsOf(stackOf({ secret: { word: 'hidden-word' } }, flags), files({ secret }))
    const shown =
      'which is sensitive, and a plan would show it; declare it without `sensitive`, or wrap it in nonsensitive(...)'
    expect(problems).toEqual([
      `vexil_feature_flag.a.key: key comes from module.secret.var.word, ${shown}`,
      `vexil_feature_flag.b.key: key comes from module.secret.output.plain, ${shown}`,
    ])
  })

  // As Terraform 1.11 gives them.
  const defaults = 'object({ a = string, z = optional(number, 5) })'
  it.each([
    [`map(${defaults})`, '${sensitive({ k = { a = "1" } })}'],
    [`list(${defaults})`, '${[sensitive({ a = "1" })]}'],
    [`set(${defaults})`, '${toset([{ a = sensitive("1") }])}'],
    [`tuple([${defaults}])`, '${sensitive([{ a = "1" }])}'],
    [defaults, '${sensitive(tomap({ a = "1" }))}'],
    [defaults, '${{ a = "1", z = sensitive(null) }}'],
    [defaults, '${{ a = 7 }}'],
  ])('puts defaults into values of %s: %s', async (type, v) => {
    const module = showing({ type }, '${nonsensitive(jsonencode(sensitive(var.v)))}')
    expect(await nameIn(v, module)).toContain('"z":5')
  })

  it.each([
    ['null', null],
    ['a sensitive null', '${sensitive(null)}'],
  ])('takes %s for none where a variable must not be null', async (_, v) => {
    const strict = showing({ type: 'string', nullable: false, default: 'dd' }, '${var.v}')
    expect(await nameIn(v, strict)).toBe('dd')
  })

  it.each([
    [
      'list(object({ a = optional(bool), b = optional(string, "x") }))',
      '${toset([{ a = null }, {}])}',
      '[{"a":null,"b":"x"},{"a":null,"b":"x"}]',
    ],
    [
      'set(object({ a = optional(object({ a = optional(number) }), { a = "2" }), b = optional(map(number)) }))',
      '${tolist([{ a = { extra = "null" } }, { b = { k = 0 } }])}',
      '[{"a":{"a":2},"b":{"k":0}},{"a":{"a":null},"b":null}]',
    ],
  ])('brings what it is given to %s', async (type, v, name) => {
    expect(await nameIn(v, showing({ type }, '${jsonencode(var.v)}'))).toBe(name)
  })

  it('takes no list for a tuple', async () => {
    const module = showing({ type: 'tuple([string])' }, '${jsonencode(var.v)}')
    expect(await problemsOf(stackOf({ it: { v: '${tolist(["a"])}' } }), files({ it: module }))).toEqual([
      'module.it.v: a list stands where tuple([string]) is needed',
    ])
  })

  it('may be imported into and moved into', async () => {
    const to = `module.one["a.b]"].${flag}.it`
    const moved = [
      { from: `${flag}.it`, to },
      { from: 'module.before', to: 'module.one["a.b]"]' },
    ]
    const stack = stackOf({ one: { for_each: { 'a.b]': 1 }, key: 'k-${each.key}' } }, {}, { moved })
    const one = { ...oneFlag, moved: [{ from: `${flag}.old`, to: `${flag}.it` }] }
    const desired = await desiredOf({ ...stack, import: [{ to, id: '7' }] }, files({ one }))
    expect(desired).toMatchObject([{ identity: 'k-a.b]', id: '7' }])
  })
})
