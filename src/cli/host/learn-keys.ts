import { isSettingError, keyFromEnvironment } from '../../api/settings.ts'
import type { Host } from './host.ts'

/**
 * Takes note of every key that these variables hold or name a file of, whether or not the command is going to use
 * it: a message about a file or an argument could show one before anything is opened. What is wrong with a key is
 * said when it is used.
 */
export async function learnKeys(host: Host, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (!host.env[name]) continue
    try {
      host.secrets.add((await keyFromEnvironment(host.env, [name], host.directory))?.apiKey)
    } catch (error) {
      if (!isSettingError(error)) throw error
    }
  }
}

/** Takes note of the passwords of proxies: what fails on the way through one may name it as it was given. */
export function learnProxyPasswords({ env, secrets }: Host): void {
  for (const name of proxyVariables.flatMap(one => [one, one.toUpperCase()])) {
    const address = env[name]
    if (address === undefined || !URL.canParse(address)) continue
    const { password } = new URL(address)
    secrets.add(password)
    secrets.add(decoded(password))
  }
}

const proxyVariables = ['https_proxy', 'http_proxy', 'all_proxy']

/** The password itself; undefined where what stands for it is no such encoding. */
function decoded(password: string): string | undefined {
  try {
    return decodeURIComponent(password)
  } catch {
    return undefined
  }
}
