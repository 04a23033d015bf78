import { declarableKinds, kinds } from '../kinds/index.ts'
import type { Field } from '../model/field.ts'
import { isJsonObject, type Json, type JsonObject, pickMembers } from '../model/json.ts'
import { type DeclarableKind, type Kind, managedFields } from '../model/kind.ts'
import { declarationSchema } from './declaration-schema.ts'
import { settingsSchema } from './settings-schema.ts'

/** The reference of everything that can be declared and called, as Markdown. */
export function referenceText(): string {
  return [
    '# Reference',
    '',
    'Computed from the kinds by `vexil reference`; the same description checks files, requests and answers.',
    '',
    '## Settings: `vexil.yaml`',
    '',
    ...propertyTable('Setting', propertiesOf(settingsSchema())),
    '## What can be declared',
    '',
    ...declarableKinds.flatMap(declarationSection),
    '## Beside the fields',
    '',
    'What a declaration can say of an object that is no field of it.',
    '',
    ...declarableKinds.flatMap(extrasSection),
    '## What can be called',
    '',
    'Each operation of the interface is `vexil call KIND.OPERATION [NAME=VALUE ...] [--body JSON]`.',
    '',
    ...Object.values<Kind>(kinds).flatMap(operationSection),
  ].join('\n')
}

function declarationSection(kind: DeclarableKind): string[] {
  const identity = kind.identity.by === 'field' ? kind.identity.field : kind.identity.sentAs
  const managed = Object.entries(kind.fields).filter(
    ([name, { access }]) => access === 'managed' && name !== identity,
  )
  const rows = managed.map(([name, field]) => `| \`${name}\` | ${typeWords(field)} | ${cell(field.doc)} |`)
  return [
    `### \`${kind.section}\``,
    '',
    kind.doc,
    '',
    `Found by ${kind.identity.by === 'field' ? `its \`${identity}\`` : `its flag and its \`${identity}\``}. ${removalWords(kind)}`,
    '',
    ...(rows.length > 0 ? ['| Field | Type | Meaning |', '|---|---|---|', ...rows, ''] : []),
  ]
}

function extrasSection(kind: DeclarableKind): string[] {
  const section = propertiesOf(declarationSchema())[kind.section]
  const object = isJsonObject(section) ? (section.additionalProperties ?? section.items) : undefined
  const managed = managedFields(kind)
  const extras = pickMembers(propertiesOf(object), (_, name) => !managed.includes(name))
  return [`### In \`${kind.section}\``, '', ...propertyTable('Member', extras)]
}

function propertyTable(title: string, properties: JsonObject): string[] {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { type, description } = isJsonObject(schema) ? schema : {}
    const words = [type ?? 'any'].flat().join(' or ')
    return `| \`${name}\` | ${words} | ${cell(String(description ?? ''))} |`
  })
  return [`| ${title} | Type | Meaning |`, '|---|---|---|', ...rows, '']
}

function propertiesOf(schema: Json | undefined): JsonObject {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {}
}

function removalWords({ lifecycle }: DeclarableKind): string {
  const created = lifecycle.cannotCreate ? `It is adopted, never created: ${lifecycle.cannotCreate}. ` : ''
  const removed = lifecycle.tombstone ? 'Deleting is soft and can be undone.' : 'Deleting is final.'
  return `${created}${removed}`
}

function operationSection(kind: Kind): string[] {
  const rows = Object.entries(kind.endpoints).map(
    ([name, { method, path, status, doc }]) =>
      `| \`${kind.name}.${name}\` | ${method} | \`${path}\` | ${status} | ${cell(doc)} |`,
  )
  return [
    `### ${kind.title}`,
    '',
    '| Operation | Method | Path | Status | Meaning |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ]
}

function typeWords(field: Field): string {
  switch (field.type) {
    case 'string':
      return field.oneOf ? field.oneOf.map(value => `\`${value}\``).join(', ') : 'text'
    case 'integer':
      return 'whole number'
    case 'boolean':
      return 'true or false'
    case 'json':
      return field.orArray ? 'object or list' : 'object'
    case 'list':
      return 'list'
    case 'set':
      return 'set'
    case 'structure':
      return field.of.name.replaceAll('_', ' ')
  }
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
