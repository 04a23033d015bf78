import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/model/text/json.ts'
import { type FilterPartName, filterParts, memberNames } from '../../../src/targeting/filter-parts.ts'
import { checkFilters } from '../../../src/targeting/index.ts'

const property = { key: 'plan', type: 'person', value: 'pro' }
const variant = { key: 'a', rollout_percentage: 100 }

/** Filters in which one part has these members too, and where that part is. */
const filtersWith: Readonly<Record<FilterPartName, (members: JsonObject) => [JsonObject, string]>> = {
  filters: members => [{ groups: [{}], ...members }, ''],
  condition: members => [{ groups: [{ properties: [property], ...members }] }, '/groups/0'],
  property: members => [
    { groups: [{ properties: [{ ...property, ...members }] }] },
    '/groups/0/properties/0',
  ],
  multivariate: members => [{ multivariate: { variants: [variant], ...members } }, '/multivariate'],
  variant: members => [
    { multivariate: { variants: [{ ...variant, ...members }] } },
    '/multivariate/variants/0',
  ],
}
const parts = Object.keys(filtersWith) as FilterPartName[]

/** What is said of a member as such, wherever it stands. */
function aboutMembers(filters: Json) {
  return checkFilters(filters).filter(({ code }) => code.endsWith('-member'))
}

describe('a member of filters', () => {
  it.each(parts.flatMap(part => memberNames(part).map(name => [part, name] as const)))(
    'that is known is right: of %s, %s',
    (part, name) => {
      const [filters] = filtersWith[part]({ [name]: null })
      expect(aboutMembers(filters)).toEqual([])
    },
  )

  it('that is misspelt by one letter is an error that names the right one', () => {
    fc.assert(
      fc.property(aSlip(), ({ part, name, slip }) => {
        fc.pre(!memberNames(part).includes(slip))
        const [filters, at] = filtersWith[part]({ [slip]: 10 })
        expect(aboutMembers(filters)).toEqual([
          {
            pointer: `${at}/${slip}`,
            code: 'misspelt-member',
            severity: 'error',
            message: `"${slip}" is not a member that the service knows`,
            hint: `did you mean "${name}"?`,
          },
        ])
      }),
    )
  })

  it.each<[FilterPartName, string, string]>([
    ['filters', 'group', 'groups'],
    ['filters', 'payload', 'payloads'],
    ['condition', 'percentage', 'rollout_percentage'],
    ['condition', 'rolloutPercentage', 'rollout_percentage'],
    ['condition', 'Rollout_Percentage', 'rollout_percentage'],
    ['condition', 'property', 'properties'],
    ['condition', 'variants', 'variant'],
    ['property', 'vlaue', 'value'],
    ['property', 'values', 'value'],
    ['multivariate', 'variant', 'variants'],
    ['variant', 'rollout', 'rollout_percentage'],
  ])('of %s that is near a known one is an error: %s', (part, name, meant) => {
    const [filters, at] = filtersWith[part]({ [name]: 1 })
    expect(aboutMembers(filters)).toMatchObject([
      {
        severity: 'error',
        code: 'misspelt-member',
        pointer: `${at}/${name}`,
        hint: `did you mean "${meant}"?`,
      },
    ])
  })

  it.each<[FilterPartName, string, string]>([
    ['filters', 'rollout_percentage', 'write "rollout_percentage" in a condition or a variant'],
    ['filters', 'rollout_percentge', 'write "rollout_percentage" in a condition or a variant'],
    ['filters', 'properties', 'write "properties" in a condition'],
    ['filters', 'variants', 'write "variants" in "multivariate"'],
    ['condition', 'key', 'write "key" in a property or a variant'],
    ['condition', 'value', 'write "value" in a property'],
    ['condition', 'payloads', 'write "payloads" in filters'],
    ['property', 'rollout_percentage', 'write "rollout_percentage" in a condition or a variant'],
    ['variant', 'payload', 'write "payloads" in filters'],
  ])('of %s that belongs elsewhere is an error: %s', (part, name, hint) => {
    const [filters, at] = filtersWith[part]({ [name]: 1 })
    expect(aboutMembers(filters)).toEqual([
      {
        pointer: `${at}/${name}`,
        code: 'misplaced-member',
        severity: 'error',
        message: `"${name}" has no effect in ${filterParts[part].title}`,
        hint,
      },
    ])
  })

  it.each(parts)('of %s that resembles nothing is sent with a warning', part => {
    const [filters, at] = filtersWith[part]({ zigzag: 1 })
    expect(checkFilters(filters)).toEqual([
      {
        pointer: `${at}/zigzag`,
        code: 'unknown-member',
        severity: 'warning',
        message: `"zigzag" is not a known member of ${filterParts[part].title}`,
        hint: 'check the spelling; the member is sent unchanged',
      },
    ])
  })
})

/** A known name, and the same with one letter lost, added, replaced, or two neighbours swapped. */
function aSlip() {
  const names = parts.flatMap(part => memberNames(part).map(name => ({ part, name })))
  const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz_')
  return fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('lose', 'add', 'replace', 'swap'), fc.nat(), letter)
    .map(([{ part, name }, way, place, other]) => {
      const at = place % name.length
      const [before, after] = [name.slice(0, at), name.slice(at + 1)]
      const [here, next = ''] = name.slice(at)
      const slips = {
        lose: before + after,
        add: before + other + here + after,
        replace: before + other + after,
        swap: before + next + here + after.slice(1),
      }
      return { part, name, slip: slips[way] }
    })
}
