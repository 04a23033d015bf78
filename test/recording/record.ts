import { runCommandLine } from '../../src/cli/run-command-line.ts'
import { play } from './play.ts'
import type { Scene } from './scene.ts'
import type { Happened } from './transcript.ts'

/** Plays a scene with the command line. */
export function record(scene: Scene): Promise<Happened[]> {
  return play(scene, ({ env, folder, clock }) => async line => {
    const [stdout, stderr]: [string[], string[]] = [[], []]
    const code = await runCommandLine({
      arguments: wordsOf(line),
      env,
      directory: folder,
      stdout: { write: text => void stdout.push(text), isTerminal: false },
      stderr: { write: text => void stderr.push(text), isTerminal: false },
      ask: undefined,
      readStdin: async () => new Uint8Array(),
      runtime: clock,
      processes: {
        own: async () => ({ user: 'recorder', host: 'machine', system: '', pid: 1, started: 'once' }),
        startOf: async () => 'once',
      },
      signalGroup: undefined,
      onInterrupt: () => () => {},
    })
    return { code, stdout: stdout.join(''), stderr: stderr.join('') }
  })
}

/** The words of a command line; those in double quotes are one. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}
