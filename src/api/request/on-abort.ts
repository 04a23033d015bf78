import { setMaxListeners } from 'node:events'

/** Calls back when a signal is aborted; answers with a function that stops listening. */
export function onAbort(signal: AbortSignal | undefined, callBack: (reason: unknown) => void): () => void {
  if (!signal) return () => {}
  // One signal ends any number of requests; Node takes more than ten listeners for a leak and says so on stderr.
  setMaxListeners(0, signal)
  const listener = () => callBack(signal.reason)
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}
