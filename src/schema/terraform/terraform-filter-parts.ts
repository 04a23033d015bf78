import type { Type } from '../../hcl/values.ts'

import {
  attributesOf,
  isRequired,
  partOf,
  type TypedAttribute,
  type TypedPartName,
  wireMember,
} from '../../targeting/codec/typed-form.ts'
import type { Takes } from '../../targeting/filter-parts.ts'
import type { TerraformAttribute, TerraformAttributes } from './terraform-attribute.ts'

const insteadOfFilters = 'Instead of `filters`.'

/** What Terraform's users are told of an attribute in other words than those of the wire. */
const otherText: Readonly<Record<string, string>> = {
  'filters.release': `Who gets the flag: conditions in their order. ${insteadOfFilters} To leave it to others, ignore changes of this, \`variants\` and \`payload\`, not of \`filters\`. Taken out, it stays as it is in the service.`,
  'filters.rollout_percentage': `Releases the flag to a share of everybody, in percent: \`rollout_percentage = 25\` is short for \`release = [{ rollout_percentage = 25 }]\`. Instead of \`release\` and \`filters\`.`,
  'filters.payload': `What code receives with a flag without variants, as JSON text. ${insteadOfFilters}`,
  'property.value':
    'What it is compared with. Where the type is "flag", `true` asks whether that flag is on, `false` whether it is off, and any other text for the variant of that key; a variant that is called "true" or "false" is asked for with `filters = jsonencode(...)`.',
  'property.values': 'Several values, one of which has to match. Instead of `value`.',
  'variant.payload': 'What code receives with it, as JSON text.',
}

/** The attributes of a part of the typed form; those of `filters` are the flag's own. */
export function typedTerraformAttributes(part: TypedPartName): TerraformAttributes {
  return Object.fromEntries(
    Object.entries(attributesOf(part)).map(([name, attribute]) => [
      name,
      terraformAttribute(part, name, attribute),
    ]),
  )
}

function terraformAttribute(
  part: TypedPartName,
  name: string,
  attribute: TypedAttribute,
): TerraformAttribute {
  const list = partOf(attribute)
  return {
    ...(list ? { list: typedTerraformAttributes(list) } : { type: typeOf(attribute) }),
    description: otherText[`${part}.${name}`] ?? wordsOf(part, attribute),
    ...choicesOf(wireMember(part, attribute)?.takes),
    ...(isRequired(part, attribute) ? { required: true } : { optional: true }),
  }
}

/** The words of the wire, and what there is to choose from. */
function wordsOf(part: TypedPartName, attribute: TypedAttribute): string {
  const { doc = '', takes } = wireMember(part, attribute) ?? {}
  const more = part === 'filters' ? [insteadOfFilters] : []
  return [doc, ...choicesText(takes, attribute.byDefault), ...more].join(' ')
}

/** Words and whole numbers, where there are a few of them. */
function choicesOf(takes: Takes | undefined): Pick<TerraformAttribute, 'choices'> {
  if (takes?.is === 'word') return { choices: Object.keys(takes.of) }
  if (takes?.is !== 'integer') return {}
  const { from, to } = takes
  return { choices: Array.from({ length: to - from + 1 }, (_, index) => from + index) }
}

function choicesText(takes: Takes | undefined, byDefault: string | undefined): string[] {
  if (takes?.is !== 'word') return []
  const words = Object.keys(takes.of).map(word => `"${word}"`)
  return [`One of ${words.join(', ')}${byDefault === undefined ? '' : `; "${byDefault}" when left out`}.`]
}

function typeOf({ is }: TypedAttribute): Type {
  switch (is) {
    case 'number':
      return 'number'
    case 'truth':
      return 'bool'
    case 'texts':
      return ['list', 'string']
    default:
      return 'string'
  }
}
