import type { Host } from './host.ts'

/** Says what is going on, for anything that takes longer than a second and only when a person is watching. */
export interface Progress {
  update(text: string): void
  /** Wipes the line, so that what follows starts clean. */
  stop(): void
}

const patienceMs = 1000
const frameMs = 120
const frames = ['|', '/', '-', '\\']

export function startProgress({ stderr, world, env }: Host, isWanted: boolean): Progress {
  if (!isWanted || !stderr.isTerminal || env.TERM === 'dumb' || env.CI) return { update() {}, stop() {} }
  const stopping = new AbortController()
  let text = ''
  let isShown = false
  const draw = async () => {
    await world.sleep(patienceMs, stopping.signal)
    for (let frame = 0; ; frame = (frame + 1) % frames.length) {
      isShown = true
      stderr.write(`\r\u001b[2K${frames[frame]} ${text}`)
      await world.sleep(frameMs, stopping.signal)
    }
  }
  // Ends by being aborted, which is no failure.
  draw().catch(() => {})
  return {
    update(now) {
      text = now
    },
    stop() {
      stopping.abort()
      if (isShown) stderr.write('\r\u001b[2K')
      isShown = false
    },
  }
}
