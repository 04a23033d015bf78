import { setMaxListeners } from 'node:events'

/** A controller whose signal any number of calls listen to; Node takes more than ten listeners for a leak and says so. */
export function sharedController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
