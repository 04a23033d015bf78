import { Construct } from 'constructs'
import { inThisEngine } from '../engine.ts'
import { type PluginConfig, Plugin as PluginResource } from '../generated/plugin/index.ts'
import { about } from './about.ts'
import { json, text, textMap, texts, truth } from './arguments/argument.ts'
import { type Readers, readArguments } from './arguments/read-arguments.ts'
import { requireRight } from './check-fields.ts'
import { type DeclaredProps, declaredArguments, metaArguments } from './declared-props.ts'
import { escapeAll } from './escape-text.ts'
import { idOf } from './instances.ts'
import { jsonText } from './json-text.ts'
import { nameAfter } from './names.ts'
import { pick } from './pick.ts'

/** The fields of a plugin that are given as they are to the generated construct. */
const plain = [
  'acknowledge',
  'adopt',
  'description',
  'icon',
  'isGlobal',
  'name',
  'organizationId',
  'pluginType',
  'source',
  'tag',
] as const
type PlainFields = Pick<PluginConfig, (typeof plain)[number]>

/** What a plugin is declared with. A field that is left out is left to others. */
export interface PluginProps extends PlainFields, DeclaredProps {
  /** The settings that the plugin asks for, as a JSON value. */
  readonly configSchema?: unknown
  /** Jobs that people can start, as a JSON value. */
  readonly publicJobs?: unknown
}

/** How they are read. */
export const pluginArguments: Readers<PluginProps> = {
  ...declaredArguments,
  acknowledge: texts,
  adopt: truth,
  configSchema: json,
  description: text,
  icon: text,
  isGlobal: truth,
  name: text,
  organizationId: text,
  pluginType: text,
  publicJobs: json,
  source: textMap,
  tag: text,
}

/**
 * A plugin with its source files, which arrive as they are, `${...}` included. In Terraform it is named after its name.
 *
 * ```ts
 * new Plugin(this, 'Geo', {
 *   name: 'geo',
 *   pluginType: 'source',
 *   source: { 'index.ts': readFileSync('plugins/geo.ts', 'utf8') },
 * })
 * ```
 */
export class Plugin extends Construct {
  /** What it is in Terraform, for tests that look for one: `toHaveResource(Plugin, { ... })`. */
  public static readonly tfResourceType = PluginResource.tfResourceType
  /** The generated construct inside, for whatever there is no property for. */
  public readonly resource: PluginResource

  public constructor(scope: Construct, id: string, props: PluginProps) {
    super(inThisEngine(scope, id), id)
    this.resource = about('plugin', props?.name, this, () => {
      const declared = readArguments(props, pluginArguments, 'a plugin')
      const { name, organizationId, logicalId } = declared
      requireRight('plugin', declared)
      const resource = new PluginResource(this, 'Resource', configOf(declared))
      nameAfter(resource, { parts: [name], place: organizationId, logicalId })
      return resource
    })
  }

  /** The id under which the service knows the plugin; known once a plan is made. */
  public get id(): string {
    return idOf(this.resource)
  }
}

function configOf(props: PluginProps): PluginConfig {
  const { configSchema, publicJobs } = props
  return {
    ...escapeAll(pick(props, plain)),
    ...(configSchema === undefined ? {} : { configSchema: jsonText(configSchema) }),
    ...(publicJobs === undefined ? {} : { publicJobs: jsonText(publicJobs) }),
    ...metaArguments(props),
  }
}
