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

/** The reference pages of the provider, by paths below `docs/`, in the layout of a Terraform registry. */
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
    'The provider sends no request before it needs to, and settings may depend on objects that do not exist yet.',
    'The service keeps a deleted flag: creating it again restores it with its id and its grants, and the plan shows that. The provider finds such a flag in the activity trail of the project. If the key may not read the trail, creating a flag is refused, because that might destroy a deleted flag; `allow = ["trail_unreadable"]` allows it.',
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
  '| Machine | What it needs |',
  '|---|---|',
  '| Linux, macOS, FreeBSD with Node.js 20.19 or newer on the PATH | the script, which is the same for all of them |',
  '| a machine without Node.js, such as the runners of HCP Terraform | the single executable for its platform, which contains Node.js |',
  '| Windows on x64 | the Windows archive of a release, which contains Node.js; or the script in WSL |',
  '',
  'Windows cannot start the script, because it ignores the line that names the interpreter. So',
  '`vexil terraform install` refuses to run there, and the Windows archive has its own content and checksum:',
  '`terraform providers lock -platform=windows_amd64 -platform=linux_amd64` writes both.',
  '',
  `In OpenTofu, \`source = "${providerName}"\` refers to another registry. \`vexil terraform install\` puts the provider where both tools find it;`,
  `a state keeps the address of the tool that wrote it, and the full address, \`source = "${providerSource}"\`, is the same in both.`,
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
    return 'It is adopted, never created. Destroying it only removes it from the state, unless `on_destroy` is set.'
  const destroyed = lifecycle.softDelete
    ? `Destroying it is a soft delete: creating the ${title} again restores it with the same id.`
    : 'Destroying it is permanent.'
  return `An existing live object is refused, with instructions for an import, unless \`adopt\` is set. ${destroyed}`
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

/** The identity for imports, for Terraform 1.12 and OpenTofu 1.12 or newer. */
function identityText(kind: DeclarableKind, address: string): string[] {
  const attributes = Object.entries(identityAttributes(kind))
  const given = identityExample(kind)
  const width = Math.max(...Object.keys(given).map(name => name.length))
  const lines = Object.entries(given).map(([name, value]) => `    ${name.padEnd(width)} = "${value}"`)
  return [
    'With Terraform 1.12 and OpenTofu 1.12 or newer, an import can also use its identity:',
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
  'An import sets `filters`. If the configuration declares the same with `release`, the first plan shows an update of the',
  'state, `filters` to null, which sends nothing to the service. With `#release` after the id, the import sets',
  '`release` or `rollout_percentage` and the related attributes instead of `filters`, if they can express everything; then',
  'the plan is empty. `vexil export --format hcl` writes imports like this.',
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
    `With Terraform 1.14 or newer, \`terraform query\` lists them with the identity for an import. With \`include_resource\`, the list contains all attributes of the resource \`${name}\`.`,
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
    'Provider functions need Terraform 1.8 or newer.',
    '',
    ...exampleSection(functionExamples[name]),
    '## Signature',
    '',
    ...fenced('text', `${name}(${given}) ${typeExpression(returns)}`),
    '## Arguments',
    '',
    ...parameters.map(
      (each, index) => `${index + 1}. \`${each.name}\` (${typeExpression(each.type)}) ${each.description}`,
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

/** A kind with a parent is in the subcategory of its parent. */
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

/** Notes about the environment on the first page. */
const environmentNotes = [
  '## Environment',
  '',
  'Settings that the block does not contain come from the environment. So an exported `VEXIL_PROJECT_ID` decides in which',
  'project objects are, unless they set their own, and `VEXIL_BASE_URL` and `VEXIL_API_KEY` decide on which service. In a',
  'shell with the values of another project, a plan replaces the existing objects by new objects in that project. To',
  'prevent this, set `project_id` in the block, or in each resource.',
  '',
  ...variableTable(),
  '',
  '`TF_LOG_PROVIDER=trace`, or `TF_LOG`, shows each call from Terraform to the provider, how long it took, and the',
  'full text of failures, but never the key.',
  '',
]

/** The notes after the attributes on the page of a kind. */
export function resourceNotes(kind: DeclarableKind): readonly string[] {
  return hasTargeting(kind) ? filtersNotes : lookUpNotes(kind)
}

/** Notes for a kind that also refers to another kind than its parent, by name. */
function lookUpNotes(kind: DeclarableKind): readonly string[] {
  const { identity } = kind
  if (identity.by !== 'parent') return []
  const other = Object.values<Kind>(kinds).find(({ name }) => name === identity.structure)
  if (!other || !isIdentified(other)) return []
  const source = `data.${typeName(other.name)}`
  return [
    `## The ${capitalized(other.title)} by Its ${capitalized(identityField(other))}`,
    '',
    `If the service lists ${other.title}s, \`${identityField(kind)} = ${source}.NAME.id\` uses the id of the ${other.title} that the data source`,
    `\`${typeName(other.name)}\` found by its ${identityField(other)}. On other services, write the id itself.`,
    '',
  ]
}

const typedNames = `\`${typedAttributes.slice(0, -1).join('`, `')}\` and \`${typedAttributes.at(-1)}\``

const filtersNotes = [
  '## Filters in Two Ways',
  '',
  `Define who gets a flag either with \`filters\` or with ${typedNames}.`,
  'With the typed attributes, `filters` is null: Terraform does not report to a provider which values are sensitive, and',
  'would show them there. If somebody changes the flag in the product beyond what these attributes can express, `filters`',
  'contains that part, without the values of the attributes, until an apply reverts the change.',
  '',
  '- `rollout_percentage = 25` is short for `release = [{ rollout_percentage = 25 }]`. If somebody adds a condition in the',
  '  product, a plan shows the live `release` and restores the percentage.',
  '- `provider::vexil::filters(vexil_feature_flag.NAME)` returns the filters in both cases, as JSON text. The result is',
  '  sensitive if the flag is. The data source shows the live filters.',
  '- To let people change the flag in the product, add the attributes it uses to `ignore_changes`: `filters`, or the typed',
  '  ones. With `release`, ignoring `filters` keeps only the parts that the typed attributes cannot express.',
  '- If you remove an attribute, the service keeps its value. If you remove `release`, `variants` and `payload` together,',
  '  Terraform shows their removal, but nothing is sent and the flag stays unchanged; the plan warns about',
  '  this. If one of them remains, the removed ones count as empty: without `release` and `rollout_percentage`',
  '  everybody gets the flag, and the plan warns about this too. `active = false` turns the flag off.',
  '- In `release`, `properties` and `variants`, Terraform drops unknown names without a message. So a',
  '  condition with the misspelt `rollout = 10` applies to everybody who matches. The plan shows the remaining attributes,',
  '  and warns about a condition without any.',
  '- Members of `filters` that other parts of the product write (`holdout`, `feature_enrollment`, `super_groups`, and members',
  '  of later services) stay unchanged and are not shown, unless `filters` declares them.',
  '- Plans hide a sensitive value in these attributes. The state contains it as text, like every value.',
  '  Terraform hides values by position: if somebody moves a condition or a variant in the product, if these attributes are',
  '  removed, and in an import, Terraform shows the live values.',
  '',
]

export interface ReferenceOptions {
  /** Attributes whose change creates a new object. */
  readonly replacing?: readonly string[]
}

/** Markdown: required, optional, read-only. Nested attributes follow, each under its own heading. */
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
    ...(optional && computed ? ['computed if not set'] : []),
    ...(sensitive ? ['Sensitive'] : []),
  ]
  const words = [
    description,
    ...(isReplacing ? ['A change of this value creates a new object.'] : []),
    ...('list' in attribute ? [`See [its attributes](#${anchor([...path, name])}).`] : []),
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

/** A computed file that is committed or packed: its path in its folder, and its text. */
export interface EmittedFile {
  readonly path: string
  readonly text: string
}
