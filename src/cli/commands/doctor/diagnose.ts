import type { Check, OfferedKind } from '../../../report/document.ts'
import { explainFailure } from '../../apply/explain-failure.ts'
import { variables } from '../../connection/resolve-connection.ts'
import { type Resolved, shownValue } from '../../connection/resolve-setting.ts'
import { type AskedList, isMissing, listsOf, noAnswer, notLetIn, statusesOf } from './ask-lists.ts'

/**
 * What the answers of the service say of each setting and of each list. What no answer bears out is `not_checked`.
 *
 * | check       | ok                               | failed                              |
 * |---------------|----------------------------------|-------------------------------------|
 * | base URL      | the service answers there        | none is set, or it is no address    |
 * | connection    | the service answers              | nothing does, or something else     |
 * | key           | it was let in                    | there is none, or it was not        |
 * | project       | a list of it can be read         | none is set, or there is none such  |
 * | organization  | the same                         | only noted: plans can do without it |
 * | a list        | it can be read, and changed      | it cannot, and no plan can without  |
 */
export function connectionCheck(asked: readonly AskedList[]): Check {
  const name = 'connection'
  const silent = asked.find(({ result }) => result.is === 'silent')?.result
  if (silent?.is === 'silent') return { name, verdict: 'failed', summary: explainFailure(silent.error) }
  if (isAnswered(asked)) return { name, verdict: 'ok', summary: 'the service answers' }
  const broken = asked.find(({ result }) => result.is === 'refused')?.result
  if (broken?.is === 'refused') return { name, verdict: 'failed', summary: explainFailure(broken.error) }
  return { name, verdict: 'not_checked', summary: reasonIn(asked) }
}

/** The source of a setting that nobody has set. */
export const byDefault = 'default'

/** Of the base URL: what the service can only bear out by answering. */
export function answeredCheck(name: string, resolved: Resolved, asked: readonly AskedList[]): Check {
  const about = aboutOf('baseUrl', resolved)
  if (isAnswered(asked)) return { name, verdict: verdictOf(resolved), ...about }
  return { name, verdict: 'not_checked', ...about, summary: `${about.summary}; ${reasonIn(asked)}` }
}

export function ownerCheck(
  owner: AskedList['kind']['scope'],
  resolved: Resolved | undefined,
  asked: readonly AskedList[],
): Check {
  const own = listsOf(owner, asked)
  const bad = own.some(({ isNeeded }) => isNeeded) ? 'failed' : 'note'
  if (!resolved) {
    const summary = `none is set (${variables[owner].join(', ')}, --${owner}); needed for ${own.map(({ name }) => name).join(', ')}`
    return { name: owner, verdict: bad, summary }
  }
  const about = aboutOf(owner, resolved)
  if (own.some(({ result }) => result.is === 'answered' || result.is === 'gone')) {
    return { name: owner, verdict: verdictOf(resolved), ...about }
  }
  if (isMissing(owner, asked)) {
    const refusal = own.find(({ result }) => result.is === 'refused')?.result
    const why = refusal?.is === 'refused' ? `; ${explainFailure(refusal.error)}` : ''
    return { name: owner, verdict: bad, ...about, summary: `${about.summary}${why}` }
  }
  return { name: owner, verdict: 'not_checked', ...about, summary: `${about.summary}; ${reasonIn(own)}` }
}

/** `source` is the variable, or the variable and the file that it names; the key itself is nowhere in here. */
export function keyCheck(source: string, asked: readonly AskedList[]): Check {
  const from = `from ${source}`
  const refusal = asked.find(({ result }) => result.is === 'refused' && result.error.status === 401)?.result
  if (refusal?.is === 'refused') {
    return { name: 'key', verdict: 'failed', summary: `${from}; ${explainFailure(refusal.error)}`, source }
  }
  const isLetIn =
    asked.some(({ result }) => result.is === 'answered') ||
    statusesOf(asked).some(status => [402, 403, 404].includes(status))
  if (isLetIn) return { name: 'key', verdict: 'ok', summary: from, source }
  return { name: 'key', verdict: 'not_checked', summary: `${from}; ${reasonIn(asked)}`, source }
}

export function listCheck(
  list: AskedList,
  offered: OfferedKind | undefined,
  asked: readonly AskedList[],
): Check {
  const { name, kind, isNeeded, result } = list
  switch (result.is) {
    case 'answered': {
      const count = result.count === undefined ? '' : `, ${result.count} in all`
      const summary = `readable${count}`
      if (offered?.offered !== 'read_only') return { name, verdict: 'ok', summary }
      return { name, verdict: 'note', summary: `${summary}; they cannot be changed: ${offered.reason}` }
    }
    case 'silent':
      return { name, verdict: 'not_checked', summary: noAnswer }
    case 'unasked':
      return { name, verdict: 'not_checked', summary: result.why }
    case 'gone':
      return { name, verdict: isNeeded ? 'failed' : 'note', summary: `this service has no ${name}` }
    case 'refused': {
      const { status } = result.error
      if (status === 401) return { name, verdict: 'not_checked', summary: notLetIn }
      // Then it is the owner that is wrong, and not the list.
      if (isMissing(kind.scope, asked)) {
        const doubt = kind.lifecycle.mayBeGone === undefined ? '' : `, or this service has no ${name}`
        return { name, verdict: 'not_checked', summary: `that ${kind.scope} was not found${doubt}` }
      }
      const isNoted = !isNeeded && [402, 403, 404].includes(status)
      return { name, verdict: isNoted ? 'note' : 'failed', summary: explainFailure(result.error) }
    }
  }
}

/** Whether what answers is the service, and well. */
export function isAnswered(asked: readonly AskedList[]): boolean {
  return (
    asked.some(({ result }) => result.is === 'answered') || statusesOf(asked).some(status => status < 500)
  )
}

/** Why nothing could be told, on one line. */
export function reasonIn(asked: readonly AskedList[]): string {
  for (const { result } of asked) {
    if (result.is === 'silent') return noAnswer
    if (result.is === 'unasked') return result.why
    if (result.is === 'refused') {
      return result.error.status === 401 ? notLetIn : 'nothing of it could be read'
    }
  }
  return 'nothing was asked'
}

/** A variable that wins over the settings may be meant, and may have been forgotten. */
export function verdictOf({ over }: Resolved): 'ok' | 'note' {
  return over === undefined ? 'ok' : 'note'
}

export function aboutOf(
  setting: 'baseUrl' | 'project' | 'organization' | 'profile',
  { value, source, over }: Resolved,
) {
  const shown = shownValue(setting, value)
  const other = over === undefined ? '' : `, over "${shownValue(setting, over)}" of the settings`
  const from = source === byDefault ? 'by default' : `from ${source}`
  return { summary: `${shown} ${from}${other}`, value: shown, source }
}
