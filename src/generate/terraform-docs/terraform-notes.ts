import { kinds } from '../../kinds/index.ts'
import {
  type DeclarableKind,
  hasTargeting,
  identityField,
  isIdentified,
  type Kind,
} from '../../model/kind.ts'
import { capitalized } from '../../model/text/sentence.ts'
import { typeName } from '../../schema/terraform/terraform-names.ts'
import { variableTable } from '../../schema/terraform/terraform-variables.ts'
import { typedAttributes } from '../../targeting/codec/typed-form.ts'

/** What the first page says of the environment. */
export const environmentNotes = [
  '## Environment',
  '',
  'Each setting that the block leaves out is taken from the environment. So an exported `VEXIL_PROJECT_ID` decides in which',
  'project everything lives that names none, and `VEXIL_BASE_URL` and `VEXIL_API_KEY` decide where; a shell that has those',
  'of another project plans to replace what is there by new objects in that one. Set `project_id` in the block, or in each',
  'resource, where this must not happen.',
  '',
  ...variableTable(),
  '',
  '`TF_LOG_PROVIDER=trace`, or `TF_LOG`, shows each call that Terraform makes to the provider, how long it took, and the',
  'whole of a failure; never the key.',
  '',
]

/** What the page of a kind says beyond its attributes. */
export function resourceNotes(kind: DeclarableKind): readonly string[] {
  return hasTargeting(kind) ? filtersNotes : lookUpNotes(kind)
}

/** What an object is of beside its parent may be a kind that is looked up by name. */
function lookUpNotes(kind: DeclarableKind): readonly string[] {
  const { identity } = kind
  if (identity.by !== 'parent') return []
  const other = Object.values<Kind>(kinds).find(({ name }) => name === identity.structure)
  if (!other || !isIdentified(other)) return []
  const source = `data.${typeName(other.name)}`
  return [
    `## The ${capitalized(other.title)} by Its ${capitalized(identityField(other))}`,
    '',
    `Where the service lists ${other.title}s, \`${identityField(kind)} = ${source}.NAME.id\` takes the id of the one that the data source`,
    `\`${typeName(other.name)}\` found by its ${identityField(other)}. Another service has none of them, and the id is written as it is.`,
    '',
  ]
}

const typedNames = `\`${typedAttributes.slice(0, -1).join('`, `')}\` and \`${typedAttributes.at(-1)}\``

const filtersNotes = [
  '## Filters in Two Ways',
  '',
  `Who gets a flag is said either with \`filters\` or with ${typedNames}.`,
  'With the latter, `filters` is null: Terraform tells no provider which values are sensitive, and would show in it what',
  'was given as that. Where somebody makes of the flag in the product what these attributes cannot say, `filters` has that',
  'part, without what they hold, until an apply puts the flag back.',
  '',
  '- `rollout_percentage = 25` is short for `release = [{ rollout_percentage = 25 }]`. Where somebody adds a condition in the',
  '  product, a plan shows `release` with what is live, and puts the share back.',
  '- `provider::vexil::filters(vexil_feature_flag.NAME)` is what either way amounts to, as JSON text, and sensitive where the',
  '  flag is. The data source shows what is live.',
  '- To leave it to others, put into `ignore_changes` what the flag uses: `filters`, or those others. With `release`',
  '  configured, `filters` there leaves alone only what these attributes cannot say.',
  '- An attribute that is taken out leaves in the service what it said. Taking out `release`, `variants` and `payload`',
  '  together is shown by Terraform as their removal, yet nothing is sent and the flag goes on as before: the plan warns of',
  '  it. While one of them stays, the others say nothing, and that is sent: without `release` and `rollout_percentage`',
  '  everybody gets the flag, which the plan warns of too. `active = false` turns the flag off.',
  '- Inside of `release`, `properties` and `variants` Terraform leaves out names that it does not know, without a word. So a',
  '  condition with `rollout = 10`, which is misspelt, is for all of those who match. A plan shows what is left, and warns',
  '  of a condition of which nothing is.',
  '- Members of `filters` that other parts of the product write (`holdout`, `feature_enrollment`, `super_groups`, and what a later',
  '  service adds) are left alone, and not shown, unless `filters` declares them.',
  '- A sensitive value in them is hidden in plans wherever it was given. The state has it as text, as it has everything.',
  '  Terraform hides by place: where somebody moves a condition or a variant in the product, or where these attributes are',
  '  taken out, and in an import, what is live is shown.',
  '',
]
