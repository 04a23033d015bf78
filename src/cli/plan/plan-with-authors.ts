import type { Plan } from '../../core/change.ts'
import { unprovenFields, wantedAuthors, withAuthors } from '../../core/plan/edits/edit-authors.ts'
import type { PlanInput } from '../../core/plan/plan.ts'
import { readAuthors } from '../../core/read/read-authors.ts'
import type { Session } from '../connection/session.ts'
import type { Host } from '../host/host.ts'
import { withProgress } from '../host/output/progress.ts'

interface Making {
  readonly makeWith: (input: PlanInput) => Promise<Plan>
  /** Tells people, in one line. */
  readonly note: (line: string) => void
}

/**
 * Makes a plan with what the activity trail tells: who changed what in the product, and that a person has changed what no
 * record tells of. The trail is asked once, and only where there is something to ask; where it does not tell, one line says
 * why, and the plan is as good without.
 */
export async function planWithAuthors(
  host: Host,
  { client }: Pick<Session, 'client'>,
  asked: PlanInput,
  { makeWith, note }: Making,
): Promise<Plan> {
  const made = await makeWith(asked)
  const unproven = unprovenFields(made, asked)
  const wanted = [...wantedAuthors(made, asked), ...unproven]
  if (wanted.length === 0) return made
  const authors = await withProgress(host, 'reading who changed what', () =>
    readAuthors(wanted, asked.snapshot, { client, signal: host.stop }),
  )
  for (const line of authors.notes) note(line)
  const proven =
    unproven.length > 0 && authors.objects.size > 0 ? await makeWith({ ...asked, authors }) : made
  return withAuthors(proven, asked, authors)
}
