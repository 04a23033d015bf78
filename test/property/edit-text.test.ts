import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonArray, isJsonObject, isSameJson, type Json } from '../../src/model/text/json.ts'
import { getAt, pointerOf } from '../../src/model/text/pointer.ts'
import { parseYaml } from '../../src/yaml/read/parse-yaml.ts'
import { assigned, rewriteText } from '../../src/yaml/write/edit-text.ts'
import { anyComments, commentedYaml, commentsIn } from '../support/commented-yaml.ts'
import { anyYamlStyle, anyYamlValue } from '../support/yaml-texts.ts'

/** The places of a value: the paths to everything in it. */
function placesIn(value: Json, path: readonly string[] = []): string[][] {
  const inside = isJsonArray(value)
    ? value.map((element, index) => [String(index), element] as const)
    : isJsonObject(value)
      ? Object.entries(value)
      : []
  return [[...path], ...inside.flatMap(([name, member]) => placesIn(member, [...path, name]))]
}

const anyEdit = fc.record({
  place: fc.nat(),
  value: anyYamlValue,
  does: fc.constantFrom('set', 'add', 'remove'),
})

/** One change of a value: at a place below its first level, a member or an element that is set, added or removed. */
function changed(before: Json, { place, value, does }: { place: number; value: Json; does: string }) {
  const places = placesIn(before).filter(({ length }) => length > 1)
  const chosen = places[place % places.length] ?? []
  const inside = getAt(before, pointerOf(...chosen)) ?? null
  const around = getAt(before, pointerOf(...chosen.slice(0, -1))) ?? null
  const isAdded = does === 'add' && isJsonObject(inside)
  const path = isAdded ? [...chosen, 'new member'] : chosen
  const list = isJsonArray(around) && !isAdded && does !== 'set' ? around : undefined
  const isLeaf = [inside, value].every(each => !isJsonObject(each) && !isJsonArray(each))
  const keepsComments = isAdded || (isLeaf && does !== 'remove')
  const isReversible = isAdded && Object.keys(inside).length > 0
  const more = does === 'add' ? [value, value] : []
  const after = list
    ? assigned(before, chosen.slice(0, -1), list.toSpliced(Number(chosen.at(-1)), 1, ...more))
    : assigned(before, path, does === 'remove' && path.length > 2 ? undefined : value)
  return { after, keepsComments, isReversible }
}

describe('a text that is edited', () => {
  it('says what it said with exactly these changes, and keeps all comments around them', () => {
    fc.assert(
      fc.property(
        fc.record({
          value: anyYamlValue,
          style: anyYamlStyle,
          comments: anyComments,
          isCrlf: fc.boolean(),
          edit: anyEdit,
          more: fc.array(anyEdit, { maxLength: 4 }),
        }),
        ({ value, style, comments, isCrlf, edit, more }) => {
          const declared = { feature_flags: { a: value, b: { active: true, tags: ['x', 'y', 'z'] } } }
          const before = parseYaml(commentedYaml(declared, { style, comments, isCrlf }), 'a.yaml')
          fc.pre(before.value !== undefined && (more.length === 0 || !before.text.includes('&')))
          const { after: first, keepsComments, isReversible } = changed(before.value ?? null, edit)
          const meant = more.reduce<Json>((current, next) => changed(current, next).after, first)
          const result = rewriteText(before, meant)
          if (!('text' in result)) throw new Error(JSON.stringify(result))
          const after = parseYaml(result.text, 'a.yaml')
          expect(isSameJson(after.value ?? null, meant)).toBe(true)
          if (more.length > 0) return
          if (keepsComments)
            expect(commentsIn(result.text)).toEqual(expect.arrayContaining(commentsIn(before.text)))
          // Adding and taking out again leads back to where one started, in every line.
          const back = isReversible && rewriteText(after, before.value ?? null)
          if (back) expect('text' in back && linesOf(back.text)).toEqual(linesOf(before.text))
        },
      ),
    )
  })
})

/** A comma that was needed may stay. */
function linesOf(text: string): string[] {
  return text
    .trimEnd()
    .split(/\r?\n/)
    .map(line => line.replace(/,(?=\s*(#.*)?$)/, '').trimEnd())
}
