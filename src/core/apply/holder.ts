import { type Client, type ClientTarget, unlessRefused } from '../../api/index.ts'
import { fillPath } from '../../model/endpoint.ts'
import { isJsonArray, isJsonNumber, isJsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import { profilesWith } from '../../services/index.ts'
import { isListedApart, type Live, toLive } from '../live.ts'
import { locate, queryFor } from '../read/locate.ts'
import { readById } from '../read/read-record.ts'

interface Reader {
  readonly client: Client
  readonly signal?: AbortSignal
}

/** Why a name is taken: what has it, and what to do if a new object was to get it. */
interface Held {
  readonly what: string
  readonly remedy: string
}

/** The object that has a name. */
type Holder = (kind: DeclarableKind, name: string, reader: Reader) => Promise<Held | undefined>

/**
 * Finds the object whose name the service refuses as taken although no list shows it. Returns what it is and
 * what to do. It sends no request before the refusal, and a refused lookup adds nothing to the answer.
 *
 * | request                                    | answer                | so the name belongs to            |
 * |--------------------------------------------|-----------------------|-----------------------------------|
 * | the list of what is archived               | one of the name       | an archived object                |
 * | the organization for the name, then the id | an archived one       | an archived object                |
 * | the same                                   | a soft-deleted one    | a soft-deleted object             |
 * | the same                                   | any other             | one of a survey or a product tour |
 * | the same                                   | the id alone          | one that this key may not see     |
 * | either                                     | nothing, or a refusal | any of these: unknown             |
 */
export async function takenReason(kind: DeclarableKind, name: string, reader: Reader): Promise<string> {
  const found = await holderOf(kind, name, reader)
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
  const called = listed && nameOf(kind, listed.id, reader.client.target)
  const found = isPlain
    ? { what: `a ${kind.title} ${called} that is there by now`, remedy: '' }
    : await holderOf(kind, name, reader)
  if (!found) return `its new ${field} is taken, but no list shows by what: ${unseen(kind)}`
  const remedy = `take another ${field}, or have that one renamed first`
  return heldText(kind, 'its new', { ...found, remedy })
}

async function holderOf(kind: DeclarableKind, name: string, reader: Reader): Promise<Held | undefined> {
  for (const look of [lookAmongArchived, lookInOrganization]) {
    const found = await unlessRefused(() => look(kind, name, reader))
    if (found !== undefined) return found
  }
  return undefined
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

const lookAmongArchived: Holder = async (kind, name, { client, signal }) => {
  const { listedApart } = kind.lifecycle
  if (!listedApart) return undefined
  const { profile, known } = client.target
  const mayBe = known === 'assumed' || profilesWith(listedApart.behaviour, listedApart.is).includes(profile)
  if (!mayBe) return undefined
  const query = { ...queryFor(kind, name, client), [listedApart.field]: true }
  for await (const record of client.list(kind.name, { query, asAnswered: true, signal })) {
    const live = toLive(kind, record)
    if (live && live.identity === name && isListedApart(kind, live))
      return heldApart(kind, live, client.target)
  }
  return undefined
}

const lookInOrganization: Holder = async (kind, name, reader) => {
  const { client, signal } = reader
  const { holder } = kind.lifecycle
  const { projectId, organizationId } = client.target
  if (!holder || organizationId === undefined) return undefined
  const { body } = await client.call(kind.name, holder.endpoint, {
    params: { [holder.parameter]: name },
    signal,
  })
  const rows = isJsonArray(body) ? body.filter(isJsonObject) : []
  const id = rows.find(row => String(row[holder.project]) === projectId)?.[holder.id]
  if (typeof id !== 'string' && !(id !== undefined && isJsonNumber(id))) return undefined
  return reasonOf(kind, String(id), name, reader)
}

async function reasonOf(
  kind: DeclarableKind,
  id: string,
  name: string,
  reader: Reader,
): Promise<Held | undefined> {
  const { target } = reader.client
  const another = `take another ${identityField(kind)}`
  const live = await unlessRefused(() => readById(kind, id, reader))
  const called = nameOf(kind, id, target)
  if (!live)
    return {
      what: `a ${kind.title} ${called} that this key may not see`,
      remedy: `use a key that may, or ${another}`,
    }
  // It has got another name since.
  if (live.identity !== name) return undefined
  if (live.isSoftDeleted)
    return {
      what: `a soft-deleted ${kind.title} ${called}`,
      remedy: `declare \`id: ${id}\` to restore it, or ${another}`,
    }
  if (isListedApart(kind, live)) return heldApart(kind, live, target)
  return {
    what: `a ${kind.title} ${called} that lists leave out, as they do with those of surveys and product tours`,
    remedy: `${another}: that one belongs to what made it`,
  }
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
