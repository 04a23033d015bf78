import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { render } from '../../src/report/formats.ts'
import { cli } from './cli.ts'
import { leavingOut } from './reviewed-plan.ts'

/** What a command wrote of one result with `--report`, once as a page and once as a terminal shows it. */
export interface ReportPage {
  readonly name: string
  readonly url: string
  readonly text: string
}

const production = '--env production --sandbox'

/** A plan with everything in it, and `examples/gitops` with one step that goes too far, a test that does not pass and, at last, a misspelt field. */
export async function reportPages(): Promise<{ pages: ReportPage[]; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-pages-'))
  await cp(join(import.meta.dirname, '../../examples/gitops'), folder, { recursive: true })
  const edit = async (file: string, from: string, to: string) => {
    const text = await readFile(join(folder, file), 'utf8')
    expect(text).toContain(from)
    await writeFile(join(folder, file), text.replace(from, to))
  }
  const pages: ReportPage[] = []
  const report = async (name: string, line: string, exitCode: number) => {
    const reports = ['.html', '.txt'].flatMap(end => ['--report', `${name}${end}`])
    const { code, stderr } = await cli([...line.split(' '), ...reports], { directory: folder })
    expect(code, `${line}: ${stderr}`).toBe(exitCode)
    const text = await readFile(join(folder, `${name}.txt`), 'utf8')
    pages.push({ name, url: pathToFileURL(join(folder, `${name}.html`)).href, text })
  }
  const everything = leavingOut()
  await writeFile(join(folder, 'everything.html'), await render('html', everything))
  pages.push({
    name: 'everything',
    url: pathToFileURL(join(folder, 'everything.html')).href,
    text: await render('text', everything),
  })
  await report('failure', 'plan --env production', 1)
  await edit('flags/platform.yaml', 'rollout_percentage: 50', 'rollout_percentage: 100')
  await report('plan', `plan ${production} --out plan.json`, 0)
  await report('show', 'show plan.json', 0)
  await report('drift', `drift ${production}`, 6)
  await report('compare', 'compare staging production --show-equal', 0)
  await report('apply', `apply ${production} --auto-approve`, 0)
  await report('history', 'history', 0)
  const [run = ''] = await readdir(join(folder, '.vexil/runs'))
  await report('run', `history ${run.replace('.json', '')}`, 0)
  await edit('tests.yaml', 'expect: false', 'expect: true')
  await report('test', 'test --coverage', 1)
  await edit('flags/platform.yaml', 'active: true', 'actve: true')
  await report('validate', 'validate', 1)
  return { pages, remove: () => rm(folder, { recursive: true, force: true }) }
}
