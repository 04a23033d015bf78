import { withoutEndSlash } from '../../../api/settings.ts'
import type { Base } from '../../../core/live-edits/base.ts'
import { existsField } from '../../../core/live-edits/live-edit.ts'
import { isDeclaredSo, readLastWritten, type WrittenAt } from '../../../core/record/last-written.ts'
import type { LeftByRuns } from '../../../core/record/left/left.ts'
import { readLeft } from '../../../core/record/left/left-index.ts'
import type { UnreadFile } from '../../../core/record/run-folder.ts'
import type { Target } from '../../../core/target.ts'
import { switchField, targetingField } from '../../../model/kind.ts'
import type { Environment } from '../../../yaml/settings.ts'
import { resolvedFor, type SessionFlags } from '../../connection/session.ts'
import type { Host } from '../../host/host.ts'
import type { FlagState } from './flag-states.ts'
import type { Since } from './since.ts'

/** What records of runs tell of the flags of one environment. */
export interface Records {
  since(state: FlagState): Since | undefined
  /** Whether a flag is live as it is declared, as the records left it; undefined where they do not know it. */
  isAsDeclared(state: FlagState): boolean | undefined
  /** What of them is there and says nothing. */
  readonly unread: readonly UnreadFile[]
}

const noRecords: Records = { unread: [], since: () => undefined, isAsDeclared: () => undefined }

export async function readRecords(
  directory: string,
  target: Target | undefined,
  states: readonly FlagState[],
): Promise<Records> {
  if (!target) return noRecords
  const asked = states.filter(({ meaning }) => meaning !== undefined)
  const [{ left, unread }, { written, found }] = await Promise.all([
    readLeft(directory, target),
    readLastWritten(directory, target, asked.map(askedOf)),
  ])
  return {
    unread,
    since({ address }) {
      const run = written.get(address)
      const oldest = found.get(address)
      return run ? sinceOf(run, false) : oldest && sinceOf(oldest, true)
    },
    isAsDeclared: state => isAsDeclared(left, state),
  }
}

function askedOf({ address, kind, ensure, known, value }: FlagState) {
  return { address, kind: kind.name, ensure, known, value }
}

function sinceOf({ run, at }: WrittenAt, isAtLeast: boolean): Since {
  return { at, from: 'run', name: run, isAtLeast }
}

function isAsDeclared(left: LeftByRuns, state: FlagState): boolean | undefined {
  const { address, kind } = state
  const names = [switchField(kind) ?? '', targetingField(kind) ?? '', existsField]
  const outside = (left.outsideWrites[address] ?? []).flatMap(({ fields }) => Object.keys(fields))
  const held = Object.keys(left.heldSince[address] ?? {})
  if ([...outside, ...held].some(name => names.includes(name))) return false
  const base = left.base[address]
  return base && isDeclaredSo(askedOf(state), declaredIn(base))
}

function declaredIn({ ensure, fields }: NonNullable<Base[string]>) {
  if (ensure === 'absent') return { ensure }
  const digests = Object.entries(fields).flatMap(([name, field]) => (field ? [[name, field.digest]] : []))
  return { fields: Object.fromEntries(digests) }
}

/** Where an environment is, as far as it can be told without asking anybody; undefined where nothing says it. */
export function targetOf(
  host: Host,
  flags: SessionFlags,
  directory: string,
  { name, connection }: Environment,
): Target | undefined {
  const { baseUrl, project, organization, profile } = resolvedFor(host, flags, {
    directory,
    connection,
    environments: [],
    ...(name === undefined ? {} : { environment: name }),
  })
  if (!baseUrl) return undefined
  return {
    baseUrl: withoutEndSlash(baseUrl.value),
    ...(project === undefined ? {} : { projectId: project.value }),
    ...(organization === undefined ? {} : { organizationId: organization.value }),
    profile: profile?.value ?? '',
  }
}
