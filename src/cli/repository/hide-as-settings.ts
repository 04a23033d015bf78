import { loadSettings } from '../../yaml/index.ts'
import type { Host } from '../host/host.ts'
import { refuseProblems } from './refuse-problems.ts'
import { learnSecrets } from './repository.ts'

/**
 * What the settings of the folder hide, for a command that needs none: of the environment that is meant, or of any. Settings
 * that cannot be read are refused, since nobody knows what they hide; that there are none hides nothing.
 */
export async function hideAsSettings(host: Host, environment?: string): Promise<void> {
  const { directory, env } = host
  const { settings, settingsProblems, texts } = await loadSettings({ directory, env })
  const problems = settingsProblems.filter(({ code }) => code !== 'no-environment')
  const meant = settings.environments.find(({ name }) => name === environment)
  await learnSecrets(host, { settings, ...(meant ? { environment: meant } : {}) })
  refuseProblems(host, problems, { directory, texts })
}
