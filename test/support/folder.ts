import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export type Files = Readonly<Record<string, string | Uint8Array>>

/** A folder of its own with the given files; removed by `remove`. */
export async function folderWith(files: Files): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'vexil-test-'))
  await writeFiles(path, files)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** The same, gone when the test is over. */
export async function folderOfTest(files: Files): Promise<string> {
  const { path, remove } = await folderWith(files)
  onTestFinished(remove)
  return path
}

/** The same, gone when what is done in it is done. */
export async function inFolder<Result>(
  files: Files,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const { path, remove } = await folderWith(files)
  try {
    return await work(path)
  } finally {
    await remove()
  }
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}
