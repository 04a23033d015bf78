import type { IResolvable } from 'cdktf'
import { Construct } from 'constructs'
import { eventDefinition } from '../kinds/index.ts'
import { destroyWays } from '../model/removal.ts'
import { choice, knownText, ownerId, texts, truth } from './argument.ts'
import { requireRight, requireRightFields } from './check-fields.ts'
import { inThisEngine } from './engine/engine.ts'
import {
  type EventDefinitionConfig,
  EventDefinition as EventDefinitionResource,
} from './generated/event-definition/index.ts'
import {
  about,
  findNamed,
  idOf,
  making,
  nameAfter,
  nameOf,
  requireNotSynthesized,
  watchSynthesis,
} from './make-construct.ts'
import { addTags } from './policies/policy-aspect.ts'
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
import { type IEventDefinition, ImportedEventDefinition, type ProjectLookup } from './references.ts'

/** Terraform's own properties of a definition, passed to the generated construct unchanged. */
const added = ['onDestroy', 'projectId'] as const
type Added = Pick<EventDefinitionConfig, (typeof added)[number]>
type DefinitionFields = FieldProps<typeof eventDefinition, EventDefinitionConfig, keyof Added>

/** The properties of an event definition. A field without a property is not managed. */
export interface EventDefinitionProps extends DefinitionFields, Added, DeclaredProps {}

const onDestroy = choice(destroyWays)

export const eventDefinitionArguments: Readers<EventDefinitionProps> = {
  ...declaredArguments(eventDefinition),
  ...inOrder({
    ...fieldArguments<DefinitionFields>(eventDefinition),
    onDestroy,
    projectId: ownerId('project'),
  }),
}

/**
 * The definition of an event, which exists once the service has seen such an event: Vexil adopts it, but
 * never creates it.
 * In Terraform it is named after the event.
 *
 * ```ts
 * EventDefinition.named(this, 'purchase completed').tag('billing', 'core')
 * ```
 */
export class EventDefinition extends Construct implements IEventDefinition {
  /** Its resource type in Terraform, for tests such as `toHaveResource(EventDefinition, { ... })`. */
  public static readonly tfResourceType = EventDefinitionResource.tfResourceType
  /** The generated construct. Use it for settings that have no property here. */
  public readonly resource: EventDefinitionResource
  private readonly eventName: unknown

  /**
   * A definition that is declared elsewhere, by the name of the event. A plan looks it up, and never changes
   * it.
   */
  public static fromName(
    scope: Construct,
    id: string,
    name: string,
    lookup: ProjectLookup = {},
  ): IEventDefinition {
    return new ImportedEventDefinition(scope, id, { name }, lookup)
  }

  /** An object that is declared elsewhere, by its id in the service. */
  public static fromId(
    scope: Construct,
    id: string,
    definitionId: string,
    lookup: ProjectLookup = {},
  ): IEventDefinition {
    return new ImportedEventDefinition(scope, id, { id: definitionId }, lookup)
  }

  /** The definition of an event by name: the existing one of the stack, or a new one. */
  public static named(scope: Construct, name: string): EventDefinition {
    const known = knownText(name, 'named')
    inThisEngine(scope, known)
    const before = findNamed(scope, { address: EventDefinitionResource.tfResourceType }, { parts: [known] })
    const owner = before?.node.scope
    return owner instanceof EventDefinition ? owner : new EventDefinition(scope, known, { name: known })
  }

  public constructor(scope: Construct, id: string, props: EventDefinitionProps) {
    super(inThisEngine(scope, id), id)
    this.eventName = props?.name
    this.resource = making('event', props?.name, this, () => {
      const declared = readArguments(props, eventDefinitionArguments, 'an event definition')
      const { name, projectId, logicalId } = declared
      requireRight(eventDefinition, declared)
      const resource = new EventDefinitionResource(this, 'Resource', {
        ...fieldConfig<EventDefinitionConfig>(eventDefinition, declared, added),
        ...metaArguments(declared),
      })
      writeLiveEdits(resource, declared.liveEdits)
      watchSynthesis(this)
      nameAfter(resource, { parts: [name], place: projectId, logicalId })
      return resource
    })
  }

  /** The id of the definition in the service; known only in a plan. */
  public get id(): string {
    return idOf(this.resource)
  }

  /** The name of the event as a reference, so that Terraform adopts this definition first. */
  public get name(): string {
    return nameOf(this.resource)
  }

  /** Adds tags; the service keeps them trimmed and in lower case. */
  public tag(...tags: string[]): this {
    about('event', this.eventName, this, () => {
      requireRightFields(eventDefinition, { tags: texts(tags, 'tags') })
      requireNotSynthesized(this, 'tag')
      addTags(this.resource, tags)
    })
    return this
  }

  /** Turns posts of such events to a chat tool on or off. */
  public postToChat(isPosted: boolean | IResolvable = true): this {
    about('event', this.eventName, this, () => {
      const value = truth(isPosted, 'postToChat')
      requireNotSynthesized(this, 'postToChat')
      this.resource.postToChat = value
    })
    return this
  }
}
