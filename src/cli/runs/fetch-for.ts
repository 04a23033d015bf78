import { hasErrors } from '../../model/problem.ts'
import { loadSettings } from '../../yaml/index.ts'
import type { Host } from '../host/host.ts'
import { fetchRuns } from './shared-runs.ts'

/** Fetches the records that others have shared, for a command that looks at runs before it knows any environment. */
export async function fetchRunsOf(host: Host, directory: string): Promise<void> {
  const { settings, settingsProblems } = await loadSettings({ directory, env: host.env })
  // What else is wrong with them is told by whoever needs them.
  if (hasErrors(settingsProblems.filter(({ code }) => code !== 'no-environment'))) return
  await fetchRuns(host, { directory, runs: settings.runs })
}
