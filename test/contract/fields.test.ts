import { describe, expect, it } from 'vitest'
import {
  event,
  eventDefinition,
  featureFlag,
  paginationEnvelope,
  pluginKind,
  role,
  roleAccess,
  userSummary,
} from '../../src/kinds/index.ts'
import type { Field, Fields } from '../../src/model/field.ts'
import { type Kind, writableFields } from '../../src/model/kind.ts'
import { documentTable, fieldsInSentence } from './document.ts'

/** How the document spells the type of a field. */
function documentType(field: Field): string {
  switch (field.type) {
    case 'integer':
    case 'boolean':
      return field.type
    case 'string': {
      const formats = {
        uuid: ' (UUID)',
        'date-time': ' (ISO 8601 timestamp)',
        email: ' (e-mail address)',
        url: ' (URL)',
      }
      return `string${field.format ? formats[field.format] : ''}`
    }
    case 'json':
      return 'object'
    case 'list':
    case 'set':
      return field.of ? `array of ${field.of}` : 'array'
    case 'structure':
      return field.of.name.replaceAll('_', ' ')
  }
}

/**
 * A row's type in the same spelling. The document writes "ISO 8601 timestamp" and "free-form keys" sometimes beside
 * the type and sometimes in the notes.
 */
function rowType([, type = '', notes = '']: readonly string[]): string {
  if (type === 'string' && /^ISO 8601 timestamp$/.test(notes)) return 'string (ISO 8601 timestamp)'
  return type
}

const structures: [string, Fields][] = [
  ['Pagination envelope', paginationEnvelope.fields],
  ['User summary', userSummary.fields],
  ['Feature flag', featureFlag.fields],
  ['Role (nested', role.fields],
  ['Feature flag role access', roleAccess.fields],
  ['Plugin', pluginKind.fields],
  ['Event definition', eventDefinition.fields],
]

describe('the fields of the interface document', () => {
  it.each(structures)('are those of the kinds: %s', (heading, fields) => {
    const documented = Object.fromEntries(documentTable(heading).rows.map(row => [row[0], rowType(row)]))
    const described = Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) => (field.newer ? [] : [[name, documentType(field)]])),
    )
    expect(described).toEqual(documented)
  })

  it('are those of the kinds: Event', () => {
    const names = Object.keys(fieldsInSentence('All fields are strings'))
    const described = Object.entries(event.fields).map(([name, field]: [string, Field]) => [
      name,
      documentType(field),
    ])
    expect(described).toEqual(names.map(name => [name, 'string']))
  })

  it.each<[Kind, string]>([
    [featureFlag, 'Fields accepted in requests that write a flag'],
    [pluginKind, 'Fields accepted in requests that write a plugin'],
    [eventDefinition, 'Fields accepted in PATCH requests'],
  ])('are writable where the document says so: $name', (kind, sentence) => {
    const documented = writableFields(kind).filter(name => !kind.fields[name]?.newer)
    expect(documented.sort()).toEqual(Object.keys(fieldsInSentence(sentence)).sort())
  })

  it('have one writable field in a grant', () => {
    expect(
      documentTable('Feature flag role access').rows.filter(row => row[2] === 'the only request field'),
    ).toEqual([['role_id', 'string (UUID)', 'the only request field']])
    expect(roleAccess.endpoints.create.body).toEqual(['role_id'])
  })

  it('have the enumeration of plugin types', () => {
    const [, , notes = ''] = documentTable('Plugin').rows.find(([name]) => name === 'plugin_type') ?? []
    expect(notes).toBe(`one of: ${pluginKind.fields.plugin_type.oneOf.join(', ')}`)
  })
})
