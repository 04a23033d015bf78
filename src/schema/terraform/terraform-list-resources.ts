import { declarableKinds } from '../../kinds/index.ts'
import { type DeclarableKind, pluralTitle } from '../../model/kind.ts'
import type { TerraformAttributes, TerraformBlock } from './terraform-attribute.ts'
import { dataSourceBlock } from './terraform-data-attributes.ts'
import { dataSources } from './terraform-data-sources.ts'

/** The kinds whose objects `terraform query` lists: those that a data source lists. */
export const listedKinds: readonly DeclarableKind[] = declarableKinds.filter(
  kind => listSource(kind) !== undefined,
)

/** What a list of a kind's resource can be asked for: what the data source that lists them can be. */
export function listResourceBlock(kind: DeclarableKind): TerraformBlock {
  const source = listSource(kind)
  if (!source) throw new RangeError(`nothing lists ${kind.title}s`)
  const given = Object.entries(dataSourceBlock(source).attributes).flatMap(([name, attribute]) => {
    const { computed: _filledIn, ...asked } = attribute
    return attribute.optional || attribute.required ? [[name, asked] as const] : []
  })
  // What is only asked is as complete without the members that were taken out.
  const attributes: TerraformAttributes = Object.fromEntries(given)
  return { version: 0, description: `The ${pluralTitle(kind)} that there are, managed or not.`, attributes }
}

function listSource(kind: DeclarableKind) {
  return Object.values(dataSources).find(source => source.is === 'many' && source.kind.name === kind.name)
}
