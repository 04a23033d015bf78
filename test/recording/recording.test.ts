import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { play } from './play.ts'
import { scenes } from './scenes.ts'
import {
  type Happened,
  readTranscript,
  recordedFolder,
  transcriptPath,
  writeTranscript,
} from './transcript.ts'

/*
 * What Vexil does, seen from outside: for each of 12 worlds the commands that are run in it, and for each command the
 * exit code, the texts, and every request that reached the service, with its whole body. The tests here play every
 * scene again and compare.
 *
 * - The client sends one request at a time here, so requests are compared in order.
 * - What differs in each run is listed in `play.ts`. The clock and the randomness are ours.
 * - These tests never write. `npx tsx test/recording/write.ts NAME...` records worlds anew. That is right when behaviour
 *   is meant to change, in the commit that changes it and with its reason in the message. While code is only moved,
 *   renamed or made smaller, it is never right: a difference is a mistake of the change.
 */

const recorded = new Map(
  scenes.map(({ name }) => [name, readTranscript(readFileSync(transcriptPath(name), 'utf8'))]),
)

describe('the recordings', () => {
  it('are those of the scenes', () => {
    expect(readdirSync(recordedFolder).sort()).toEqual(scenes.map(({ name }) => `${name}.txt`).sort())
  })

  it.each(scenes)('have every command in $name', ({ name }) => {
    const happened = recorded.get(name) ?? []
    const commands = ['validate', 'plan', 'plan --json', 'apply', 'drift', 'export', 'undo'].map(
      word => `vexil ${word} `,
    )
    const starts = happened.map(({ command }) => `${command} `)
    expect(commands.filter(command => !starts.some(start => start.startsWith(command)))).toEqual([])
    expect(happened.some(({ requests }) => requests.length > 0)).toBe(true)
  })

  it('have requests of every method, with bodies, and every exit code', () => {
    const all = [...recorded.values()].flat()
    const requests = all.flatMap(({ requests: sent }) => sent)
    const methods = new Set(requests.map(({ line }) => line.split(' ')[0]))
    expect(methods).toEqual(new Set(['GET', 'POST', 'PATCH', 'DELETE']))
    expect(requests.filter(({ body }) => body !== '').length).toBeGreaterThan(scenes.length * 3)
    expect(new Set(all.map(({ code }) => code))).toEqual(new Set([0, 1, 3, 4, 5, 6]))
  })

  it.each(scenes)('are what is done today in $name', async scene => {
    expect((await play(scene)).map(comparable)).toEqual(recorded.get(scene.name)?.map(comparable))
  })
})

/** Texts line by line, so that a difference is shown where it is. */
function comparable({ stdout, stderr, ...others }: Happened) {
  return { ...others, stdout: stdout.split('\n'), stderr: stderr.split('\n') }
}

describe('a recording', () => {
  it('is read as it was written', () => {
    const texts = [
      '',
      '\n',
      'a',
      'a\n',
      '\n\na \n',
      'json "a"\n',
      '\u0007 \u{1f600}\r\n',
      '\ud800\n> GET\n$ vexil x\n',
    ]
    const happened = texts.map(
      (text, code): Happened => ({
        command: 'vexil plan',
        code,
        requests: [{ line: 'POST /api/', body: text.replaceAll('\n', '') }],
        stdout: text,
        stderr: text,
      }),
    )
    const scene = { name: 'a', shows: 'b', world: { organizations: [] }, files: {}, steps: [] }
    expect(readTranscript(writeTranscript(scene, happened))).toEqual(happened)
  })
})
