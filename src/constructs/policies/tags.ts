import type { IConstruct } from 'constructs'
import { eventDefinition, featureFlag } from '../../kinds/index.ts'
import { knownTexts, notA, type Reader, text } from '../argument.ts'
import { requireRightFields } from '../check-fields.ts'
import { type Readers, readArguments } from '../read-arguments.ts'
import { AddTags, type ExceptProps, enforce, exceptArguments } from './policy-aspect.ts'
import type { PolicySubject, SubjectKind } from './policy-subject.ts'

/** What has tags. */
export type TaggedKind = Extract<SubjectKind, 'event' | 'flag'>

/** Which objects below a construct get the tags; by default all flags and event definitions. */
export interface TagsProps extends ExceptProps {
  /** Only those of these kinds: `['flag']`. */
  readonly includeKinds?: readonly TaggedKind[]
  /** None of these kinds: `['event']`. */
  readonly excludeKinds?: readonly TaggedKind[]
}

const tagged: readonly TaggedKind[] = [eventDefinition.title, featureFlag.title]

const taggedKinds: Reader<readonly TaggedKind[]> = (value, name) =>
  knownTexts(value, name).map((given, index) => {
    const kind = tagged.find(each => each === given)
    if (kind === undefined)
      throw notA(`a kind that has tags: ${tagged.join(', ')}`, given, `${name}[${index}]`)
    return kind
  })

/** The readers of the properties. */
export const tagsArguments: Readers<TagsProps> = {
  ...exceptArguments,
  excludeKinds: taggedKinds,
  includeKinds: taggedKinds,
}

/**
 * The tags of everything below a construct.
 *
 * ```ts
 * Tags.of(app).add('team:growth')
 * Tags.of(billing).add('core', { excludeKinds: ['event'], except: ['kill_switch'] })
 * ```
 */
export class Tags {
  private readonly scope: IConstruct

  public static of(scope: IConstruct): Tags {
    return new Tags(scope)
  }

  private constructor(scope: IConstruct) {
    // Refuses a value that is no construct, and an app without stacks.
    enforce(scope)
    this.scope = scope
  }

  /**
   * Adds a tag to flags and event definitions when the stack is synthesized, to all that are declared until then and do not
   * have it. One whose tags were left to others is declared to have this one and no more.
   */
  public add(tag: string, props: TagsProps = {}): this {
    const given = [text(tag, 'tag')]
    requireRightFields(featureFlag, { tags: given })
    enforce(this.scope, new AddTagsTo(given, readArguments(props, tagsArguments, 'Tags')))
    return this
  }
}

class AddTagsTo extends AddTags {
  private readonly kinds: readonly SubjectKind[]

  public constructor(
    tags: readonly string[],
    { includeKinds = tagged, excludeKinds = [], ...props }: TagsProps,
  ) {
    super(tags, props)
    this.kinds = includeKinds.filter(kind => !excludeKinds.includes(kind))
  }

  protected override apply(subject: PolicySubject): void {
    if (this.kinds.includes(subject.kind)) super.apply(subject)
  }
}
