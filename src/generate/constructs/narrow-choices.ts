import type { TerraformAttributes, TerraformBlock } from '../../schema/terraform/terraform-attribute.ts'
import { terraformSchema } from '../../schema/terraform/terraform-schema.ts'

/** A property of a generated interface that takes one of a few values. */
export interface NarrowProperty {
  /** The interface that has it: `FeatureFlagReleaseProperties`. */
  readonly owner: string
  readonly property: string
  readonly isList: boolean
  readonly choices: readonly (string | number)[]
}

/** All of them in what is generated from the provider's schema, by the name of the construct's class. */
export function narrowProperties(): ReadonlyMap<string, readonly NarrowProperty[]> {
  const { provider, resources, dataSources } = terraformSchema()
  const classes: (readonly [string, TerraformBlock])[] = [
    ['VexilProvider', provider],
    ...Object.entries(resources).map(
      ([name, block]) => [pascal(name.replace(/^vexil_/, '')), block] as const,
    ),
    ...Object.entries(dataSources).map(([name, block]) => [`Data${pascal(name)}`, block] as const),
  ]
  return new Map(classes.map(([name, { attributes }]) => [name, propertiesIn(name, attributes, 'Config')]))
}

function propertiesIn(prefix: string, attributes: TerraformAttributes, suffix = ''): NarrowProperty[] {
  return Object.entries(attributes).flatMap(([name, attribute]): NarrowProperty[] => {
    if ('list' in attribute) return propertiesIn(`${prefix}${pascal(name)}`, attribute.list)
    const { choices = [], type, optional, required } = attribute
    if (choices.length === 0 || !(optional || required)) return []
    const property = pascal(name).replace(/^./, first => first.toLowerCase())
    return [{ owner: `${prefix}${suffix}`, property, isList: typeof type !== 'string', choices }]
  })
}

/**
 * Gives such properties of a generated text types that list their values, which editors complete and the compiler checks.
 * A reference to one is an `IResolvable`, as `variable.value` is, or the same attribute of another resource; a text could
 * be any.
 *
 * | the generator writes | we keep |
 * | --- | --- |
 * | `readonly allow?: string[];` | `readonly allow?: ('survey' \| 'experiment')[];` |
 * | `readonly type?: string;` in the interface | `readonly type?: 'person' \| 'group' \| cdktf.IResolvable;` |
 * | `private _type?: string;`, `set type(value: string)` | the same with `cdktf.IResolvable` |
 * | `get type() { return this.getStringAttribute('type'); }` | the same as one of the values |
 */
export function narrowChoices(text: string, properties: readonly NarrowProperty[]): string {
  return properties.reduce(narrowed, text)
}

function narrowed(text: string, { owner, property, isList, choices }: NarrowProperty): string {
  const union = choices
    .map(choice => (typeof choice === 'string' ? `'${choice}'` : String(choice)))
    .join(' | ')
  const given = isList ? `(${union})[]` : `${union} | cdktf.IResolvable`
  // A comment in the interface may have braces of its own.
  const inside = '(?:(?!\\n}).)*?'
  const declared = new RegExp(
    `(export interface ${owner} ${inside}\\n  readonly ${property}\\??: )[^;]+;`,
    's',
  )
  if (!declared.test(text)) throw new Error(`${owner} has no ${property}; see narrow-choices.ts`)
  const inInterface = text.replace(declared, `$1${given};`)
  return isList ? inInterface : withMembers(inInterface, owner.replace(/Config$/, ''), property, union)
}

/** What the class of the same name has of the property. A list stays one of texts there. */
function withMembers(text: string, owner: string, property: string, union: string): string {
  const [before, after] = splitAt(text, new RegExp(`^export class ${owner}(?:OutputReference)? `, 'm'))
  return `${before}${after
    .replace(new RegExp(`(private _${property}\\??: )(string|number)(?=[;])`), '$1$2 | cdktf.IResolvable')
    .replace(
      new RegExp(`(public set ${property}\\(value: (?:string|number))(?=[ )])`),
      '$1 | cdktf.IResolvable',
    )
    .replace(
      new RegExp(`(public get ${property}\\(\\))( \\{\\n +return this\\.get\\w+Attribute\\('\\w+'\\))`),
      `$1: ${union}$2 as ${union}`,
    )}`
}

function splitAt(text: string, start: RegExp): readonly [string, string] {
  const at = text.search(start)
  if (at < 0) throw new Error(`there is no ${start.source}; see narrow-choices.ts`)
  return [text.slice(0, at), text.slice(at)]
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}
