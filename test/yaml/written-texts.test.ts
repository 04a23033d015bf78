import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readDeclared } from '../../src/yaml/index.ts'
import { folderOfTest } from '../support/folder.ts'
import { settings } from './a-repository.ts'

/** What a reader of YAML takes for a number or a truth value, in ways that say it with other letters too. */
const writtenTexts = [
  '2.10',
  '1.0',
  '0x1F',
  '0o17',
  '012',
  '1e3',
  '+1',
  '.5',
  '5.',
  '-0',
  '7',
  'True',
  'FALSE',
]
writtenTexts.push('12345678901234567890.10', '9007199254740993')

interface MemberSchema {
  readonly type?: string | readonly string[]
  readonly enum?: unknown
  readonly then?: { readonly enum?: unknown }
  readonly items?: MemberSchema
}
interface SectionSchema {
  readonly additionalProperties?: { readonly properties: Readonly<Record<string, MemberSchema>> }
}
const { properties: sections }: { readonly properties: Readonly<Record<string, SectionSchema>> } = JSON.parse(
  readFileSync(new URL('../../schemas/declarations.schema.json', import.meta.url), 'utf8'),
)

const textFields = Object.entries(sections).flatMap(([section, { additionalProperties: object }]) =>
  Object.entries(object?.properties ?? {}).flatMap(([name, schema]) => {
    if (isText(schema)) return [{ section, name, isList: false }]
    return schema.items && isText(schema.items) ? [{ section, name, isList: true }] : []
  }),
)

/** One of a few words is no text: quotes do not help there. */
function isText({ type, enum: words, then: ofTexts }: MemberSchema): boolean {
  const types = [type ?? []].flat()
  const choices = words ?? ofTexts?.enum
  return types.includes('string') && !types.includes('integer') && choices === undefined
}

describe('a text that is written without quotes', () => {
  it.each(textFields)('is told, and quoted, as it was written: $section, $name', async place => {
    const { section, name, isList } = place
    const declared = writtenTexts.map((written, index) => {
      const value = isList ? `[a, ${written}]` : written
      return `  object_${index}:\n    ${name}: ${value}\n`
    })
    const flags = `${section}:\n${declared.join('')}`
    const directory = await folderOfTest({ 'vexil.yaml': settings, 'flags.yaml': flags })
    const { problems } = await readDeclared({ directory, env: {} })
    const subject = isList ? `element 2 of "${name}"` : `"${name}"`
    expect(problems.filter(({ code }) => code === 'wrong-type')).toMatchObject(
      writtenTexts.map(written => ({
        message: `${subject} must be text, not ${written}`,
        hint: `write the value in quotes: "${written}"`,
      })),
    )
    expect(problems.filter(({ code }) => code === 'respelled-scalar' || code === 'leading-zero')).toEqual([])
  })

  it('is looked for in every kind', () => {
    const names = textFields.map(({ section, name }) => `${section}.${name}`)
    expect(names).toEqual(
      expect.arrayContaining([
        'feature_flags.name',
        'feature_flags.tags',
        'feature_flags.role_access',
        'plugins.description',
        'plugins.tag',
        'event_definitions.tags',
      ]),
    )
  })
})
