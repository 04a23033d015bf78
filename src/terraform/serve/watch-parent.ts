import type { ProviderHost } from './provider-host.ts'

/** How long an orphan lives on. */
const intervalMs = 2_000

/**
 * Resolves when the process that started this one has gone, true; or when the signal is aborted, false. A Terraform
 * that was killed tells nobody, and its providers would stay for ever.
 */
export async function watchParent(host: ProviderHost, signal: AbortSignal): Promise<boolean> {
  const parent = host.parentId()
  while (!signal.aborted) {
    await host.runtime.sleep(intervalMs, signal).catch(() => undefined)
    // Where orphans are adopted the parent's id changes; elsewhere it stays and names nobody.
    if (!signal.aborted && (host.parentId() !== parent || !host.isRunning(parent))) return true
  }
  return false
}
