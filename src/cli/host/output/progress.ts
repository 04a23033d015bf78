import type { Host } from '../host.ts'

/** Says what is going on, for anything that takes longer than a second and only when a person is watching. */
export interface Progress {
  update(text: string): void
  /** Wipes the line for now: something else is about to be written. */
  wipe(): void
  /** Wipes the line for good. */
  stop(): void
}

/** Runs something while the text says what it is. */
export async function withProgress<T>(host: Host, text: string, run: () => Promise<T>): Promise<T> {
  const progress = startProgress(host, true)
  progress.update(text)
  try {
    return await run()
  } finally {
    progress.stop()
  }
}

const patienceMs = 1000
const frameMs = 120
const frames = ['|', '/', '-', '\\']

export function startProgress({ stderr, log, runtime, env }: Host, isWanted: boolean): Progress {
  if (!isWanted || !log.isForWatching || !stderr.isTerminal || env.TERM === 'dumb' || env.CI)
    return { update() {}, wipe() {}, stop() {} }
  const stopping = new AbortController()
  let text = ''
  let isShown = false
  const draw = async () => {
    await runtime.sleep(patienceMs, stopping.signal)
    for (let frame = 0; ; frame = (frame + 1) % frames.length) {
      isShown = true
      stderr.write(`\r\u001b[2K${frames[frame]} ${text}`, 'own')
      await runtime.sleep(frameMs, stopping.signal)
    }
  }
  const wipe = () => {
    if (isShown) stderr.write('\r\u001b[2K', 'own')
    isShown = false
  }
  // Ends by being aborted, which is no failure.
  draw().catch(() => {})
  return {
    update(now) {
      text = now
    },
    wipe,
    stop() {
      stopping.abort()
      wipe()
    },
  }
}
