import type { TerraformStack } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { call, files, flag, off, oneFlag } from './call-module.ts'
import { load, problemsOf } from './load.ts'

describe('what is wrong in a module is told by its whole address', () => {
  it.each<[string, object, Record<string, unknown>, string[]]>([
    [
      'a variable that is not given',
      oneFlag,
      {},
      ['module.it.var.key: it has to be given; give it where the module is called: key = ...'],
    ],
    [
      'a variable that there is not',
      oneFlag,
      { key: 'k', sharre: 1 },
      ['module.it.sharre: the module has no such variable; did you mean "share"?'],
    ],
    [
      'a value of another type',
      oneFlag,
      { key: 'k', share: 'many' },
      ['module.it.share: a text "many" stands where number is needed'],
    ],
    [
      'a name of the provider that the module does not call it by',
      { resource: { [flag]: { x: { key: 'k', ...off, provider: 'flags' } } } },
      {},
      [
        `module.it.${flag}.x.provider: there is no such configuration of the provider; pass it where the module is called: providers = { vexil = ... }`,
      ],
    ],
    [
      'a provider that is given by a name that the module does not call it by',
      oneFlag,
      { key: 'k', providers: { flags: 'vexil' } },
      ['module.it.providers.flags: the module calls our provider "vexil"; write vexil = ... there'],
    ],
    [
      'an attribute',
      { resource: { [flag]: { x: { key: 'k', ...off, nam: 'x' } } } },
      {},
      [`module.it.${flag}.x.nam: there is no such attribute; did you mean "name"?`],
    ],
    [
      'a reference',
      { locals: { a: '${local.b}' }, output: { c: { value: '${local.a}' } } },
      {},
      ['module.it.local.a: it refers to local.b, which is not declared; did you mean local.a?'],
    ],
    [
      'a validation, a precondition, a check',
      {
        variable: {
          n: { default: 3, validation: [{ condition: '${var.n > 3}', error_message: 'too small' }] },
        },
        output: { n: { value: 1, precondition: [{ condition: false, error_message: 'never' }] } },
        check: { c: { assert: [{ condition: '${var.n == 4}', error_message: 'not four' }] } },
      },
      {},
      [
        'module.it.output.n.precondition[0]: never',
        'warning: module.it.check.c.assert[0]: not four',
        'module.it.var.n.validation[0]: too small',
      ],
    ],
    [
      'a circle',
      { variable: { n: {} }, output: { n: { value: '${var.n}' } } },
      { n: '${module.it.n}' },
      [
        'module.it.var.n: cycle module.it.var.n -> module.it.output.n -> module.it.var.n; let one of them name a value instead of the other',
      ],
    ],
    [
      'a circle through depends_on',
      oneFlag,
      { key: 'k', depends_on: [`${flag}.outside`] },
      [
        `${flag}.outside: cycle ${flag}.outside -> module.it.output.key -> module.it.${flag}.it -> ${flag}.outside; let one of them name a value instead of the other`,
      ],
    ],
    [
      'a resource of another provider, and a block that Vexil does not read',
      { resource: { random_id: { x: {} } }, ephemeral: { a: {} } },
      {},
      [
        'module.it.ephemeral.a: Vexil reads no ephemeral block; declare its flags in this stack itself, or run this stack with Terraform',
        'module.it.random_id.x: random_id is a resource of another provider; put it into a stack of its own, or run this stack with Terraform',
      ],
    ],
    [
      'a provider of its own',
      { provider: { vexil: [{ project_id: '2' }] } },
      {},
      [
        'module.it.provider.vexil: a module is given its provider by who calls it; configure the provider in the stack',
      ],
    ],
    [
      'an import',
      { import: [{ to: `${flag}.x`, id: '7' }] },
      {},
      ['module.it.import: a module imports nothing; write the import into the stack'],
    ],
    [
      'a provider that there is not',
      oneFlag,
      { key: 'k', providers: { vexil: 'vexil.us' } },
      ['module.it.providers.vexil: there is no such configuration of the provider; there are vexil'],
    ],
    [
      'an output that there is not',
      oneFlag,
      { key: 'k', for_each: { x: 1 } },
      [`${flag}.outside.key: there is no member "key" in an object`],
    ],
  ])('%s', async (_, module, args, lines) => {
    const problems = await problemsOf(
      stack => {
        stack.addOverride('module.it', { source: './modules/it', ...args })
        const isUsed = 'depends_on' in args || 'for_each' in args
        if (isUsed) new FeatureFlag(stack, 'outside', { key: '${module.it.key}', ...off })
      },
      files({ it: module }),
    )
    expect(problems).toEqual(lines)
  })

  it('once for all its instances', async () => {
    const problems = await problemsOf(
      stack => call(stack, 'one').addOverride('count', 3),
      files({ one: { resource: { [flag]: { x: { key: 'k', nam: 'x' } } } } }),
    )
    expect(problems).toEqual([
      `module.one[0].${flag}.x.nam: there is no such attribute; did you mean "name"?`,
    ])
  })

  it('with the file that it stands in', async () => {
    const { problems } = await load(stack => call(stack, 'one'), files({ one: oneFlag }))
    expect(problems.map(({ source }) => source)).toEqual([
      { file: 'stacks/flags/modules/one/main.tf.json', line: 1, column: 1 },
    ])
  })
})

describe('a module is refused', () => {
  const beside =
    'put the module beside the app and name it "./modules/..."; or plan the stack with Terraform: --plan-json'
  it.each([
    [
      'from a registry',
      'team/flags/vexil',
      `"team/flags/vexil" is a module that Terraform fetches; ${beside}`,
    ],
    [
      'from git',
      'git::https://example.com/flags.git',
      `"git::https://example.com/flags.git" is a module that Terraform fetches; ${beside}`,
    ],
    ['by a whole path', '/modules/one', `"/modules/one" is a module that Terraform fetches; ${beside}`],
    [
      'outside of the folder',
      '../../one',
      '"../../one" is outside of the folder of the stack; let the app copy it there: leave skipAssetCreationFromLocalModules out; or plan the stack with Terraform: --plan-json',
    ],
    [
      'that is not there',
      './modules/none',
      'there is no module in its folder; let it have files *.tf or *.tf.json',
    ],
    ['that is the stack', './', 'a module calls itself: . -> .; let one of them name another folder'],
    ['by what is worked out', './${var.x}', `it has to be a plain text; ${beside}`],
    ['without one', 7, `it has to be the folder of a module; ${beside}`],
  ])('%s', async (_, source, line) => {
    const problems = await problemsOf(stack => stack.addOverride('module.it', { source }))
    expect(problems).toEqual([`module.it.source: ${line}`])
  })

  it('with a version', async () => {
    const build = (stack: TerraformStack) => call(stack, 'one', { version: '1.0' })
    expect(await problemsOf(build, files({ one: {} }))).toEqual([
      'module.one.source: a module beside the stack has no versions; leave version out',
    ])
  })

  it('that calls itself by way of another', async () => {
    const calling = (name: string) => ({ module: { x: { source: `../${name}` } } })
    const problems = await problemsOf(stack => call(stack, 'a'), files({ a: calling('b'), b: calling('a') }))
    expect(problems).toEqual([
      'module.a.module.x.module.x.source: a module calls itself: modules/a -> modules/b -> modules/a; let one of them name another folder',
    ])
  })

  it('below too many others, and too often', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `m${index}`,
        { module: { x: { source: `../m${index + 1}` } } },
      ]),
    )
    const [deep = ''] = await problemsOf(stack => call(stack, 'm0'), files({ ...chain, m40: {} }))
    expect(deep).toContain('more than 32 modules inside each other')
    const twice = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `m${index}`,
        { module: { x: { source: `../m${index + 1}` }, y: { source: `../m${index + 1}` } } },
      ]),
    )
    const [many = ''] = await problemsOf(stack => call(stack, 'm0'), files({ ...twice, m12: {} }))
    expect(many).toContain('more than 1000 modules')
    const [often = ''] = await problemsOf(
      stack => call(stack, 'm0').addOverride('count', 99_999),
      files({ m0: {} }),
    )
    expect(often).toBe('module.m0.count: more than 10000 instances of modules; declare fewer')
  })

  it.each([
    [
      'main.tofu',
      'OpenTofu alone reads this file; choose who runs the stack: --engine tofu, or --engine terraform',
    ],
    ['bad.tf.json', 'this is not JSON; write it as JSON'],
  ])('with %s', async (name, line) => {
    const { files: written } = files({ one: oneFlag })
    const problems = await problemsOf(stack => call(stack, 'one', { variables: { key: 'k' } }), {
      files: { ...written, [`modules/one/${name}`]: '{' },
    })
    expect(problems).toEqual([line])
  })

  it('that declares something twice', async () => {
    const { files: written } = files({ one: oneFlag })
    const problems = await problemsOf(stack => call(stack, 'one', { variables: { key: 'k' } }), {
      files: {
        ...written,
        'modules/one/more.tf.json': JSON.stringify({ locals: {}, output: oneFlag.output }),
      },
    })
    expect(problems).toEqual([
      'module.one.output.id: it is declared twice; keep one of them',
      'module.one.output.key: it is declared twice; keep one of them',
    ])
  })
})
