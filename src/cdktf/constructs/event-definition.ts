import { Construct } from 'constructs'
import { inThisEngine } from '../engine.ts'
import {
  type EventDefinitionConfig,
  EventDefinition as EventDefinitionResource,
} from '../generated/event-definition/index.ts'
import { about } from './about.ts'
import { addTags } from './add-tags.ts'
import { type DeclaredProps, metaArguments } from './declared-props.ts'
import { escapeAll } from './escape-text.ts'
import { findNamed, nameAfter } from './names.ts'
import { pick } from './pick.ts'

/** The fields of an event definition that are given as they are to the generated construct. */
const plain = ['name', 'onDestroy', 'postToChat', 'projectId', 'tags'] as const
type PlainFields = Pick<EventDefinitionConfig, (typeof plain)[number]>

/** What an event definition is declared with. A field that is left out is left to others. */
export interface EventDefinitionProps extends PlainFields, DeclaredProps {}

/**
 * The definition of an event, which exists once the service has seen such an event: it is taken over, never created. In
 * Terraform it is named after the event.
 *
 * ```ts
 * EventDefinition.named(this, 'purchase completed').tag('billing', 'core')
 * ```
 */
export class EventDefinition extends Construct {
  /** What it is in Terraform, for tests that look for one: `toHaveResource(EventDefinition, { ... })`. */
  public static readonly tfResourceType = EventDefinitionResource.tfResourceType
  /** The generated construct inside, for whatever there is no property for. */
  public readonly resource: EventDefinitionResource

  /** The definition of an event by its name: the one that the stack has already, or a new one. */
  public static named(scope: Construct, name: string): EventDefinition {
    const before = findNamed(scope, { address: EventDefinitionResource.tfResourceType }, { parts: [name] })
    const owner = before?.node.scope
    return owner instanceof EventDefinition ? owner : new EventDefinition(scope, name, { name })
  }

  public constructor(scope: Construct, id: string, props: EventDefinitionProps) {
    super(inThisEngine(scope, id), id)
    const { name, projectId, logicalId } = props
    this.resource = about('event', name, this, () => {
      if (name.trim() === '') throw new Error('the name is empty')
      const config = { ...escapeAll(pick(props, plain)), ...metaArguments(props) }
      const resource = new EventDefinitionResource(this, 'Resource', config)
      nameAfter(resource, { parts: [name], place: projectId, logicalId })
      return resource
    })
  }

  /** The id under which the service knows the definition; known once a plan is made. */
  public get id(): string {
    return this.resource.id
  }

  /** Adds labels; the service keeps them trimmed and in lower case. */
  public tag(...tags: string[]): this {
    addTags(this.resource, tags)
    return this
  }

  /** Posts such events to a chat tool, or no longer. */
  public postToChat(isPosted = true): this {
    this.resource.postToChat = isPosted
    return this
  }
}
