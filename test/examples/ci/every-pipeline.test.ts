import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { packageRoot } from '../../support/built.ts'

/** What holds for each file of examples that runs Vexil somewhere. */

const folders = ['ci', 'compose', 'devcontainer', 'docker', 'kubernetes', 'systemd']
const paths = globSync(
  folders.map(folder => `${folder}/**`),
  {
    cwd: join(packageRoot, 'examples'),
    dot: true,
  },
).sort()
const read = (path: string) => readFile(join(packageRoot, 'examples', path), 'utf8')

/** A job or step, with the texts of what it runs. */
function jobsIn(value: unknown): readonly Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(jobsIn)
  if (typeof value !== 'object' || value === null) return []
  const own = value as Record<string, unknown>
  const runs = own.script ?? own.command
  return [...(runs === undefined ? [] : [own]), ...Object.values(own).flatMap(jobsIn)]
}

describe('every file of a pipeline', () => {
  it.each(paths)('has no key, and no variable for one with a value: %s', async path => {
    const text = await read(path)
    expect(text).not.toMatch(/\b(?:ph[a-z]_|glpat-|gh[a-z]_|github_pat_|bkua_)\w+/)
    const set = [...text.matchAll(/^\s*-?\s*(?:export )?\w*(?:KEY|TOKEN|SECRET)["']?\s*[:=]\s*(.*)$/gm)]
    expect(set.map(([, value = '']) => value).filter(value => !/^["']?\$/.test(value))).toEqual([])
  })

  it.each(['ci/gitlab/.gitlab-ci.yml', 'ci/buildkite/pipeline.yml'])(
    'lets one apply run at a time: %s',
    async path => {
      const jobs = jobsIn(parse(await read(path)))
      const applying = jobs.filter(job => JSON.stringify(job.script ?? job.command).includes('vexil apply '))
      expect(applying).toHaveLength(1)
      expect(applying[0]).toSatisfy(
        (job: Record<string, unknown>) =>
          job.resource_group === 'production' ||
          (job.concurrency === 1 && job.concurrency_group === 'vexil/production'),
      )
    },
  )
})
