import type { Plan } from '../../core/change.ts'
import { wantedAuthors, withAuthors } from '../../core/plan/edit-authors.ts'
import type { PlanInput } from '../../core/plan/plan.ts'
import { readAuthors } from '../../core/read/read-authors.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { Session } from '../connection/session.ts'
import type { Host } from '../host/host.ts'
import { withProgress } from '../host/progress.ts'

/**
 * A plan with the names of those who changed what in the product. The activity trail is asked for them only where there is
 * something to ask; where it does not tell, one line says why, and the plan is as good without.
 */
export async function tellAuthors(
  host: Host,
  { client }: Pick<Session, 'client'>,
  made: Plan,
  input: PlanInput,
): Promise<Plan> {
  const wanted = wantedAuthors(made, input)
  if (wanted.length === 0) return made
  const authors = await withProgress(host, 'reading who changed what', () =>
    readAuthors(wanted, input.snapshot, { client, signal: host.stop }),
  )
  for (const note of authors.notes) host.stderr.write(`${escapeText(note)}\n`)
  return withAuthors(made, input, authors)
}
