import { declarableKinds, kinds } from '../../kinds/index.ts'
import type { Field } from '../../model/field.ts'
import { guards } from '../../model/guard-rules.ts'
import { isJsonObject, pickMembers } from '../../model/json/json.ts'
import { type DeclarableKind, identityField, type Kind, managedFields } from '../../model/kind.ts'
import { declarationSchema } from '../input/declaration-schema.ts'
import { filterSections, shortSections } from './reference-filters.ts'
import { memberNotes } from './reference-member-notes.ts'
import { settingsSections } from './reference-settings.ts'
import { example, propertiesOf, propertyTable, table } from './reference-table.ts'

/** The reference of everything that can be declared and called, as Markdown. */
export function referenceText(): string {
  return [
    '# Reference',
    '',
    'Computed from the kinds by `vexil schema --markdown`; the same description checks files, requests and answers.',
    '',
    ...settingsSections(),
    ...declarationSections(),
    ...shortSections(),
    ...filterSections(),
    '## What can be called',
    '',
    'Each operation of the interface is `vexil call KIND.OPERATION [NAME=VALUE ...] [--body JSON]`.',
    '',
    ...Object.values<Kind>(kinds).flatMap(operationSection),
  ].join('\n')
}

function operationSection(kind: Kind): string[] {
  const rows = Object.entries(kind.endpoints).map(([name, { method, path, status, doc }]) => [
    `\`${kind.name}.${name}\``,
    method,
    `\`${path}\``,
    String(status),
    doc,
  ])
  return [`### ${kind.title}`, '', ...table(['Operation', 'Method', 'Path', 'Status', 'Meaning'], rows)]
}

/** The content of a declaration: the fields of each kind, and the members beside them. */
function declarationSections(): string[] {
  return [
    '## What can be declared',
    '',
    'A file has a section for each kind, and may `include` others, by paths and globs relative to itself. A section that starts',
    'with `x-` is read for its anchors only. A field that is not declared is not managed: it is neither compared nor sent.',
    '',
    '`tags`, and every other set, is declared whole: an element that is not in the list is taken off, `tags: []` takes off all of',
    'them, and without `tags` nobody touches them. Tags are kept trimmed and in lower case.',
    '',
    ...example('events.yaml', sectionsExample),
    ...declarableKinds.flatMap(fieldsSection),
    '## Beside the fields',
    '',
    'What a declaration can say of an object that is no field of it.',
    '',
    ...declarableKinds.flatMap(extrasSection),
    ...memberNotes.flatMap(({ title, words, file, text }) => [
      `### ${title}`,
      '',
      ...words,
      '',
      ...example(file, text),
    ]),
    '### Rules that block',
    '',
    'A rule blocks a change and says how to go on. `allow` lets it through for an object, `--allow RULE[=ADDRESS]`',
    'for one run, `allow: [RULE]` in the settings for the repository.',
    '',
    ...table(
      ['Rule', 'Blocks'],
      Object.entries(guards).map(([rule, { doc }]) => [`\`${rule}\``, doc]),
    ),
  ]
}

function fieldsSection(kind: DeclarableKind): string[] {
  const identity = identityField(kind)
  const managed = Object.entries(kind.fields).filter(
    ([name, { access }]) => access === 'managed' && name !== identity,
  )
  const rows = managed.map(([name, field]) => [`\`${name}\``, typePhrase(field), field.doc])
  return [
    `### \`${kind.section}\``,
    '',
    kind.doc,
    '',
    `Found by ${kind.identity.by === 'field' ? `its \`${identity}\`` : `its flag and its \`${identity}\``}. ${removalText(kind)}`,
    '',
    ...table(['Field', 'Type', 'Meaning'], rows),
  ]
}

function extrasSection(kind: DeclarableKind): string[] {
  const section = propertiesOf(declarationSchema())[kind.section]
  const object = isJsonObject(section) ? (section.additionalProperties ?? section.items) : undefined
  const managed = managedFields(kind)
  const extras = pickMembers(propertiesOf(object), (_, name) => !managed.includes(name))
  return [`### In \`${kind.section}\``, '', ...propertyTable('Member', extras)]
}

function removalText({ lifecycle }: DeclarableKind): string {
  const created = lifecycle.cannotCreate ? `It is adopted, never created: ${lifecycle.cannotCreate}. ` : ''
  const removed = lifecycle.softDelete ? 'Deleting is soft and can be undone.' : 'Deleting is final.'
  return `${created}${removed}`
}

function typePhrase(field: Field): string {
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

const sectionsExample = `
x-tags: &tags [payments, revenue]
event_definitions:
  checkout_paid: { tags: *tags }
  checkout_failed: { tags: [] } # no tags at all
`
