import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** CPU in ms: of a process itself, and of those that it has started. Undefined where the system does not tell. */
export interface CpuMs {
  readonly own: number
  readonly children: number
}

/** What the kernel counts in, on every Linux that there is. */
const msPerTick = 10
const everyMs = 20

/**
 * Watches a process until it has ended. What a child has used since the last look is lost, 20 ms at the most for each;
 * that of a process that is waited for can be read nowhere else by then.
 */
export function watchCpu(processId: number): { stop(): Promise<CpuMs | undefined> } {
  const children = new Map<string, number>()
  let own: number | undefined
  let isWatched = true
  const look = async () => {
    own = (await ticksOf(String(processId))) ?? own
    for (const child of await childrenOf(processId)) {
      const ticks = await ticksOf(child)
      if (ticks !== undefined) children.set(child, ticks)
    }
  }
  const watching = (async () => {
    while (isWatched) {
      await look()
      await sleep(everyMs)
    }
  })()
  return {
    async stop() {
      isWatched = false
      await watching
      if (own === undefined) return undefined
      const ticks = [...children.values()].reduce((sum, each) => sum + each, 0)
      return { own: own * msPerTick, children: ticks * msPerTick }
    },
  }
}

async function ticksOf(processId: string): Promise<number | undefined> {
  try {
    const stat = await readFile(`/proc/${processId}/stat`, 'utf8')
    // The name in brackets may hold spaces; user and system time are the 12th and 13th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return undefined
  }
}

async function childrenOf(processId: number): Promise<readonly string[]> {
  try {
    const threads = await readdir(`/proc/${processId}/task`)
    const lists = await Promise.all(
      threads.map(thread => readFile(`/proc/${processId}/task/${thread}/children`, 'utf8').catch(() => '')),
    )
    return lists.flatMap(list => list.split(' ').filter(Boolean))
  } catch {
    return []
  }
}
