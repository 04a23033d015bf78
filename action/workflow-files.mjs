import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { env } from 'node:process'

/** An input of the action, as `action.yml` hands it on. @param {string} name */
export function input(name) {
  return (env[`INPUT_${name}`] ?? '').trim()
}

/** A variable that every runner sets. @param {string} name */
export function required(name) {
  const value = env[name]
  if (!value) throw new Error(`${name} is not set: this runs as a step of GitHub Actions`)
  return value
}

/**
 * Sets outputs of the step. A value may have any lines: nobody can guess what ends it.
 * @param {Readonly<Record<string, string>>} outputs
 */
export function setOutputs(outputs) {
  const end = `end-${randomUUID()}`
  const text = Object.entries(outputs).map(([name, value]) => `${name}<<${end}\n${value}\n${end}\n`)
  appendFileSync(required('GITHUB_OUTPUT'), text.join(''))
}

/** What the page of a run takes of a step, in bytes. */
const summaryRoom = 1024 * 1024

/** Writes Markdown onto the page of the run. @param {string} markdown */
export function addSummary(markdown) {
  const text = `${markdown.trimEnd()}\n\n`
  // More than that, and GitHub shows nothing of it. Reports are far below.
  appendFileSync(required('GITHUB_STEP_SUMMARY'), Buffer.from(text).subarray(0, summaryRoom))
}

/**
 * Writes a line that GitHub shows on the page of the run.
 * @param {'warning' | 'error'} level
 * @param {string} message
 */
export function annotate(level, message) {
  const escaped = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  console.log(`::${level}::${escaped}`)
}
