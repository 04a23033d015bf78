import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { git, gitEnv } from './repository.ts'

/** The parents of each commit, by their places in the list: earlier ones only. */
export type HistoryShape = readonly (readonly number[])[]

/** Makes the commits of a shape in a folder, each on a branch `cN`; answers with their names, in its order. */
export async function makeHistory(directory: string, shape: HistoryShape): Promise<string[]> {
  await git(directory, 'init', '--quiet')
  const child = spawn('git', ['fast-import', '--quiet', '--force'], { cwd: directory, env: gitEnv })
  child.stdin.end(shape.map(commitText).join(''))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`git fast-import ended in ${code}`)
  const listed = await git(directory, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads')
  const byName = new Map(listed.split('\n').map(line => [line.split(' ')[0], line.split(' ')[1]]))
  return shape.map((_, at) => byName.get(`c${at}`) ?? '')
}

function commitText(parents: readonly number[], at: number): string {
  const words = `commit ${at}`
  const [first, ...others] = parents.map(parent => `:${parent + 1}\n`)
  return [
    `commit refs/heads/c${at}\nmark :${at + 1}\ncommitter Ada <ada@example.com> ${1_700_000_000 + at} +0000\n`,
    `data ${words.length}\n${words}\n`,
    first === undefined ? '' : `from ${first}`,
    ...others.map(parent => `merge ${parent}`),
    '\n',
  ].join('')
}
