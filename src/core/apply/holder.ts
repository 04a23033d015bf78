import { type Client, type ClientTarget, unlessRefused } from '../../api/index.ts'
import { fillPath } from '../../model/endpoint.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import { profilesWith } from '../../services/index.ts'
import { isListedApart, type Live, toLive } from '../live.ts'
import { locate, queryFor } from '../read/locate.ts'

interface Reader {
  readonly client: Client
  readonly signal?: AbortSignal
}

/** Why a name is taken: what has it, and what to do if a new object was to get it. */
interface Held {
  readonly what: string
  readonly remedy: string
}

/**
 * Why the service refuses a name as taken although no list shows the object. An archived one is looked for and
 * named. Otherwise a reason lists what it may be. It sends no request before the refusal.
 */
export async function takenReason(kind: DeclarableKind, name: string, reader: Reader): Promise<string> {
  const found = await archivedWith(kind, name, reader)
  if (found) return heldText(kind, 'its', found)
  return `its ${identityField(kind)} is taken, but no list shows by what: ${unseen(kind)}`
}

/**
 * The same for the new name of an existing object. The object keeps its old name, so the holder would
 * have to make room.
 */
export async function newNameTakenReason(
  kind: DeclarableKind,
  name: string,
  reader: Reader,
): Promise<string> {
  const field = identityField(kind)
  const listed = await unlessRefused(() => locate(kind, name, {}, reader))
  const isPlain = listed && !listed.isSoftDeleted && !isListedApart(kind, listed)
  const found = isPlain
    ? { what: `a ${kind.title} ${nameOf(kind, listed.id, reader.client.target)} that is there by now` }
    : await archivedWith(kind, name, reader)
  if (!found) return `its new ${field} is taken, but no list shows by what: ${unseen(kind)}`
  const remedy = `take another ${field}, or have that one renamed first`
  return heldText(kind, 'its new', { ...found, remedy })
}

function unseen(kind: DeclarableKind): string {
  const { title } = kind
  const what = `an archived ${title}, one of a survey or a product tour, one that this key may not see, or a soft-deleted one`
  return `${what}; ask somebody who may see all of them, or take another ${identityField(kind)}`
}

/** The reason for an object that exists already and differs from the one to create. */
export function thereReason(kind: DeclarableKind, live: Live, target: ClientTarget): string {
  if (isListedApart(kind, live)) return apartReason(kind, live, target)
  return `it exists ${nameOf(kind, live.id, target)} and is not as planned; somebody else wrote it`
}

/** The reason for an archived object that has the name. */
export function apartReason(kind: DeclarableKind, live: Live, target: ClientTarget): string {
  return heldText(kind, 'its', heldApart(kind, live, target))
}

function heldApart(kind: DeclarableKind, live: Live, target: ClientTarget): Held {
  const apart = kind.lifecycle.listedApart?.field ?? ''
  const remedy = `declare \`id: ${live.id}\` to take it over, with \`${apart}: true\` as it is or without to bring it back`
  return { what: `an ${apart} ${kind.title} ${nameOf(kind, live.id, target)}`, remedy }
}

async function archivedWith(
  kind: DeclarableKind,
  name: string,
  { client, signal }: Reader,
): Promise<Held | undefined> {
  const { listedApart } = kind.lifecycle
  if (!listedApart) return undefined
  const { profile, known } = client.target
  const mayBe = known === 'assumed' || profilesWith(listedApart.behaviour, listedApart.is).includes(profile)
  if (!mayBe) return undefined
  return unlessRefused(async () => {
    const query = { ...queryFor(kind, name, client), [listedApart.field]: true }
    for await (const record of client.list(kind.name, { query, asAnswered: true, signal })) {
      const live = toLive(kind, record)
      if (live && live.identity === name && isListedApart(kind, live))
        return heldApart(kind, live, client.target)
    }
    return undefined
  })
}

function heldText(kind: DeclarableKind, whose: string, { what, remedy }: Held): string {
  return `${whose} ${identityField(kind)} is that of ${what}; ${remedy}`
}

/** `(id 12, https://…/project/1/feature_flags/12)` */
function nameOf({ lifecycle: { page } }: DeclarableKind, id: string, target: ClientTarget): string {
  const { baseUrl, projectId } = target
  if (page === undefined || projectId === undefined) return `(id ${id})`
  return `(id ${id}, ${baseUrl}${fillPath(page, { project_id: projectId, id })})`
}
