import { hasErrors } from '../../model/problem.ts'
import { loadSettings } from '../../yaml/index.ts'
import type { Host } from '../host/host.ts'
import { fetchRuns } from './shared-runs.ts'

/**
 * Fetches the records that others have shared, for a command that looks at runs before it knows any environment. Answers
 * with why it could not, which it has told.
 */
export async function fetchRunsOf(host: Host, directory: string): Promise<string | undefined> {
  const { settings, settingsProblems } = await loadSettings({ directory, env: host.env })
  // What else is wrong with them is told by whoever needs them.
  if (hasErrors(settingsProblems.filter(({ code }) => code !== 'no-environment'))) return undefined
  return fetchRuns(host, { directory, runs: settings.runs })
}
