import { declarableKind } from '../../../kinds/index.ts'
import { writtenFields } from '../../change.ts'
import { shortDigest, writtenDigests } from '../../fingerprint.ts'
import type { OutsideWrite } from '../../live-edits/base.ts'
import { existsField } from '../../live-edits/live-edit.ts'
import { digestsByField } from '../declared.ts'
import type { RunEntry, RunRecord } from '../run.ts'
import { isOfList } from './grant-lists-after.ts'
import type { LeftDraft, RunOnRecord } from './left.ts'
import { endOf, isApply, isKnown } from './run-end.ts'

/**
 * Notes what runs wrote that no declaration asked for.
 *
 * | the run                      | its object                          | of an earlier such write                       |
 * |------------------------------|-------------------------------------|------------------------------------------------|
 * | an undo, a disable           | written, or maybe so                | its fields are now those of this one           |
 * | an apply, an enable          | written                             | its fields are nobody's any more               |
 * | an apply                     | written otherwise than is declared  | it is in there: both went together             |
 * | an apply                     | as declared                         | its declared fields are over, but those held   |
 * | a claim, an unclaim          | any                                 | as before: only the ownership tag has changed  |
 */
export function takeOutside(draft: LeftDraft, run: RunOnRecord): void {
  const { record } = run
  const by = outsideCommand(record)
  for (const entry of record.entries) {
    const { address, action } = entry.change
    if (by === undefined) {
      if (isKnown(entry) && !isOwnership(record)) {
        const merged = mergedFields(entry, run)
        const fields = writtenFields(entry.change).filter(name => !(name in merged))
        remove(draft, address, [...fields, ...existence(action)])
        goOn(draft, address, merged)
      }
    } else if (isKnown(entry) || entry.maybeWritten) add(draft, record, entry, by)
  }
  if (draft.outsideWrites.size > 0 && isApply(record)) settle(draft, run)
}

/** What an apply sent of fields otherwise than they are declared: it was merged with what was live. */
function mergedFields({ change }: RunEntry, { record, declared }: RunOnRecord): Record<string, string> {
  const object = isApply(record) ? declared?.[change.address] : undefined
  const asked = object && 'fields' in object ? digestsByField(object) : {}
  const sent = Object.entries(writtenDigests(declarableKind(change.kind), change))
  return Object.fromEntries(sent.filter(([name, digest]) => name in asked && asked[name] !== digest))
}

function goOn({ outsideWrites }: LeftDraft, address: string, merged: Readonly<Record<string, string>>): void {
  const writes = outsideWrites.get(address)?.map(write => {
    const fields = Object.entries(write.fields).map(([name, was]) => [name, merged[name] ?? was] as const)
    return { ...write, fields: Object.fromEntries(fields) }
  })
  if (writes) outsideWrites.set(address, writes)
}

/** What an apply left as it is declared is as the repository wants it, whoever wrote it first. */
function settle(draft: LeftDraft, run: RunOnRecord): void {
  const { record, declared = {} } = run
  const open = new Set([
    ...record.entries.filter(entry => !isKnown(entry)).map(({ change }) => change.address),
    ...record.blocked.map(({ address }) => address),
    ...record.notTargeted,
  ])
  for (const address of [...draft.outsideWrites.keys()]) {
    const object = Object.hasOwn(declared, address) ? declared[address] : undefined
    if ((!object && !isOfList(declared, address)) || open.has(address)) continue
    const entry = record.entries.find(({ change }) => change.address === address)
    const merged = entry ? Object.keys(mergedFields(entry, run)) : []
    const held = [...(record.held?.find(each => each.address === address)?.fields ?? []), ...merged]
    const fields = object && 'fields' in object ? Object.keys(digestsByField(object)) : []
    remove(
      draft,
      address,
      [...fields, existsField].filter(name => !held.includes(name)),
    )
  }
}

function add(draft: LeftDraft, record: RunRecord, { change }: RunEntry, by: OutsideWrite['by']): void {
  const { address, kind, action } = change
  const isDeleted = action === 'delete'
  const fields = {
    ...(isDeleted ? {} : writtenDigests(declarableKind(kind), change)),
    ...Object.fromEntries(existence(action).map(name => [name, shortDigest(!isDeleted)])),
  }
  remove(draft, address, Object.keys(fields))
  const { run, who, reason } = record
  const write: OutsideWrite = {
    by,
    run,
    at: endOf(record),
    ...(who === undefined ? {} : { who: who.name }),
    ...(reason === undefined ? {} : { reason }),
    fields,
  }
  draft.outsideWrites.set(address, [write, ...(draft.outsideWrites.get(address) ?? [])])
}

function remove({ outsideWrites }: LeftDraft, address: string, fields: readonly string[]): void {
  const before = outsideWrites.get(address)
  if (!before) return
  const left = before.flatMap(write => {
    const others = Object.entries(write.fields).filter(([name]) => !fields.includes(name))
    return others.length === 0 ? [] : [{ ...write, fields: Object.fromEntries(others) }]
  })
  if (left.length === 0) outsideWrites.delete(address)
  else outsideWrites.set(address, left)
}

function existence(action: string): readonly string[] {
  return ['create', 'restore', 'delete'].includes(action) ? [existsField] : []
}

export function outsideCommand({ command, undoes }: RunRecord): OutsideWrite['by'] | undefined {
  if (command === 'undo' || command === 'disable') return command
  return command === undefined && undoes !== undefined ? 'undo' : undefined
}

function isOwnership({ command }: RunRecord): boolean {
  return command === 'claim' || command === 'unclaim'
}
