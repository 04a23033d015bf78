import { elementType, type Type } from '../../hcl/values.ts'

import { capitalized } from '../../model/text/sentence.ts'
import type { TerraformAttribute, TerraformAttributes } from '../../schema/terraform/terraform-attribute.ts'

/** What a reference page shows of a block in addition to the descriptions of attributes. */
export interface ReferenceOptions {
  /** Attributes that create another object when they change. */
  readonly replacing?: readonly string[]
}

/**
 * The attributes of a block as Markdown: required ones, optional ones, read-only ones. Then the attributes of
 * nested ones, each under its own heading.
 */
export function attributeReference(
  attributes: TerraformAttributes,
  { replacing = [] }: ReferenceOptions = {},
): string[] {
  return [
    '## Schema',
    '',
    ...groups(attributes, [], replacing).flatMap(([title, rows]) => [`### ${title}`, '', ...rows, '']),
    ...nestedSections(attributes, []),
  ]
}

/** A type in words: `List of String`. */
function typePhrase(type: Type): string {
  if (typeof type === 'string') return plainTypes[type]
  if (type[0] === 'object') return 'Object'
  return `${capitalized(type[0])} of ${typePhrase(elementType(type))}`
}

const plainTypes = { string: 'String', number: 'Number', bool: 'Boolean', dynamic: 'Dynamic' } as const

function groups(
  attributes: TerraformAttributes,
  path: readonly string[],
  replacing: readonly string[],
): [title: string, rows: string[]][] {
  const rowsOf = (accepts: (attribute: TerraformAttribute) => boolean) =>
    Object.keys(attributes)
      .sort()
      .flatMap(name => {
        const attribute = attributes[name]
        return attribute && accepts(attribute) ? [row(name, attribute, path, replacing.includes(name))] : []
      })
  const all: [string, string[]][] = [
    ['Required', rowsOf(({ required }) => required === true)],
    ['Optional', rowsOf(({ optional }) => optional === true)],
    ['Read-Only', rowsOf(({ required, optional }) => !required && !optional)],
  ]
  return all.filter(([, rows]) => rows.length > 0)
}

function row(
  name: string,
  attribute: TerraformAttribute,
  path: readonly string[],
  isReplacing: boolean,
): string {
  const { description, optional, computed, sensitive } = attribute
  const traits = [
    'type' in attribute ? typePhrase(attribute.type) : 'Attributes List',
    ...(optional && computed ? ['computed when left out'] : []),
    ...(sensitive ? ['Sensitive'] : []),
  ]
  const words = [
    description,
    ...(isReplacing ? ['Another value makes another object of it.'] : []),
    ...('list' in attribute ? [`See [what it consists of](#${anchor([...path, name])}).`] : []),
  ]
  return `- \`${name}\` (${traits.join(', ')}) ${words.join(' ')}`
}

function nestedSections(attributes: TerraformAttributes, path: readonly string[]): string[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    if (!('list' in attribute)) return []
    const here = [...path, name]
    return [
      `<a id="${anchor(here)}"></a>`,
      `### Nested Schema for \`${here.join('.')}\``,
      '',
      ...groups(attribute.list, here, []).flatMap(([title, rows]) => [`${title}:`, '', ...rows, '']),
      ...nestedSections(attribute.list, here),
    ]
  })
}

function anchor(path: readonly string[]): string {
  return `nestedatt--${path.join('--')}`
}
