import type { CallContext, Provider } from '../provider.ts'
import { sharedController } from '../shared-controller.ts'

/** The calls under way, which are stopped together. */
export interface CallScope {
  context(): CallContext
  /** Aborts the calls under way, and those to come until the next run begins. */
  stop(): Promise<void>
  /** Another run: what stopped the last one does not stop this. */
  begin(): void
}

export function createCallScope(provider: Provider): CallScope {
  let stopping = sharedController()
  return {
    context: () => ({ signal: stopping.signal }),
    async stop() {
      stopping.abort(new Error('stopped, as Terraform asked'))
      await provider.stop?.()
    },
    begin() {
      if (stopping.signal.aborted) stopping = sharedController()
    },
  }
}
