import { constants } from 'node:fs'
import { copyFile, link } from 'node:fs/promises'
import { codeOf } from './error-code.ts'

/**
 * Gives a whole file another name, and fails where something is there or has come meanwhile, which a renaming would
 * take the place of. File systems that know no links copy, and fail as well.
 */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (codeOf(error, '') === 'EEXIST') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}
