import { managedFields } from '../../../model/kind.ts'
import { shortDigest } from '../../fingerprint.ts'
import type { Live } from '../../live.ts'
import { authorOf } from '../../live-edits/authors.ts'
import type { OutsideWrite } from '../../live-edits/base.ts'
import { declaredFieldDigests, threeOf } from '../../live-edits/digests.ts'
import { editedFields, existenceVerdict } from '../../live-edits/existence.ts'
import { type Author, existsField } from '../../live-edits/live-edit.ts'
import { standingWrite } from '../../live-edits/treatment.ts'
import type { ObjectContext } from '../object/object-context.ts'
import { authorOfWrite } from './edited-fields.ts'
import { type Answer, answerTo } from './judge.ts'
import type { OnRecord } from './on-record.ts'

/** What becomes of an object that is there and declared absent, or the other way round. */
export interface EditedExistence extends Answer {
  readonly isLive: boolean
  /** The fields in which a living one is not as it was declared when it last converged. */
  readonly edited: readonly string[]
  readonly write?: OutsideWrite
  readonly author?: Author
}

/** Looks at an object that is not there although it is declared, or there although it is declared absent. */
export function editedExistence(
  context: ObjectContext,
  live: Live | undefined,
  recorded: OnRecord,
): EditedExistence {
  const { desired, kind } = context
  const { base, writes, lineage } = recorded
  const isLive = live !== undefined
  const edited = live ? editedFields(base, digestsBeside(context, live, recorded), together(writes)) : []
  const now = shortDigest(isLive)
  const write = standingWrite(writes, existsField, now)
  const declared = Object.entries(declaredFieldDigests(kind, desired, context.policy.ownership.tag))
  const answer = answerTo(context, recorded, {
    field: existsField,
    verdict: existenceVerdict({
      base,
      declared: desired.ensure,
      live: isLive ? 'present' : 'absent',
      edited,
    }),
    origin: base?.origin,
    write,
    // Of what is declared absent no field tells whether the line has taken part in that.
    isAsAtFork: commit =>
      declared.length > 0 &&
      declared.every(([field, digest]) => lineage.digestAtFork(commit, desired.address, field) === digest),
    wasDeclared: () => undefined,
  })
  const id = live?.id ?? context.found[0]?.id ?? base?.id
  const since = base ? { since: base.origin.at } : {}
  const asked = { kind, id, field: existsField, live: isLive, ...since }
  const author = write ? authorOfWrite(write) : authorOf(recorded.authors, asked)
  return { ...answer, isLive, edited, ...(write ? { write } : {}), ...(author ? { author } : {}) }
}

/** What is live of the fields that the base has, in the form of their digests. */
function digestsBeside(
  { kind, desired, policy }: ObjectContext,
  live: Live,
  { base }: OnRecord,
): Record<string, string> {
  const names = managedFields(kind).filter(name => name in live.record && base?.fields[name])
  return Object.fromEntries(
    names.map(name => {
      const field = base?.fields[name]
      // It is no longer declared: what others write in it counts as nobody's.
      const before = { ...desired, ignore: field?.ignore ?? [], fields: { [name]: {} } }
      const placesIn = { [name]: field?.value ?? live.record[name] ?? null }
      const compared = { kind, desired: before, live, ownershipTag: policy.ownership.tag, placesIn }
      return [name, threeOf(compared, name, field).live]
    }),
  )
}

/** What undo and disable have set, whichever of them. */
function together(writes: readonly OutsideWrite[]): OutsideWrite | undefined {
  const [newest] = writes
  return (
    newest && { ...newest, fields: Object.assign({}, ...[...writes].reverse().map(({ fields }) => fields)) }
  )
}
