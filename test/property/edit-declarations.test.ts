import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameJson, type JsonObject } from '../../src/model/text/json.ts'
import { type ObjectDeclaration, readDeclarations } from '../../src/yaml/declaration.ts'
import { parseYaml } from '../../src/yaml/read/parse-yaml.ts'
import {
  type DeclarationChange,
  declarationOverride,
  editDeclarations,
  writtenIn,
} from '../../src/yaml/write/edit-declarations.ts'
import { anyComments, commentedYaml } from '../support/commented-yaml.ts'
import { rounds } from '../support/rounds.ts'
import { shortFilters } from '../targeting/short/some-short.ts'

function declaredIn(text: string): ObjectDeclaration | undefined {
  const parsed = parseYaml(text, 'a.yaml')
  if (parsed.value === undefined) return undefined
  const file = { parsed, value: parsed.value, secrets: new Map(), unfilled: new Set<string>() }
  return readDeclarations(file).objects.find(({ identity }) => identity === 'a')
}

function meansTheSame({ kind }: ObjectDeclaration, left: JsonObject, right: JsonObject): boolean {
  const override = declarationOverride({ kind }, left, right)
  return override !== undefined && Object.keys(override).length === 0
}

const members = fc
  .record(
    {
      name: fc.constantFrom('A', 'B'),
      active: fc.boolean(),
      tags: fc.subarray(['x', 'y', 'z']),
      protect: fc.boolean(),
      short: fc.option(shortFilters, { nil: {} }),
    },
    { requiredKeys: ['short'] },
  )
  .map(({ short, ...others }): JsonObject => ({ ...others, ...short }))

describe('declarations that are edited', () => {
  it('say in one environment what they say in another, and what they said everywhere else', () => {
    let edits = 0
    fc.assert(
      fc.property(
        fc.record({
          shared: fc.tuple(members, shortFilters).map(([some, short]) => ({ ...some, ...short })),
          staging: members,
          production: fc.option(members, { nil: undefined }),
          style: fc.record({
            collectionStyle: fc.constantFrom('any', 'block', 'flow'),
            lineWidth: fc.constant(0),
          }),
          comments: anyComments,
          isCrlf: fc.boolean(),
          into: fc.constantFrom('environment', 'shared'),
        }),
        ({ shared, staging, production, style, comments, isCrlf, into }) => {
          const environments = { staging, ...(production === undefined ? {} : { production }) }
          const value = { feature_flags: { a: { ...shared, environments }, b: { active: true } } }
          const text = commentedYaml(value, { style, comments, isCrlf })
          const declaration = declaredIn(text)
          fc.pre(declaration !== undefined)
          const wanted = writtenIn(declaration, 'staging')
          const change: DeclarationChange = {
            declaration,
            environment: 'production',
            wanted,
            into,
            others: new Map([['staging', wanted]]),
          }
          const edited = editDeclarations([change])
          if ('problems' in edited) {
            // What is there twice is written as an anchor and its alias here.
            const reasons = text.includes('&a') ? ['no-override', 'in-anchor', 'not-edited'] : ['no-override']
            expect(reasons).toContain(edited.problems[0]?.code)
            return
          }
          edits += 1
          const after = declaredIn(edited.files[0]?.after ?? text)
          expect(after).toBeDefined()
          if (!after) return
          expect(meansTheSame(after, writtenIn(after, 'production'), wanted)).toBe(true)
          expect(meansTheSame(after, writtenIn(after, 'staging'), wanted)).toBe(true)
          const others = parseYaml(edited.files[0]?.after ?? text, 'a.yaml').value
          expect(isSameJson((others as typeof value).feature_flags.b, { active: true })).toBe(true)
          const again = editDeclarations([
            { ...change, declaration: after, wanted: writtenIn(after, 'staging') },
          ])
          expect(again).toMatchObject({ files: [], changes: [{ written: 'nothing' }] })
        },
      ),
      { numRuns: rounds(5) },
    )
    // Not a law of nothing.
    expect(edits).toBeGreaterThan(rounds(5) / 4)
  })

  it('say a member in several environments at once, and nothing else otherwise', () => {
    let edits = 0
    fc.assert(
      fc.property(
        fc.record({
          shared: members,
          staging: members,
          production: fc.option(members, { nil: undefined }),
          comments: anyComments,
          into: fc.constantFrom('environment', 'shared'),
          member: fc.constantFrom<JsonObject>({ active: false }, { ensure: 'absent' }),
        }),
        ({ shared, staging, production, comments, into, member }) => {
          const environments = { staging, ...(production === undefined ? {} : { production }) }
          const value = { feature_flags: { a: { ...shared, environments }, b: { active: true } } }
          const text = commentedYaml(value, {
            style: { collectionStyle: 'block', lineWidth: 0 },
            comments,
            isCrlf: false,
          })
          const declaration = declaredIn(text)
          fc.pre(declaration !== undefined)
          const [first, second] = ['staging', 'production'].map(name => ({
            ...writtenIn(declaration, name),
            ...member,
          })) as [JsonObject, JsonObject]
          const edited = editDeclarations([
            {
              ...{ declaration, environment: 'staging', wanted: first, into },
              others: new Map([['production', second]]),
            },
          ])
          if ('problems' in edited) {
            expect(text.includes('&a') ? undefined : edited.problems).toBeUndefined()
            return
          }
          edits += 1
          const after = declaredIn(edited.files[0]?.after ?? text)
          expect(after).toBeDefined()
          if (!after) return
          expect(meansTheSame(after, writtenIn(after, 'staging'), first)).toBe(true)
          expect(meansTheSame(after, writtenIn(after, 'production'), second)).toBe(true)
        },
      ),
      { numRuns: rounds(5) },
    )
    expect(edits).toBeGreaterThan(rounds(5) / 4)
  })
})
