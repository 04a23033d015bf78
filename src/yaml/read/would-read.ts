import type * as fs from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { type FileSystemAdapter, glob } from 'tinyglobby'
import type { Settings } from '../settings.ts'
import { declarationPatterns } from './find-declaration-files.ts'

/** Whether a repository would read declarations from a file that is not there yet. */
export async function wouldRead(directory: string, settings: Settings, file: string): Promise<boolean> {
  const [root, path] = [await realPlace(resolve(directory)), await realPlace(resolve(file))]
  const name = relative(root, path).split(sep).join('/')
  if (name === '' || name === '..' || name.startsWith('../') || resolve(name) === name) return false
  const { patterns, ignored } = declarationPatterns(settings)
  // What searches for declarations is asked itself, about a folder with nothing but this file in it.
  const found = await glob([...patterns], { cwd: root, ignore: [...ignored], fs: only(root, name) })
  return found.includes(name)
}

/** Where something is, links followed as far as it is there. */
async function realPlace(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined)
  if (real !== undefined || dirname(path) === path) return real ?? path
  return join(await realPlace(dirname(path)), basename(path))
}

type Listed = (error: null, entries: fs.Dirent[]) => void

/** A file system that holds one file. */
function only(root: string, name: string): FileSystemAdapter {
  const segments = name.split('/')
  const readdir = (folder: string, _: unknown, listed: Listed) => {
    const inside = relative(root, folder).split(sep).filter(Boolean)
    const isOnTheWay = inside.length < segments.length && inside.every((part, at) => part === segments[at])
    const next = isOnTheWay ? segments[inside.length] : undefined
    const isFile = inside.length === segments.length - 1
    const entry = {
      name: next,
      isFile: () => isFile,
      isDirectory: () => !isFile,
      isSymbolicLink: () => false,
    }
    // Of an entry nobody asks more, and of `readdir` nobody uses another form.
    listed(null, next === undefined ? [] : [entry as fs.Dirent])
  }
  return { readdir: readdir as unknown as FileSystemAdapter['readdir'] }
}
