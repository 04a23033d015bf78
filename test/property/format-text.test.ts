import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { glob } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import { isSameJson } from '../../src/model/text/json.ts'
import { parseYaml } from '../../src/yaml/read/parse-yaml.ts'
import { formatText } from '../../src/yaml/write/format-text.ts'
import { anyComments, commentedYaml, commentsIn } from '../support/commented-yaml.ts'
import { anyYamlStyle, anyYamlValue } from '../support/yaml-texts.ts'

function formatted(text: string): string {
  const result = formatText('a.yaml', text)
  if ('problem' in result) throw new Error(`${result.problem.message}:\n${text}`)
  return result.text
}

const anyMembers = fc.shuffledSubarray(
  ['environments', 'tags', 'name', 'release', 'active', 'only', 'filters', 'nonsense'],
  { minLength: 0 },
)

describe('a text that is formatted', () => {
  it('says the same with the same comments, and stays as it is when it is formatted again', () => {
    fc.assert(
      fc.property(
        fc.record({
          names: anyMembers,
          values: fc.array(anyYamlValue, { minLength: 1 }),
          style: anyYamlStyle,
          layout: fc.record({ indentSeq: fc.boolean() }),
          comments: anyComments,
          isCrlf: fc.boolean(),
        }),
        ({ names, values, style, layout, comments, isCrlf }) => {
          const members = names.map((name, index) => [name, values[index % values.length] ?? null] as const)
          const declared = { feature_flags: { b: Object.fromEntries(members), a: values[0] ?? null } }
          const text = commentedYaml(declared, { style: { ...style, ...layout }, comments, isCrlf })
          const before = parseYaml(text, 'a.yaml').value
          fc.pre(before !== undefined)
          const once = formatted(text)
          expect(isSameJson(parseYaml(once, 'a.yaml').value ?? null, before ?? null)).toBe(true)
          expect(commentsIn(once).sort()).toEqual(commentsIn(text).sort())
          expect(formatted(once)).toBe(once)
        },
      ),
    )
  })

  it('says the same in every example', async () => {
    const examples = join(import.meta.dirname, '../../examples')
    const files = await glob('**/flags/*.yaml', { cwd: examples })
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const text = await readFile(join(examples, file), 'utf8')
      const once = formatted(text)
      expect(formatted(once), file).toBe(once)
      expect(isSameJson(parseYaml(once, file).value ?? null, parseYaml(text, file).value ?? null)).toBe(true)
    }
  })
})
