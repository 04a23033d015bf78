/*
 * Runs one command of Vexil, with a report in each form. What it says of the command is in the outputs of the step:
 *
 * | command                   | ends in       | the step    |
 * |---------------------------|---------------|-------------|
 * | plan                      | 0, 2          | passes      |
 * | plan with `reviewed-plan` | 5             | passes      |
 * | drift                     | 0, 6          | passes      |
 * | apply                     | 0             | passes      |
 * | any                       | anything else | ends so too |
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import process, { execPath, exit } from 'node:process'
import { addSummary, annotate, input, required, setOutputs } from './workflow-files.mjs'

/** Codes that are an answer and no failure. @type {Readonly<Record<string, readonly number[]>>} */
const answers = { plan: [0, 2], drift: [0, 6], apply: [0] }

const command = input('COMMAND')
const environment = input('ENVIRONMENT')
const reviewed = input('REVIEWED_PLAN')
const directory = input('WORKING_DIRECTORY') || '.'

try {
  exit(await run())
} catch (error) {
  annotate('error', error instanceof Error ? error.message : String(error))
  exit(1)
}

async function run() {
  if (!(command in answers)) throw new Error(`command is "${command}": say plan, apply or drift`)
  const reports = join(
    required('RUNNER_TEMP'),
    `vexil-${command}-${(environment || 'default').replace(/[^\w.-]/g, '-')}`,
  )
  // What an earlier step has left there is no report of this one.
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const planFile = planFileIn(`${reports}.plan`)
  const code = await vexil([...wordsOf(planFile), ...reportWords(reports), ...optionWords()])
  // Reports are published, and the plan with them.
  if (command === 'plan' && existsSync(planFile)) copyFileSync(planFile, join(reports, 'plan.json'))
  setOutputs({
    'exit-code': String(code),
    'plan-file': planFile,
    reports,
    ...told(read(join(reports, 'report.json')), code),
  })
  addSummary(
    read(join(reports, 'report.md')) ??
      `### Failed: vexil ${command}\n\nIt ended in ${code} before it could tell anything: see the log of the step.`,
  )
  const isAnswer = answers[command]?.includes(code) || (reviewed !== '' && code === 5)
  return isAnswer ? 0 : code
}

/** Where a plan is saved, or which one is carried out; empty where there is none. @param {string} folder */
function planFileIn(folder) {
  const given = input('PLAN_FILE')
  if (given !== '') return resolve(given)
  if (command !== 'plan') return ''
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  return join(folder, 'plan.json')
}

/** @param {string} planFile */
function wordsOf(planFile) {
  const place = ['-C', directory, ...(environment === '' ? [] : ['--env', environment])]
  // A saved plan says for which environment it is. Without one, `options` has to approve what nobody has seen.
  if (command === 'apply') return planFile === '' ? ['apply', ...place] : ['apply', planFile, '-C', directory]
  if (command === 'drift') return ['drift', ...place]
  return ['plan', ...place, '--out', planFile, ...(reviewed === '' ? [] : ['--reviewed', resolve(reviewed)])]
}

/** @param {string} folder */
function reportWords(folder) {
  return ['md', 'json', 'sarif', 'junit.xml'].flatMap(end => ['--report', join(folder, `report.${end}`)])
}

function optionWords() {
  return input('OPTIONS')
    .split('\n')
    .map(word => word.trim())
    .filter(word => word !== '')
}

/** Runs the program that is installed for the folder; answers with what it ended in. @param {readonly string[]} words */
async function vexil(words) {
  // In the workspace, so that files are told of by their paths in the repository.
  const child = spawn(execPath, [program(), ...words], { stdio: ['ignore', 'inherit', 'inherit'] })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
    process.on(signal, () => child.kill(signal))
  const [code, signal] = await once(child, 'close')
  if (signal) annotate('error', `vexil ${command} was ended by ${signal}`)
  return typeof code === 'number' ? code : 1
}

/** The one that a lock file names: neither a newer one nor one that is on the PATH. */
function program() {
  try {
    const manifest = createRequire(join(resolve(directory), 'package.json')).resolve('vexil/package.json')
    return join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.vexil)
  } catch (cause) {
    throw new Error(`vexil is not installed in "${directory}" or above: run \`npm ci\` first`, { cause })
  }
}

/** What later steps are told. @param {string | undefined} text @param {number} code */
function told(text, code) {
  // Of an apply each event is a line, and the last one sums them up.
  const document = text === undefined || text.trim() === '' ? {} : lastDocument(text)
  const counts = document.summary ?? (document.type === 'summary' ? document : {})
  const written = ['create', 'update', 'claim', 'restore', 'delete', 'done'].map(name =>
    Number(counts[name] ?? 0),
  )
  const { blocked } = counts
  return {
    'has-changes': String(written.some(count => count > 0)),
    'as-reviewed': String(document.reviewed?.as_reviewed === true),
    'has-drift': String(command === 'drift' && code === 6),
    risk: String(counts.max_risk ?? ''),
    blocked: String(Array.isArray(blocked) ? blocked.length : (blocked ?? 0)),
    counts: JSON.stringify(counts),
  }
}

/** @param {string} text */
function lastDocument(text) {
  try {
    return JSON.parse(text)
  } catch {
    return JSON.parse(text.trim().split('\n').at(-1) ?? '{}')
  }
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
