import { chmod, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Receipt, receiptFromJson, receiptToJson } from '../core/receipt.ts'
import { isSameTarget, type Target } from '../core/target.ts'
import { readJson, writeJson } from '../model/json-text.ts'

/** The folder beside the settings file in which runs are recorded. Nothing in it is needed to plan or to apply. */
export const stateFolder = '.vexil'

export function journalPath(directory: string, run: string): string {
  return join(directory, stateFolder, 'journal', `${run}.jsonl`)
}

export function receiptPath(directory: string, run: string): string {
  return join(directory, stateFolder, 'receipts', `${run}.json`)
}

/** A name for a run that sorts by time: `20261121T020000Z-1f2e3d4c`. */
export function runName(nowMs: number, uniqueId: string): string {
  const stamp = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')
  return `${stamp}-${uniqueId.slice(0, 8)}`
}

export async function writeReceipt(directory: string, receipt: Receipt): Promise<string> {
  const path = receiptPath(directory, receipt.run)
  await writePrivately(path, `${writeJson(receiptToJson(receipt), 2)}\n`)
  return path
}

/** Every readable receipt for a target; files that are something else are passed over. */
export async function readReceipts(directory: string, target: Target): Promise<Receipt[]> {
  const receipts = await readAllReceipts(directory)
  return receipts.filter(receipt => isSameTarget(receipt.target, target))
}

/** The same for every target. */
export async function readAllReceipts(directory: string): Promise<Receipt[]> {
  const folder = join(directory, stateFolder, 'receipts')
  const names = await readdir(folder).catch(() => [])
  const receipts = await Promise.all(
    names.filter(name => name.endsWith('.json')).map(name => readReceipt(join(folder, name))),
  )
  return receipts.filter(receipt => receipt !== undefined)
}

export async function readReceipt(path: string): Promise<Receipt | undefined> {
  try {
    return receiptFromJson(readJson(await readFile(path, 'utf8')))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Writes a file that only its owner can read, whole or not at all. */
export async function writePrivately(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.unfinished`
  await writeFile(unfinished, text, { mode: 0o600 })
  // The mode above does not count for a file that was there already.
  await chmod(unfinished, 0o600)
  await rename(unfinished, path)
}
