import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Flag } from '../../src/constructs/own-constructs.ts'
import type { Desired } from '../../src/core/desired.ts'
import { Redaction } from '../../src/core/redaction.ts'
import { canonicalText, type Json, type JsonObject } from '../../src/model/text/json.ts'
import { loadRepository } from '../../src/yaml/index.ts'
import { load } from '../stack/load.ts'
import { folderOfTest } from '../support/folder.ts'
import { rounds } from '../support/rounds.ts'

const variants = ['one', 'two', 'three']
const value = fc.constantFrom('ada@example.com', 'grace@example.com')
const group = fc.record({
  properties: fc.array(fc.record({ key: fc.constant('email'), type: fc.constant('person'), value }), {
    maxLength: 2,
  }),
  rollout_percentage: fc.constantFrom(0, 10, 100),
})
const payload = fc.constantFrom<Json>({ price: 9 }, 'a text', '{"deep":[1]}', 7)

/** Filters in which some variants, or a flag without any, have payloads; and what a declaration may say of them. */
const declared = fc
  .tuple(
    fc.array(group, { maxLength: 2 }),
    fc.boolean(),
    fc.array(payload, { minLength: 3, maxLength: 3 }),
    fc.subarray(variants),
    fc.oneof(fc.boolean(), fc.subarray([...variants, 'true', 'thre'])),
  )
  .map(([groups, isMultivariate, payloads, paid, sensitive]) => {
    const keys = isMultivariate ? paid : paid.slice(0, 1).map(() => 'true')
    const filters: JsonObject = {
      groups: groups as Json,
      ...(isMultivariate ? { multivariate: { variants: variants.map(shareOf) } } : {}),
      ...(keys.length > 0
        ? { payloads: Object.fromEntries(keys.map((key, at) => [key, payloads[at] ?? 0])) }
        : {}),
    }
    return { filters, sensitive }
  })

function shareOf(key: string, at: number): JsonObject {
  return { key, rollout_percentage: at === 0 ? 34 : 33 }
}

interface Declared {
  readonly filters: JsonObject
  readonly sensitive: boolean | readonly string[]
}

const refused = /sensitive names .*/

/** The words with which it is refused, or what is shown of the flag. */
async function ofYaml({ filters, sensitive }: Declared): Promise<unknown> {
  const { problems, declarations } = await loadRepository({
    directory: await folderOfTest({
      'vexil.yaml': 'version: 1\n',
      'flags.yaml': JSON.stringify({ feature_flags: { a: { active: true, filters, sensitive } } }),
    }),
    env: {},
  })
  const [error] = problems.filter(({ severity }) => severity === 'error')
  return error ? refused.exec(`${error.message}; ${error.hint}`)?.[0] : shownOf(declarations.desired)
}

async function ofConstruct({ filters, sensitive }: Declared): Promise<unknown> {
  try {
    const { declarations, problems } = await load(stack => {
      new Flag(stack, 'A', { key: 'a', active: true, filters, sensitive })
    })
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
    return shownOf(declarations.desired)
  } catch (error) {
    return refused.exec(String(error))?.[0]
  }
}

function shownOf(desired: readonly Desired[]): unknown {
  return desired.map(one => {
    const hidden = new Redaction(() => 'salt').of(one)
    return { isHidden: hidden !== undefined, shown: canonicalText(hidden?.fields(one.fields) ?? one.fields) }
  })
}

describe('what a flag declares to be sensitive', () => {
  it('is hidden, or refused, alike beside a construct and in YAML', async () => {
    const seen = { refused: 0, hidden: 0, open: 0 }
    await fc.assert(
      fc.asyncProperty(declared, async each => {
        const inYaml = await ofYaml(each)
        expect(await ofConstruct(each)).toEqual(inYaml)
        if (typeof inYaml === 'string') seen.refused++
        else if (JSON.stringify(inYaml).includes('(sensitive ')) seen.hidden++
        else seen.open++
      }),
      { numRuns: rounds(4) },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
  })
})
