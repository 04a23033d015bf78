import { isNotFound, levelRecord, type Way } from '../../api/index.ts'
import type { Json, JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import type { Change } from '../change.ts'
import { noLevels } from '../guards/offered.ts'
import { readAgain } from '../read/locate.ts'
import { type Confirmed, confirmWrite, type Write } from './confirm-write.ts'
import { type PerformContext, parentParams } from './performed.ts'

/** The write of a level, or of null, which removes the object. */
export function levelWrite(
  kind: DeclarableKind,
  change: Change,
  level: Json,
  context: PerformContext,
): Write | undefined {
  const { levels, parent } = kind.lifecycle
  if (!levels || !parent) return undefined
  const params = parentParams(kind, change, context)
  const subject = change.after[identityField(kind)] ?? change.identity
  return {
    kind,
    endpoint: levels.put,
    params,
    body: { [levels.subject]: subject, [levels.members[levels.field] ?? levels.field]: level },
    recordOf: body => levelRecord(kind, params[parent.parameter] ?? '', body),
  }
}

/** Sends one write until its result is known. While it reads for that, `others` lets other requests run. */
type Settle = (write: Write, others: () => void) => Promise<Confirmed>

/**
 * Creates an object in the form that the service uses. If the form is unknown, the likelier one is tried first.
 * If the service does not know that path, nothing was written, and the other form is used. A level is never dropped.
 */
export async function createEitherWay(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
  settle: Settle,
): Promise<Confirmed> {
  const others = kind.lifecycle.levels ? await context.client.routes.turn(kind.name) : () => {}
  try {
    return await createInTurn(kind, change, context, write => settle(write, others))
  } finally {
    others()
  }
}

async function createInTurn(
  kind: DeclarableKind,
  change: Change,
  context: PerformContext,
  settle: (write: Write) => Promise<Confirmed>,
): Promise<Confirmed> {
  const { client } = context
  const { levels, create = '' } = kind.lifecycle
  const records = {
    kind,
    endpoint: create,
    params: parentParams(kind, change, context),
    body: createdFields(kind, change.after),
  }
  if (!levels) return settle(records)
  const declared = change.after[levels.field]
  const write = (way: Way) =>
    way === 'records'
      ? records
      : levelWrite(kind, change, declared ?? kind.fields[levels.field]?.assumed ?? null, context)
  const isKnown = client.routes.known(kind.name) === 'levels'
  let missing: Confirmed | undefined
  for (const way of client.routes.toTry(kind, client.target.profile)) {
    const sent = way === 'records' && declared !== undefined ? undefined : write(way)
    const outcome = sent && (await settle(sent))
    if (outcome && !isMissing(outcome)) return outcome
    missing ??= outcome
  }
  return missing && (isKnown || declared === undefined) ? missing : withoutLevels
}

const withoutLevels: Confirmed = { is: 'failed', error: new Error(noLevels.reason), isOpen: false }

function isMissing(outcome: Confirmed): boolean {
  return outcome.is === 'failed' && isNotFound(outcome.error)
}

/** Sends the source files that a change names, if any. After a lost answer, reading the files shows the result. */
export async function writeFiles(
  kind: DeclarableKind,
  change: Change,
  id: string,
  context: PerformContext,
): Promise<Confirmed> {
  const { files } = change
  const endpoint = kind.lifecycle.files?.write
  if (!files || !endpoint) return { is: 'settled', already: true }
  return confirmWrite({
    ...context,
    write: { kind, endpoint, params: { id }, body: files },
    find: () => readAgain(kind, { ...change, id }, context),
    isDone: live => Object.entries(files).every(([name, text]) => (live.files?.[name] ?? null) === text),
    // Writing the same files with the same texts again changes nothing. So they may be sent whatever is
    // there, or if the key cannot read them.
    isUntouched: () => true,
  })
}

/** The fields of a change, merged over the live ones. */
export function sentFields(
  kind: DeclarableKind,
  { before, after }: Pick<Change, 'before' | 'after'>,
): JsonObject {
  const fields = Object.entries(after).map(([name, value]) => {
    const { complete } = kind.fields[name] ?? {}
    return [name, complete ? complete(value, before[name] ?? null) : value] as const
  })
  return Object.fromEntries(fields)
}

/** The fields of a new object, with those that each service would otherwise fill in differently. */
function createdFields(kind: DeclarableKind, after: JsonObject): JsonObject {
  const whole = Object.entries(kind.fields).flatMap(([name, { complete }]) =>
    complete ? [[name, complete(after[name] ?? null, undefined)] as const] : [],
  )
  return { ...after, ...Object.fromEntries(whole) }
}
