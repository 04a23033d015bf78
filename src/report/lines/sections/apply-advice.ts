import { durationText } from '../../../model/text/duration-text.ts'
import type { RunEvent } from '../../document.ts'

/**
 * What to do about what an apply has left undone.
 *
 * | left undone                              | advice                                                        |
 * |------------------------------------------|---------------------------------------------------------------|
 * | nothing                                  | none                                                          |
 * | refused, and would be refused again      | mend the cause first                                          |
 * | failed otherwise, or was not begun       | the same command again; later, where the service says so      |
 * | both                                     | the same command for the one, the cause for the other         |
 * | waits for approval                       | plan again once it is approved; the service does it then      |
 * | left alone: it moved, or nobody can tell | plan again                                                    |
 *
 * What was skipped because of other changes shares the lot of those.
 */
export function applyAdvice(events: readonly RunEvent[]): string {
  const failures = events.flatMap(event => (event.type === 'change_failed' ? [event.failure] : []))
  const isRefused = failures.some(({ isFinal }) => isFinal)
  const isUnbegun = events.some(
    event => event.type === 'change_skipped' && (event.cause === 'stopped' || event.cause === 'record'),
  )
  const isOpen = isUnbegun || failures.some(({ isFinal }) => !isFinal)
  const waitMs = Math.max(0, ...failures.map(failure => failure.waitMs ?? 0))
  const again = waitMs >= 1000 ? `again in ${durationText(waitMs)}` : 'again'
  return [
    ...(isOpen && !isRefused ? [`Running the same command ${again} finishes what is left.`] : []),
    ...(isOpen && isRefused
      ? [
          `Running the same command ${again} finishes what was not refused; the rest needs its cause mended first.`,
        ]
      : []),
    ...(isRefused && !isOpen
      ? ['Running the same command again would be refused again: mend the cause first.']
      : []),
    ...(events.some(({ type }) => type === 'change_pending')
      ? ['What waits for approval is done by the service once it is approved; plan again then.']
      : []),
    ...(events.some(({ type }) => type === 'change_stale') ? ['Plan again for what was left alone.'] : []),
  ].join(' ')
}
