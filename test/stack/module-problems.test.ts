import { describe, expect, it } from 'vitest'
import { files, flag, off, oneFlag } from './call-module.ts'
import { load, problemsOf } from './load.ts'

/** A stack that calls the module `it`, and with `outside` uses what that gives. */
const calling = (args: object, outside?: object) => ({
  module: { it: { source: './modules/it', ...args } },
  ...(outside && { resource: { [flag]: outside } }),
})
const outside = { outside: { key: '${module.it.key}', ...off } }
const aFlag = (more: object) => ({ resource: { [flag]: { x: { key: 'k', ...off, ...more } } } })
const failing = (message: string) => [{ condition: false, error_message: message }]
const cycle = 'replace one of these references by a value'
const noSuch = 'the provider does not have this configuration'

describe('what is wrong in a module is told by its whole address', () => {
  it.each<[title: string, module: object, stack: object, ...lines: string[]]>([
    [
      'a variable that is not given',
      oneFlag,
      calling({}),
      'var.key: a value is required; set it in the call of the module: key = ...',
    ],
    [
      'a variable that there is not',
      oneFlag,
      calling({ key: 'k', sharre: 1 }),
      'sharre: the module does not have this variable; did you mean "share"?',
    ],
    [
      'a value of another type',
      oneFlag,
      calling({ key: 'k', share: 'many' }),
      'share: a text "many" stands where number is needed',
    ],
    [
      'a name of the provider that the module does not call it by',
      aFlag({ provider: 'flags' }),
      calling({}),
      `${flag}.x.provider: ${noSuch}; pass the configuration in the call of the module: providers = { vexil = ... }`,
    ],
    [
      'a provider that is given by a name that the module does not call it by',
      oneFlag,
      calling({ key: 'k', providers: { flags: 'vexil' } }),
      'providers.flags: the module calls our provider "vexil"; write vexil = ... there',
    ],
    [
      'a provider that there is not',
      oneFlag,
      calling({ key: 'k', providers: { vexil: 'vexil.us' } }),
      `providers.vexil: ${noSuch}; there are vexil`,
    ],
    [
      'an attribute',
      aFlag({ nam: 'x' }),
      calling({}),
      `${flag}.x.nam: this attribute does not exist; did you mean "name"?`,
    ],
    [
      'a reference',
      { locals: { a: '${local.b}' }, output: { c: { value: '${local.a}' } } },
      calling({}),
      'local.a: it refers to local.b, which is not declared; did you mean local.a?',
    ],
    [
      'a validation, a precondition, a check',
      {
        variable: {
          n: { default: 3, validation: [{ condition: '${var.n > 3}', error_message: 'too small' }] },
        },
        output: { n: { value: 1, precondition: failing('never') } },
        check: { c: { assert: [{ condition: '${var.n == 4}', error_message: 'not four' }] } },
      },
      calling({}),
      'output.n.precondition[0]: never',
      'warning: check.c.assert[0]: not four',
      'var.n.validation[0]: too small',
    ],
    [
      'a circle',
      { variable: { n: {} }, output: { n: { value: '${var.n}' } } },
      calling({ n: '${module.it.n}' }),
      `var.n: cycle module.it.var.n -> module.it.output.n -> module.it.var.n; ${cycle}`,
    ],
    [
      'a resource of another provider, and a block that Vexil does not read',
      { resource: { random_id: { x: {} } }, ephemeral: { a: {} } },
      calling({}),
      'ephemeral.a: Vexil does not support ephemeral blocks; declare its flags in this stack itself, or run this stack with Terraform',
      'random_id.x: random_id is a resource of another provider; move it to its own stack, or run this stack with Terraform',
    ],
    [
      'a provider of its own',
      { provider: { vexil: [{ project_id: '2' }] } },
      calling({}),
      'provider.vexil: a module gets its provider from its caller; configure the provider in the stack',
    ],
    [
      'an import',
      { import: [{ to: `${flag}.x`, id: '7' }] },
      calling({}),
      'import: a module cannot import objects; move the import to the stack',
    ],
  ])('%s', async (_, module, stack, ...lines) => {
    expect(await problemsOf(stack, files({ it: module }))).toEqual(
      lines.map(line => line.replace(/^(warning: )?/, '$1module.it.')),
    )
  })

  it.each([
    [
      'a circle through depends_on',
      { depends_on: [`${flag}.outside`] },
      `${flag}.outside: cycle ${flag}.outside -> module.it.output.key -> module.it.${flag}.it -> ${flag}.outside; ${cycle}`,
    ],
    [
      'an output that there is not',
      { for_each: { x: 1 } },
      `${flag}.outside.key: there is no member "key" in an object`,
    ],
  ])('%s, where it is used', async (_, args, line) => {
    expect(await problemsOf(calling({ key: 'k', ...args }, outside), files({ it: oneFlag }))).toEqual([line])
  })

  it('once for all its instances, with the file that it stands in', async () => {
    const { problems } = await load(calling({ count: 3 }), files({ it: aFlag({ nam: 'x' }) }))
    expect(problems).toMatchObject([
      {
        message: `module.it[0].${flag}.x.nam: this attribute does not exist`,
        source: { file: 'stacks/flags/modules/it/main.tf.json', line: 1, column: 1 },
      },
    ])
  })

  it("with the lines of Terraform's own language", async () => {
    const variables = `variable "share" {
  default = 200
  validation {
    condition     = var.share <= 100
    error_message = "A share is at most 100."
  }
}
`
    const main = `resource "${flag}" "all" {
  key = "a"
  release = [
    { rollout_percentage = var.share },
  ]
}

output "x" {
  value = local.nothing
}
`
    const { problems } = await load(calling({}), {
      files: { 'modules/it/variables.tf': variables, 'modules/it/main.tf': main },
    })
    const placed = problems.map(({ message, source }) => [
      message,
      source?.file.split('/').at(-1),
      source?.line,
    ])
    expect(placed).toEqual([
      ['module.it.output.x.value: it refers to local.nothing, which is not declared', 'main.tf', 8],
      ['module.it.var.share.validation[0]: A share is at most 100.', 'variables.tf', 1],
      [`module.it.${flag}.all.release[0].rollout_percentage: 200 is not a percentage`, 'main.tf', 1],
    ])
    const broken = await load(calling({}), { files: { 'modules/it/main.tf': 'locals {\n  a = [1\n}\n' } })
    expect(broken.problems).toMatchObject([
      {
        severity: 'error',
        message: 'it cannot be read: "}" stands where "," is needed',
        source: { file: 'stacks/flags/modules/it/main.tf', line: 2 },
      },
    ])
  })
})

describe('a module is refused', () => {
  const beside =
    'move the module next to the app and write its path as "./modules/..."; or plan the stack with Terraform: --plan-json'
  const fetched = (source: string) => `"${source}" is a module that Terraform downloads; ${beside}`
  it.each<[string, unknown, string, object?]>([
    ['from a registry', 'team/flags/vexil', fetched('team/flags/vexil')],
    ['from git', 'git::https://example.com/flags.git', fetched('git::https://example.com/flags.git')],
    ['by a whole path', '/modules/one', fetched('/modules/one')],
    [
      'outside of the folder',
      '../../one',
      '"../../one" is outside the folder of the stack; let the app copy it there: remove skipAssetCreationFromLocalModules; or plan the stack with Terraform: --plan-json',
    ],
    [
      'that is not there',
      './modules/none',
      'the folder of this module has no configuration files; add files *.tf or *.tf.json to the folder',
    ],
    ['that is the stack', './', 'a module calls itself: . -> .; let one of them use another folder'],
    ['by what is worked out', './${var.x}', `source must be literal text; ${beside}`],
    ['without one', 7, `source must be the folder of a module; ${beside}`],
    [
      'with a version',
      './modules/it',
      'a local module cannot have a version; remove version',
      { version: '1.0' },
    ],
  ])('%s', async (_, source, line, args = {}) => {
    expect(await problemsOf(calling({ source, ...args }), files({ it: {} }))).toEqual([
      `module.it.source: ${line}`,
    ])
  })

  const inner = (name: string, ...calls: readonly string[]) => ({
    module: Object.fromEntries(calls.map(each => [each, { source: `../${name}` }])),
  })
  const chain = (length: number, ...calls: readonly string[]) =>
    Object.fromEntries(
      Array.from({ length }, (_, index) => [
        index === 0 ? 'it' : `m${index}`,
        index + 1 < length ? inner(`m${index + 1}`, ...calls) : {},
      ]),
    )

  it.each<[string, object, Record<string, object>, string]>([
    [
      'that calls itself by way of another',
      {},
      { it: inner('b', 'x'), b: inner('it', 'x') },
      'a module calls itself: modules/it -> modules/b -> modules/it; let one of them use another folder',
    ],
    ['below too many others', {}, chain(41, 'x'), 'modules are nested more than 32 levels deep'],
    ['too often in others', {}, chain(13, 'x', 'y'), 'there are more than 1000 modules'],
    [
      'too often',
      { count: 99_999 },
      { it: {} },
      'module.it.count: there are more than 10000 instances of modules; declare fewer of them',
    ],
  ])('%s', async (_, args, modules, words) => {
    const [line = ''] = await problemsOf(calling(args), files(modules))
    expect(line).toContain(words)
  })

  const written = files({ it: oneFlag }).files
  const again = JSON.stringify({ locals: {}, output: oneFlag.output })
  it.each([
    [
      'main.tofu',
      '{',
      'only OpenTofu reads this file; select the engine of the stack: --engine tofu, or --engine terraform',
    ],
    ['bad.tf.json', '{', 'this file is not JSON; write JSON'],
    [
      'more.tf.json',
      again,
      'module.it.output.id: it is declared twice; remove one of them',
      'module.it.output.key: it is declared twice; remove one of them',
    ],
  ])('with %s that is wrong', async (name, text, ...lines) => {
    const problems = await problemsOf(calling({ key: 'k' }), {
      files: { ...written, [`modules/it/${name}`]: text },
    })
    expect(problems).toEqual(lines)
  })
})
