import { Construct } from 'constructs'
import { pluginKind } from '../kinds/index.ts'
import { allowed, knownTruth, ownerId, type Reader, textMap, truth } from './argument.ts'
import { requireRight, requireRightSource, writeSensitive } from './check-fields.ts'
import { inThisEngine } from './engine/engine.ts'
import { type PluginConfig, Plugin as PluginResource } from './generated/plugin/index.ts'
import { idOf, making, nameAfter, nameOf } from './make-construct.ts'
import {
  type DeclaredProps,
  declaredArguments,
  type FieldProps,
  fieldArguments,
  fieldConfig,
  inOrder,
  metaArguments,
  type Readers,
  readArguments,
  writeLiveEdits,
} from './read-arguments.ts'
import { ImportedPlugin, type IPlugin, type OrganizationLookup } from './references.ts'

/** Terraform's own properties of a plugin, passed to the generated construct unchanged. */
const added = ['allow', 'adopt', 'organizationId', 'source'] as const
type Added = Pick<PluginConfig, (typeof added)[number]>
type PluginFields = FieldProps<typeof pluginKind, PluginConfig, keyof Added>

/** The properties of a plugin. A field without a property is not managed. */
export interface PluginProps extends PluginFields, Added, DeclaredProps {
  /**
   * Hides its settings, jobs and source files in everything that Vexil shows and records of a stack. Plans of
   * Terraform still show them.
   */
  readonly sensitive?: boolean
}

const allow: Reader<PluginProps['allow']> = allowed(pluginKind)

export const pluginArguments: Readers<PluginProps> = {
  ...declaredArguments(pluginKind),
  ...inOrder({
    ...fieldArguments<PluginFields>(pluginKind),
    allow,
    adopt: truth,
    organizationId: ownerId('organization'),
    sensitive: knownTruth,
    source: textMap,
  }),
}

/**
 * A plugin with its source files, which are sent unchanged, including `${...}`. In Terraform it is named
 * after its name.
 *
 * ```ts
 * new Plugin(this, 'Geo', {
 * name: 'geo',
 * pluginType: 'source',
 * source: { 'index.ts': readFileSync('plugins/geo.ts', 'utf8') },
 * })
 * ```
 */
export class Plugin extends Construct implements IPlugin {
  /** Its resource type in Terraform, for tests such as `toHaveResource(Plugin, { ... })`. */
  public static readonly tfResourceType = PluginResource.tfResourceType
  /** The generated construct. Use it for settings that have no property here. */
  public readonly resource: PluginResource

  /** A plugin that is declared elsewhere, by its name. A plan looks it up, and never changes it. */
  public static fromName(
    scope: Construct,
    id: string,
    name: string,
    lookup: OrganizationLookup = {},
  ): IPlugin {
    return new ImportedPlugin(scope, id, { name }, lookup)
  }

  /** An object that is declared elsewhere, by its id in the service. */
  public static fromId(
    scope: Construct,
    id: string,
    pluginId: number | string,
    lookup: OrganizationLookup = {},
  ): IPlugin {
    return new ImportedPlugin(scope, id, { id: pluginId }, lookup)
  }

  public constructor(scope: Construct, id: string, props: PluginProps) {
    super(inThisEngine(scope, id), id)
    this.resource = making('plugin', props?.name, this, () => {
      const declared = readArguments(props, pluginArguments, 'a plugin')
      const { name, organizationId, logicalId } = declared
      requireRight(pluginKind, declared)
      requireRightSource(pluginKind, declared, declared.source)
      const resource = new PluginResource(this, 'Resource', {
        ...fieldConfig<PluginConfig>(pluginKind, declared, added),
        ...metaArguments(declared),
      })
      writeLiveEdits(resource, declared.liveEdits)
      writeSensitive(resource, declared.sensitive)
      nameAfter(resource, { parts: [name], place: organizationId, logicalId })
      return resource
    })
  }

  /** The id of the plugin in the service; known only in a plan. */
  public get id(): string {
    return idOf(this.resource)
  }

  /** The name as a reference, so that Terraform creates this plugin first. */
  public get name(): string {
    return nameOf(this.resource)
  }
}
