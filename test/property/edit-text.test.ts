import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonArray, isJsonObject, isSameJson, type Json } from '../../src/model/json/json.ts'
import { getAt, pointerOf } from '../../src/model/json/pointer.ts'
import { assigned, editText } from '../../src/yaml/edit/edit-text.ts'
import { parseYaml } from '../../src/yaml/parse/parse-yaml.ts'
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

describe('a text that is edited', () => {
  it('says what it said with exactly that change, and keeps all comments around it', () => {
    fc.assert(
      fc.property(
        fc.record({
          value: anyYamlValue,
          style: anyYamlStyle,
          comments: anyComments,
          isCrlf: fc.boolean(),
          edit: anyEdit,
        }),
        ({ value, style, comments, isCrlf, edit }) => {
          const declared = { feature_flags: { a: value, b: { active: true } } }
          const text = commentedYaml(declared, { style, comments, isCrlf })
          const before = parseYaml(text, 'a.yaml').value
          fc.pre(before !== undefined)
          const places = placesIn(before ?? null).filter(({ length }) => length > 1)
          const chosen = places[edit.place % places.length] ?? []
          const inside = getAt(before ?? null, pointerOf(...chosen)) ?? null
          const isAdded = edit.does === 'add' && isJsonObject(inside)
          const path = isAdded ? [...chosen, 'new member'] : chosen
          const isElement = isJsonArray(getAt(before ?? null, pointerOf(...path.slice(0, -1))) ?? null)
          const wanted = edit.does === 'remove' && !isElement ? undefined : edit.value
          const result = editText('a.yaml', text, [{ pointer: pointerOf(...path), value: wanted }])
          if (!('text' in result)) throw new Error(JSON.stringify(result))
          const after = parseYaml(result.text, 'a.yaml').value
          const meant = assigned(before ?? null, path, wanted)
          expect(isSameJson(after ?? null, meant)).toBe(true)
          const isLeaf = [inside, edit.value].every(each => !isJsonObject(each) && !isJsonArray(each))
          if (isAdded || (isLeaf && wanted !== undefined))
            expect(commentsIn(result.text)).toEqual(expect.arrayContaining(commentsIn(text)))
          // Adding and taking out again leads back to where one started, in every line.
          if (isAdded && Object.keys(inside).length > 0) {
            const back = editText('a.yaml', result.text, [{ pointer: pointerOf(...path), value: undefined }])
            expect('text' in back && linesOf(back.text)).toEqual(linesOf(text))
          }
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
