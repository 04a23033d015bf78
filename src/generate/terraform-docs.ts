import { elementType, type Type } from '../hcl/values.ts'
import { declarableKinds, kinds } from '../kinds/index.ts'
import {
  type DeclarableKind,
  exampleOf,
  hasTargeting,
  identityField,
  isIdentified,
  type Kind,
} from '../model/kind.ts'
import { capitalized } from '../model/text/text-layout.ts'
import {
  type TerraformAttribute,
  type TerraformAttributes,
  variableTable,
} from '../schema/terraform/terraform-attribute.ts'
import { type DataSource, dataSourceBlock, dataSources } from '../schema/terraform/terraform-data-sources.ts'
import { identityAttributes, identityExample, importIdsOf } from '../schema/terraform/terraform-identity.ts'
import { providerName, providerSource, typeName } from '../schema/terraform/terraform-names.ts'
import {
  type FunctionSignature,
  functionSignatures,
  listedKinds,
  listResourceBlock,
  replacingAttributes,
  resourceBlock,
  terraformSchema,
} from '../schema/terraform/terraform-schema.ts'
import { typedAttributes } from '../targeting/typed-form.ts'
import {
  dataSourceText,
  functionExamples,
  listText,
  providerExample,
  resourceText,
} from './terraform-examples.ts'

/** The reference of the provider, by paths below `docs/`, in the layout in which a Terraform registry looks for it. */
export function terraformDocs(): readonly EmittedFile[] {
  return [
    indexPage(),
    ...declarableKinds.map(resourcePage),
    ...Object.entries(dataSources).map(([name, source]) => dataSourcePage(name, source)),
    ...listedKinds.map(listPage),
    ...Object.entries<FunctionSignature>(functionSignatures).map(([name, signature]) =>
      functionPage(name, signature),
    ),
  ]
}

function indexPage(): EmittedFile {
  const { description, attributes } = terraformSchema().provider
  const lines = [
    description,
    '',
    'Nothing is asked of the service before it is needed, and settings may come from what is still to be created.',
    'A flag that was deleted is still held by the service: creating it again restores it with its id and its grants, and the plan shows that. Such a flag is found in the activity trail of the project. Where a key may not read that, creating a flag is refused, because it might destroy a deleted one: `allow = ["trail_unreadable"]` creates it all the same.',
    '',
    ...exampleSection(providerExample),
    ...environmentNotes,
    ...whereItRuns,
    ...attributeReference(attributes),
  ]
  return page('index.md', { title: 'vexil Provider', heading: 'vexil Provider', description }, lines)
}

const whereItRuns = [
  '## Where It Runs',
  '',
  '| Machine | What it takes |',
  '|---|---|',
  '| Linux, macOS, FreeBSD with Node.js 20.19 or newer on the PATH | the script, which is the same for all of them |',
  '| one without Node.js, such as the runners of HCP Terraform | the single executable for its platform, with Node.js in it |',
  '| Windows on x64 | the archive for Windows of a release, with Node.js in it; or the script inside WSL |',
  '',
  'Windows cannot start the script: it does not read the line by which a script names its interpreter. So',
  '`vexil terraform install` refuses there, and the archive for Windows has a content, and a checksum, of its own:',
  '`terraform providers lock -platform=windows_amd64 -platform=linux_amd64` writes both.',
  '',
  `OpenTofu means another registry by \`source = "${providerName}"\`. \`vexil terraform install\` puts the provider where both find it;`,
  `a state keeps the address of the one that wrote it, and the whole address, \`source = "${providerSource}"\`, is the same in both.`,
  '',
]

function resourcePage(kind: DeclarableKind): EmittedFile {
  const { attributes, description } = resourceBlock(kind)
  const name = typeName(kind.name)
  const lines = [
    `${description} ${lifeText(kind)}`,
    '',
    ...exampleSection(resourceText(kind)),
    ...attributeReference(attributes, { replacing: replacingAttributes(kind) }),
    ...resourceNotes(kind),
    ...importSection(kind, `${name}.${exampleOf(kind).label}`),
  ]
  const facts = { title: `${name} Resource - vexil`, heading: `${name} (Resource)`, description, kind }
  return page(`resources/${kind.name}.md`, facts, lines)
}

/** What creating and destroying do, if that differs from the usual meaning. */
function lifeText({ lifecycle, title }: DeclarableKind): string {
  if (lifecycle.cannotCreate)
    return 'It is taken over, never created. Destroying only forgets it, unless `on_destroy` is set.'
  const destroyed = lifecycle.softDelete
    ? `Destroying is a soft delete: creating the ${title} again restores it with the same id.`
    : 'Destroying is final.'
  return `What is live already is not taken over, but refused with the way to import it, unless \`adopt\` is set. ${destroyed}`
}

function importSection(kind: DeclarableKind, address: string): string[] {
  const ids = importIdsOf(kind)
  const first = ids[0]?.example ?? ''
  return [
    '## Import',
    '',
    'An import names the object in one of these forms:',
    '',
    '| Id | Message |',
    '|---|---|',
    ...ids.map(({ example, words }) => `| \`${example}\` | ${words} |`),
    '',
    ...fenced('terraform', `import {\n  to = ${address}\n  id = "${first}"\n}`),
    ...fenced('shell', `terraform import ${address} ${first}`),
    ...identityText(kind, address),
    ...(hasTargeting(kind) ? importedFilters : []),
  ]
}

/** The identity for imports, from Terraform 1.12 and OpenTofu 1.12 on. */
function identityText(kind: DeclarableKind, address: string): string[] {
  const attributes = Object.entries(identityAttributes(kind))
  const given = identityExample(kind)
  const width = Math.max(...Object.keys(given).map(name => name.length))
  const lines = Object.entries(given).map(([name, value]) => `    ${name.padEnd(width)} = "${value}"`)
  return [
    'From Terraform 1.12 and OpenTofu 1.12 on it can be named by its identity as well:',
    '',
    ...fenced(
      'terraform',
      ['import {', `  to = ${address}`, '  identity = {', ...lines, '  }', '}'].join('\n'),
    ),
    '| Attribute of the identity | |',
    '|---|---|',
    ...attributes.map(
      ([name, { description, required }]) =>
        `| \`${name}\` | ${required ? 'Required. ' : ''}${description} |`,
    ),
    '',
  ]
}

const importedFilters = [
  'An import fills in `filters`. A configuration that declares the same with `release` is planned once as an update of the',
  'state, `filters` to null, for which nothing is sent to the service. With `#release` behind the id the import fills in',
  '`release` or `rollout_percentage`, and the attributes beside them, in place of `filters`, where they say all of it; then',
  'nothing is planned. That is how `vexil export --format hcl` writes imports.',
  '',
]

function dataSourcePage(sourceName: string, source: DataSource): EmittedFile {
  const { attributes, description } = dataSourceBlock(source)
  const name = typeName(sourceName)
  const facts = {
    title: `${name} Data Source - vexil`,
    heading: `${name} (Data Source)`,
    description,
    kind: source.kind,
  }
  const lines = [
    description,
    '',
    ...exampleSection(dataSourceText(sourceName, source)),
    ...attributeReference(attributes),
  ]
  return page(`data-sources/${sourceName}.md`, facts, lines)
}

function listPage(kind: DeclarableKind): EmittedFile {
  const { attributes, description } = listResourceBlock(kind)
  const name = typeName(kind.name)
  const lines = [
    description,
    '',
    `\`terraform query\`, from Terraform 1.14 on, lists them with the identity by which each can be imported, and with \`include_resource\` with all that the resource \`${name}\` has.`,
    '',
    ...exampleSection(listText(kind)),
    ...attributeReference(attributes),
  ]
  const facts = {
    title: `${name} List Resource - vexil`,
    heading: `${name} (List Resource)`,
    description,
    kind,
  }
  return page(`list-resources/${kind.name}.md`, facts, lines)
}

function functionPage(name: string, signature: FunctionSignature): EmittedFile {
  const { summary, description, parameters, variadic, returns } = signature
  const given = [
    ...parameters.map(each => `${each.name} ${typeExpression(each.type)}`),
    ...(variadic ? [`${variadic.name} ${typeExpression(variadic.type)}...`] : []),
  ].join(', ')
  const lines = [
    description,
    '',
    'Functions of providers need Terraform 1.8 or newer.',
    '',
    ...exampleSection(functionExamples[name]),
    '## Signature',
    '',
    ...fenced('text', `${name}(${given}) ${typeExpression(returns)}`),
    '## Arguments',
    '',
    ...parameters.map(
      (each, index) =>
        `${index + 1}. \`${each.name}\` (${typeExpression(each.type)}${each.allowNull ? ', Nullable' : ''}) ${each.description}`,
    ),
    ...(variadic
      ? [
          `${parameters.length + 1}. \`${variadic.name}\` (Variadic, ${typeExpression(variadic.type)}) ${variadic.description}`,
        ]
      : []),
    '',
  ]
  const facts = { title: `${name} Function - vexil`, heading: `${name} (Function)`, description: summary }
  return page(`functions/${name}.md`, facts, lines)
}

/** A type as HCL writes it: `object({ key = string })`. */
function typeExpression(type: Type): string {
  if (typeof type === 'string') return type
  if (type[0] !== 'object') return `${type[0]}(${typeExpression(elementType(type))})`
  const members = Object.entries(type[1]).map(([name, member]) => `${name} = ${typeExpression(member)}`)
  return `object({ ${members.join(', ')} })`
}

interface PageFacts {
  readonly title: string
  readonly heading: string
  readonly description: string
  readonly kind?: Kind
}

function page(path: string, { title, heading, description, kind }: PageFacts, lines: string[]): EmittedFile {
  const head = [
    '---',
    `page_title: "${title}"`,
    `subcategory: "${kind ? subcategoryOf(kind) : ''}"`,
    'description: |-',
    `  ${description}`,
    '---',
    '',
    '<!-- Emitted from src/kinds by `npm run generate`; never edited by hand. -->',
    '',
    `# ${heading}`,
    '',
  ]
  return { path, text: `${[...head, ...lines].join('\n').trimEnd()}\n` }
}

/** The page of a kind with a parent is under that parent. */
function subcategoryOf(kind: Kind): string {
  const parent = Object.values<Kind>(kinds).find(({ name }) => name === kind.lifecycle?.parent?.kind)
  return capitalized((parent ?? kind).section.replaceAll('_', ' '))
}

function exampleSection(text: string | undefined): string[] {
  return text === undefined ? [] : ['## Example Usage', '', ...fenced('terraform', text)]
}

function fenced(language: string, text: string): string[] {
  return [`\`\`\`${language}`, text, '```', '']
}

/** The notes about the environment on the first page. */
const environmentNotes = [
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

/** The notes on the page of a kind, after its attributes. */
export function resourceNotes(kind: DeclarableKind): readonly string[] {
  return hasTargeting(kind) ? filtersNotes : lookUpNotes(kind)
}

/** An object may belong to another kind besides its parent, which is looked up by name. */
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
  `Define who gets a flag either with \`filters\` or with ${typedNames}.`,
  'With the latter, `filters` is null: Terraform shows no provider which values are sensitive, and would show in it what',
  'was given as that. Where somebody makes of the flag in the product what these attributes cannot say, `filters` has that',
  'part, without what they hold, until an apply puts the flag back.',
  '',
  '- `rollout_percentage = 25` is short for `release = [{ rollout_percentage = 25 }]`. Where somebody adds a condition in the',
  '  product, a plan shows `release` with what is live, and puts the share back.',
  '- `provider::vexil::filters(vexil_feature_flag.NAME)` is what either way amounts to, as JSON text, and sensitive where the',
  '  flag is. The data source shows what is live.',
  '- To leave it to others, put into `ignore_changes` what the flag uses: `filters`, or those others. With `release`',
  '  configured, `filters` there leaves alone only what these attributes cannot say.',
  '- An attribute that is taken out leaves in the service what it declared. Taking out `release`, `variants` and `payload`',
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

/** What a reference page shows of a block in addition to the descriptions of attributes. */
export interface ReferenceOptions {
  /** Attributes that create another object when they change. */
  readonly replacing?: readonly string[]
}

/**
 * The attributes of a block as Markdown: required ones, optional ones, read-only ones. Then the attributes of
 * nested ones, each under its own heading.
 */
function attributeReference(
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

/** A file that is computed and committed or packed: its path in the folder that it belongs to, and its text. */
export interface EmittedFile {
  readonly path: string
  readonly text: string
}
