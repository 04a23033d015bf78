import { declarableKind } from '../../kinds/index.ts'
import { guards, guardsOfKind } from '../../model/guard-rules.ts'
import { type DeclarableKind, hasTargeting, isDeclarable, type Kind } from '../../model/kind.ts'
import { destroyWays } from '../../model/removal.ts'
import { oncePer } from '../../model/runtime.ts'
import {
  computed,
  optional,
  settable,
  type TerraformAttribute,
  type TerraformAttributes,
  typedTerraformAttributes,
} from './terraform-attribute.ts'
import { parentAttribute, typeName } from './terraform-names.ts'

/**
 * What Terraform's users can set beyond the fields of the interface, and for which kinds. An extra is
 * `computed` if the provider calculates its default value.
 */
interface Extra {
  readonly appliesTo: (kind: DeclarableKind) => boolean
  readonly attribute: TerraformAttribute | ((kind: DeclarableKind) => TerraformAttribute)
  /** Another value means another object. */
  readonly replaces?: true
}

const isScoped = (scope: Kind['scope']) => (kind: Kind) => kind.scope === scope

/** Advice for Terraform's users about the field that defines who gets an object, beyond its description. */
export const targetingText =
  'Where `release`, `variants` or `payload` say it instead, this is null, or what they cannot say of what somebody made of it in the product; those are what to ignore changes of. `provider::vexil::filters(vexil_feature_flag.NAME)` is what either way amounts to.'

const extras = {
  adopt: {
    appliesTo: kind => kind.lifecycle.create !== undefined,
    attribute: optional(
      'bool',
      'Whether an object that is live already, and exactly as configured, is taken over instead of refused.',
    ),
  },
  project_id: {
    appliesTo: isScoped('project'),
    replaces: true,
    attribute: settable('string', 'The project it lives in; that of the provider when left out.'),
  },
  organization_id: {
    appliesTo: isScoped('organization'),
    replaces: true,
    attribute: settable('string', 'The organization it lives in; that of the provider when left out.'),
  },
  source: {
    appliesTo: kind => kind.lifecycle.files !== undefined,
    attribute: settable(
      ['map', 'string'],
      'Source files, from name to text. A file that is taken out is removed; others are left alone.',
    ),
  },
  on_destroy: {
    appliesTo: kind => kind.lifecycle.cannotCreate !== undefined,
    attribute: optional(
      'string',
      'What destroying does: "forget" (the default) leaves it as it is, "restore" puts back what was there before, "delete" deletes it until such an event is seen again.',
      destroyWays,
    ),
  },
  ...typedExtras(),
  allow: {
    appliesTo: kind => guardsOfKind(kind).length > 0,
    attribute: kind =>
      optional(
        ['set', 'string'],
        `Rules that do not block it: ${guardsOfKind(kind)
          .map(rule => `"${rule}" (${guards[rule].doc})`)
          .join(', ')}.`,
        guardsOfKind(kind),
      ),
  },
  deleted: {
    appliesTo: kind => kind.lifecycle.softDelete !== undefined,
    attribute: computed(
      'bool',
      'Whether somebody has deleted it in the service, which keeps it: then it is planned to be restored, with its id and its grants, as it is configured. To have it stay deleted, take the resource out: `removed` or `terraform state rm`.',
    ),
  },
  tags_all: {
    appliesTo: kind => kind.lifecycle.ownedBy !== undefined,
    attribute: computed(
      ['set', 'string'],
      'The tags with the `default_tags` of the provider, as the service keeps them. To leave tags to people in the product, ignore changes of the others: `ignore_changes = [tags]`. The default ones are put back all the same.',
    ),
  },
} satisfies Readonly<Record<string, Extra>>

/** The attributes that express in parts what the conditions of a flag hold as JSON. */
function typedExtras(): Readonly<Record<string, Extra>> {
  return Object.fromEntries(
    Object.entries(typedTerraformAttributes('filters')).map(([name, attribute]) => [
      name,
      { appliesTo: hasTargeting, attribute },
    ]),
  )
}

/** The extras of a kind's resource. */
export const extrasOf = oncePer(describeExtras)

function describeExtras(kind: DeclarableKind): TerraformAttributes {
  const rows = Object.entries<Extra>(extras).filter(([, { appliesTo }]) => appliesTo(kind))
  return {
    ...Object.fromEntries(
      rows.map(([name, { attribute }]) => [
        name,
        typeof attribute === 'function' ? attribute(kind) : attribute,
      ]),
    ),
    ...parentExtra(kind),
  }
}

function parentExtra(kind: DeclarableKind): TerraformAttributes {
  const [name, parent] = [parentAttribute(kind), kind.lifecycle.parent]
  if (!name || !parent) return {}
  const { title } = declarableKind(parent.kind)
  const description = `The id of the ${title}: \`${typeName(parent.kind)}.NAME.id\`.`
  return { [name]: { type: 'string', required: true, description } }
}

/** The attributes of a kind's resource whose change creates another object. */
export const replacingAttributes = oncePer((kind: Kind): readonly string[] => {
  if (!isDeclarable(kind)) return []
  const rows = Object.entries<Extra>(extras)
  const replacing = rows.filter(([, extra]) => extra.replaces && extra.appliesTo(kind)).map(([name]) => name)
  const parent = parentAttribute(kind)
  return [...replacing, ...(parent ? [parent] : []), ...replacingIdentity(kind)]
})

/**
 * Another role is another grant, and another name another event. A flag and a plugin are renamed in place:
 * the service keeps their id and with it grants, experiments and history. A replacement would lose them.
 */
function replacingIdentity({ identity, lifecycle }: DeclarableKind): string[] {
  if (identity.by === 'parent') return [identity.sentAs]
  return lifecycle.create === undefined ? [identity.field] : []
}
