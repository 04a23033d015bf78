import type { Type } from '../../hcl/index.ts'

import { declarableKinds } from '../../kinds/index.ts'
import type { DeclarableKind, IdentifiedKind } from '../../model/kind.ts'
import { type TerraformAttributes, typeOfAttribute } from '../../schema/terraform/terraform-attribute.ts'
import { dataSourceBlock, dataSources } from '../../schema/terraform/terraform-data-sources.ts'
import { typeName } from '../../schema/terraform/terraform-names.ts'
import { providerBlock, resourceBlock } from '../../schema/terraform/terraform-schema.ts'

/** One attribute of a block. */
export interface SchemaAttribute {
  readonly type: Type
  readonly isRequired: boolean
  /** False for what only the service says. */
  readonly isSettable: boolean
  /** Whether the service fills it in where it is left out. */
  readonly isComputed: boolean
}

export type Schema = ReadonlyMap<string, SchemaAttribute>

export interface ResourceSchema {
  readonly kind: DeclarableKind
  readonly attributes: Schema
}

export interface DataSourceSchema {
  readonly kind: DeclarableKind | undefined
  /** The kind of the one object that it is about, which its attributes name. */
  readonly one: IdentifiedKind | undefined
  readonly attributes: Schema
}

/** The resources of the provider, by type. */
export const resourceSchemas: ReadonlyMap<string, ResourceSchema> = new Map(
  declarableKinds.map(kind => [
    typeName(kind.name),
    { kind, attributes: schemaOf(resourceBlock(kind).attributes) },
  ]),
)

/** Its data sources, by type. */
export const dataSourceSchemas: ReadonlyMap<string, DataSourceSchema> = new Map(
  Object.entries(dataSources).map(([name, source]) => {
    const kind = declarableKinds.find(each => each.name === source.kind.name)
    const attributes = schemaOf(dataSourceBlock(source).attributes)
    return [typeName(name), { kind, one: source.is === 'one' ? source.kind : undefined, attributes }]
  }),
)

/** The block of the provider itself. */
export const providerSchema: Schema = schemaOf(providerBlock.attributes)

function schemaOf(attributes: TerraformAttributes): Schema {
  return new Map(
    Object.entries(attributes).map(([name, attribute]) => {
      const { required = false, optional = false, computed = false } = attribute
      const type = typeOfAttribute(attribute)
      return [name, { type, isRequired: required, isSettable: required || optional, isComputed: computed }]
    }),
  )
}
