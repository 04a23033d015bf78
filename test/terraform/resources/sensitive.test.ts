import { describe, expect, it } from 'vitest'
import type { ObjectValue, Value } from '../../../src/hcl/values/value.ts'
import type { Json } from '../../../src/model/text/json.ts'
import {
  rowsOf,
  type TypedPartName,
  typedAttributes,
  typedForm,
  wireMember,
} from '../../../src/targeting/typed-form.ts'
import { useService } from '../../support/service.ts'
import { type Config, type Kept, showDiagnostic, useTerraform } from './play.ts'

/**
 * Terraform tells no provider what is sensitive, and hides what was given as that only where it was given. So nothing of
 * a typed attribute may stand anywhere else in what the provider answers.
 */

const flagPath = '/api/projects/1/feature_flags/1'
const hush = 'hush-hush'

/** What a place holds that takes any text, beside the others that its part needs. */
const configs: Readonly<Record<string, Config>> = {
  'property.key': released({ properties: [{ key: hush, value: 'x' }] }),
  'property.value': released({ properties: [{ key: 'country', value: hush }] }),
  'property.values': released({ properties: [{ key: 'country', values: [hush, 'DE'] }] }),
  'condition.variant': { ...released({ variant: hush }), variants: [{ key: hush, rollout_percentage: 100 }] },
  'condition.description': released({ description: hush }),
  'variant.key': varied({ key: hush, payload: '{"a":1}' }),
  'variant.name': varied({ name: hush }),
  'variant.payload': varied({ payload: `{"token":"${hush}"}` }),
  'filters.payload': { ...released({}), payload: `{"token":["${hush}"]}` },
}

function released(condition: ObjectValue): Config {
  return { release: [{ rollout_percentage: 20 }, { rollout_percentage: 10, ...condition }] }
}

function varied(variant: ObjectValue): Config {
  return { ...released({}), variants: [{ key: 'a', rollout_percentage: 100, ...variant }] }
}

const takesAnyText = (Object.keys(typedForm) as TypedPartName[]).flatMap(part =>
  rowsOf(part).flatMap(([name, attribute]) => {
    const isWord = wireMember(part, attribute)?.takes.is === 'word'
    return !isWord && ['text', 'texts', 'scalar', 'json'].includes(attribute.is) ? [`${part}.${name}`] : []
  }),
)

const service = useService()
const terraform = useTerraform(service)

/** What stands outside of the attributes in which it was given. */
function elsewhere(values: ObjectValue, kept: Uint8Array = new Uint8Array()): string {
  const others = Object.entries(values).filter(([name]) => !typedAttributes.some(typed => typed === name))
  return JSON.stringify([others, Buffer.from(kept).toString()])
}

describe('what may be given as sensitive', () => {
  it('is tried in every place that takes any text', () => {
    expect(Object.keys(configs).sort()).toEqual(takesAnyText.toSorted())
  })

  it.each(Object.entries(configs))('stands nowhere else: %s', async (_, given) => {
    const config: Config = { key: 'x', active: true, ...given }
    const seen: string[] = []
    const plan = async (wanted: Config, from: Kept | null) => {
      await terraform.begin()
      const planned = await terraform.plan('feature_flag', wanted, from)
      seen.push(elsewhere(planned.planned, planned.private), ...planned.warnings.map(showDiagnostic))
      return planned
    }
    const read = async (from: Kept) => {
      await terraform.begin()
      const found = (await terraform.read('feature_flag', from)) as Kept
      seen.push(elsewhere(found.state, found.private))
      return found
    }
    const live = async (edit: (filters: { groups: Json[] }) => object) => {
      const { filters } = (await service.get(flagPath)) as { filters: { groups: Json[] } }
      await service.send('PATCH', flagPath, { filters: { ...filters, ...edit(filters) } })
    }

    const planned = await plan(config, null)
    const made = await terraform.carryOut('feature_flag', config, null, planned)
    const kept = made.kept as Kept
    seen.push(elsewhere(kept.state, kept.private), ...made.diagnostics.map(showDiagnostic))
    await plan({ ...config, name: 'Named' }, await read(kept))
    await plan({ ...config, release: [{ rollout_percentage: 30 }, ...(config.release as Value[])] }, kept)
    // Somebody adds a condition in the product, and then something that typed attributes cannot say.
    await live(({ groups }) => ({ groups: [{ properties: [], rollout_percentage: 1 }, ...groups] }))
    await plan(config, await read(kept))
    await live(({ groups }) => ({ groups: groups.map(each => ({ ...(each as object), newer: true })) }))
    const drifted = await read(kept)
    expect(drifted.state.filters).toContain('newer')
    await plan(config, drifted)
    const after = await terraform.apply('feature_flag', config, drifted)
    seen.push(elsewhere(after.state, after.private))
    expect(await terraform.replan('feature_flag', config, after)).toEqual([])
    expect(seen.filter(text => text.includes(hush))).toEqual([])
  })

  it.each(Object.entries(configs))('is there for who asks for it: %s', async (_, given) => {
    const kept = await terraform.apply('feature_flag', { key: 'x', active: true, ...given })
    expect(JSON.stringify(kept.state)).toContain(hush)
    expect(JSON.stringify(await service.get(flagPath))).toContain(hush)
  })
})

describe('what a property compares with', () => {
  const broken: readonly (readonly [operator: string, value: string])[] = [
    ['regex', `${hush}(`],
    ['regex', `(?P<${hush}>a)`],
    ['regex', `(?<=${hush}+)a`],
    ['not_regex', `[${hush}`],
    ['is_date_before', hush],
    ['is_date_after', `2024-${hush}`],
    ['semver_gt', hush],
    ['semver_wildcard', `${hush}.*`],
    ['gt', hush],
    ['in', hush],
    ['between', hush],
    ['flag_evaluates_to', hush],
    ['gt', `"${hush}" and more, so that it is longer than what a message shows of a text, ${hush}`],
  ]

  it.each(broken)('is in nothing that is said of %s %j', async (operator, value) => {
    const property = { key: 'token', value, operator }
    const typed: Config = { key: 'x', active: true, ...released({ properties: [property] }) }
    const groups = [{ properties: [{ ...property, type: 'person' }], rollout_percentage: 10 }]
    const json: Config = { key: 'x', active: true, filters: JSON.stringify({ groups }) }
    for (const config of [typed, json]) {
      const said = await terraform.validate('feature_flag', config)
      expect(said.map(showDiagnostic).filter(text => text.includes(hush))).toEqual([])
    }
  })

  it('is called the value', async () => {
    const config: Config = {
      key: 'x',
      ...released({ properties: [{ key: 'a', value: `${hush}(`, operator: 'regex' }] }),
    }
    const said = await terraform.validate('feature_flag', config)
    expect(said.map(({ summary }) => summary)).toContainEqual(
      expect.stringMatching(/^the value is not a regular expression: /),
    )
  })
})
