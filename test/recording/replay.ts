import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Scene } from './scene.ts'
import { type Happened, readTranscript } from './transcript.ts'
import { type Door, recordedFolder, transcriptPath } from './transcript-path.ts'
import { inWordsOfToday } from './word-table.ts'

interface ReplayOptions {
  /** Those that every scene has. */
  readonly commands: readonly string[]
  /** Exit codes that at least one command ends with. */
  readonly codes: readonly number[]
  readonly record: (scene: Scene, position: number) => Promise<readonly Happened[]>
}

/** Tests that a door is recorded in full, and that every scene goes today as it was recorded. */
export function replay(
  door: Door,
  scenes: readonly Scene[],
  { commands, codes, record }: ReplayOptions,
): void {
  const recorded = new Map(
    scenes.map(({ name }) => [name, readTranscript(readFileSync(transcriptPath(door, name), 'utf8'))]),
  )
  const numbered = scenes.map((scene, position) => ({ ...scene, position }))

  describe(`what was recorded in ${door}`, () => {
    it(`is there for at least 40 scenes, and nothing else is`, () => {
      expect(scenes.length).toBeGreaterThanOrEqual(40)
      expect(readdirSync(recordedFolder(door)).sort()).toEqual(scenes.map(({ name }) => `${name}.txt`).sort())
    })

    it.each(scenes)('has every command in $name', ({ name }) => {
      const happened = recorded.get(name) ?? []
      const starts = happened.map(({ command }) => `${inWordsOfToday(command)} `)
      expect(commands.filter(command => !starts.some(start => start.startsWith(`${command} `)))).toEqual([])
      expect(happened.filter(({ code }) => Number.isNaN(code))).toEqual([])
      // Where no command gets as far as a request, each has to say why.
      const isHeard = happened.some(({ requests }) => requests.length > 0)
      expect(isHeard || (door !== 'worlds' && happened.every(({ code }) => code === 1))).toBe(true)
    })

    it('has requests of every method, with bodies, and all of the exit codes', () => {
      const all = [...recorded.values()].flat()
      const requests = all.flatMap(({ requests: sent }) => sent)
      expect(new Set(requests.map(({ line }) => line.split(' ')[0]))).toEqual(
        new Set(['GET', 'POST', 'PATCH', 'DELETE']),
      )
      expect(requests.filter(({ body }) => body !== '').length).toBeGreaterThan(scenes.length * 3)
      expect(codes.filter(code => !all.some(happened => happened.code === code))).toEqual([])
    })
  })

  describe(`what is done today in ${door}`, () => {
    it.each(numbered)('is what was recorded of $name', async ({ position, ...scene }) => {
      const now = await record(scene, position)
      const then = recorded.get(scene.name) ?? []
      expect(now.map(comparable)).toEqual(then.map(one => comparable(inTodaysWords(one))))
    })
  })
}

function inTodaysWords({ command, code, requests, stdout, stderr }: Happened): Happened {
  return {
    command: inWordsOfToday(command),
    code,
    requests,
    stdout: inWordsOfToday(stdout),
    stderr: inWordsOfToday(stderr),
  }
}

/** Texts line by line, so that a difference is shown where it is. */
function comparable({ command, code, requests, stdout, stderr }: Happened) {
  return { command, code, requests, stdout: stdout.split('\n'), stderr: stderr.split('\n') }
}
