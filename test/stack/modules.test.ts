import { TerraformIterator, TerraformOutput, type TerraformStack } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { FeatureFlagRoleAccess } from '../../src/constructs/generated/feature-flag-role-access/index.ts'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import { supportRole } from '../support/builders.ts'
import { type Call, call, files, flag, off, oneFlag, released } from './call-module.ts'
import { desiredOf, load, problemsOf } from './load.ts'

describe('a module in the folder of the stack', () => {
  it('declares what it says, with what it is called with', async () => {
    const desired = await desiredOf(
      stack => {
        call(stack, 'one', { variables: { key: 'a', share: 7 } })
        call(stack, 'other', { source: './modules/one', variables: { key: 'b' } })
      },
      files({ one: oneFlag }),
    )
    expect(desired.map(({ address, fields }) => [address, fields])).toEqual([
      ['feature_flag.a', released(7)],
      ['feature_flag.b', released(5)],
    ])
  })

  it('gives its outputs, also the ids of new flags', async () => {
    const desired = await desiredOf(
      stack => {
        const one = call(stack, 'one', { variables: { key: 'a' } })
        new FeatureFlag(stack, 'after', { key: `after-${one.getString('key')}`, ...off })
        new FeatureFlagRoleAccess(stack, 'grant', {
          featureFlagId: one.getString('id'),
          roleId: supportRole,
        })
        new TerraformOutput(stack, 'whole', { value: '${module.one}' })
      },
      files({ one: oneFlag }),
    )
    expect(desired.map(({ identity, parent }) => parent ?? identity)).toEqual(['a', 'after-a', { key: 'a' }])
  })

  it('is called for each, and told apart by its keys', async () => {
    const options = files({ one: oneFlag })
    const desired = await desiredOf(stack => {
      const each = TerraformIterator.fromMap({ x: 1, y: 2 })
      call(stack, 'one', { forEach: each, variables: { key: `k-${each.key}`, share: each.value } })
      new FeatureFlag(stack, 'all', { key: '${join("-", values(module.one)[*].key)}', ...off })
      new FeatureFlag(stack, 'second', { key: 'second-${module.one["y"].key}', ...off })
    }, options)
    expect(desired.map(({ identity, fields }) => [identity, fields])).toEqual([
      ['k-x', released(1)],
      ['k-y', released(2)],
      ['k-x-k-y', off],
      ['second-k-y', off],
    ])
    const problems = await problemsOf(stack => {
      call(stack, 'one', { variables: { key: 'k' } }).addOverride('for_each', { x: 1, y: 2 })
    }, options)
    expect(problems).toEqual([
      `module.one["y"].${flag}.it: module.one["x"].${flag}.it declares the same flag "k"; keep one of them`,
    ])
  })

  it('is called a number of times', async () => {
    const desired = await desiredOf(
      stack => {
        call(stack, 'one', { variables: { key: 'k-${count.index}' } }).addOverride('count', 2)
        new FeatureFlag(stack, 'last', { key: 'last-${module.one[1].key}', ...off })
        new FeatureFlag(stack, 'size', { key: 'size-${length(module.one)}', ...off })
      },
      files({ one: oneFlag }),
    )
    expect(desired.map(({ identity }) => identity).toSorted()).toEqual(['k-0', 'k-1', 'last-k-1', 'size-2'])
  })

  it('calls others, from its own folder, and knows where it lies', async () => {
    const desired = await desiredOf(
      stack => call(stack, 'outer', { variables: { team: 'web' } }),
      files({
        outer: {
          variable: { team: {} },
          locals: { names: ['a', 'b'] },
          module: {
            inner: {
              source: '../one',
              for_each: '${toset(local.names)}',
              key: '${var.team}-${each.key}-${basename(path.module)}',
              share: '${length(local.names)}',
            },
          },
          output: { ids: { value: '${[for each in module.inner : each.id]}' } },
        },
        one: oneFlag,
      }),
    )
    expect(desired.map(({ identity, fields }) => [identity, fields])).toEqual([
      ['web-a-outer', released(2)],
      ['web-b-outer', released(2)],
    ])
  })

  it('reads files beside it', async () => {
    const fields = await desiredOf(stack => call(stack, 'text'), {
      files: {
        ...files({
          text: {
            resource: { [flag]: { it: { key: 'k', ...off, name: '${file("${path.module}/name.txt")}' } } },
          },
        }).files,
        'modules/text/name.txt': 'From a file',
      },
    })
    expect(fields).toMatchObject([{ fields: { name: 'From a file' } }])
  })

  it('waits for what it refers to alone, so that two may take from each other', async () => {
    const pass = {
      variable: { in: {} },
      locals: { own: 'own' },
      output: { own: { value: '${local.own}' }, in: { value: '${var.in}' } },
    }
    const desired = await desiredOf(stack => {
      call(stack, 'left', { source: './modules/pass', variables: { in: '${module.right.own}' } })
      call(stack, 'right', { source: './modules/pass', variables: { in: '${module.left.own}' } })
      new FeatureFlag(stack, 'flag', { key: '${module.left.in}-${module.right.in}', ...off })
    }, files({ pass }))
    expect(desired.map(({ identity }) => identity)).toEqual(['own-own'])
  })

  it('takes the provider that it is given', async () => {
    const build = (providers: (eu: VexilProvider) => Call['providers']) => (stack: TerraformStack) => {
      new VexilProvider(stack, 'vexil', { projectId: '1' })
      const eu = new VexilProvider(stack, 'eu', { alias: 'eu', projectId: '2' })
      const given = providers(eu)
      call(stack, 'one', { variables: { key: 'k' }, ...(given ? { providers: given } : {}) })
    }
    const options = { ...files({ one: oneFlag }), hasProvider: false }
    expect(
      (
        await load(
          build(() => undefined),
          options,
        )
      ).connection,
    ).toEqual({ project: '1' })
    expect(
      (
        await load(
          build(eu => [eu]),
          options,
        )
      ).connection,
    ).toEqual({ project: '2' })
    const aliased = {
      ...oneFlag,
      terraform: {
        required_providers: { vexil: { source: 'vexil/vexil', configuration_aliases: ['vexil.main'] } },
      },
      resource: { [flag]: { it: { provider: 'vexil.main', key: '${var.key}', ...off } } },
    }
    const own = { ...files({ one: aliased }), hasProvider: false }
    const main = (provider: VexilProvider) => [{ moduleAlias: 'main', provider }]
    expect((await load(build(main), own)).connection).toEqual({ project: '2' })
    expect(
      await problemsOf(
        build(() => undefined),
        own,
      ),
    ).toEqual([
      `module.one.${flag}.it.provider: there is no such configuration of the provider; pass it where the module is called: providers = { vexil.main = ... }`,
    ])
  })

  it('hides what is sensitive, from its variables and in its outputs', async () => {
    const secret = {
      variable: { word: { type: 'string', sensitive: true } },
      output: { word: { value: '${var.word}' }, plain: { value: 'x', sensitive: true } },
    }
    const problems = await problemsOf(stack => {
      call(stack, 'secret', { variables: { word: 'hidden-word' } })
      new FeatureFlag(stack, 'a', { key: '${module.secret.word}', ...off })
      new FeatureFlag(stack, 'b', { key: '${module.secret.plain}', ...off })
    }, files({ secret }))
    const shown =
      'which is sensitive, and a plan would show it; declare it without `sensitive`, or wrap it in nonsensitive(...)'
    expect(problems).toEqual([
      `vexil_feature_flag.a.key: key comes from module.secret.var.word, ${shown}`,
      `vexil_feature_flag.b.key: key comes from module.secret.output.plain, ${shown}`,
    ])
  })

  it('converts what it is given, fills in defaults, and lets null mean them', async () => {
    const typed = {
      variable: {
        shape: { type: 'object({ name = string, share = optional(number, 3) })' },
        key: { type: 'string', default: 'fallback', nullable: false },
      },
      resource: {
        [flag]: {
          it: {
            key: '${var.key}',
            name: '${var.shape.name}',
            release: [{ rollout_percentage: '${var.shape.share}' }],
          },
        },
      },
    }
    const desired = await desiredOf(stack => {
      call(stack, 'typed', { variables: { shape: { name: 7 } } }).addOverride('key', null)
    }, files({ typed }))
    expect(desired.map(({ identity, fields }) => [identity, fields])).toEqual([
      ['fallback', { name: '7', ...released(3) }],
    ])
  })

  const typed = (type: string) => ({
    variable: { v: { type } },
    resource: { [flag]: { it: { key: 'k', ...off, name: '${jsonencode(var.v)}' } } },
  })

  // As Terraform 1.11 gives them.
  it.each([
    ['map(object({ a = string, z = optional(number, 5) }))', '${sensitive({ k = { a = "1" } })}'],
    ['list(object({ a = string, z = optional(number, 5) }))', '${[sensitive({ a = "1" })]}'],
    ['set(object({ a = string, z = optional(number, 5) }))', '${toset([{ a = sensitive("1") }])}'],
    ['tuple([object({ a = string, z = optional(number, 5) })])', '${sensitive([{ a = "1" }])}'],
    ['object({ a = string, z = optional(number, 5) })', '${sensitive(tomap({ a = "1" }))}'],
    ['object({ a = string, z = optional(number, 5) })', '${{ a = "1", z = sensitive(null) }}'],
  ])('puts defaults into sensitive values of %s: %s', async (type, v) => {
    const whole = {
      variable: { v: { type } },
      resource: { [flag]: { it: { key: 'k', ...off, name: '${nonsensitive(jsonencode(var.v))}' } } },
    }
    const desired = await desiredOf(stack => call(stack, 'whole', { variables: { v } }), files({ whole }))
    expect(desired.map(({ fields }) => String(fields.name))).toEqual([expect.stringContaining('"z":5')])
  })

  it('takes a sensitive null for none where a variable must not be null', async () => {
    const strict = {
      variable: { v: { type: 'string', nullable: false, default: 'dd' } },
      resource: { [flag]: { it: { key: 'k', ...off, name: '${var.v}' } } },
    }
    const desired = await desiredOf(
      stack => call(stack, 'strict', { variables: { v: '${sensitive(null)}' } }),
      files({ strict }),
    )
    expect(desired.map(({ fields }) => fields.name)).toEqual(['dd'])
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
    const desired = await desiredOf(
      stack => call(stack, 'typed', { variables: { v } }),
      files({ typed: typed(type) }),
    )
    expect(desired).toMatchObject([{ fields: { name } }])
  })

  it('takes no list for a tuple', async () => {
    const problems = await problemsOf(
      stack => call(stack, 'typed', { variables: { v: '${tolist(["a"])}' } }),
      files({ typed: typed('tuple([string])') }),
    )
    expect(problems).toEqual(['module.typed.v: a list stands where tuple([string]) is needed'])
  })

  it('may be imported into and moved into', async () => {
    const desired = await desiredOf(
      stack => {
        call(stack, 'one', { variables: { key: 'k-${each.key}' } }).addOverride('for_each', { 'a.b]': 1 })
        stack.addOverride('import', [{ to: `module.one["a.b]"].${flag}.it`, id: '7' }])
        stack.addOverride('moved', [
          { from: `${flag}.it`, to: `module.one["a.b]"].${flag}.it` },
          { from: 'module.before', to: 'module.one["a.b]"]' },
        ])
      },
      files({ one: { ...oneFlag, moved: [{ from: `${flag}.old`, to: `${flag}.it` }] } }),
    )
    expect(desired).toMatchObject([{ identity: 'k-a.b]', id: '7' }])
  })
})
