import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { declarableKinds } from '../../src/kinds/index.ts'
import { identityField, managedFields } from '../../src/model/kind.ts'
import type { Json } from '../../src/model/text/json.ts'
import { pointerOf } from '../../src/model/text/pointer.ts'
import { checkField, type ObjectProblem } from '../../src/rules/check-field.ts'
import { declarationSchema } from '../../src/schema/declaration-schema.ts'

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })
addFormats.default(ajv, ['date'])
const validate = ajv.compile(declarationSchema())

const fields = declarableKinds
  .filter(({ lifecycle }) => !lifecycle.parent)
  .flatMap(kind => {
    const names = managedFields(kind).filter(name => name !== identityField(kind))
    return names.map(name => ({ kind, section: kind.section, name }))
  })

const values: readonly Json[] = [
  ...[null, true, 0, 7, 1.5, '', 'a text', 'custom'],
  ...[[], [''], ['a', ''], [7, 'a'], [null], [['a']], {}, { a: [] }],
]

/** The keywords of schemas that say what a rule says. */
const keywords: Readonly<Partial<Record<ObjectProblem['rule'], string>>> = {
  type: 'type',
  choice: 'enum',
  empty: 'minLength',
}

describe('what editors are told of a value by the schema, and everybody by the rules', () => {
  it('is looked at for every field', () => {
    expect(fields.length).toBeGreaterThan(declarableKinds.length)
  })

  it.each(fields)('is the same: $section, $name', ({ kind, section, name }) => {
    for (const value of values) {
      const at = (pointer: string) => pointerOf(section, 'one') + pointer
      validate({ [section]: { one: { [name]: value } } })
      const bySchema = (validate.errors ?? []).map(
        ({ instancePath, keyword }) => `${instancePath} ${keyword}`,
      )
      const byRules = checkField(kind, name, value).map(
        ({ pointer, rule }) => `${at(pointer)} ${keywords[rule] ?? rule}`,
      )
      expect(byRules, JSON.stringify(value)).toEqual(bySchema)
    }
  })
})
